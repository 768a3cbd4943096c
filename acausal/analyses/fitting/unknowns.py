"""Parameters to be found, with their starts, bounds and scales."""

from collections.abc import Callable, Mapping
from math import exp, inf, isfinite, log

from acausal.base.arguments import as_bounds, as_mapping, wrong_type
from acausal.base.diagnostics import Diagnostic, Label, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.given_number import value_of
from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.simulate.system.parameters import places
from acausal.units.declared import in_declared_unit
from acausal.units.given_quantity import GivenQuantity


@dataclass(frozen=True, slots=True)
class Unknown:
    """A parameter to be found, with its start and bounds; `log` if its logarithm is the unknown."""

    name: str
    start: float
    low: float
    high: float
    log: bool

    def number(self, value: float) -> float:
        """The unknown number of a value."""
        if not self.log:
            return value
        return log(value) if value > 0 else -inf

    def value(self, number: float) -> float:
        """The value of an unknown number."""
        return exp(number) if self.log else number


Where = Callable[[str], Label | None]
"""Where a parameter is declared."""


def unknowns_of(program: Program, given: object, values: Mapping[str, float], where: Where) -> tuple[Unknown, ...]:
    """Parameters with bounds: (low, high), (low, high, "log") or None; UsageError F005, F006, ModelError A040."""
    asked = as_mapping("parameters", given)
    if not asked:
        raise UsageError(
            Diagnostic("F006", "no parameter to fit", help='name one: {"R.R": (1, 1e4)}, or --vary R.R=1:1e4')
        )
    places(program, list(asked))
    slots = {show_name(slot.name): slot for slot in program.parameter_slots}
    found = []
    for name, bounds in asked.items():
        slot = slots[name]
        if slot.type != "real":
            raise UsageError(Diagnostic("F006", f"{name} is of type {slot.type}: only real parameters can vary"))
        low, high, is_log = _bounds(program, name, bounds)
        low = max(low, -inf if slot.low is None else slot.low)
        high = min(high, inf if slot.high is None else slot.high)
        start = values.get(name, slot.value)
        if not low <= start <= high:
            message = f"the start {name} = {start:g} is outside its bounds {low:g} to {high:g}"
            inside = f"{_inside(low, high, is_log):g}"
            hint = f"widen the bounds, or start within them: values={{'{name}': {inside}}}, or --set {name}={inside}"
            raise ModelError(Diagnostic("A040", message, where(name), help=hint))
        if is_log and not low > 0:
            hint = f"give a lower bound above 0: '{name}': (1e-3, {high:g}, 'log'), or {name}=1e-3:{high:g}:log"
            raise UsageError(Diagnostic("F006", f"{name} can be 0 or negative: it has no logarithmic scale", help=hint))
        found.append(Unknown(name, start, low, high, is_log))
    return tuple(found)


def _bounds(program: Program, name: str, given: object) -> tuple[float, float, bool]:
    if given is None:
        return -inf, inf, False
    if not isinstance(given, tuple | list) or len(given) not in (2, 3) or (len(given) == 3 and given[2] != "log"):
        raise wrong_type(f"parameters[{name!r}]", 'bounds, (1, 1e4) or (1, 1e4, "log")', given)
    low, high = (_bound(program, name, x) for x in given[:2])
    return *as_bounds(name, low, high), len(given) == 3


def _bound(program: Program, name: str, given: object) -> object:
    """A number, or a text with a unit, in the unit of the parameter; UsageError T014, U005, U006 for another."""
    if not isinstance(given, str | GivenQuantity):
        return given
    return float(in_declared_unit(program, name, value_of(name, given) if isinstance(given, str) else given))


def _inside(low: float, high: float, is_log: bool) -> float:
    if isfinite(low + high):
        return exp((log(low) + log(high)) / 2) if is_log and low > 0 else (low + high) / 2
    return low if isfinite(low) else high
