"""The combination of rows of expressions that vanishes: Gaussian elimination, one row last.

    [1    t]                       row 1, the last, less t times row 0:  factors -t, 1
    [t  t^2]

Which entries are zero is decided by their values at a point; whoever uses the factors verifies them elsewhere.
"""

from collections.abc import Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.blocks.tear import coefficient_class
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.structure.tearing import SOLVABLE
from acausal.symbolic.slopes import Point

Matrix = Sequence[Mapping[Expr, Expr]]
"""Rows of entries by the unknowns of their columns."""
CANCELLED = 1e-10
"""Entries below this share of what was subtracted count as zero."""


@dataclass(frozen=True, slots=True)
class RowCombination:
    """Factors of the rows, 1 for the last; `doubtful` pivots may be zero somewhere; `pivots` are their columns."""

    factors: tuple[Expr, ...]
    doubtful: int
    pivots: tuple[Expr, ...]


@dataclass(slots=True)
class _Row:
    entries: dict[Expr, tuple[Expr, float]]
    made_of: dict[int, Expr]


def row_combination(pool: Pool, matrix: Matrix, last: int, point: Point) -> RowCombination | None:
    """The combination of all rows that vanishes; None where the other rows depend on each other, or none vanishes."""
    rows = {
        number: _Row({x: (e, point.value(e)) for x, e in row.items()}, {number: pool.one})
        for number, row in enumerate(matrix)
    }
    for row in rows.values():
        row.entries = {x: e for x, e in row.entries.items() if e[1]}
    doubtful = 0
    pivots = []
    while len(rows) > 1:
        chosen = _pivot(rows, last)
        if chosen is None:
            return None
        number, column = chosen
        pivot = rows.pop(number)
        pivots.append(column)
        doubtful += coefficient_class(pivot.entries[column][0]) != SOLVABLE
        for row in rows.values():
            if column in row.entries:
                _eliminate(pool, row, pivot, column)
    remaining = rows[last]
    if remaining.entries:
        return None
    factors = [remaining.made_of.get(number, pool.zero) for number in range(len(matrix))]
    return RowCombination(tuple(factors), doubtful, tuple(pivots))


def _pivot(rows: Mapping[int, _Row], last: int) -> tuple[int, Expr] | None:
    """The row and column of a pivot that cannot be zero, if there is one, with little fill-in (Markowitz)."""
    crowd: dict[Expr, int] = {}
    for row in rows.values():
        for x in row.entries:
            crowd[x] = crowd.get(x, 0) + 1
    best: tuple[tuple[int, int], int, Expr] | None = None
    for number, row in rows.items():
        if number == last:
            continue
        for x, (entry, _) in row.entries.items():
            key = -coefficient_class(entry), (len(row.entries) - 1) * (crowd[x] - 1)
            if best is None or key < best[0]:
                best = key, number, x
    return None if best is None else best[1:]


def _eliminate(pool: Pool, row: _Row, pivot: _Row, column: Expr) -> None:
    """The row less a multiple of the pivot's, so that its entry in this column vanishes."""
    (own, size), (divisor, divisor_size) = row.entries.pop(column), pivot.entries[column]
    factor, factor_size = pool.div(own, divisor), size / divisor_size
    for x, (entry, entry_size) in pivot.entries.items():
        if x is column:
            continue
        before, before_size = row.entries.pop(x, (pool.zero, 0.0))
        subtracted = factor_size * entry_size
        after = before_size - subtracted
        if abs(after) > CANCELLED * (abs(before_size) + abs(subtracted)):
            row.entries[x] = pool.sub(before, pool.mul(factor, entry)), after
    for number, made_of in pivot.made_of.items():
        row.made_of[number] = pool.sub(row.made_of.get(number, pool.zero), pool.mul(factor, made_of))
