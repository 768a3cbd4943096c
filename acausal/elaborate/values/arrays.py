"""Sums, products and choices of scalars and arrays, with shapes checked.

Arrays stay whole: an operation on arrays is one node of `ARRAY_OPS`; `scalarize`
expands it. A vector has one dimension; in products it is a column on the right and a
row on the left. An array of one element stands for a scalar and a vector for a matrix of
one column wherever only the one fits.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from acausal.base.diagnostics import Diagnostic, InternalError, Label, LimitError
from acausal.base.source import Span
from acausal.elaborate.shape_errors import shapes_differ, wrong_shape
from acausal.ir.expr import Expr, Shape
from acausal.ir.pool import Pool

SAME = "arrays that are added or equated must have the same shape"
RAISE = "raise the limit with --limit array_size=NUMBER"
WORK = 10
"""Multiplications of one matrix product for each element that an array may have."""
INNER = "A*B needs as many columns of A as B has rows; A .* B multiplies element by element"


def size(shape: Shape) -> int:
    """The number of elements."""
    return prod(shape)


def pick(pool: Pool, array: Expr, positions: tuple[int, ...], shape: Shape) -> Expr:
    """The array of the elements at these flat positions."""
    if array.op == "index":
        inner: tuple[int, ...] = array.value  # type: ignore[assignment]  # `index` holds positions
        array, positions = array.args[0], tuple([inner[i] for i in positions])
    if shape == array.shape and positions == tuple(range(size(shape))):
        return array
    if array.op == "array":
        items = tuple([array.args[i] for i in positions])
        return pool.node("array", items, None, shape) if shape else items[0]
    return array if not array.shape else pool.node("index", (array,), positions, shape)


def reshape(pool: Pool, expr: Expr, shape: Shape) -> Expr:
    """The same elements in another shape."""
    if expr.shape == shape:
        return expr
    if not expr.shape:
        return pool.node("array", (expr,), None, shape)
    return pick(pool, expr, tuple(range(size(shape))), shape)


def as_scalar(pool: Pool, name: str, expr: Expr, span: Span) -> Expr:
    """The only element; T001 if there are more."""
    if not expr.shape:
        return expr
    if size(expr.shape) != 1:
        raise wrong_shape(name, "a scalar", expr, span)
    return reshape(pool, expr, ())


def common_shape(a: Shape, b: Shape) -> Shape | None:
    """The shape in which both can be taken, or None."""
    if a == b:
        return a
    lower, higher = sorted((a, b), key=len)
    same = size(a) == size(b) == 1 or (len(lower) == 1 and higher == (*lower, 1))
    return lower if same else None


def alike(
    pool: Pool, exprs: Sequence[Expr], spans: Sequence[Span], message: str = "the shapes differ"
) -> tuple[Expr, ...]:
    """The operands in one shape; T001 shows two that do not fit."""
    shape = exprs[0].shape
    for i, expr in enumerate(exprs):
        common = common_shape(shape, expr.shape)
        if common is None:
            raise shapes_differ(message, exprs[0], spans[0], expr, spans[i], SAME)
        shape = common
    return tuple([reshape(pool, e, shape) for e in exprs])


def limit(expr: Expr, span: Span, most: int) -> None:
    """LimitError L011 for an array of more than `most` elements, or a product of matrices that takes far more work."""
    if size(expr.shape) > most:
        message = f"an array of {size(expr.shape)} elements; the limit is {most}"
        raise LimitError(Diagnostic("L011", message, Label(span), help=RAISE))
    while expr.op == "matmul":
        left, right = expr.args
        work = size(left.shape) * (right.shape[1] if len(right.shape) > 1 else 1)
        if work > WORK * most:
            message = f"this product takes {work} multiplications; the limit is {WORK * most}"
            raise LimitError(Diagnostic("L011", message, Label(span), help=RAISE))
        expr = left


def add(pool: Pool, terms: Sequence[Expr]) -> Expr:
    """The sum of terms of one shape."""
    if not terms[0].shape:
        return pool.add(*terms)
    return terms[0] if len(terms) == 1 else pool.node("array_add", tuple(terms), None, terms[0].shape)


def negate(pool: Pool, expr: Expr) -> Expr:
    """-x."""
    if not expr.shape:
        return pool.neg(expr)
    return expr.args[0] if expr.op == "array_neg" else pool.node("array_neg", (expr,), None, expr.shape)


def scale(pool: Pool, factor: Expr, array: Expr) -> Expr:
    """A scalar times anything."""
    if not array.shape:
        return pool.mul(factor, array)
    return array if factor is pool.one else pool.node("scale", (factor, array), None, array.shape)


def divide(pool: Pool, a: Expr, b: Expr, span: Span) -> Expr:
    """a/b, where b is a scalar."""
    divisor = as_scalar(pool, "/", b, span)
    return scale(pool, pool.div(pool.one, divisor), a) if a.shape else pool.div(a, divisor)


def multiply(pool: Pool, a: Expr, b: Expr, spans: tuple[Span, Span]) -> Expr:
    """a*b: the product with a scalar, the matrix product, or the scalar product of two vectors."""
    if not a.shape or not b.shape:
        return scale(pool, b, a) if a.shape else scale(pool, a, b)
    shape = product_shape(a.shape, b.shape)
    if shape is not None:
        return pool.node("matmul", (a, b), None, shape)
    if size(a.shape) == 1:
        return scale(pool, reshape(pool, a, ()), b)
    if size(b.shape) == 1:
        return scale(pool, reshape(pool, b, ()), a)
    raise shapes_differ("these cannot be multiplied", a, spans[0], b, spans[1], INNER)


def multiply_all(pool: Pool, factors: Sequence[Expr], spans: Sequence[Span]) -> Expr:
    """The product of several; matrices before a last vector are applied to it one by one, which is cheaper."""
    scalars = [f for f in factors if not f.shape]
    arrays = [(f, s) for f, s in zip(factors, spans, strict=True) if f.shape]
    number = pool.mul(*scalars) if len(scalars) > 1 else scalars[0] if scalars else pool.one
    if not arrays:
        return number
    backward = len(arrays[-1][0].shape) == 1 and all(
        len(a.shape) == 2 and product_shape(a.shape, b.shape) is not None for (a, _), (b, _) in pairwise(arrays)
    )
    if backward:
        arrays.reverse()
    result, span = arrays[0]
    for array, other in arrays[1:]:
        pair, places = ((array, result), (other, span)) if backward else ((result, array), (span, other))
        result = multiply(pool, *pair, places)
        span = places[0].to(places[1])
    return scale(pool, number, result)


def product_shape(a: Shape, b: Shape) -> Shape | None:
    """The shape of the matrix product, or None where there is none."""
    if not 1 <= len(a) <= 2 or not 1 <= len(b) <= 2 or a[-1] != b[0]:
        return None
    return (*a[:-1], *b[1:])


def elementwise(pool: Pool, a: Expr, b: Expr, spans: tuple[Span, Span]) -> Expr:
    """a .* b."""
    if not a.shape or not b.shape:
        return multiply(pool, a, b, spans)
    first, second = alike(pool, (a, b), spans, "these cannot be multiplied element by element")
    if not first.shape:
        return pool.mul(first, second)
    return pool.node("elementwise", (first, second), None, first.shape)


def choose(pool: Pool, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """`if` between two values of one shape."""
    if not then.shape:
        return pool.if_(condition, then, otherwise)
    if condition.op == "boolean":
        return then if condition.value else otherwise
    return then if then is otherwise else pool.node("array_if", (condition, then, otherwise), None, then.shape)


def items_of(pool: Pool, array: Expr) -> tuple[Expr, ...]:
    """The elements, row by row, each as an expression of its own."""
    return tuple([pick(pool, array, (i,), ()) for i in range(size(array.shape))]) if array.shape else (array,)


def array_of(pool: Pool, items: Sequence[Expr], shape: Shape) -> Expr:
    """The array of these scalars, row by row."""
    if len(items) != size(shape):
        raise InternalError("arrays", f"{len(items)} items for the shape {shape}")
    return pool.node("array", tuple(items), None, shape) if shape else items[0]
