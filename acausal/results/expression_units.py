"""Units of expressions over results, by the dimensions of their variables.

The unit of a product of variables follows from theirs. A plain number may be a factor of a formula (`m*v^2/2`) or
convert by hand (`q*180/pi`): where it equals the factor to a unit with a name, that is the unit, otherwise the
unit is unknown, never a wrong one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isclose, pi

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.frozen import dataclass
from acausal.ir import ast
from acausal.results.display_units import declared_unit, fits, ratio
from acausal.results.expression_tree import derivative_name, postorder, reference_name
from acausal.units.dimension import ONE, SECOND, Dimension, power, product, without_scale
from acausal.units.name_unit import name_unit
from acausal.units.unit_table import UNITS

MOST_POWER = 100
PASSING = ("abs", "max", "min", "mean", "first", "final")
"""Functions whose value has the unit of their arguments."""
ANGLES = ("asin", "acos", "atan", "atan2")


@dataclass(frozen=True, slots=True)
class Known:
    """Knowledge of the unit of a part: None as `dimension` is none at all.

    `text` is the unit as it was declared. Numbers by which a variable was multiplied are in `factor`, nan if several
    do not agree. A `constant` is a number without variables; `pure` is a variable alone.
    """

    dimension: Dimension | None
    text: str | None = None
    factor: float = 1.0
    constant: float | None = None
    pure: bool = False


UNKNOWN = Known(None)
NUMBER = Known(ONE, "1")


def unit_of(tree: ast.Expression, unit: Callable[[str], str | None]) -> Known:
    """The unit of an expression; `unit` gives that of a variable. UsageError F022 for the sum of V and A."""
    values: list[Known] = []
    for node, count in postorder(tree):
        operands = values[len(values) - count :]
        del values[len(values) - count :]
        values.append(_of_node(node, operands, unit))
    return values[0]


def shown_unit(known: Known) -> str | None:
    """The unit of an expression as an axis shows it; None where it is unknown."""
    if known.dimension is None or known.constant is not None:
        return None
    if isclose(known.factor, 1.0, rel_tol=1e-12):
        if known.text is not None:
            return known.text
        return name_unit(known.dimension) if without_scale(known.dimension) is known.dimension else None
    base = known.text or name_unit(known.dimension)
    for name, dimension in UNITS.items():
        if fits(base, name) and name not in ("degC", "degF", "K"):
            converted = ratio(known.dimension, dimension)
            if converted != 1.0 and isclose(converted, known.factor, rel_tol=1e-12):
                return name
    return None


def _of_node(node: ast.Expression, operands: Sequence[Known], unit: Callable[[str], str | None]) -> Known:
    match node:
        case ast.Number(text=number):
            return replace(NUMBER, constant=float(number))
        case ast.Reference():
            name = reference_name(node)
            return replace(NUMBER, constant=pi) if name == "pi" else _declared(unit(name))
        case ast.Call(name="der"):
            return _declared(unit(derivative_name(node)))
        case ast.Call():
            return _called(node, operands)
        case ast.Unary(operator="-"):
            known, sign = operands[0], -1.0
            constant = None if known.constant is None else sign * known.constant
            return replace(known, constant=constant, pure=False)
        case ast.Unary(operator="+"):
            return operands[0]
        case ast.Sum():
            return _alike(node, operands)
        case ast.Product(operators=operators):
            return _multiplied(operators, operands)
        case ast.Power():
            return _raised(operands[0], operands[1].constant)
        case ast.IfExpression():
            return _alike(node, [*operands[1:-1:2], operands[-1]])
    return NUMBER


def _declared(text: str | None) -> Known:
    found = declared_unit(text)
    return UNKNOWN if found is None else Known(found.dimension, text, pure=True)


def _called(node: ast.Call, operands: Sequence[Known]) -> Known:
    if node.name in PASSING:
        return replace(_alike(node, operands), pure=False)
    if node.name == "integral":
        found = operands[0]
        return (
            found if found.dimension is None else replace(found, dimension=product(found.dimension, SECOND), text=None)
        )
    if node.name == "sqrt":
        return _raised(operands[0], 0.5)
    return Known(ONE, "rad") if node.name in ANGLES else NUMBER


def _multiplied(operators: Sequence[str], operands: Sequence[Known]) -> Known:
    dimension, factor, constant, texts = ONE, 1.0, 1.0, []
    for operator, known in zip(("*", *operators), operands, strict=True):
        if known.dimension is None or _is_affine(known):
            return UNKNOWN
        sign = -1 if operator == "/" else 1
        dimension = product(dimension, power(known.dimension, sign))
        if known.constant is None:
            factor *= known.factor**sign
            texts.append(known.text if sign > 0 else None)
        elif known.constant == 0.0:
            return UNKNOWN
        else:
            constant *= abs(known.constant) ** sign
    if not texts:
        return replace(NUMBER, constant=constant)
    return Known(dimension, texts[0] if len(texts) == 1 else None, factor * constant)


def _raised(base: Known, exponent: float | None) -> Known:
    if base.dimension is None or exponent is None or not abs(exponent) <= MOST_POWER:
        return UNKNOWN if base.dimension is not ONE else NUMBER
    if base.constant is not None:
        try:
            return replace(NUMBER, constant=abs(base.constant) ** exponent)
        except (OverflowError, ZeroDivisionError):
            return UNKNOWN
    raised = power(base.dimension, Fraction(exponent).limit_denominator(MOST_POWER))
    return Known(raised, base.text if exponent == 1.0 else None, base.factor**exponent)


def _alike(node: ast.Expression, operands: Sequence[Known]) -> Known:
    """The unit of terms that are added or compared; numbers have whatever unit the others have."""
    terms = [known for known in operands if known.constant is None]
    if not terms:
        return replace(NUMBER, constant=1.0) if operands else UNKNOWN
    if any(known.dimension is None or (_is_affine(known) and isinstance(node, ast.Sum)) for known in terms):
        return UNKNOWN
    first = terms[0]
    for other in terms[1:]:
        _comparable(node, first, other)
    alike = all(known.text == first.text or known.dimension is not first.dimension for known in terms)
    text = first.text if alike else None
    same = all(isclose(_scaled(known, first), first.factor, rel_tol=1e-9) for known in terms)
    return replace(first, text=text, factor=first.factor if same else float("nan"), pure=False)


def _scaled(known: Known, first: Known) -> float:
    """The factor that a term has in the unit of the first one."""
    assert known.dimension is not None and first.dimension is not None
    return known.factor * ratio(first.dimension, known.dimension)


def _is_affine(known: Known) -> bool:
    return known.text in ("degC", "degF")


def _comparable(node: ast.Expression, one: Known, other: Known) -> None:
    """UsageError F022 where two terms have different units."""
    assert one.dimension is not None and other.dimension is not None
    names = [known.text or name_unit(known.dimension) for known in (one, other) if known.dimension is not None]
    message = f"{names[0]} and {names[1]} are added or compared"
    if without_scale(one.dimension) is not without_scale(other.dimension):
        hint = "add or compare quantities of one kind"
        raise UsageError(Diagnostic("F022", message, Label(node.span), help=hint))
    if one.dimension is not other.dimension and not isclose(_scaled(other, one), one.factor, rel_tol=1e-9):
        hint = f"multiply what is in {names[1]} by {ratio(other.dimension, one.dimension):.10g}"
        raise UsageError(Diagnostic("F022", message, Label(node.span), help=hint))
