"""Equations for reactions of minimum norm, in place of redundant constraints.

    f1 + f2 + f3 = F,  x1*f1 + x2*f2 + x3*f3 = M     ->     f1 = (1 + x1*x1)*y1 + (1 + x1*x2)*y2 and so on, y1, y2 new

Forces that others give by a formula whose divisor cannot vanish are eliminated: x = L*t + ... with the remaining forces
t, for which equations E*t = ... are left. The norm of C*x, where C takes those that count, is least where
transpose(C*L)*(C*x) is a combination of the rows of E. All of these combinations are transpose(E)*E*y, where y has
elements for as many independent columns of E as there are: so no divisor is needed, and the equations are regular
wherever these columns are independent (G. Strang, Introduction to Linear Algebra, 5th ed., 2016, section 4.2; A.
Ben-Israel, T. N. E. Greville, Generalized Inverses, 2003, section 3.1, for weights).
"""

from collections.abc import Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.blocks.tear import coefficient_class
from acausal.causalize.loops.open_reactions import OpenReactions
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.structure.null_space import Vector
from acausal.structure.orthogonal import pivots
from acausal.structure.tearing import SOLVABLE
from acausal.symbolic.slopes import Point

CANCELLED = 1e-10
"""Entries below this share of what was subtracted count as zero."""

Row = dict[Expr, tuple[Expr, float]]
"""Coefficients, each with its value at a point: there it is decided which ones vanish."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Expressions that are zero, in the forces and as many new unknowns as they have numbers in `unknowns`."""

    residuals: tuple[Expr, ...]
    unknowns: tuple[Expr, ...]


def minimum_norm(pool: Pool, reactions: OpenReactions, point: Point, unknowns: Sequence[Expr]) -> Conditions | None:
    """As many conditions more than new unknowns as reactions are open; the unknowns are the first of those given."""
    explicit, rows = _eliminated(pool, reactions, point)
    remaining = [x for x in reactions.forces if x not in explicit]
    independent = _independent(rows, remaining, len(remaining) - len(reactions.null_vectors))
    if independent is None:
        return None
    levers = _in_remaining(pool, explicit, remaining)
    multiplier_of = dict(zip(independent, unknowns, strict=False))
    loads = [pool.add(*[pool.mul(row[x][0], y) for x, y in multiplier_of.items() if x in row]) for row in rows]
    conditions = []
    for t in remaining:
        counted = [(x, len(names)) for x, names in reactions.counted.items() if t in levers[x]]
        terms = [pool.mul(pool.const(float(times)), levers[x][t][0], x) for x, times in counted]
        terms += [pool.neg(pool.mul(row[t][0], load)) for row, load in zip(rows, loads, strict=True) if t in row]
        conditions.append(pool.add(*terms))
    return Conditions(tuple(conditions), tuple(multiplier_of.values()))


def _eliminated(pool: Pool, reactions: OpenReactions, point: Point) -> tuple[dict[Expr, Row], list[Row]]:
    """Forces by the ones after them and the remaining ones, and the rows that are left, of the remaining ones."""
    rows = [_valued(form.coefficients, point) for form in reactions.forms]
    explicit: dict[Expr, Row] = {}
    while True:
        chosen = _pivot(rows)
        if chosen is None:
            return explicit, [row for row in rows if row]
        number, x = chosen
        pivot = rows.pop(number)
        divisor, size = pivot.pop(x)
        explicit[x] = {y: (pool.neg(pool.div(c, divisor)), -v / size) for y, (c, v) in pivot.items()}
        for row in rows:
            if x in row:
                _add(pool, row, row.pop(x), explicit[x])


def _valued(coefficients: Mapping[Expr, Expr], point: Point) -> Row:
    row = {x: (c, point.value(c)) for x, c in coefficients.items()}
    return {x: e for x, e in row.items() if e[1]}


def _add(pool: Pool, row: Row, factor: tuple[Expr, float], other: Mapping[Expr, tuple[Expr, float]]) -> None:
    """Adds a multiple of another row."""
    for x, (entry, value) in other.items():
        before, before_value = row.pop(x, (pool.zero, 0.0))
        after = before_value + factor[1] * value
        if abs(after) > CANCELLED * (abs(before_value) + abs(factor[1] * value)):
            row[x] = pool.add(before, pool.mul(factor[0], entry)), after


def _pivot(rows: Sequence[Row]) -> tuple[int, Expr] | None:
    """The row and column of a pivot that cannot be zero, with little fill-in (Markowitz)."""
    crowd: dict[Expr, int] = {}
    for row in rows:
        for x in row:
            crowd[x] = crowd.get(x, 0) + 1
    best: tuple[int, int, Expr] | None = None
    for number, row in enumerate(rows):
        for x, (entry, _) in row.items():
            fill = (len(row) - 1) * (crowd[x] - 1)
            if (best is None or fill < best[0]) and coefficient_class(entry) == SOLVABLE:
                best = fill, number, x
    return None if best is None else best[1:]


def _independent(rows: Sequence[Row], remaining: Sequence[Expr], count: int) -> list[Expr] | None:
    columns: list[Vector] = [{n: row[x][1] for n, row in enumerate(rows) if x in row} for x in remaining]
    chosen = pivots(columns, count)
    return None if chosen is None else [remaining[k] for k in chosen]


def _in_remaining(pool: Pool, explicit: Mapping[Expr, Row], remaining: Sequence[Expr]) -> dict[Expr, Row]:
    """All forces by the remaining ones."""
    levers: dict[Expr, Row] = {t: {t: (pool.one, 1.0)} for t in remaining}
    for x in reversed(list(explicit)):
        row: Row = {}
        for y, factor in explicit[x].items():
            _add(pool, row, factor, levers[y])
        levers[x] = row
    return levers
