"""Units are checked through equations and connections, and found where declarations determine them.

    R*i = u    with R in Ohm, i in A, u in V       holds
    C*der(u) = i    with C in H                    a warning that shows both sides' units

Pure numbers written in the model may stand for anything; so may undeclared variables until an equation
determines their unit. Method: Kennedy, Types for Units-of-Measure (2009): unification in an abelian group,
here with rational exponents.
"""

from collections.abc import Iterable, Mapping, Set
from itertools import chain

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel, Parameter, Variable
from acausal.ir.names import Name
from acausal.units.check.infer import Forms
from acausal.units.check.open_units import Form, Open
from acausal.units.check.solve import Solution
from acausal.units.check.warnings import Declared, affine_warning, clash_warnings, unknown_unit
from acausal.units.dimension import ONE, Dimension
from acausal.units.parse_unit import Unit, UnitError, parse_unit

_RELATED = ("is the start value", "is the minimum", "is the maximum", "is the nominal value")


@dataclass(frozen=True, slots=True)
class UnitCheck:
    """The warnings; the variables that are `angles` by the functions they are in; and the dimensions.

    Some dimensions are found only when they are asked for.
    """

    warnings: tuple[Diagnostic, ...]
    angles: tuple[Name, ...]
    _names: "_Names"
    _solution: Solution

    @property
    def declared(self) -> dict[Name, str]:
        """The units that are declared, as they are written."""
        return {symbol.name: unit.text for symbol, unit in self._names.units.items()}

    @property
    def declared_symbols(self) -> Set[Expr]:
        """The variables and parameters that have a declared unit."""
        return self._names.units.keys()

    @property
    def any_declared(self) -> bool:
        """True if a unit is declared."""
        return bool(self._names.units)

    @property
    def any_undeclared(self) -> bool:
        """True if there is a real variable or parameter without declared unit."""
        return bool(self._names.open)

    @property
    def dimensions(self) -> Mapping[Name, Dimension]:
        """Dimension of every variable and parameter that has one, declared or inferred."""
        names, solution = self._names, self._solution
        solution.find_all()
        found = {symbol.name: unit.dimension for symbol, unit in names.units.items()}
        return found | {name: d for name, d in zip(names.open, solution.found, strict=True) if d is not None}


def check_units(flat: FlatModel) -> UnitCheck:
    """Infer all units from the declared ones, and find contradictions."""
    names = _Names(flat)
    if not names.units:
        return UnitCheck(tuple(names.warnings), (), names, Solution((), len(names.open)))
    forms = Forms(names.form_of, names.forms)
    _relate(flat, forms)
    names.forms.clear()
    solution = Solution(forms.constraints, len(names.open))
    solution.solve()
    warnings = names.warnings
    if solution.clashes:
        warnings = [*warnings, *clash_warnings(forms.constraints, solution, names.declared(), names.numbers)]
    if names.affine:
        warnings += _affine(flat, names)
    return UnitCheck(tuple(warnings), tuple(forms.angles), names, solution)


class _Names:
    """Every variable and parameter with what is declared of it; undeclared real ones are numbered."""

    def __init__(self, flat: FlatModel) -> None:
        self.forms: dict[Expr, Form] = {}
        self.units: dict[Expr, Unit] = {}
        self.numbers: dict[Name, int] = {}
        self.open: list[Name] = []
        self.affine = False
        self.warnings: list[Diagnostic] = []
        self._flat = flat
        unit_of: dict[str, Unit | None] = {}
        forms, units = self.forms, self.units
        for item in chain[Parameter | Variable](flat.parameters, flat.variables):
            symbol, written = item.symbol, item.attributes.unit
            if written is not None:
                if written not in unit_of:
                    unit_of[written] = self._unit(item, written)
                unit = unit_of[written]
                if unit is not None:
                    forms[symbol] = unit.dimension
                    units[symbol] = unit
            elif item.type == "real":
                forms[symbol] = Open(ONE, ((len(self.open), 1),))
                self.numbers[symbol.name] = len(self.open)
                self.open.append(symbol.name)
        self.affine = any(unit is not None and unit.affine for unit in unit_of.values())

    def form_of(self, leaf: Expr) -> Form:
        """The form of a variable, of that which a derivative is of, or of a parameter."""
        if leaf.order:
            leaf = self._flat.pool.variable(leaf.name, 0, leaf.shape)
        return self.forms.get(leaf)

    def _unit(self, item: Parameter | Variable, text: str) -> Unit | None:
        try:
            return parse_unit(text)
        except UnitError as error:
            self.warnings.append(unknown_unit(text, error, _place(item)))
            return None

    def declared(self) -> dict[Name, Declared]:
        """The declared units by name, with their places."""
        items, units = chain[Parameter | Variable](self._flat.parameters, self._flat.variables), self.units
        return {i.symbol.name: (units[i.symbol], _place(i)) for i in items if i.symbol in units}


def _place(item: Parameter | Variable) -> Span:
    """Where the unit is written, or else the declaration."""
    return item.attributes.unit_at or item.origin.span


def _relate(flat: FlatModel, forms: Forms) -> None:
    """All that must have equal units, in the order of the text."""
    for parameter in flat.parameters:
        if parameter.binding.op not in ("const", "boolean", "string"):
            forms.equal("is the value", parameter.symbol, parameter.binding, parameter.origin)
        _attributes(parameter, forms)
    for variable in flat.variables:
        _attributes(variable, forms)
    _relate_sides((*flat.equations, *flat.initial_equations), forms)
    for condition in flat.conditions:
        forms.of(condition.condition, condition.origin)
    for when in flat.whens:
        for branch in when.branches:
            if branch.condition is not None:
                forms.of(branch.condition, branch.origin)
            for action in branch.actions:
                if action.target is not None:
                    forms.equal("", action.target, action.value, action.origin)
                else:
                    forms.of(action.value, action.origin)


def _relate_sides(equations: Iterable[Equation], forms: Forms) -> None:
    known = forms.form.get
    for equation in equations:
        form = known(equation.left)
        if form is None or form is not known(equation.right):  # connections of one unit are the most frequent
            forms.equal("", equation.left, equation.right, equation.origin)
        for left, right in equation.derivatives:
            forms.equal("", left, right, equation.origin)


def _attributes(item: Parameter | Variable, forms: Forms) -> None:
    given = item.attributes
    if given.start or given.minimum or given.maximum or given.nominal:
        values = (given.start, given.minimum, given.maximum, given.nominal)
        for why, value in zip(_RELATED, values, strict=True):
            if value is not None and value.op != "const":
                forms.equal(why, item.symbol, value, item.origin)


def _affine(flat: FlatModel, names: _Names) -> list[Diagnostic]:
    """Equations that set degC equal to K: the dimension is the same, the zero is not."""
    found: list[Diagnostic] = []
    declared = names.declared()
    pairs = [(e.left, e.right, e.origin) for e in flat.equations]
    pairs += [(p.symbol, p.binding, p.origin) for p in flat.parameters]
    for left, right, origin in pairs:
        a, b = _declared(left, declared), _declared(right, declared)
        if a and b and a[0].dimension is b[0].dimension and a[0].affine != b[0].affine:
            found.append(affine_warning((left, a), (right, b), origin))
    return found


def _declared(leaf: Expr, declared: Mapping[Name, Declared]) -> Declared | None:
    if leaf.op == "parameter" or (leaf.op == "variable" and leaf.order == 0):
        return declared.get(leaf.name)
    return None
