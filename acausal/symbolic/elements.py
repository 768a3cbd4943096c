"""The elements of an array operation, from those of its arguments: over expressions or over numbers.

matmul of [a, b; c, d] and [x, y]      ->      a*x + b*y, c*x + d*y
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from acausal.base.diagnostics import InternalError
from acausal.ir.expr import Expr, Shape
from acausal.ir.kinds import ExprOp
from acausal.ir.ops import OPS

T = TypeVar("T")
Items = tuple[T, ...]


class Algebra(Protocol[T]):
    """Algebra of elements; `Pool` is one for expressions."""

    zero: T
    one: T

    def add(self, *terms: T) -> T:
        """The sum."""

    def mul(self, *factors: T) -> T:
        """The product."""

    def neg(self, a: T) -> T:
        """The negation."""

    def call(self, op: ExprOp, *args: T) -> T:
        """Any operator of `OPS`."""


def elements(algebra: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    """The elements of an array node, row by row; `args` are those of its arguments."""
    rule = RULES.get(node.op)
    if rule is None:
        raise InternalError("elements", f"no rule for {node.op}")
    return rule(algebra, node, args)


def _array(_: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([a[0] for a in args])


def _add(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    zero, add = algebra.zero, algebra.add
    if len(args) == 2:  # nearly all sums
        return tuple([y if x is zero else x if y is zero else add(x, y) for x, y in zip(*args, strict=True)])
    return tuple([add(*terms) for terms in zip(*args, strict=True)])


def _neg(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    zero, neg = algebra.zero, algebra.neg
    return tuple([x if x is zero else neg(x) for x in args[0]])


def _scale(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    factor, zero, mul = args[0][0], algebra.zero, algebra.mul
    return tuple([x if x is zero else mul(factor, x) for x in args[1]])


def _elementwise(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([algebra.mul(x, y) for x, y in zip(args[0], args[1], strict=True)])


def _matmul(algebra: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    left, right = node.args
    if _is_identity(algebra, args[0], left.shape):
        return args[1]
    if _is_identity(algebra, args[1], right.shape):
        return args[0]
    zero, one, add, mul = algebra.zero, algebra.one, algebra.add, algebra.mul
    columns = _columns(args[1], right.shape)
    found: list[T] = []
    for row in _rows(args[0], left.shape, of_left=True):
        filled = [(i, x) for i, x in enumerate(row) if x is not zero]
        if not filled:
            found += [zero] * len(columns)
            continue
        first, factor = filled[0]
        if factor is one and len(filled) == 1:  # as in most matrices of axes
            found += [column[first] for column in columns]
            continue
        for column in columns:
            terms = []
            for i, x in filled:
                y = column[i]
                if y is not zero:
                    terms.append(x if y is one else mul(x, y))
            found.append(terms[0] if len(terms) == 1 else add(*terms) if terms else zero)
    return tuple(found)


def _is_identity(algebra: Algebra[T], items: Items[T], shape: Shape) -> bool:
    """True if it is an identity matrix, as the axes of most joints are."""
    if not items or items[0] is not algebra.one or len(shape) != 2 or shape[0] != shape[1]:
        return False
    step = shape[0] + 1
    return items == (*(algebra.one, *[algebra.zero] * shape[0]) * (step - 2), algebra.one)


def _rows(items: Items[T], shape: Shape, of_left: bool) -> list[Items[T]]:
    """Rows of a matrix; a vector is one row on the left of a product, else a column."""
    if len(shape) == 1:
        return [items] if of_left else [(x,) for x in items]
    width = shape[1]
    return [items[i * width : (i + 1) * width] for i in range(shape[0])]


def _columns(items: Items[T], shape: Shape) -> list[Items[T]]:
    return [items] if len(shape) == 1 else [items[j :: shape[1]] for j in range(shape[1])]


def _transpose(_: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([x for column in _columns(args[0], node.args[0].shape) for x in column])


def _cross(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    a, b = args
    zero, add, mul, neg = algebra.zero, algebra.add, algebra.mul, algebra.neg
    found = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        first = zero if a[i] is zero or b[j] is zero else mul(a[i], b[j])
        second = zero if a[j] is zero or b[i] is zero else mul(a[j], neg(b[i]))
        found.append(second if first is zero else first if second is zero else add(first, second))
    return tuple(found)


def _skew(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    zero = algebra.zero
    x, y, z = args[0]
    return (zero, algebra.neg(z), y, z, zero, algebra.neg(x), algebra.neg(y), x, zero)


def _outer(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([algebra.mul(x, y) for x in args[0] for y in args[1]])


def _diag(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([x if i == j else algebra.zero for i, x in enumerate(args[0]) for j in range(len(args[0]))])


def _index(_: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    positions: tuple[int, ...] = node.value  # type: ignore[assignment]  # `index` holds positions
    items = args[0]
    return tuple([items[i] for i in positions])


def _stack(_: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    if len(node.shape) == 1:
        return tuple([x for items in args for x in items])
    found: list[T] = []
    start = 0
    counts: tuple[int, ...] = node.value  # type: ignore[assignment]  # `stack` holds counts of blocks
    for count in counts:
        blocks = range(start, start + count)
        lines = [_block(args[i], node.args[i].shape) for i in blocks]
        found += [x for pieces in zip(*lines, strict=True) for piece in pieces for x in piece]
        start += count
    return tuple(found)


def _block(items: Items[T], shape: Shape) -> list[Items[T]]:
    return _rows(items, shape, of_left=False) if shape else [items]


def _if(algebra: Algebra[T], _node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    condition = args[0][0]
    return tuple([algebra.call("if", condition, x, y) for x, y in zip(args[1], args[2], strict=True)])


def _map(algebra: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    return tuple([algebra.call(OPS[str(node.value)].name, x) for x in args[0]])


def _reduce(algebra: Algebra[T], node: Expr, args: Sequence[Items[T]]) -> Items[T]:
    items = args[0]
    if node.value == "add":
        return (algebra.add(*items),)
    if node.value == "mul":
        return (algebra.mul(*items),)
    return (halved(lambda x, y: algebra.call(OPS[str(node.value)].name, x, y), items),)


def halved(join: Callable[[T, T], T], items: Sequence[T]) -> T:
    """All items joined two by two, so that none lies deep."""
    while len(items) > 1:
        pairs = [join(*items[i : i + 2]) for i in range(0, len(items) - 1, 2)]
        items = [*pairs, items[-1]] if len(items) % 2 else pairs
    return items[0]


Rule = Callable[[Algebra[T], Expr, Sequence[Items[T]]], Items[T]]
RULES: dict[str, Rule] = {  # type: ignore[type-arg]  # each rule is generic itself
    "array": _array,
    "array_add": _add,
    "array_neg": _neg,
    "scale": _scale,
    "elementwise": _elementwise,
    "matmul": _matmul,
    "transpose": _transpose,
    "cross": _cross,
    "skew": _skew,
    "outer": _outer,
    "diag": _diag,
    "index": _index,
    "stack": _stack,
    "array_if": _if,
    "map": _map,
    "reduce": _reduce,
}
