"""Functions that make, take apart or measure arrays."""

from collections.abc import Callable, Sequence

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.functions.scalar_functions import least_or_greatest, need_arguments, noevent
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.shape_errors import shapes_differ, wrong_shape
from acausal.elaborate.values.arrays import array_of, multiply, pick, product_shape, size
from acausal.elaborate.values.structural import structural_integer
from acausal.elaborate.values.types import need_numbers
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.pool import Pool

Function = Callable[[ast.Call, Sequence[Expr], Scope], Expr]
OfOne = Callable[[Pool, Expr], Expr]


def _of_one(wanted: str, fits: Callable[[Shape], bool], make: OfOne) -> Function:
    """A function of one array whose shape must fit."""

    def function(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
        need_arguments(node, 1)
        need_numbers(node.name, node.arguments, arguments, scope)
        if not fits(arguments[0].shape):
            raise wrong_shape(node.name, wanted, arguments[0], node.arguments[0].span)
        return make(scope.pool, arguments[0])

    return function


def _transpose(pool: Pool, a: Expr) -> Expr:
    if a.op == "transpose":
        return a.args[0]
    return pool.node("transpose", (a,), None, (a.shape[1], a.shape[0]))


def _sum(pool: Pool, a: Expr) -> Expr:
    return pool.node("reduce", (a,), "add") if a.shape else a


def _product(pool: Pool, a: Expr) -> Expr:
    return pool.node("reduce", (a,), "mul") if a.shape else a


def _norm(pool: Pool, a: Expr) -> Expr:
    return pool.call("sqrt", pool.node("matmul", (a, a)))


def _trace(pool: Pool, a: Expr) -> Expr:
    n = a.shape[0]
    return _sum(pool, pick(pool, a, tuple(range(0, n * n, n + 1)), (n,)))


def _inverse(pool: Pool, a: Expr) -> Expr:
    return pool.node("inverse", (a,), None, a.shape) if a.shape else pool.div(pool.one, a)


def _is_vector(shape: Shape) -> bool:
    return len(shape) == 1


def _is_square(shape: Shape) -> bool:
    return len(shape) == 2 and shape[0] == shape[1]


def _vectors(node: ast.Call, arguments: Sequence[Expr], scope: Scope, length: int | None = None) -> None:
    """T001 unless both arguments are vectors of one length, or of the given one."""
    need_arguments(node, 2)
    need_numbers(node.name, node.arguments, arguments, scope)
    wanted = "a vector" if length is None else f"a vector of {length}"
    for written, argument in zip(node.arguments, arguments, strict=True):
        if len(argument.shape) != 1 or (length is not None and argument.shape[0] != length):
            raise wrong_shape(node.name, wanted, argument, written.span)


def _dot(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    _vectors(node, arguments, scope)
    a, b = arguments
    spans = (node.arguments[0].span, node.arguments[1].span)
    if product_shape(a.shape, b.shape) is None:
        raise shapes_differ("dot requires vectors of equal length", a, spans[0], b, spans[1], "use a slice: x[1:3]")
    return multiply(scope.pool, a, b, spans)


def _cross(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    _vectors(node, arguments, scope, 3)
    return scope.pool.node("cross", tuple(arguments), None, (3,))


def _outer(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    _vectors(node, arguments, scope)
    return scope.pool.node("outer", tuple(arguments), None, arguments[0].shape + arguments[1].shape)


def _identity(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    need_arguments(node, 1)
    (n,) = _dimensions(node, arguments, scope)
    _limit((n, n), node, scope)
    pool = scope.pool
    return array_of(pool, [pool.one if i % (n + 1) == 0 else pool.zero for i in range(n * n)], (n, n))


def _filled(number: float) -> Function:
    def function(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
        if not arguments:
            raise mistake(
                "T003", f"{node.name} takes the dimensions of the array", node.span, hint=f"as in {node.name}(3)"
            )
        shape = _dimensions(node, arguments, scope)
        _limit(shape, node, scope)
        return array_of(scope.pool, [scope.pool.const(number)] * size(shape), shape)

    return function


def _dimensions(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Shape:
    dimensions = []
    for written, argument in zip(node.arguments, arguments, strict=True):
        dimension = structural_integer(argument, written.span, scope, "a dimension")
        if dimension < 0:
            raise mistake(
                "T005",
                f"a dimension cannot be negative, as {dimension} is",
                written.span,
                hint="use 0 or a positive integer",
            )
        dimensions.append(dimension)
    return tuple(dimensions)


def _limit(shape: Shape, node: ast.Call, scope: Scope) -> None:
    limit = scope.limits.array_size
    if size(shape) > limit:
        message = f"an array of {size(shape)} elements; the limit is {limit}"
        raise LimitError(
            Diagnostic("L011", message, Label(node.span), help="raise the limit with --limit array_size=NUMBER")
        )


def _size(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """`size(A)` all dimensions as a vector, `size(A, 2)` one of them."""
    need_arguments(node, 1, 2)
    shape = arguments[0].shape
    if len(arguments) == 1:
        return array_of(scope.pool, [scope.pool.const(n) for n in shape], (len(shape),))
    span = node.arguments[1].span
    number = structural_integer(arguments[1], span, scope, "the number of a dimension")
    if not 1 <= number <= len(shape):
        raise wrong_shape(f"size(..., {number})", f"an array with {number} dimensions", arguments[0], span)
    return scope.pool.const(shape[number - 1])


def _diag(pool: Pool, a: Expr) -> Expr:
    return pool.node("diag", (a,), None, (a.shape[0], a.shape[0]))


def _skew(pool: Pool, a: Expr) -> Expr:
    return pool.node("skew", (a,), None, (3, 3))


ARRAY_FUNCTIONS: dict[str, Function] = {
    "transpose": _of_one("a matrix", lambda s: len(s) == 2, _transpose),
    "skew": _of_one("a vector of 3", lambda s: s == (3,), _skew),
    "diag": _of_one("a vector", _is_vector, _diag),
    "norm": _of_one("a vector", _is_vector, _norm),
    "trace": _of_one("a square matrix", _is_square, _trace),
    "inverse": _of_one("a square matrix", lambda s: not s or _is_square(s), _inverse),
    "sum": _of_one("an array", lambda s: True, _sum),
    "product": _of_one("an array", lambda s: True, _product),
    "dot": _dot,
    "cross": _cross,
    "outer": _outer,
    "identity": _identity,
    "zeros": _filled(0),
    "ones": _filled(1),
    "size": _size,
    "min": least_or_greatest,
    "max": least_or_greatest,
    "noevent": noevent,
}
