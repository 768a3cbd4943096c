"""Forms of equations: two equations have the same one if they differ in the names of their leaves alone.

    f1.T = f1.Tr*f1.Tri        f2.T = f2.Tr*f2.Tri        one form, with the leaves (T, Tr, Tri) of an instance each

What holds for all values of the leaves of one equation holds for all equations of its form.
"""

from acausal.ir.expr import Expr, postorder
from acausal.ir.flat import Equation
from acausal.ir.names import Name
from acausal.records import record

NAMED = ("variable", "parameter", "held")


def is_square(expr: Expr) -> bool:
    """Whether it is a square matrix of more than one element."""
    return len(expr.shape) == 2 and expr.shape[0] == expr.shape[1] > 1


@record(frozen=True, slots=True)
class Form:
    """What makes the form, and the square variables of this equation in the order in which it names them."""

    key: tuple[object, ...]
    square: tuple[Name, ...]


def form_of(equation: Equation) -> Form:
    """The form of its two sides: their nodes, with leaves by number instead of name."""
    place: dict[Expr, int] = {}
    lines: list[object] = []
    names: dict[Name, int] = {}
    square: dict[Name, None] = {}
    for node in postorder((equation.left, equation.right)):
        place[node] = len(place)
        if node.op in NAMED:
            own = names.setdefault(node.name, len(names))
            order = node.order if node.op == "variable" else 0
            lines.append((node.op, own, order, node.shape))
            if node.op == "variable" and is_square(node):
                square[node.name] = None
        else:
            lines.append((node.op, node.value, node.shape, *[place[a] for a in node.args]))
    lines.append((place[equation.left], place[equation.right]))
    return Form(tuple(lines), tuple(square))
