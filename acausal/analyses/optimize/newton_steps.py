"""Newton's method for the first-order conditions of a nonlinear program, near a solution.

Constraints and bounds count as active where their multipliers are larger than their distances; these become equations.
Steps solve the equations of Lagrange and Newton with the exact Hessian. (J. Nocedal, S. J. Wright, Numerical
Optimization, 2006, section 18.1.) Methods of barriers, which come near such a point, may take long to end there.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from acausal.analyses.optimize.transcription import Transcription

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

STEPS = 15
WITHIN = 1e-9
"""Residuals of the conditions, in scaled numbers."""
FEASIBLE = 1e-8
"""Constraints that are not active may be violated by this much, multipliers of active ones have another sign."""
NEAR = 1e-3
"""A share by which the objective may differ from that of the start: the solution is the one that was approached."""


class _Active(NamedTuple):
    """Numbers of rows and unknowns that are at a bound, which bound (-1 lower, 1 upper, 0 equal), and its value."""

    rows: "NDArray[np.intp]"
    row_sides: "Array"
    unknowns: "NDArray[np.intp]"
    unknown_sides: "Array"
    values: "Array"


def completed(problem: Transcription, y: "Array", multipliers: "Sequence[Array]") -> "Array | None":
    """The solution near a point with these multipliers, of constraints and of unknowns; None where there is none."""
    import numpy as np

    begin = problem.objective(y)
    active = _active(problem, y, multipliers)
    found = _iterated(problem, y, active)
    if found is None:
        return None
    at, weights = found
    free = np.concatenate([problem.low - problem.constraints(at), problem.constraints(at) - problem.high])
    bounds = np.concatenate([problem.lower - at, at - problem.upper])
    sides = np.concatenate([active.row_sides, active.unknown_sides])
    is_feasible = max(free.max(initial=0.0), bounds.max(initial=0.0)) <= FEASIBLE
    is_near = abs(problem.objective(at) - begin) <= NEAR * max(1.0, abs(begin))
    return at if is_feasible and is_near and (sides * weights >= -FEASIBLE).all() else None


def _active(problem: Transcription, y: "Array", multipliers: "Sequence[Array]") -> _Active:
    import numpy as np

    parts = []
    values = problem.constraints(y)
    for low, high, at, v in (
        (problem.low, problem.high, values, multipliers[0]),
        (problem.lower, problem.upper, y, multipliers[1]),
    ):
        equal = low == high
        below, above = ~equal & (-v > at - low), ~equal & (v > high - at)
        numbers = np.flatnonzero(equal | below | above)
        parts.append((numbers, (above.astype(float) - below)[numbers], np.where(above, high, low)[numbers]))
    (rows, row_sides, row_values), (unknowns, unknown_sides, bounds) = parts
    return _Active(rows, row_sides, unknowns, unknown_sides, np.concatenate([row_values, bounds]))


def _iterated(problem: Transcription, y: "Array", active: _Active) -> "tuple[Array, Array] | None":
    """The point and the multipliers of what is active; None without convergence."""
    import numpy as np
    from scipy.sparse import csr_array, eye_array, vstack

    count = len(active.unknowns)
    fixed = csr_array((np.ones(count), (range(count), active.unknowns)), shape=(count, len(y)))
    weights: Array | None = None
    for _ in range(STEPS):
        gradient = problem.gradient(y)
        slopes = vstack([csr_array(problem.jacobian(y))[active.rows], fixed]).tocsr()
        values = np.concatenate([problem.constraints(y)[active.rows], y[active.unknowns]]) - active.values
        if weights is None:
            step = _step(eye_array(len(y)), slopes, gradient, np.zeros(len(values)))
            if step is None:
                return None
            weights = step[1]
        error = max(np.abs(gradient + slopes.T @ weights).max(), np.abs(values).max(initial=0.0))
        if not error < np.inf:
            return None
        if error <= WITHIN:
            return y, weights
        of_rows = np.zeros(len(problem.low))
        of_rows[active.rows] = weights[: len(active.rows)]
        step = _step(problem.hessian(y, of_rows, 1.0), slopes, gradient, values)
        if step is None:
            return None
        y, weights = y + step[0], step[1]
    return None


def _step(hessian: "object", slopes: "object", gradient: "Array", values: "Array") -> "tuple[Array, Array] | None":
    """The step and the new multipliers; None where the equations are singular."""
    import numpy as np
    from scipy.sparse import block_array
    from scipy.sparse.linalg import splu

    matrix = block_array([[hessian, slopes.T], [slopes, None]], format="csc")  # type: ignore[attr-defined]
    try:
        found = splu(matrix).solve(np.concatenate([-gradient, -values]))
    except RuntimeError:  # of SuperLU
        return None
    return (found[: len(gradient)], found[len(gradient) :]) if np.isfinite(found).all() else None
