"""Scalars of an FMU: parameters, inputs, states, variables, and the derivatives of states."""

from collections.abc import Iterator
from math import isfinite
from typing import Literal

from acausal.base.frozen import record
from acausal.ir.flat import FlatModel, Parameter, Variable
from acausal.ir.names import Name, Symbol, without_indices
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot, VariableSlot

PlaceKind = Literal["time", "state", "rate", "stored", "parameter", "input", "constant", "text", "indicator"]
Causality = Literal["independent", "parameter", "calculatedParameter", "input", "output", "local"]
Variability = Literal["constant", "fixed", "tunable", "discrete", "continuous"]
Initial = Literal["exact", "calculated"]
Number = float | None


@record(frozen=True, slots=True)
class Place:
    """Where C finds a value, which is multiplied by `sign`; a constant has `value`, a text its number."""

    kind: PlaceKind
    position: int = 0
    sign: float = 1.0
    value: float = 0.0


@record(frozen=True, slots=True)
class Attributes:
    """Attributes that all elements of an FMI array share."""

    type: str
    causality: Causality
    variability: Variability
    initial: Initial | None
    unit: str | None = None
    description: str | None = None
    low: Number = None
    high: Number = None
    nominal: Number = None


@record(frozen=True, slots=True)
class Element:
    """A scalar: `start` if it has one; `shared` is equal for elements that have one value at all times."""

    symbol: Symbol
    place: Place
    attributes: Attributes
    start: float | str | None = None
    shared: tuple[object, ...] | None = None


@record(frozen=True, slots=True)
class StateValues:
    """Of the states in their order: nominal values, and positions of parameters for start values (None: calculated)."""

    nominals: tuple[Number, ...]
    starts: tuple[int | None, ...]


def elements(program: Program, flat: FlatModel, folded: tuple[Name, ...], values: StateValues) -> list[Element]:
    """All scalars but time, in this order."""
    made = Elements(program, flat, frozenset(folded), values)
    variables = list(made.variables())
    states = [e for e in variables if e.place.kind == "state"]
    others = [e for e in variables if e.place.kind != "state"]
    return [*made.parameters(), *made.texts(), *made.inputs(), *states, *made.rates(), *others]


class Elements:
    """Elements of one model."""

    def __init__(self, program: Program, flat: FlatModel, folded: frozenset[Name], values: StateValues) -> None:
        self._program, self._flat, self._values = program, flat, values
        self._folded = frozenset([without_indices(name) for name in folded]) | folded
        self._variables = {v.symbol.name: v for v in flat.variables}
        self._parameters = {v.symbol.name: v for v in flat.parameters}
        self._any_tunable = any(v.tunable for v in flat.parameters)
        self._states = program.state_positions
        rates = {(name, order + 1): i for (name, order), i in self._states.items()}
        self._rates = {symbol: i for symbol, i in rates.items() if symbol not in self._states}

    # ------------------------------------------------------------------ parameters

    def parameters(self) -> Iterator[Element]:
        """The parameters that are numbers."""
        starts = set(self._values.starts)
        for i, slot in enumerate(self._program.parameter_slots):
            if i in starts:
                continue
            kind = self._parameter_kind(slot)
            place = Place("parameter", i)
            attributes = Attributes(slot.type, *kind, slot.unit, slot.description, slot.low, slot.high)
            yield Element((slot.name, 0), place, attributes, slot.value if kind[2] == "exact" else None)

    def _parameter_kind(self, slot: ParameterSlot) -> tuple[Causality, Variability, Initial]:
        """Kind of a parameter: constant if it is part of the equations, calculated if others determine it."""
        declared = self._of_parameter(slot.name)
        if slot.constant or slot.name in self._folded or (declared is not None and declared.structural):
            return "local", "constant", "exact"
        if slot.bound:
            return "calculatedParameter", "tunable" if self._any_tunable else "fixed", "calculated"
        return "parameter", "tunable" if declared is not None and declared.tunable else "fixed", "exact"

    def _of_parameter(self, name: Name) -> Parameter | None:
        return self._parameters.get(name) or self._parameters.get(without_indices(name))

    def texts(self) -> Iterator[Element]:
        """Parameters that are strings: constants."""
        number = 0
        for parameter in self._flat.parameters:
            if parameter.type == "string" and isinstance(parameter.value, str):
                attributes = Attributes("string", "local", "constant", "exact", description=parameter.description)
                yield Element((parameter.symbol.name, 0), Place("text", number), attributes, parameter.value)
                number += 1

    # ------------------------------------------------------------------ variables

    def inputs(self) -> Iterator[Element]:
        """Inputs and derivatives of inputs; delays are none."""
        units = {slot.symbol: slot for slot in self._program.variable_slots}
        delays = {slot.name for slot in self._program.delays}
        first = len(self._program.table.frozen)
        for i, symbol in enumerate(self._program.input_slots):
            name, order = symbol
            if name in delays:
                continue
            declared = self._of_variable(name)
            kind = "real" if declared is None or order else declared.type
            start = declared.attributes.start if declared is not None and order == 0 else None
            value = start.value if start is not None and start.op in ("const", "boolean") else None
            number = float(value) if isinstance(value, float | bool) else 0.0
            slot = units.get(symbol)
            variability: Variability = "continuous" if kind == "real" else "discrete"
            attributes = Attributes(
                kind,
                "input",
                variability,
                "exact",
                slot.unit if slot else None,
                declared.description if declared else None,
                *(self._limits(declared) if order == 0 else ()),
            )
            yield Element(symbol, Place("input", first + i), attributes, number)

    def variables(self) -> Iterator[Element]:
        """Variables of the model; states are found where they are, also if they are no variables of the model."""
        inputs = set(self._program.input_slots)
        seen = set()
        for slot in self._program.variable_slots:
            if slot.symbol not in inputs and slot.symbol not in self._rates:
                seen.add(slot.symbol)
                yield self._variable(slot)
        for symbol, i in self._states.items():
            if symbol not in seen:
                attributes = Attributes(
                    "real", "local", "continuous", self._initial(i), nominal=self._values.nominals[i]
                )
                yield Element(symbol, Place("state", i), attributes, self._start(i))

    def _variable(self, slot: VariableSlot) -> Element:
        name, order = slot.symbol
        declared = self._of_variable(name) if order == 0 else None
        causality: Causality = "output" if declared is not None and declared.kind == "output" else "local"
        variability, initial = self._variability(slot, declared, causality)
        low, high, nominal = self._limits(declared)
        state = self._states.get(slot.symbol)
        shared = (slot.kind, slot.position, slot.sign, slot.value)
        start = None
        if state is not None:
            place = Place("state", state)
            nominal = self._values.nominals[state] or nominal
            initial, start = self._initial(state), self._start(state)
        else:
            place = Place(slot.kind, slot.position, slot.sign, slot.sign * slot.value)
            start = place.value if variability == "constant" else None
        attributes = Attributes(
            slot.type, causality, variability, initial, slot.unit, slot.description, low, high, nominal
        )
        return Element(slot.symbol, place, attributes, start, shared)

    def _initial(self, state: int) -> Initial:
        return "calculated" if self._values.starts[state] is None else "exact"

    def _start(self, state: int) -> Number:
        """The start value that the importer may replace."""
        position = self._values.starts[state]
        value = None if position is None else self._program.parameter_slots[position].value
        return None if value is None else float(value)

    def _variability(
        self, slot: VariableSlot, declared: Variable | None, causality: Causality
    ) -> tuple[Variability, Initial]:
        if slot.kind == "constant":
            return "constant", "exact"
        if slot.kind == "parameter":
            if causality == "output":
                return "discrete", "calculated"
            return "tunable" if self._any_tunable else "fixed", "calculated"
        if slot.type != "real" or (declared is not None and declared.kind == "discrete"):
            return "discrete", "calculated"
        return "continuous", "calculated"

    def rates(self) -> Iterator[Element]:
        """The derivatives of states, in the order of these."""
        slots = {slot.symbol: slot for slot in self._program.variable_slots}
        for symbol, i in self._rates.items():
            slot = slots.get(symbol)
            attributes = Attributes("real", "local", "continuous", "calculated", slot.unit if slot else None)
            yield Element(symbol, Place("rate", i), attributes)

    def _of_variable(self, name: Name) -> Variable | None:
        return self._variables.get(name) or self._variables.get(without_indices(name))

    def _limits(self, declared: Variable | None) -> tuple[Number, Number, Number]:
        """Least and greatest value, and nominal value, where they are numbers."""
        if declared is None:
            return None, None, None
        found = declared.attributes
        return tuple(  # type: ignore[return-value]  # three
            [
                e.value
                if e is not None and e.op == "const" and isinstance(e.value, float) and isfinite(e.value)
                else None
                for e in (found.minimum, found.maximum, found.nominal)
            ]
        )
