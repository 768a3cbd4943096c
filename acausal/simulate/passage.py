"""Where the states and start values of one program are found at a point of another, by position."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acausal.diagnostics import InternalError
from acausal.ir.program import Program, Symbol
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Place = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Passage:
    """From one program to another: positions among choices, variables, parameters, time and 1, with factors."""

    states: "tuple[Array, Array]"
    memory: "tuple[Array, Array, Array]"
    """The last are the positions in m."""


def passage(old: Program, new: Program) -> Passage:
    """Every state of the new program is a variable of the old one."""
    import numpy as np

    places = _places(old)
    missing = [slot.symbol for slot in new.state_slots if slot.symbol not in places]
    if missing:
        raise InternalError("run", f"the value of {missing[0]} is not known")
    states = [places[slot.symbol] for slot in new.state_slots]
    memory = [(*places[s], i) for i, s in enumerate(new.memory_slots) if s in places]
    numbers = [[p[k] for p in states] for k in range(2)], [[p[k] for p in memory] for k in range(3)]
    (at, factor), (start_at, start_factor, target) = numbers
    return Passage(
        (np.array(at, dtype=np.intp), np.array(factor, dtype=float)),
        (np.array(start_at, dtype=np.intp), np.array(start_factor, dtype=float), np.array(target, dtype=np.intp)),
    )


def pass_on(way: Passage, old: System, new: System, t: float, y: "Array") -> "Array":
    """The states of the new system where the old one has y; its held and start values are those of the old one.

    A start value that cannot be computed stays as it is.
    """
    import numpy as np

    known = np.concatenate([old.choices(t, y), old.variables(t, y), old.arrays[1], [t, 1.0]])
    new.held[:] = old.held
    at, factor, target = way.memory
    starts = known[at] * factor
    fine = np.isfinite(starts)
    new.memory[target[fine]] = starts[fine]
    at, factor = way.states
    after: Array = known[at] * factor
    return after


def _places(program: Program) -> dict[Symbol, Place]:
    """Where a program has its variables."""
    stored = program.choice_table.results
    parameters = stored + program.stored_size
    time = parameters + program.parameter_size
    places: dict[Symbol, Place] = {}
    for slot in program.variable_slots:
        if slot.kind == "stored":
            places[slot.symbol] = stored + slot.position, slot.sign
        elif slot.kind == "parameter":
            places[slot.symbol] = parameters + slot.position, slot.sign
        elif slot.kind == "time":
            places[slot.symbol] = time, slot.sign
        else:
            places[slot.symbol] = time + 1, slot.sign * slot.value
    return places | {symbol: (i, 1.0) for i, symbol in enumerate(program.choice_table.values)}
