"""The least number of tearing variables, by integer programming (HiGHS): slow, for comparison."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from acausal.structure.tearing import NOT_SOLVABLE


def least_number(rows: Sequence[Sequence[int]], solvable: Mapping[tuple[int, int], int], least: int) -> int:
    """Of a square block: each variable is torn or assigned, each equation assigns at most once, in some order.

    Unknowns are one for each pair that may be assigned, then for each variable whether it is torn, then its place.
    """
    count = len(rows)
    pairs = [(e, v) for e, row in enumerate(rows) for v in row if solvable.get((e, v), NOT_SOLVABLE) >= least]
    torn, place = len(pairs), len(pairs) + count
    lines: list[tuple[list[tuple[int, float]], float, float]] = []
    for v in range(count):
        lines.append(([(torn + v, 1.0)] + [(k, 1.0) for k, (_, w) in enumerate(pairs) if w == v], 1, 1))
        lines.append(([(k, 1.0) for k, (e, _) in enumerate(pairs) if e == v], 0, 1))
    for k, (e, v) in enumerate(pairs):
        before = [u for u in rows[e] if u != v]
        lines += [([(place + v, 1.0), (place + u, -1.0), (k, -count - 1.0)], -count, np.inf) for u in before]
    entries = [(number, j, x) for number, (terms, _, _) in enumerate(lines) for j, x in terms]
    at, columns, numbers = zip(*entries, strict=True)
    size = place + count
    found = milp(
        np.r_[np.zeros(torn), np.ones(count), np.zeros(count)],
        constraints=LinearConstraint(
            coo_array(
                (numbers, (np.array(at, np.int32), np.array(columns, np.int32))), shape=(len(lines), size)
            ).tocsr(),
            [low for _, low, _ in lines],
            [high for _, _, high in lines],
        ),
        integrality=np.r_[np.ones(torn + count), np.zeros(count)],
        bounds=Bounds(0, np.r_[np.ones(torn + count), np.full(count, count)]),
    )
    assert found.success
    return round(found.fun)
