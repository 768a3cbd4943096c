"""Units of the results of operators, a rule each; what must have equal units becomes a constraint."""

from collections.abc import Callable
from fractions import Fraction

from acausal.ir.expr import Expr
from acausal.ir.origin import Origin
from acausal.units.check.constraints import Constraint, Constraints, names_something
from acausal.units.check.open_units import Form, Open, raised, times
from acausal.units.dimension import ONE, SECOND, Dimension, Exponent, power

Rule = Callable[[Constraints, Expr, Origin], Form]
_GREATEST_EXPONENT = 1000


def _sum(forms: Constraints, node: Expr, origin: Origin) -> Form:
    return forms.alike("are added", node.args, origin)


def _extreme(forms: Constraints, node: Expr, origin: Origin) -> Form:
    return forms.alike("are compared", node.args, origin)


def _relation(forms: Constraints, node: Expr, origin: Origin) -> Form:
    forms.alike("are compared", node.args, origin)
    return None


def _choice(forms: Constraints, node: Expr, origin: Origin) -> Form:
    return forms.alike("are branches of one if", node.args[1:], origin)


def _product(forms: Constraints, node: Expr, _: Origin) -> Form:
    total: Dimension | Open = ONE
    for arg in node.args:
        form = forms.form[arg]
        if form is None:
            return None
        total = form if total is ONE else times(total, form)
    return total


def _to_the(form: Form, exponent: Exponent) -> Form:
    return None if form is None else raised(form, exponent)


def _power(forms: Constraints, node: Expr, origin: Origin) -> Form:
    base, exponent = node.args
    if exponent.op == "const":
        if not abs(exponent.number) < _GREATEST_EXPONENT:
            return None
        value: Exponent = int(exponent.number)
        if value != exponent.number:
            value = Fraction(exponent.number).limit_denominator(1000)
        return _to_the(forms.form[base], value)
    forms.number("is an exponent", exponent, origin)
    return ONE if forms.form[base] is ONE else None


def _root(forms: Constraints, node: Expr, _: Origin) -> Form:
    return _to_the(forms.form[node.args[0]], Fraction(1, 2))


def _same(forms: Constraints, node: Expr, _: Origin) -> Form:
    return forms.form[node.args[0]]


def _number(forms: Constraints, node: Expr, origin: Origin) -> Form:
    name = str(node.value) if node.op == "map" else node.op
    return forms.number(f"is the argument of {name}", node.args[0], origin)


def _turn(forms: Constraints, node: Expr, origin: Origin) -> Form:
    """Sine, cosine and tangent: an argument that is a variable is an angle."""
    argument = node.args[0]
    if argument.op == "variable" and argument.order == 0:
        forms.angles[argument.name] = None
    return _number(forms, node, origin)


def _angle(forms: Constraints, node: Expr, origin: Origin) -> Form:
    return None if forms.alike("are the arguments of atan2", node.args, origin) is None else ONE


def _sign(forms: Constraints, node: Expr, _: Origin) -> Form:
    return None if forms.form[node.args[0]] is None else ONE


def _derivative(forms: Constraints, node: Expr, _: Origin) -> Form:
    form = forms.form[node.args[0]]
    return None if form is None else times(form, power(SECOND, -1))


def _inverse(forms: Constraints, node: Expr, _: Origin) -> Form:
    return _to_the(forms.form[node.args[0]], -1)


def _delay(forms: Constraints, node: Expr, origin: Origin) -> Form:
    late = forms.form[node.args[1]]
    if late is not None and late is not SECOND and names_something(node.args[1]):
        why = "is the time of delay"
        forms.constraints.append(Constraint(why, node.args[1], None, (late, SECOND), origin))
    return forms.form[node.args[0]]


def _items(forms: Constraints, node: Expr, _: Origin) -> Form:
    """An array of items: their unit if all have the same, else anything, as items may differ."""
    found = {forms.form[arg]: None for arg in node.args}
    found.pop(None, None)
    return next(iter(found)) if len(found) == 1 else None


def _picked(forms: Constraints, node: Expr, _: Origin) -> Form:
    """Items of an array: a declared array has one unit, an undeclared one may hold several."""
    form = forms.form[node.args[0]]
    return form if isinstance(form, Dimension) else None


def _map(forms: Constraints, node: Expr, origin: Origin) -> Form:
    rule = RULES.get(str(node.value))
    return None if rule is None or rule is _power else rule(forms, node, origin)


def _reduced(forms: Constraints, node: Expr, _: Origin) -> Form:
    if node.value != "mul":
        return forms.form[node.args[0]]
    count = 1
    for size in node.args[0].shape:
        count *= size
    return _to_the(forms.form[node.args[0]], count)


RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "array_add"), _sum),
    **dict.fromkeys(("mul", "scale", "elementwise", "matmul", "cross", "outer"), _product),
    **dict.fromkeys(("neg", "abs", "floor", "ceil", "noevent", "new", "array_neg", "transpose", "skew", "diag"), _same),
    **dict.fromkeys(("sin", "cos", "tan"), _turn),
    **dict.fromkeys(("asin", "acos", "atan", "sinh", "cosh", "tanh"), _number),
    **dict.fromkeys(("exp", "log", "log10", "linexp", "linlog"), _number),
    **dict.fromkeys(("min", "max", "mod"), _extreme),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "<>"), _relation),
    **dict.fromkeys(("if", "array_if"), _choice),
    **dict.fromkeys(("array", "stack"), _items),
    "pow": _power,
    "sqrt": _root,
    "atan2": _angle,
    "sign": _sign,
    "der": _derivative,
    "inverse": _inverse,
    "delay": _delay,
    "index": _picked,
    "map": _map,
    "reduce": _reduced,
}
"""By operator; one that is not here may have any unit."""
