"""The values of all parameters of a run.

`{"load.m": 10}` replaces the value of `load.m`; every parameter bound to it follows,
unless it is given itself.
"""

from collections.abc import Collection, Mapping, Sequence
from math import inf, nextafter
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.given_values import need_type
from acausal.base.near_names import array_elements, did_you_mean
from acausal.codegen.default_parameters import complete
from acausal.ir.names import Name, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import FrozenSlot, ParameterSlot
from acausal.simulate.failure.messages import block_failed

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array, Executable


@dataclass(frozen=True, slots=True)
class Folded:
    """Error for folded parameters with other values: the model must be retranslated."""

    names: tuple[str, ...]


def parameter_values(
    executable: "Executable", given: Mapping[str, float], folded: Collection[Name] = ()
) -> "Array | Folded":
    """p, complete: given values, values of the translation, bindings and hoisted values.

    `folded` are the parameters whose values are part of the equations. Raises UsageError F005
    for an unknown name or a constant, SimulationError R001 where a hoisted system is singular.
    """
    return Setter(executable, tuple(given), folded).values(tuple(given.values()))


class Setter:
    """Sets the same parameters to other values again and again; see `parameter_values`. Serves several threads."""

    def __init__(self, executable: "Executable", names: Sequence[str], folded: Collection[Name] = ()) -> None:
        import numpy as np

        self._executable = executable
        program = executable.program
        self._defaults = np.zeros(program.parameter_size)
        self._defaults[: len(program.parameter_slots)] = [slot.value for slot in program.parameter_slots]
        self._given = np.zeros(len(program.parameter_slots))
        self._places = places(program, names)
        self._names = tuple(names)
        self.types = tuple([program.parameter_slots[i].type for i in self._places])
        self._given[self._places] = 1.0
        limits = _limits(program) if names else []
        self._limited = [limit.position for limit in limits]
        self._limits = limits
        self._low = np.array([limit.low for limit in limits])
        self._high = np.array([limit.high for limit in limits])
        self._complete: Array | None = None
        self._folded: list[Name] = []
        if self._places and folded:
            position_of = program.parameter_positions
            self._folded = [name for name in folded if name in position_of]
            self._at = np.array([position_of[name] for name in self._folded], dtype=np.intp)
            without = self._defaults.copy()
            executable.setup(without, np.zeros_like(self._given))
            self._expected = without[self._at]

    def values(self, numbers: Sequence[float]) -> "Array | Folded":
        """p for these values of the names."""
        if self._complete is not None:
            return self._complete.copy()
        for name, type_, number in zip(self._names, self.types, numbers, strict=True):
            if type_ != "real" or isinstance(number, bool):
                need_type(name, type_, number)
        p = self._defaults.copy()
        p[self._places] = numbers
        default = not self._places and complete(self._executable.program, p)
        status = 0 if default else self._executable.setup(p, self._given)
        outside = (p[self._limited] < self._low) | (p[self._limited] > self._high)
        if outside.any():
            number = int(outside.argmax())
            raise SimulationError(self._limits[number].diagnostic(float(p[self._limited[number]])))
        if self._folded:
            changed = (p[self._at] != self._expected).nonzero()[0].tolist()
            if changed:
                return Folded(tuple([show_name(self._folded[i]) for i in changed]))
        if status:
            program = self._executable.program
            raise block_failed(program, status, program.experiment.start)
        if not self._places:
            self._complete = p.copy()
        return p

    def fields(self) -> "FieldValues":
        """The fields of `runtime/sweep/sweep_context` for parameters."""
        import numpy as np

        folded, expected = (self._at, self._expected) if self._folded else (np.zeros(0), np.zeros(0))
        places = {"places": self._places, "limited": self._limited, "folded": folded}
        found: FieldValues = {name: np.array(where, dtype=np.int64) for name, where in places.items()}
        counts = {"names": len(self._places), "limited_count": len(self._limited), "folded_count": len(folded)}
        numbers = {"defaults": self._defaults, "is_given": self._given, "low": self._low, "high": self._high}
        return {**found, **counts, **numbers, "expected": expected}


@dataclass(frozen=True, slots=True)
class _Limit:
    """The least and greatest value of p at a position: limits of a parameter, or of the interval of a sample."""

    position: int
    low: float
    high: float
    slot: ParameterSlot | FrozenSlot

    def diagnostic(self, value: float) -> Diagnostic:
        """T013 or E015 for a value outside."""
        if isinstance(self.slot, FrozenSlot):
            from acausal.causalize.events.time_events import no_interval

            return no_interval(self.slot.text, value, self.slot.origin)
        below = value < self.low
        words, bound = ("below its minimum", self.low) if below else ("above its maximum", self.high)
        message = f"{show_name(self.slot.name)} is {value:g}, {words} {bound:g}"
        return Diagnostic("T013", message, help="give another value, or change its min or max")


def _limits(program: Program) -> list[_Limit]:
    """All limits of the values in p."""
    found = [
        _Limit(i, -inf if slot.low is None else slot.low, inf if slot.high is None else slot.high, slot)
        for i, slot in enumerate(program.parameter_slots)
        if slot.low is not None or slot.high is not None
    ]
    samples = [slot for slot in program.table.frozen if slot.interval is not None]
    return found + [_Limit(slot.interval or 0, nextafter(0.0, 1.0), inf, slot) for slot in samples]


def places(program: Program, names: Sequence[str]) -> list[int]:
    """Positions of these parameters in p; UsageError F005 for one that cannot be set."""
    position_of = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)} if names else {}
    for name in names:
        if name not in position_of or program.parameter_slots[position_of[name]].constant:
            raise _not_settable(name, position_of, program)
    return [position_of[name] for name in names]


def _not_settable(name: str, position_of: Mapping[str, int], program: Program) -> UsageError:
    if name in position_of:
        hint = "a constant is fixed in the text; declare it as a parameter to change it"
        return UsageError(Diagnostic("F005", f"{name} is a constant, not a parameter", help=hint))
    if any(show_name(symbol[0]) == name for symbol in program.input_slots):
        hint = f"give it a value as an input: inputs={{'{name}': 0}}, or --input {name}=0"
        return UsageError(Diagnostic("F005", f"{name} is an input, not a parameter", help=hint))
    settable = [n for n, i in position_of.items() if not program.parameter_slots[i].constant]
    if any(show_name(slot.symbol[0]) == name for slot in program.variable_slots):
        what, hint = "a variable, not a parameter", "to vary its start value, use a parameter: (start=x0)"
        return UsageError(Diagnostic("F005", f"{name} is {what}", help=hint))
    from acausal.elaborate.scopes.overrides import parameters_of

    listing = "`acausal translate FILE --show flat` lists the parameters"
    hint = array_elements(name, settable) or parameters_of(name, settable) or did_you_mean(name, settable) or listing
    return UsageError(Diagnostic("F005", f"unknown parameter {name}", help=hint))
