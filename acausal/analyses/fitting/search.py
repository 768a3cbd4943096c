"""One search for the least squares: by MINPACK's method within the bounds, else by SciPy's method with bounds."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from acausal.analyses.fitting.problem import FitProblem
from acausal.analyses.fitting.unknowns import Unknown
from acausal.base.diagnostics import SimulationError
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

TOLERANCES: dict[str, Any] = {"xtol": 1e-8, "ftol": 1e-8, "gtol": 1e-8}
"""Of SciPy's methods."""
MET = {
    1: (2, "`ftol` termination condition is satisfied."),
    2: (3, "`xtol` termination condition is satisfied."),
    3: (4, "Both `ftol` and `xtol` termination conditions are satisfied."),
    4: (1, "`gtol` termination condition is satisfied."),
}
"""Status and message of `least_squares` by MINPACK's, where it converges."""
MOST = 200
"""Evaluations of one search."""
INSIDE = 1e-9
"""Of the range between bounds: SciPy's method begins within them."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The loss and its scale, the number of starts and threads, the seed of the starts."""

    loss: str
    f_scale: float
    starts: int
    seed: int
    jobs: int


def limits(unknowns: Sequence[Unknown]) -> "tuple[Array, Array]":
    """Bounds (parameters,) of the unknown numbers."""
    import numpy as np

    return np.array([u.number(u.low) for u in unknowns]), np.array([u.number(u.high) for u in unknowns])


def attempt(problem: FitProblem, x: "Array", ways: Ways) -> Any:  # noqa: ANN401 - SciPy has no types
    """The solution from one of several starts, None where no run is possible; threads may share the problem."""
    try:
        return solved(problem.with_sigma(problem.sigma), x, ways)
    except SimulationError:
        return None


class _OutsideError(Exception):
    """A point outside of the bounds, or without a run."""


def solved(problem: FitProblem, x: "Array", ways: Ways) -> Any:  # noqa: ANN401 - SciPy has no types
    """SciPy's result of a search that begins at x."""
    import numpy as np
    from scipy.optimize import least_squares

    low, high = limits(problem.unknowns)
    span = np.where(np.isfinite(high - low), high - low, 1.0)
    inside = np.clip(x, low + INSIDE * span, high - INSIDE * span)
    found = _within_bounds(problem, inside, (low, high)) if ways.loss == "linear" else None
    if found is not None:
        return found
    jacobian: Callable[[Array], Array] = problem.jacobian
    return least_squares(
        problem.residuals,
        inside,
        jac=jacobian,
        bounds=(low, high),
        loss=ways.loss,
        f_scale=ways.f_scale,
        max_nfev=MOST,
        x_scale="jac",
        **TOLERANCES,
    )


def _within_bounds(problem: FitProblem, x: "Array", bounds: "tuple[Array, Array]") -> Any:  # noqa: ANN401
    """The solution of MINPACK's method, which knows no bounds; None where a step leaves them, or it does not converge.

    Called as `leastsq`, its own work takes a tenth of that of the method with bounds, which for small models takes
    longer than their runs.
    """
    from scipy.optimize import leastsq

    ranges = list(zip(*[bound.tolist() for bound in bounds], strict=True))

    def residuals(at: "Array") -> "Array":
        if not all(low <= number <= high for number, (low, high) in zip(at.tolist(), ranges, strict=True)):
            raise _OutsideError
        try:
            return problem.required(at)
        except SimulationError:
            raise _OutsideError from None

    if residuals(x).size < len(x):
        return None
    try:
        found, _, about, _, status = leastsq(residuals, x, (), problem.jacobian, True, maxfev=MOST, **TOLERANCES)
    except _OutsideError:
        return None
    return _result(problem, found, about, status) if status in MET else None


def _result(problem: FitProblem, x: "Array", about: Mapping[str, int], status: int) -> Any:  # noqa: ANN401
    """The solution as `least_squares` would give it."""
    import numpy as np
    from scipy.optimize import OptimizeResult

    residuals, jacobian = problem.residuals(x), problem.jacobian(x)
    slope = jacobian.T @ residuals
    return OptimizeResult(
        x=x,
        cost=0.5 * float(residuals @ residuals),
        fun=residuals,
        jac=jacobian,
        grad=slope,
        optimality=float(np.abs(slope).max()),
        active_mask=np.zeros(len(x), dtype=int),
        nfev=about["nfev"],
        njev=about["njev"],
        status=MET[status][0],
        message=MET[status][1],
        success=True,
    )
