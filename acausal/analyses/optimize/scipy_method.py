"""Nonlinear programs by the method trust-constr of SciPy, with sparse exact derivatives.

Near a solution it may take hundreds of iterations more, with smaller and smaller steps: `newton_steps` ends the search.

SLSQP, which has dense matrices, took twelve times as long for 164 unknowns.
"""

from typing import TYPE_CHECKING, Any

from acausal.analyses.optimize.found import Found
from acausal.analyses.optimize.newton_steps import completed
from acausal.analyses.optimize.transcription import Transcription

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

EACH, NEARLY = 50, 1e-2
"""After so many iterations, where constraints are satisfied to this, Newton's method is tried for the rest."""
FEASIBLE = 1e-6
"""Constraints of a solution are satisfied to this, in scaled numbers."""


def solve(problem: Transcription, start: "Array", tolerance: float, iterations: int) -> Found:
    """The solution found from a start.

    The gradient is no test of optimality at bounds, where slopes are small: the method goes on until the barrier
    parameter is below the tolerance.
    """
    import numpy as np
    from scipy.optimize import Bounds, NonlinearConstraint, minimize

    none = np.zeros(len(problem.low))
    constraint = NonlinearConstraint(
        problem.constraints,
        problem.low,
        problem.high,
        jac=problem.jacobian,
        hess=lambda y, v: problem.hessian(y, v, 0.0),
    )
    solutions: list[Array] = []

    def complete(y: "Array", state: Any) -> bool:  # noqa: ANN401 - SciPy has no types
        if state.nit % EACH == 0 and state.constr_violation < NEARLY:
            solution = completed(problem, y, state.v)
            solutions.extend([] if solution is None else [solution])
        return bool(solutions)

    found = minimize(
        problem.objective,
        start,
        jac=problem.gradient,
        hess=lambda y: problem.hessian(y, none, 1.0),
        bounds=Bounds(problem.lower, problem.upper),
        constraints=[constraint],
        method="trust-constr",
        callback=complete,
        options={"maxiter": iterations, "gtol": 1e-13, "xtol": 1e-9, "barrier_tol": tolerance},
    )
    if solutions:
        return Found(solutions[0], "trust-constr", True, "solved", int(found.nit))
    is_solution = found.status in (1, 2) and float(found.constr_violation) < FEASIBLE
    message = "solved" if is_solution else str(found.message)
    if found.status in (1, 2) and not is_solution:
        message = "the constraints cannot be satisfied"
    return Found(found.x, "trust-constr", is_solution, message, int(found.nit))
