"""Requests for operating points: given values, free names and their bounds."""

from collections.abc import Collection, Mapping
from math import inf

from acausal.base.arguments import as_bounds, as_mapping, as_names, wrong_type
from acausal.base.diagnostics import Diagnostic, ModelError
from acausal.base.frozen import dataclass
from acausal.base.given_values import finite_number, numbers_of
from acausal.base.near_names import unknown_name
from acausal.base.options import SimulateOptions
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.simulate.inputs.inputs import InputValue

SHOWN = 6
"""Names that a message lists at most."""


@dataclass(frozen=True, slots=True)
class TrimRequest:
    """Values of outputs, bounds of what is free, states that may move; `rests` if the others rest."""

    fixed: Mapping[str, float]
    free: Mapping[str, tuple[float, float]]
    moving: tuple[str, ...]
    rests: bool
    values: Mapping[str, InputValue]
    options: SimulateOptions


def trim_request(
    fixed: object,
    free: object,
    moving: object,
    rests: bool,
    values: Mapping[str, InputValue] | None,
) -> TrimRequest:
    """The request from arguments of Python; UsageError F006 for one of the wrong type."""
    targets = numbers_of(as_mapping("fixed", fixed))
    if isinstance(free, Mapping):
        pairs = {str(name): _bounds(str(name), pair) for name, pair in free.items()}
    else:
        pairs = dict.fromkeys(as_names("free", free), (-inf, inf))
    known = {name: _number_of(value) for name, value in (values or {}).items()}
    return TrimRequest(targets, pairs, as_names("moving", moving), rests, known, SimulateOptions())


def _number_of(value: InputValue) -> InputValue:
    """A text that is a number, as of `--input u=2`, as the number: a guess, and part of the state."""
    number = finite_number(value) if isinstance(value, str) else None
    return value if number is None else number


def _bounds(name: str, pair: object) -> tuple[float, float]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise wrong_type(f"free[{name!r}]", "a pair of bounds, (0, 10)", pair)
    return as_bounds(name, pair[0], pair[1])


def require_known(program: Program, folded: Collection[Name], asked: TrimRequest) -> None:
    """UsageError F005 for names of nothing, ModelError A014 for parameters that cannot be free."""
    variables = [show_derivative(*slot.symbol) for slot in program.variable_slots]
    states = [show_derivative(*slot.symbol) for slot in program.state_slots]
    rates = [show_derivative(s.symbol[0], s.symbol[1] + 1) for s in program.state_slots]
    inputs = [show_name(name) for name, _ in program.input_slots]
    parameters = [show_name(slot.name) for slot in program.parameter_slots if not slot.constant]
    types = {show_name(slot.name): slot.type for slot in program.parameter_slots}
    part_of_equations = {show_name(name) for name in folded}
    for name in asked.fixed:
        if name not in variables and name not in rates:
            raise unknown_name("variable", name, variables)
    for name in asked.free:
        if name not in inputs and name not in parameters and name not in states:
            raise unknown_name("input, parameter or state", name, [*inputs, *parameters, *states])
        if types.get(name, "real") != "real":
            raise ModelError(Diagnostic("A014", f"{name} is of type {types[name]}: only real parameters can be free"))
        if name in part_of_equations:
            message = f"{name} determines the structure of the model: it cannot be free"
            raise ModelError(Diagnostic("A014", message, help="choose a parameter that only enters equations"))
    for name in asked.moving:
        if name not in states:
            raise unknown_name("state", name, states)
