"""Products of arrays by their elements against the sum over the inner index, with zeros, ones and identity matrices."""

from itertools import product

import pytest

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.symbolic.elements import elements

FACTORS: list[tuple[tuple[int, ...], str]] = [
    ((3, 3), "100010001"),
    ((3, 3), "100010000"),
    ((3, 3), "0a01b00cd"),
    ((3, 3), "000100a10"),
    ((2, 3), "00ab1c"),
    ((3, 2), "0a1b0c"),
    ((3,), "a01"),
    ((3,), "000"),
    ((1, 3), "1a0"),
    ((1, 1), "1"),
    ((0, 3), ""),
    ((3, 0), ""),
]


def made(pool: Pool, shape: tuple[int, ...], letters: str) -> tuple[Expr, tuple[Expr, ...]]:
    """A leaf for the array, and elements: numbers, or variables named by letters."""
    items = [pool.const(int(x)) if x.isdigit() else pool.variable((x,)) for x in letters]
    return pool.variable((f"whole {letters}",), 0, shape), tuple(items)


def as_left(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A vector on the left is a row."""
    return (1, *shape) if len(shape) == 1 else shape


def as_right(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A vector on the right is a column."""
    return (*shape, 1) if len(shape) == 1 else shape


PAIRS = [(a, b) for a, b in product(FACTORS, FACTORS) if as_left(a[0])[1] == as_right(b[0])[0]]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_matrix_product(left: tuple[tuple[int, ...], str], right: tuple[tuple[int, ...], str]) -> None:
    pool = Pool()
    (a, xs), (b, ys) = made(pool, *left), made(pool, *right)
    (m, n), (_, p) = as_left(a.shape), as_right(b.shape)
    found = elements(pool, pool.node("matmul", (a, b), None, (m, p)), [xs, ys])
    terms = [[pool.mul(xs[i * n + h], ys[h * p + j]) for h in range(n)] for i in range(m) for j in range(p)]
    assert list(found) == [pool.add(*each) for each in terms]
