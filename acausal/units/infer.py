"""The unit of an expression, as far as declarations give it.

    R*i = u                  with R in Ohm and u in V, i undeclared:   Ohm * i = V
    v = 2*x + w*time         2*x is anything (2 may have any unit);    v = w*s

A form is None (anything goes: a literal is in it), a dimension, or a dimension times powers of the
undeclared variables. What must have equal units goes into `constraints`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.units.dimension import ONE, SECOND, Dimension, Exponent, power
from acausal.units.open_units import Form, Open, raised, times


@record(frozen=True, slots=True)
class Constraint:
    """`left` and `right` have one unit; `why` says it, as in "are added". Without `right`: a dimensionless value."""

    why: str
    left: Expr
    right: Expr | None
    forms: tuple[Dimension | Open, Dimension | Open]
    origin: Origin


class Forms:
    """Forms of expressions, each node once; `leaves` are those of variables and parameters by name.

    `form` has what was found by now, so that of the arguments of a node at hand.
    """

    def __init__(self, leaves: dict[Name, Form]) -> None:
        self.leaves = leaves
        self.constraints: list[Constraint] = []
        self.form: dict[Expr, Form] = {}
        self.angles: dict[Name, None] = {}

    def equal(self, why: str, left: Expr, right: Expr, origin: Origin) -> None:
        """Both have one unit; a side that is made of time and numbers alone, as in u = time^2, may have any."""
        a, b = self.of(left, origin), self.of(right, origin)
        if a is not None and b is not None and a != b and not (_is_signal(left, a) or _is_signal(right, b)):
            self.constraints.append(Constraint(why, left, right, (a, b), origin))

    def of(self, expr: Expr, origin: Origin) -> Form:
        """The form; constraints within the expression are noted."""
        form = self.form
        if expr in form:
            return form[expr]
        if not expr.args:
            found = form[expr] = self._leaf(expr)
            return found
        stack: list[Expr | None] = [expr]  # None: the arguments of the node below it are done
        rules = _RULES
        while stack:
            node = stack.pop()
            if node is None:
                node = stack.pop()
            elif node in form:
                continue
            else:
                waits = False
                for arg in node.args:
                    if arg not in form:
                        if not arg.args:
                            form[arg] = self._leaf(arg)
                        elif waits:
                            stack.append(arg)
                        else:
                            stack += (node, None, arg)
                            waits = True
                if waits:
                    continue
            assert node is not None
            rule = rules.get(node.op)
            form[node] = None if rule is None else rule(self, node, origin)
        return form[expr]

    def _leaf(self, leaf: Expr) -> Form:
        if leaf.op == "variable":
            found = self.leaves.get(leaf.name)
            return found if leaf.order == 0 or found is None else times(found, power(SECOND, -leaf.order))
        if leaf.op in ("parameter", "held"):
            return self.leaves.get(leaf.name)
        return SECOND if leaf.op == "time" else None

    def alike(self, why: str, args: Sequence[Expr], origin: Origin) -> Form:
        """The one unit of all these: each against the first that is not a mere number."""
        first: Expr | None = None
        found: Form = None
        for arg in args:
            form = self.form[arg]
            if form is None or form is found:
                continue
            if first is None or found is None:
                first, found = arg, form
            elif form != found:
                self.constraints.append(Constraint(why, first, arg, (found, form), origin))
        return found

    def number(self, why: str, arg: Expr, origin: Origin) -> Form:
        """The argument is a dimensionless value; a function of time alone may stand for anything, as literals do."""
        form = self.form[arg]
        if form is None or not _names_something(arg):
            return None
        if form is not ONE:
            self.constraints.append(Constraint(why, arg, None, (form, ONE), origin))
        return ONE


def _is_signal(side: Expr, form: Dimension | Open) -> bool:
    """True if a side is a formula in time that names nothing; `time` itself is in s."""
    if not isinstance(form, Dimension) or not side.args:
        return False
    return all(b == SECOND.powers[0][0] for b, _ in form.powers) and not _names_something(side)


def _names_something(expr: Expr) -> bool:
    stack, seen = [expr], set[Expr]()
    while stack:
        node = stack.pop()
        if node.op == "variable" or node.op == "parameter" or node.op == "held":
            return True
        if node.args and node not in seen:
            seen.add(node)
            stack += node.args
    return False


# -------------------------------------------------------------------- rules

Rule = Callable[[Forms, Expr, Origin], Form]
_GREATEST_EXPONENT = 1000


def _sum(forms: Forms, node: Expr, origin: Origin) -> Form:
    return forms.alike("are added", node.args, origin)


def _extreme(forms: Forms, node: Expr, origin: Origin) -> Form:
    return forms.alike("are compared", node.args, origin)


def _relation(forms: Forms, node: Expr, origin: Origin) -> Form:
    forms.alike("are compared", node.args, origin)
    return None


def _choice(forms: Forms, node: Expr, origin: Origin) -> Form:
    return forms.alike("are branches of one if", node.args[1:], origin)


def _product(forms: Forms, node: Expr, _: Origin) -> Form:
    total: Dimension | Open = ONE
    for arg in node.args:
        form = forms.form[arg]
        if form is None:
            return None
        total = form if total is ONE else times(total, form)
    return total


def _to_the(form: Form, exponent: Exponent) -> Form:
    return None if form is None else raised(form, exponent)


def _power(forms: Forms, node: Expr, origin: Origin) -> Form:
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


def _root(forms: Forms, node: Expr, _: Origin) -> Form:
    return _to_the(forms.form[node.args[0]], Fraction(1, 2))


def _same(forms: Forms, node: Expr, _: Origin) -> Form:
    return forms.form[node.args[0]]


def _number(forms: Forms, node: Expr, origin: Origin) -> Form:
    name = str(node.value) if node.op == "map" else node.op
    return forms.number(f"is the argument of {name}", node.args[0], origin)


def _turn(forms: Forms, node: Expr, origin: Origin) -> Form:
    """Sine, cosine and tangent: an argument that is a variable is an angle."""
    argument = node.args[0]
    if argument.op == "variable" and argument.order == 0:
        forms.angles[argument.name] = None
    return _number(forms, node, origin)


def _angle(forms: Forms, node: Expr, origin: Origin) -> Form:
    return None if forms.alike("are the arguments of atan2", node.args, origin) is None else ONE


def _sign(forms: Forms, node: Expr, _: Origin) -> Form:
    return None if forms.form[node.args[0]] is None else ONE


def _derivative(forms: Forms, node: Expr, _: Origin) -> Form:
    form = forms.form[node.args[0]]
    return None if form is None else times(form, power(SECOND, -1))


def _inverse(forms: Forms, node: Expr, _: Origin) -> Form:
    return _to_the(forms.form[node.args[0]], -1)


def _delay(forms: Forms, node: Expr, origin: Origin) -> Form:
    late = forms.form[node.args[1]]
    if late is not None and late is not SECOND and _names_something(node.args[1]):
        why = "is the time of delay"
        forms.constraints.append(Constraint(why, node.args[1], None, (late, SECOND), origin))
    return forms.form[node.args[0]]


def _items(forms: Forms, node: Expr, _: Origin) -> Form:
    """An array of items: their unit if all have the same, else anything, as items may differ."""
    found = {forms.form[arg]: None for arg in node.args}
    found.pop(None, None)
    return next(iter(found)) if len(found) == 1 else None


def _picked(forms: Forms, node: Expr, _: Origin) -> Form:
    """Items of an array: a declared array has one unit, an undeclared one may hold several."""
    form = forms.form[node.args[0]]
    return form if isinstance(form, Dimension) else None


def _map(forms: Forms, node: Expr, origin: Origin) -> Form:
    rule = _RULES.get(str(node.value))
    return None if rule is None or rule is _power else rule(forms, node, origin)


def _reduced(forms: Forms, node: Expr, _: Origin) -> Form:
    if node.value != "mul":
        return forms.form[node.args[0]]
    count = 1
    for size in node.args[0].shape:
        count *= size
    return _to_the(forms.form[node.args[0]], count)


_RULES: dict[str, Rule] = {
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
