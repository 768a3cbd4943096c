"""Functions of numbers: a name, the number of arguments, and the operator of `ir/ops.py`."""

from collections.abc import Sequence

from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.arrays import as_scalar
from acausal.elaborate.values.types import need, need_numbers, type_of
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.ops import OPS
from acausal.symbolic.elements import halved

_ONE = "sin cos tan asin acos atan sinh cosh tanh exp log log10 linexp linlog sqrt abs sign floor ceil"
SCALAR_FUNCTIONS: dict[str, int] = dict.fromkeys(_ONE.split(), 1) | {"atan2": 2, "mod": 2}


_FORMS = {
    "sample": "sample(0, 0.01): the first instant and the interval between instants, in seconds",
    "delay": "delay(x, 0.1): the value of x 0.1 s ago",
    "atan2": "atan2(y, x): the angle of the vector [x, y]",
    "mod": "mod(x, y): the remainder of x divided by y",
    "initial": "initial(), without arguments",
    "interp": "interp(x, xs, ys)",
    "table": 'table("file.csv", x)',
    "interp2": "interp2(x, y, xs, ys, Z)",
    "table2": 'table2("file.csv", x, y)',
}
"""Meaning of the arguments of functions."""


def need_arguments(node: ast.Call, *counts: int) -> None:
    """T003 unless the call has one of these numbers of arguments."""
    found = len(node.arguments)
    if found not in counts:
        wanted = " or ".join(map(str, counts))
        plural = "" if counts == (1,) else "s"
        letters = ", ".join("xyzuvw"[: counts[0]])
        hint = f"write {_FORMS.get(node.name, f'{node.name}({letters})')}"
        raise mistake("T003", f"{node.name} takes {wanted} argument{plural}, not {found}", node.span, hint=hint)


def scalar_function(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """A function of scalars; an array of one element counts as a scalar."""
    need_arguments(node, SCALAR_FUNCTIONS[node.name])
    need_numbers(node.name, node.arguments, arguments, scope)
    scalars = [as_scalar(scope.pool, node.name, e, n.span) for e, n in zip(arguments, node.arguments, strict=True)]
    return scope.pool.call(OPS[node.name].name, *scalars)


def least_or_greatest(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """`min` and `max` of several scalars, or of the elements of one array."""
    need_numbers(node.name, node.arguments, arguments, scope)
    pool = scope.pool
    if len(arguments) == 1:
        array = arguments[0]
        if not array.shape:
            return array
        if 0 in array.shape:
            raise mistake(
                "T001",
                f"{node.name} of an empty array is undefined",
                node.arguments[0].span,
                hint="use an array with at least one element",
            )
        return pool.node("reduce", (array,), node.name)
    if not arguments:
        raise mistake(
            "T003", f"{node.name} takes one array or several numbers", node.span, hint=f"write {node.name}(a, b)"
        )
    scalars = [as_scalar(pool, node.name, e, n.span) for e, n in zip(arguments, node.arguments, strict=True)]
    return halved(lambda a, b: pool.call(OPS[node.name].name, a, b), scalars)


def noevent(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The value without events: relations in it are taken as they are at every moment."""
    need_arguments(node, 1)
    inside, pool = arguments[0], scope.pool
    need("boolean" if type_of(inside, scope) == "boolean" else "number", "noevent", inside, node.span, scope)
    if inside.shape:
        return pool.node("map", (inside,), "noevent", inside.shape)
    return pool.call("noevent", inside)
