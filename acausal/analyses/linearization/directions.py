"""Names of inputs and outputs of a linearization, and where they are in the program.

An input is an input of the model, a known variable, or a parameter. Where the equations need derivatives of an input u
up to order k, the derivative of that order is the input, and those below are states.
"""

from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Any

from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import unknown_name
from acausal.ir.names import Name, Symbol, listed, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot, VariableSlot
from acausal.simulate.system.parameters import places

SHOWN = 6
"""Names that a message lists at most."""


@dataclass(frozen=True, slots=True)
class Directions:
    """Columns: the states, then `lower` derivatives of inputs, then the inputs.

    `slots` are columns by position in u, `parameters` by position in p. Parameters at the positions `given` have values
    of their own, not those of their bindings: they move with no other parameter.
    """

    states: tuple[str, ...]
    lower: tuple[Symbol, ...]
    inputs: tuple[str, ...]
    slots: dict[int, int] = field(default_factory=dict)
    parameters: dict[int, int] = field(default_factory=dict)
    given: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all states."""
        return (*self.states, *[show_derivative(*symbol) for symbol in self.lower])


def directions(
    program: Program, folded: Collection[Name], names: Sequence[str], given: Collection[str] = ()
) -> Directions:
    """Columns of these inputs where parameters `given` by name have values of their own.

    UsageError F005 for a name of nothing, ModelError A001 for what cannot be an input.
    """
    states = tuple([show_derivative(*slot.symbol) for slot in program.state_slots])
    first = len(program.table.frozen)
    slots = {show_derivative(*symbol): (symbol, first + i) for i, symbol in enumerate(program.input_slots)}
    _require_different("inputs", names)
    orders: dict[Name, int] = {}
    for symbol in program.input_slots:
        orders[symbol[0]] = max(symbol[1], orders.get(symbol[0], 0))
    own = tuple(places(program, tuple(given)))
    found = Directions(states, tuple(_lower(program, names, slots, orders)), tuple(names), given=own)
    base = len(found.names)
    for k, symbol in enumerate(found.lower):
        if symbol in program.input_slots:
            found.slots[first + program.input_slots.index(symbol)] = len(states) + k
    parameters = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)}
    for k, name in enumerate(names):
        if name in slots:
            found.slots[slots[name][1]] = base + k
        elif name in parameters:
            position = parameters[name]
            _require_free(program.parameter_slots[position], folded)
            found.parameters[position] = base + k
        else:
            raise _no_input(program, name, slots, parameters)
    return found


def chains(columns: Directions) -> Any:  # noqa: ANN401 - SciPy has no types
    """The rows of lower derivatives of inputs, which are states: the rate of each is the next one (sparse)."""
    from scipy.sparse import csr_array

    n = len(columns.names)
    first, following = len(columns.states), []
    for name, order in columns.lower:
        after = (name, order + 1)
        is_state = after in columns.lower
        place = first + columns.lower.index(after) if is_state else n + columns.inputs.index(show_derivative(*after))
        following.append(place)
    ones = [1.0] * len(following)
    return csr_array((ones, (range(len(following)), following)), shape=(len(following), n + len(columns.inputs)))


def _lower(
    program: Program, names: Sequence[str], slots: dict[str, tuple[Symbol, int]], orders: dict[Name, int]
) -> list[Symbol]:
    lower: list[Symbol] = []
    for text in names:
        if text not in slots:
            continue
        (name, order), _ = slots[text]
        if order < orders[name]:
            highest = show_derivative(name, orders[name])
            message = f"the equations depend on {highest}: {text} alone cannot be an input"
            raise ModelError(Diagnostic("A001", message, help=f"make {highest} the input; {text} is a state then"))
        first = min([n for other, n in program.input_slots if other == name])
        lower += [(name, n) for n in range(first, order)]
    return lower


def _require_free(slot: ParameterSlot, folded: Collection[Name]) -> None:
    name = show_name(slot.name)
    if slot.constant:
        raise ModelError(
            Diagnostic("A001", f"the constant {name} cannot be an input", help="declare it as a parameter")
        )
    if slot.type != "real":
        raise ModelError(Diagnostic("A001", f"the {slot.type} parameter {name} cannot be an input"))
    if slot.name in folded:
        message = f"{name} determines the structure of the model: it cannot be an input"
        raise ModelError(Diagnostic("A001", message, help="choose a parameter that only enters equations"))


def _no_input(program: Program, name: str, slots: Collection[str], parameters: Collection[str]) -> ModelError:
    if name in {show_derivative(*slot.symbol) for slot in program.variable_slots}:
        message = f"the equations determine {name}: it cannot be an input"
        hint = "inputs are inputs of the model, known variables (--known) and parameters"
        return ModelError(Diagnostic("A001", message, help=hint))
    known = (
        f"the inputs of the model are {listed(slots, SHOWN)}" if slots else "the model has no inputs, but parameters"
    )
    return unknown_name("input", name, [*slots, *parameters], known)


def output_slots(program: Program, names: Sequence[str]) -> tuple[VariableSlot, ...]:
    """The variables of these names; UsageError F005 for another, F006 for one twice."""
    _require_different("outputs", names)
    by_name = {show_derivative(*slot.symbol): slot for slot in program.variable_slots}
    for name in names:
        if name not in by_name:
            raise unknown_name("output", name, by_name)
    return tuple([by_name[name] for name in names])


def _require_different(what: str, names: Sequence[str]) -> None:
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise UsageError(Diagnostic("F006", f"{twice} is listed twice among the {what}"))
