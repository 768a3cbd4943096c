"""The names of array elements: `T[1,2]` is the leaf ("T", 1, 2)."""

from collections.abc import Iterable, Mapping
from itertools import product

from acausal.base.caches import memoized
from acausal.ir.expr import ARRAY, VARIES, Expr, Shape
from acausal.ir.flat import ArrayAlias
from acausal.ir.names import Name
from acausal.ir.pool import Pool


@memoized(128)
def _indices(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """The indices of all elements, row by row; of a scalar none once."""
    return tuple(product(*[range(1, n + 1) for n in shape]))


def element_names(leaf: Expr) -> list[Name]:
    """The names of the elements, row by row; a scalar is its own element."""
    name = leaf.name
    return [name + at for at in _indices(leaf.shape)]


def element_leaves(pool: Pool, leaf: Expr) -> tuple[Expr, ...]:
    """The scalar leaves of a parameter or variable, of the same order of derivative."""
    if not leaf.shape:
        return (leaf,)
    if leaf.op == "parameter":
        return tuple([pool.parameter(name) for name in element_names(leaf)])
    return pool.scalars(element_names(leaf), leaf.order)


def lower_triangle(items: tuple[Expr, ...], size: int) -> tuple[Expr, ...]:
    """Of the elements of a square array those on and below the diagonal."""
    return tuple([x for i in range(size) for x in items[i * size : i * size + i + 1]])


def lower_leaves(leaves: tuple[Expr, ...], size: int) -> tuple[Expr, ...]:
    """The elements of a symmetric square array: those above the diagonal are those below it."""
    return tuple([leaves[i] for i in _mirrored(size)])


@memoized(128)
def _mirrored(size: int) -> tuple[int, ...]:
    """Positions of the elements of a symmetric array in the whole one, row by row."""
    return tuple([max(i, j) * size + min(i, j) for i in range(size) for j in range(size)])


def array_variables(pool: Pool, exprs: Iterable[Expr], merged: Mapping[Expr, ArrayAlias]) -> tuple[Expr, ...]:
    """The arrays of variables in the expressions, each once, derivatives by what they are derivatives of.

    Merged arrays count as those that stay for them.
    """
    both = ARRAY | VARIES
    seen: set[Expr] = set()
    found: dict[Expr, None] = {}
    stack = [*exprs]
    stack.reverse()
    while stack:
        node = stack.pop()
        if node.flags & both != both or node in seen:
            continue
        seen.add(node)
        if node.op == "variable":
            found[stands_for(pool, node, merged)[0] if node.order or node in merged else node] = None
        else:
            stack += node.args[::-1]
    return tuple(found)


def stands_for(pool: Pool, array: Expr, merged: Mapping[Expr, ArrayAlias]) -> tuple[Expr, int]:
    """The array that stays for that of a variable or of its derivatives, and the sign between them."""
    if array.order:
        array = pool.variable(array.name, 0, array.shape)
    alias = merged.get(array)
    return (array, 1) if alias is None else (alias.keeper, alias.sign)
