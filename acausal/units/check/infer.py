"""The unit of an expression, as far as declarations give it.

    R*i = u                  with R in Ohm and u in V, i undeclared:   Ohm * i = V
    v = 2*x + w*time         2*x is anything (2 may have any unit);    v = w*s

A form is None (anything goes: a literal is in it), a dimension, or a dimension times powers of the
undeclared variables. What must have equal units goes into `constraints`.
"""

from collections.abc import Callable, Mapping

from acausal.ir.expr import Expr
from acausal.ir.origin import Origin
from acausal.units.check.constraints import Constraint, Constraints, names_something
from acausal.units.check.open_units import Form, Open, times
from acausal.units.check.rules import RULES
from acausal.units.dimension import SECOND, Dimension, power


class Forms(Constraints):
    """Forms of expressions, each node once; `form_of` gives that of the variable or parameter that a leaf is of.

    `form` has those that are known by their symbols.
    """

    def __init__(self, form_of: Callable[[Expr], Form], form: Mapping[Expr, Form]) -> None:
        super().__init__()
        self._form_of = form_of
        self.form.update(form)

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
        rules = RULES
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
            found = self._form_of(leaf)
            return found if leaf.order == 0 or found is None else times(found, power(SECOND, -leaf.order))
        if leaf.op in ("parameter", "frozen"):
            return self._form_of(leaf)
        return SECOND if leaf.op == "time" else None


def _is_signal(side: Expr, form: Dimension | Open) -> bool:
    """True if a side is a formula in time that names nothing; `time` itself is in s."""
    if not isinstance(form, Dimension) or not side.args:
        return False
    return all(b == SECOND.powers[0][0] for b, _ in form.powers) and not names_something(side)
