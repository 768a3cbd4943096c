"""Clashes of units in the user's words: both sides' units and the declarations they come from.

A declaration that was in one warning is in no other, and a connect statement has one at most, so that one
mistake gives one warning.
"""

from collections.abc import Iterator, Mapping, Sequence

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.base.frozen import dataclass
from acausal.base.near_names import Suggestion, did_you_mean
from acausal.base.source import Span
from acausal.ir.expr import Expr
from acausal.ir.names import Name, show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder
from acausal.units.check.constraints import Constraint
from acausal.units.check.solve import Clash, Solution
from acausal.units.dimension import ONE, Dimension, factor_of, quotient, without_scale
from acausal.units.name_unit import name_unit
from acausal.units.parse_unit import Unit, UnitError
from acausal.units.unit_table import NAMES, UNITS

Declared = tuple[Unit, Span]
"""The unit of a declaration and its place."""

_SOURCES = 6
"""Declarations that are searched for behind one side."""
_LABELS = 2
"""Declarations that are shown for one side."""
_CORRECT = "correct one of these units, or the equation"
_WIDEST = 60
_JOINED = (How.CONNECTED, How.FLOW_SUM, How.LADDER)


@dataclass(frozen=True, slots=True)
class _Source:
    """A declared name, and the undeclared one of the equation whose unit follows from it (or itself)."""

    name: Name
    through: Name


def clash_warnings(
    constraints: Sequence[Constraint],
    solution: Solution,
    declared: Mapping[Name, Declared],
    numbers: Mapping[Name, int],
) -> list[Diagnostic]:
    """A warning for each mistake behind the clashes, in the order in which they were found."""
    reporter = _Reporter(constraints, solution, declared, numbers)
    return [warning for clash in solution.clashes for warning in reporter.report(clash)]


class _Reporter:
    def __init__(
        self,
        constraints: Sequence[Constraint],
        solution: Solution,
        declared: Mapping[Name, Declared],
        numbers: Mapping[Name, int],
    ) -> None:
        self.constraints = constraints
        self.solution = solution
        self.declared = declared
        self.numbers = numbers
        self._names: dict[Name, None] = {}
        self._places: dict[Span, None] = {}
        self._statements: dict[Span, None] = {}

    def report(self, clash: Clash) -> Iterator[Diagnostic]:
        """The warning, unless it is of a mistake that was reported before, or nothing in it is declared."""
        constraint = self.constraints[clash.constraint]
        sides = [constraint.left] if constraint.right is None else [constraint.left, constraint.right]
        sources = [self._sources(side) for side in sides]
        names = [source.name for side in sources for source in side]
        if not names or any(name in self._names for name in names):
            return
        places = [self.declared[name][1] for name in names]
        if constraint.why != "is the value":
            if any(place in self._places for place in places):
                return
            self._places |= dict.fromkeys(places)
        if constraint.origin.how in _JOINED:
            if constraint.origin.span in self._statements:
                return
            self._statements[constraint.origin.span] = None
        self._names |= dict.fromkeys(names)
        yield self._warning(constraint, clash, sources)

    def _sources(self, side: Expr) -> list[_Source]:
        """The declarations that give a side its unit, the nearest first."""
        found: dict[Name, _Source] = {}
        seen: dict[Name, None] = {}
        queue = [(leaf, leaf) for leaf in _leaves(side)]
        while queue and len(found) < _SOURCES:
            later = []
            for name, through in queue:
                if name in seen:
                    continue
                seen[name] = None
                if name in self.declared:
                    found[name] = _Source(name, through)
                    continue
                reason = self.solution.reason.get(self.numbers.get(name, -1))
                if reason is not None:
                    because = self.constraints[reason]
                    both = (because.left,) if because.right is None else (because.left, because.right)
                    later += [(leaf, through) for expr in both for leaf in _leaves(expr)]
            queue = later
        return list(found.values())[:_SOURCES]

    # ------------------------------------------------------------- text

    def _warning(self, constraint: Constraint, clash: Clash, sources: Sequence[Sequence[_Source]]) -> Diagnostic:
        left, right = clash.left, clash.right
        first, other = _text(constraint.left), constraint.right
        if not isinstance(left, Dimension) or not isinstance(right, Dimension):
            both = first if other is None else f"{first} and {_text(other)}"
            return self._diagnostic("U002", f"no units satisfy {both}", constraint, sources)
        first += f" is in {self._unit(constraint.left, left)}"
        if other is None and right is ONE:
            help_ = "divide by a reference value, so that the result is dimensionless"
            message = f"{first}, but {constraint.why}, a dimensionless value"
            return self._diagnostic("U004", message, constraint, sources, help_)
        second = name_unit(right) if other is None else self._unit(other, right)
        message = f"{first}, but {constraint.why}" if other is None else f"{first}, but {_text(other)} in {second}"
        if without_scale(left) is not without_scale(right):
            return self._diagnostic("U002", message, constraint, sources)
        factor = factor_of(quotient(left, right))
        help_ = f"one {self._unit(constraint.left, left)} is {factor:.6g} {second}: convert one side"
        return self._diagnostic("U003", message, constraint, sources, help_)

    def _unit(self, side: Expr, dimension: Dimension) -> str:
        """As declared, where the side is a declared name; else as people write it."""
        if side.op == "parameter" or (side.op == "variable" and side.order == 0):
            declared = self.declared.get(side.name)
            if declared is not None:
                return declared[0].text
        return name_unit(dimension)

    def _diagnostic(
        self,
        code: str,
        message: str,
        constraint: Constraint,
        sources: Sequence[Sequence[_Source]],
        help_: str = _CORRECT,
    ) -> Diagnostic:
        labels: dict[Span, Label] = {}
        for side in sources:
            for source in side[:_LABELS]:
                unit, place = self.declared[source.name]
                said = f"{show_name(source.name)} is in {unit.text or '1'}"
                labels.setdefault(place, Label(place, said + self._consequence(source)))
        primary = Label(constraint.origin.span, _said(constraint))
        return Diagnostic(code, message, primary, tuple(labels.values()), (), help_, Severity.WARNING)

    def _consequence(self, source: _Source) -> str:
        """Consequence of a declaration for the undeclared name of the equation."""
        found = None if source.name == source.through else self.solution.found[self.numbers[source.through]]
        return "" if found is None else f", so {show_name(source.through)} is in {name_unit(found)}"


def _leaves(expr: Expr) -> list[Name]:
    return [node.name for node in postorder([expr]) if node.op in ("variable", "parameter")]


def _text(expr: Expr) -> str:
    text = show_expr(expr.args[0] if expr.op in ("neg", "array_neg") else expr)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _said(constraint: Constraint) -> str:
    if constraint.origin.how in _JOINED:
        return "connected here"
    if constraint.why == "":
        return "the two sides have different units"
    return "this value has a different unit" if constraint.why.endswith("value") else f"{constraint.why} here"


def affine_warning(left: tuple[Expr, Declared], right: tuple[Expr, Declared], origin: Origin) -> Diagnostic:
    """U003 for a temperature in degC set equal to one in K."""
    a, b = left[1][0].text, right[1][0].text
    message = f"{_text(left[0])} is in {a}, but {_text(right[0])} in {b}, which has a different zero"
    labels = tuple([Label(place, f"in {unit.text}") for unit, place in (left[1], right[1])])
    said = "the two sides have different units"
    help_ = "add 273.15 to a temperature in degC"
    return Diagnostic("U003", message, Label(origin.span, said), labels, (), help_, Severity.WARNING)


def unknown_unit(text: str, error: UnitError, span: Span) -> Diagnostic:
    """U001, with the unit that was perhaps meant."""
    if not error.name:
        message, hint = f'"{text}" is not a unit: cannot parse {error.part}', 'as in "N*m", "kg*m^2", "W/(m^2*K)"'
        return Diagnostic("U001", message, Label(span, "unit"), help=hint, severity=Severity.WARNING)
    meant = NAMES.get(error.part) or NAMES.get(error.part.lower())
    guess = Suggestion.of(error.part, meant) if meant else did_you_mean(error.part, UNITS)
    return Diagnostic(
        "U001",
        f"unknown unit {error.part}",
        Label(span, "unknown unit, not checked"),
        help=(guess or "known units: SI units with prefixes, and rad deg rpm degC bar l min h"),
        severity=Severity.WARNING,
        fix=guess.edits(span) if guess else (),
    )
