"""The state of a run at an instant: all that another run needs to go on from there.

Solvers begin again at it, as they do behind an event; the past of nonlinear blocks is not part of it.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.simulate.rows.run_rows import RunRows
from acausal.simulate.state.npz_arrays import text_array

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from acausal.codegen.executable import Array
    from acausal.simulate.system.system import System

FORMAT = "acausal state"
VERSION = 1
MEMBER = "state"
FIELDS = (
    *("model", "digest", "time", "names", "units", "parameters", "discrete_places", "dummies", "unknowns", "inputs"),
    "made_by",
)
"""Fields of a state that are texts and numbers in the JSON text of a file."""
SHOWN = 12
"""States that the text of a state shows."""


@dataclass(frozen=True, slots=True, eq=False)
class State(Mapping[str, float]):
    """States of a model at `time` by name, with all else that a run goes on from.

    `units` are those of `names` (None: without), `parameters` values given for the run. `discrete` are values that only
    events change, by name. `dummies` are the dummy derivatives where other states were selected than at first.
    `arrays` holds the numbers: `y` (states), `frozen`, `next_sample`, `band`, `widening` (frozen values), `memory`
    (solutions of nonlinear blocks, of these `unknowns`), the history of delays.
    """

    model: str
    digest: str
    time: float
    names: tuple[str, ...]
    units: tuple[str | None, ...]
    parameters: dict[str, float]
    discrete_places: dict[str, int]
    dummies: tuple[str, ...]
    unknowns: tuple[str, ...]
    arrays: "dict[str, Array]"
    inputs: dict[str, float] = field(default_factory=dict)
    """Constant inputs of an operating point."""
    is_changed: bool = False
    """True if values were changed, so that relations may be others."""
    made_by: str = ""
    """Digest of the equations and parameters that it satisfies, see `equations_digest`; empty if not known."""

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            return self.discrete[name]
        return float(self.arrays["y"][self.names.index(name)])

    def __iter__(self) -> Iterator[str]:
        yield from self.names
        yield from self.discrete_places

    def __len__(self) -> int:
        return len(self.names) + len(self.discrete_places)

    @property
    def discrete(self) -> dict[str, float]:
        """Discrete variables by name."""
        return {name: float(self.arrays["frozen"][i]) for name, i in self.discrete_places.items()}

    def write(self, path: "str | Path") -> None:
        """Write the state to a file, which replaces `path` at once; UsageError F008 where it cannot be written."""
        from acausal.simulate.state.npz_arrays import write_npz

        write_npz(path, self.members())

    def members(self) -> "dict[str, Array]":
        """Arrays for a file: a JSON text and the numbers."""
        import json

        about = {name: getattr(self, name) for name in FIELDS}
        arrays = {f"{MEMBER}_{name}": array for name, array in self.arrays.items()}
        return {MEMBER: text_array(json.dumps({"format": FORMAT, "version": VERSION, **about})), **arrays}

    def __repr__(self) -> str:
        return f"<State of {self.model} at t = {self.time:g} s: {len(self.names)} states>"

    def __str__(self) -> str:
        lines = [f"{self.model} at t = {self.time:.10g} s"]
        units = dict(zip(self.names, self.units, strict=True))
        width = max(map(len, self), default=0)
        for k, (name, value) in enumerate(self.items()):
            if k == SHOWN:
                lines.append(f"  ... {len(self) - SHOWN} more")
                break
            unit = units.get(name)
            lines.append(f"  {name.ljust(width)}  {value:.10g}{f' {unit}' if unit else ''}")
        return "\n".join(lines)


def digest_of(program: Program, own: tuple[str, ...] | None = None) -> str:
    """Digest of what states of a model have to agree in; the same for whatever states are selected.

    `own` are its `state_names`, if these are known.
    """
    frozen = [(slot.kind, slot.text or show_name(slot.name)) for slot in program.table.frozen]
    names = () if program.choice_table.slots else own or state_names(program)
    whole = repr((program.name, len(program.state_slots), names, frozen, len(program.delays)))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def equations_digest(system: "System") -> str:
    """Digest of the code of a system and its parameters; empty where there is no machine code."""
    code = getattr(system.executable, "digest", "")
    return code and hashlib.sha256(code.encode() + system.arrays[1].tobytes()).hexdigest()[:16]


def content_digest(state: State) -> str:
    """Digest of all that a run goes on from."""
    arrays = [(name, array.tobytes()) for name, array in sorted(state.arrays.items())]
    whole = repr((state.digest, state.time, state.names, state.dummies, state.parameters, state.is_changed, arrays))
    return hashlib.sha256(whole.encode()).hexdigest()


def state_of(
    all_rows: RunRows, given: Mapping[str, float], dummies: "Callable[[System], tuple[str, ...]]"
) -> State | None:
    """The state at the last row of a run, for which these parameters were given; None where it holds no rows.

    `dummies` are the dummy derivatives of a system.
    """
    last = next((s for s in reversed(all_rows.segments) if len(s.rows) > s.first), None)
    if last is None:
        return None
    system, rows = last.system, last.rows
    _, states, _, memory = rows.arrays()
    return _state(system, rows.last_time, states[-1], memory[-1], given, dummies(system), {})


def state_at(system: "System", t: float, y: "Array", given: Mapping[str, float], inputs: Mapping[str, float]) -> State:
    """The state of a system where it is, with constant inputs."""
    return _state(system, t, y, system.memory, given, (), inputs)


def _state(
    system: "System",
    t: float,
    y: "Array",
    memory: "Array",
    given: Mapping[str, float],
    dummies: tuple[str, ...],
    inputs: Mapping[str, float],
) -> State:
    program = system.program
    require_no_units(program)
    units = {slot.symbol: slot.unit for slot in program.variable_slots}
    frozen, names = program.table.frozen, state_names(program)
    arrays = {
        "y": y.copy(),
        "memory": memory.copy(),
        "frozen": system.frozen.copy(),
        "next_sample": system.next_sample.copy(),
        "band": system.band.copy(),
        "widening": system.widening.copy(),
        **system.delays.saved(t),
    }
    return State(
        program.name,
        digest_of(program, names),
        t,
        names,
        tuple([units.get(slot.symbol) for slot in program.state_slots]),
        dict(given),
        {show_name(s.name): i for i, s in enumerate(frozen) if s.kind == "discrete" and not s.internal},
        dummies,
        tuple([show_derivative(*symbol) for symbol in program.memory_slots]),
        arrays,
        dict(inputs),
        made_by=equations_digest(system),
    )


def require_no_units(program: Program) -> None:
    """UsageError A010 for a model with FMUs, whose own states are not saved."""
    if program.units:
        hint = "FMUs keep states of their own: simulate from the start"
        raise UsageError(
            Diagnostic("A010", f"the state of {program.name} cannot be saved: it contains FMUs", help=hint)
        )


def state_names(program: Program) -> tuple[str, ...]:
    """The states of a program by name."""
    return tuple([show_derivative(*slot.symbol) for slot in program.state_slots])
