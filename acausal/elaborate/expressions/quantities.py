"""Numbers with units: values of parameters, arguments and attributes, in the unit of the declaration.

    parameter R (unit="Ohm") = 4.7 kOhm      4700
    parameter phi = 90 deg                    pi/2, and the unit of phi is rad

A quantity stands alone, with signs, in sums, arrays and choices, or is multiplied or divided by numbers. Elsewhere a
number behind which a name stands is a product whose `*` is missing.
"""

from acausal.base.caches import Memo
from acausal.base.near_names import Suggestion
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.postfix import all_parts
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.units.convert import MismatchError, converted, is_affine, si_unit, unconverted
from acausal.units.near_units import near_unit
from acausal.units.parse_unit import UnitError, parse_unit
from acausal.units.unit_table import NAMES

KEPT = 5000
_QUANTITIES: Memo[int, tuple[ast.Expression, tuple[ast.Quantity, ...]]] = Memo(KEPT)
"""By identity; holding the node keeps its identity from being another's."""


def quantities_in(node: ast.Expression) -> tuple[ast.Quantity, ...]:
    """All numbers with units in an expression."""
    if isinstance(node, ast.Number | ast.String | ast.Boolean):
        return ()
    kept = _QUANTITIES.get(id(node))
    if kept is None:
        found = [part for part in all_parts(node) if isinstance(part, ast.Quantity)]
        found.sort(key=lambda quantity: quantity.span.start)
        kept = _QUANTITIES.keep(id(node), (node, tuple(found)))
    return kept[1]


def unit_of_value(node: ast.Expression, unit: str | None) -> str | None:
    """The unit in which quantities of a value are, "" for the SI unit; None where there are none.

    U007 for a quantity in a place where it cannot be converted.
    """
    if not quantities_in(node):
        return None
    stack: list[tuple[ast.Expression, bool]] = [(node, False)]
    while stack:
        part, combined = stack.pop()
        stack += _inside(part, combined)
        if combined and isinstance(part, ast.Quantity) and is_affine(part.unit):
            raise _calculated(part, "give the temperature in K")
    return unit or ""


def _inside(node: ast.Expression, combined: bool) -> list[tuple[ast.Expression, bool]]:
    """The parts of a node that have its unit, and whether these are added or scaled; U007 for quantities in others."""
    match node:
        case ast.ArrayLiteral(rows=rows):
            return [(item, combined) for row in rows for item in row]
        case ast.Comprehension(item=item):
            return [(item, combined)]
        case ast.Sum(operands=operands):
            return [(operand, True) for operand in operands]
        case ast.Unary(operator="-" | "+", operand=operand):
            return [(operand, True)]
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            _need_none([test for test, _ in branches])
            return [(value, combined) for _, value in (*branches, (None, otherwise))]
        case ast.Product(operands=operands, operators=operators):
            divisors = [e for sign, e in zip(operators, operands[1:], strict=True) if sign == "/"]
            with_units = [e for e in operands if quantities_in(e)]
            _need_none([*divisors, *with_units[1:]])
            return [(e, True) for e in with_units]
        case ast.Quantity():
            return []
    _need_none([node])
    return []


def _need_none(nodes: list[ast.Expression]) -> None:
    for node in nodes:
        for found in quantities_in(node):
            raise _calculated(found, "write one number with the unit of the whole value")


def _calculated(node: ast.Quantity, hint: str) -> Exception:
    return mistake("U007", f"{node.text} cannot be part of this calculation", node.span, hint=hint)


def quantity(node: ast.Quantity, scope: Scope) -> Expr:
    """The number in the unit of the value that the scope is for; P015 where no value is given."""
    if scope.unit is None:
        raise _missing_operator(node)
    return scope.pool.const(number_in(node, scope.unit))


def number_in(node: ast.Quantity, unit: str) -> float:
    """The number in a unit, with "" in that of the SI; U005 or U006 where it cannot be converted."""
    parts = node.number, node.prefix, node.unit
    try:
        return converted(*parts, unit or None)
    except (UnitError, MismatchError) as error:
        if isinstance(error, UnitError) and not (unit and _is_unknown(unit)):
            raise _unknown(node, error) from None
        code, message, hint = unconverted(node.text, parts, unit, "its declaration", error)
        raise mistake(code, message, node.span, hint=hint) from None


def implied_unit(node: ast.Expression) -> ast.Argument | None:
    """The attribute `unit="rad"` of a declaration that has none, from the first quantity of its value, 90 deg."""
    for found in quantities_in(node):
        if found.unit:
            try:
                return ast.Argument(found.span, "unit", ast.String(found.span, si_unit(found.unit)))
            except UnitError:
                return None
    return None


def _missing_operator(node: ast.Quantity) -> Exception:
    if not node.unit:
        plain = f"{converted(node.number, node.prefix, '', None):.15g}"
        message = f"`{node.text}`: numbers in equations have no prefixes"
        return mistake("P015", message, node.span, hint=f"write {plain}")
    hint = f"write a product as `{node.number}{node.prefix}*{node.unit}`; only given values have units"
    return mistake("P015", "an operator is missing", node.span, hint=hint)


def _unknown(node: ast.Quantity, error: UnitError) -> Exception:
    near = near_unit(error.part)
    hint = Suggestion.of(error.part, near) if near else f"write a product as `{node.number}*{node.unit}`"
    if error.part in NAMES:
        hint = f"write {node.text.replace(error.part, NAMES[error.part])}"
    return mistake("U006", f"unknown unit {error.part}", node.span, hint=hint)


def _is_unknown(unit: str) -> bool:
    try:
        parse_unit(unit)
    except UnitError:
        return True
    return False
