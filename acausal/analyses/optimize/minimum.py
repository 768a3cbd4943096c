"""Minima of the nonlinear programs of optimal control: a method's solution that is no saddle."""

from typing import TYPE_CHECKING

from acausal.analyses.optimize import ipopt, scipy_method
from acausal.analyses.optimize.control_request import ControlRequest
from acausal.analyses.optimize.found import Found
from acausal.analyses.optimize.functionals import Constraint
from acausal.analyses.optimize.second_order import descent
from acausal.analyses.optimize.transcription import Transcription
from acausal.base.diagnostics import Diagnostic, ModelError, SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ESCAPES = 3
"""Searches, each of which begins beside the saddle that the one before has ended at."""
BESIDE = 0.1
"""Distance from there, in scaled numbers."""


def minimum(
    problem: Transcription, start: "Array", asked: ControlRequest, constraints: tuple[Constraint, ...]
) -> Found:
    """The solution; where the search ends at a saddle it begins again beside that, on the side of smaller values."""
    import numpy as np

    for _ in range(ESCAPES):
        found = _solved(problem, start, asked)
        if not found.success:
            raise _not_found(problem, found, constraints)
        along = descent(problem, found.y)
        if along is None:
            return found
        sides = [np.clip(found.y + side * BESIDE * along, problem.lower, problem.upper) for side in (1.0, -1.0)]
        start = min(sides, key=problem.objective)
    hint = "provide a guess that is not symmetric (guess=, --guess)"
    message = "no optimum was found: the search ends at a saddle, beside which the objective decreases"
    raise SimulationError(Diagnostic("A032", message, help=hint))


def _solved(problem: Transcription, start: "Array", asked: ControlRequest) -> Found:
    """By IPOPT where it is installed, else by SciPy."""
    if asked.method == "ipopt" and ipopt.library() is None:
        hint = "pip install 'acausal[optimize]'"
        raise ModelError(Diagnostic("F016", "IPOPT is not installed", help=hint))
    use_ipopt = asked.method == "ipopt" or (asked.method == "auto" and ipopt.library() is not None)
    solve = ipopt.solve if use_ipopt else scipy_method.solve
    return solve(problem, start, asked.tolerance, asked.iterations)


def _not_found(problem: Transcription, found: Found, constraints: tuple[Constraint, ...]) -> SimulationError:
    import numpy as np

    values = problem.constraints(found.y)
    missed = np.maximum(problem.low - values, values - problem.high)
    notes = [f"largest violation of an equation of motion: {missed[: problem.outer_at].max(initial=0.0):.3g}"]
    outer = [c for c in constraints if not c.is_path]
    for constraint, by in zip(outer, missed[problem.outer_at :].tolist(), strict=True):
        if by > scipy_method.FEASIBLE:
            notes.append(f"{constraint.text} is violated by {by:.3g}")
    hint = "provide a better guess (guess=, --guess), more intervals, wider bounds or another range of stop"
    if found.method != "ipopt":
        hint = "IPOPT solves more problems: pip install 'acausal[optimize]'; or " + hint
    message = f"no optimum was found: {found.message} ({found.method}, {found.iterations} iterations)"
    return SimulationError(Diagnostic("A032", message, None, (), tuple(notes), hint))
