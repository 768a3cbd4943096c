"""Units of the variables that have none declared, for results: `w = der(phi)` has rad/s where phi has rad.

In the order of preference: the unit that equations `a = b`, `a + b = 0` and `a = der(b)` carry over from declared ones,
as text, since rad is a pure number to the check of units; rad where a variable is the argument of a sine; what the
check found, named by `name_unit`. Scaled units that nobody has written, such as 0.001 m, are not invented.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace

from acausal.ir.experiment import Start
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.names import Name, Symbol, show_derivative
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot, VariableSlot
from acausal.units.check.check_units import UnitCheck, check_units
from acausal.units.dimension import PI, SECOND, Dimension, power, quotient
from acausal.units.name_unit import name_unit
from acausal.units.parse_unit import UnitError, parse_unit

_PER_SECONDS = re.compile(r"(.*)/s(?:\^?(\d+))?")


def with_units(program: Program, flat: FlatModel, check: UnitCheck) -> Program:
    """The program with the units of its variables and parameters, as far as they are known."""
    if not check.any_declared:
        return program
    units = all_units(flat, check)
    variables = []
    for slot in program.variable_slots:
        unit = units.of(*slot.symbol) if slot.unit is None and slot.type == "real" else None
        variables.append(slot if unit is None else _with_unit(slot, unit))
    parameters = [_of_parameter(slot, units) for slot in program.parameter_slots]
    return replace(program, variable_slots=tuple(variables), parameter_slots=tuple(parameters))


def with_units_of(program: Program, first: Program) -> Program:
    """A program of the same model for other states, with the units of the first one."""
    units = {slot.symbol: slot.unit for slot in first.variable_slots if slot.unit is not None}
    variables = [
        _with_unit(slot, units.get(slot.symbol)) if slot.unit is None else slot for slot in program.variable_slots
    ]
    return replace(program, variable_slots=tuple(variables), parameter_slots=_parameters_of(program, first))


def with_initial_units(program: Program, start: Start) -> Program:
    """The program with the units of variables for the parameters that hold their initial values."""
    units = {show_derivative(*slot.symbol): slot.unit for slot in program.variable_slots}
    own = {name: units.get(of) for name, of in zip(start.parameters, start.initial, strict=True)}
    slots = [replace(slot, unit=own[slot.name]) if slot.name in own else slot for slot in program.parameter_slots]
    return replace(program, parameter_slots=tuple(slots))


def _parameters_of(program: Program, first: Program) -> tuple[ParameterSlot, ...]:
    units = {slot.name: slot.unit for slot in first.parameter_slots if slot.unit is not None}
    return tuple([slot if slot.unit else replace(slot, unit=units.get(slot.name)) for slot in program.parameter_slots])


def all_units(flat: FlatModel, check: UnitCheck) -> "Units":
    """The units of a model: declared ones, those that equations carry over as text, and what the check found."""
    declared = check.declared
    return Units(declared, _found(flat, check, declared), lambda: check.dimensions)


def written_units(flat: FlatModel) -> "Units":
    """The units that are declared, and those that equations carry over from them as text."""
    check = check_units(flat)
    declared = check.declared
    return Units(declared, _found(flat, check, declared), dict)


def derivative_unit(text: str) -> str | None:
    """The unit of the derivative with respect to time; None where the text is no unit."""
    try:
        unit = parse_unit(text)
    except UnitError:
        return None
    if unit.affine:
        return "K/s" if text.strip() == "degC" else None
    if text.strip() in ("s", "", "1"):
        return "1" if text.strip() == "s" else "1/s"
    match = _PER_SECONDS.fullmatch(text)
    return f"{match[1]}/s^{int(match[2] or 1) + 1}" if match else f"{text}/s"


def integral_unit(text: str) -> str | None:
    """The unit of what has a derivative of this unit, where it ends in `/s` or a power of it."""
    match = _PER_SECONDS.fullmatch(text)
    if match is None or match[1].strip() in ("", "1"):
        return None
    order = int(match[2] or 1) - 1
    return match[1] if order == 0 else f"{match[1]}/s" if order == 1 else f"{match[1]}/s^{order}"


class Units:
    """Units: the text that is declared or carried over, else the one that the check found, which is asked only then."""

    def __init__(
        self,
        declared: Mapping[Name, str],
        carried: Mapping[Symbol, str],
        dimensions: Callable[[], Mapping[Name, Dimension]],
    ) -> None:
        self._declared, self._carried = declared, carried
        self._find_dimensions = dimensions
        self._dimensions: Mapping[Name, Dimension] | None = None
        self._names: dict[Dimension, str | None] = {}
        self._found: dict[Symbol, str | None] = {}

    def of(self, name: Name, order: int = 0) -> str | None:
        """The unit of a variable, parameter or derivative; of elements that of their array."""
        while type(name[-1]) is int:  # as `without_indices`: there may be ten thousands
            name = name[:-1]
        symbol = name, order
        try:
            return self._found[symbol]
        except KeyError:
            found = self._found[symbol] = self._find(name, order)
            return found

    def _find(self, name: Name, order: int) -> str | None:
        for known in range(order, -1, -1):
            unit = self._carried.get((name, known)) if known or name not in self._declared else self._declared[name]
            while unit is not None and known < order:
                unit, known = derivative_unit(unit), known + 1
            if unit is not None:
                return unit
        if self._dimensions is None:
            self._dimensions = self._find_dimensions()
        found = self._dimensions.get(name)
        return None if found is None else self._named(quotient(found, power(SECOND, order)) if order else found)

    def _named(self, dimension: Dimension) -> str | None:
        if dimension not in self._names:
            scaled = any(base >= PI for base, _ in dimension.powers)
            self._names[dimension] = None if scaled else name_unit(dimension)
        return self._names[dimension]


def _found(flat: FlatModel, check: UnitCheck, declared: Mapping[Name, str]) -> dict[Symbol, str]:
    """The units that follow from those declared by equations such as `a = b`, `a + b = 0` and `a = der(b)`.

    Then those that follow from angles, in rad.
    """
    carried: dict[Symbol, str] = {}
    equal = _equal(flat.equations, check.declared_symbols) if check.any_undeclared else {}
    waiting = deque([symbol for symbol in equal if not symbol[1] and symbol[0] in declared])
    waiting += [(name, 0) for name, order in equal if order and name in declared and (name, 0) not in equal]

    def found(symbol: Symbol, unit: str | None) -> None:
        name, order = symbol
        if unit is not None and symbol not in carried and (order or name not in declared):
            carried[symbol] = unit
            waiting.append(symbol)

    def carry_over() -> None:
        while waiting:
            symbol = waiting.popleft()
            name, order = symbol
            unit = carried[symbol] if symbol in carried else declared[name]
            for other in equal.get(symbol, ()):
                found(other, unit)
            if (name, order + 1) in equal:
                found((name, order + 1), derivative_unit(unit))
            if order:
                found((name, order - 1), integral_unit(unit))

    carry_over()
    for name in check.angles:
        found((name, 0), "rad")
    carry_over()
    return carried


def _equal(equations: Iterable[Equation], declared: Set[Expr]) -> dict[Symbol, list[Symbol]]:
    """Variables and parameters of the same unit, as equations say, where it is not declared of all."""
    equal: dict[Symbol, list[Symbol]] = {}
    for equation in equations:
        left, right = equation.left, equation.right
        if left in declared and right in declared:
            continue  # connections of one unit
        leaves = [*_terms(left), *_terms(right)]
        if len(leaves) < 2 or not [leaf for leaf in leaves if leaf not in declared]:
            continue
        first, *others = [(leaf.name, leaf.order) for leaf in leaves]
        for other in others:
            equal.setdefault(first, []).append(other)
            equal.setdefault(other, []).append(first)
    return equal


def _terms(side: Expr) -> list[Expr]:
    """The variables and parameters that are terms of a side, whatever their signs."""
    found = []
    for term in side.args if side.op == "add" or side.op == "array_add" else (side,):
        leaf = term.args[0] if term.op == "neg" or term.op == "array_neg" else term
        if leaf.op == "variable" or leaf.op == "parameter":
            found.append(leaf)
    return found


def _with_unit(slot: VariableSlot, unit: str | None) -> VariableSlot:
    if unit is None:
        return slot
    s = slot  # `replace` would take four times as long
    about = s.type, unit, s.description, s.visible, s.unique
    return VariableSlot(s.symbol, s.kind, s.position, s.sign, s.value, *about)


def _of_parameter(slot: ParameterSlot, units: Units) -> ParameterSlot:
    unit = units.of(slot.name) if slot.unit is None and slot.type == "real" else None
    return slot if unit is None else replace(slot, unit=unit)
