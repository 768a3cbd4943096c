"""Constraints between units, found from the forms of arguments."""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.units.check.open_units import Form, Open
from acausal.units.dimension import ONE, Dimension


@record(frozen=True, slots=True)
class Constraint:
    """`left` and `right` have one unit; `why` says it, as in "are added". Without `right`: a dimensionless value."""

    why: str
    left: Expr
    right: Expr | None
    forms: tuple[Dimension | Open, Dimension | Open]
    origin: Origin


class Constraints:
    """Constraints so far; `form` has the forms of the nodes done, so those of the arguments of a node at hand.

    `angles` are variables and parameters that stand for angles.
    """

    def __init__(self) -> None:
        self.constraints: list[Constraint] = []
        self.form: dict[Expr, Form] = {}
        self.angles: dict[Name, None] = {}

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
        if form is None or not names_something(arg):
            return None
        if form is not ONE:
            self.constraints.append(Constraint(why, arg, None, (form, ONE), origin))
        return ONE


def names_something(expr: Expr) -> bool:
    """True for a formula with a variable or parameter in it."""
    stack, seen = [expr], set[Expr]()
    while stack:
        node = stack.pop()
        if node.op == "variable" or node.op == "parameter" or node.op == "frozen":
            return True
        if node.args and node not in seen:
            seen.add(node)
            stack += node.args
    return False
