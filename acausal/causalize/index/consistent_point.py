"""A generic point on the constraints whose derivatives are given by hand.

    x = cos(phi), y = sin(phi)      from any phi, x, y near the start values to the nearest that satisfy both

What is zero wherever the constraints hold is zero there, and hardly anything else is.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from acausal.causalize.index.dependency_closure import DependencyClosure, through_closure
from acausal.causalize.index.generic_point import GenericPoint, evaluate, start_values
from acausal.ir.dae import ReducedDae
from acausal.ir.expr import Expr
from acausal.ir.walk import variables_of
from acausal.structure.state_order import predecessors
from acausal.symbolic.differentiate import differentiate

AWAY = 0.2
"""Share of a generic value that is added to each start value."""
MOST = 30
"""Iterations."""
TOLERANCE = 1e-10
DEPENDENT = 1e-7
"""Rows of which less than this share is left depend on the rows before."""


def consistent_point(reduced: ReducedDae, dependencies: Mapping[int, DependencyClosure]) -> GenericPoint | None:
    """The point that Gauss-Newton iterations find; None where they find none."""
    below = predecessors(reduced.index.var_derivative)
    holonomic = [c for c in dependencies.values() if c.before < reduced.index.equation_count]
    candidates = list(dict.fromkeys([v for c in holonomic for v in c.begins]))
    bases = [reduced.unknowns[b] for b in (below[v] for v in candidates) if b is not None]
    if not all(c.explicit for c in holonomic) or any(x.order for x in bases):
        return None
    rows = [(_residual(reduced, c.before), through_closure(reduced, c, candidates)) for c in holonomic]
    rows += list(_between(reduced, bases, {c.before for c in holonomic}))
    entries = [x for residual, row in rows for x in (residual, *row)]
    starts = {x: v for x, v in start_values(reduced.dae).items() if isinstance(v, float)}
    generic = GenericPoint(reduced).with_values(bases)
    place = [starts.get(x, 0.0) + AWAY * float(generic[x]) for x in bases]
    for _ in range(MOST):
        point = GenericPoint(reduced)
        point.values |= dict(zip(bases, place, strict=True))
        values = evaluate(entries, point.with_values(variables_of(entries)))
        if values is None or not all(isfinite(values[x]) for x in entries):
            return None
        residuals = [float(values[residual]) for residual, _ in rows]
        if max(map(abs, residuals)) < TOLERANCE:
            return point
        change = _least_change([[float(values[x]) for x in row] for _, row in rows], residuals)
        place = [x - c for x, c in zip(place, change, strict=True)]
    return None


def _least_change(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The smallest solution of linear equations, where rows that depend on others are left out.

    By modified Gram-Schmidt orthogonalization of the rows.
    """
    taken: list[tuple[list[float], float]] = []
    for row, value in zip(rows, values, strict=True):
        size, left = _dot(row, row), list(row)
        for unit, share in taken:
            factor = _dot(unit, left)
            left = [x - factor * u for x, u in zip(left, unit, strict=True)]
            value -= factor * share
        length = _dot(left, left) ** 0.5
        if length > DEPENDENT * size**0.5:
            taken.append(([x / length for x in left], value / length))
    columns = zip(*[unit for unit, _ in taken], strict=True)
    return [_dot(column, [share for _, share in taken]) for column in columns] or [0.0] * len(rows[0])


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])


def _between(reduced: ReducedDae, bases: Sequence[Expr], left_out: set[int]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """Other equations between these variables alone, as the length of a quaternion: residual and derivatives."""
    among, pool = set(bases), reduced.dae.pool
    for number in range(reduced.index.equation_count):
        if number not in left_out and among.issuperset(reduced.equations[number].variables):
            residual = _residual(reduced, number)
            yield residual, tuple([differentiate(pool, residual, {x: pool.one}, {}) for x in bases])


def _residual(reduced: ReducedDae, number: int) -> Expr:
    equation = reduced.equations[number]
    return reduced.dae.pool.sub(equation.left, equation.right)
