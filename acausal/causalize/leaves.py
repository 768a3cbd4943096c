"""The names of array elements: `T[1,2]` is the leaf ("T", 1, 2)."""

from collections.abc import Iterable
from itertools import product

from acausal.ir.expr import ARRAY, Expr, Pool, leaves_of
from acausal.ir.names import Name


def element_names(leaf: Expr) -> tuple[Name, ...]:
    """The names of the elements, row by row; a scalar is its own element."""
    name = leaf.name
    return tuple([(*name, *at) for at in product(*[range(1, n + 1) for n in leaf.shape])]) if leaf.shape else (name,)


def element_leaves(pool: Pool, leaf: Expr) -> tuple[Expr, ...]:
    """The scalar leaves of a parameter or variable, of the same order of derivative."""
    if not leaf.shape:
        return (leaf,)
    if leaf.op == "parameter":
        return tuple([pool.parameter(name) for name in element_names(leaf)])
    order = leaf.order
    return tuple([pool.variable(name, order) for name in element_names(leaf)])


def lower_leaves(leaves: tuple[Expr, ...], size: int) -> tuple[Expr, ...]:
    """The elements of a symmetric square array: those above the diagonal are those below it."""
    return tuple([leaves[max(i, j) * size + min(i, j)] for i in range(size) for j in range(size)])


def array_variables(pool: Pool, exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """The arrays of variables in the expressions, each once, derivatives by what they are derivatives of."""
    found = [x for x in leaves_of(exprs, ARRAY) if x.op == "variable"]
    return tuple(dict.fromkeys([pool.variable(x.name, 0, x.shape) if x.order else x for x in found]))
