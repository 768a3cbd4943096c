"""Forms of equations: two equations have the same one if they differ in the names of their leaves alone.

    f1.T = f1.Tr*f1.Tri        f2.T = f2.Tr*f2.Tri        one form, with the leaves (T, Tr, Tri) of an instance each

What holds for all values of the leaves of one equation holds for all equations of its form.
"""

from collections.abc import Mapping

from acausal.base.frozen import record
from acausal.causalize.arrays.element_names import stands_for
from acausal.ir.expr import Expr
from acausal.ir.flat import ArrayAlias, Equation
from acausal.ir.names import Name
from acausal.ir.pool import Pool

NAMED = ("variable", "parameter", "frozen")


def is_square(expr: Expr) -> bool:
    """True if it is a square matrix of more than one element."""
    return len(expr.shape) == 2 and expr.shape[0] == expr.shape[1] > 1


@record(frozen=True, slots=True)
class Form:
    """Key of the form, and the arrays of variables of this equation in the order in which it names them."""

    key: tuple[object, ...]
    arrays: tuple[Expr, ...]


def form_of(pool: Pool, equation: Equation, merged: Mapping[Expr, ArrayAlias]) -> Form:
    """The form of its two sides: their nodes from above, with leaves by number instead of name.

    Merged arrays have the name of those that stay for them.
    """
    place: dict[Expr, int] = {}
    key: list[object] = []
    names: dict[Name, int] = {}
    arrays: dict[Expr, None] = {}
    stack = [equation.right, equation.left]
    while stack:
        node = stack.pop()
        known = place.get(node)
        if known is not None:
            key.append(known)
            continue
        place[node] = len(place)
        op = node.op
        if op in NAMED:
            name, sign = node.name, 1
            if op == "variable" and node.shape:
                array = node
                if node.order or node in merged:
                    array, sign = stands_for(pool, node, merged)
                    name = array.name
                arrays[array] = None
            key += (op, names.setdefault(name, len(names)), sign, node.order, node.shape)
        else:
            key += (op, node.value, node.shape, len(node.args))
            stack += node.args[::-1]
    return Form(tuple(key), tuple(arrays))
