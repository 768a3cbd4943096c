"""Least squares from one or several starts."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import isfinite
from typing import TYPE_CHECKING, Any

from acausal.analyses.fitting.measurements import Experiment
from acausal.analyses.fitting.problem import FitProblem, Slopes
from acausal.analyses.fitting.result import Fit
from acausal.analyses.fitting.search import Ways, attempt, limits, solved
from acausal.analyses.fitting.statistics import statistics
from acausal.analyses.fitting.unknowns import Unknown, Where
from acausal.base.arguments import as_count, as_mapping, as_number
from acausal.base.diagnostics import Diagnostic, ModelError, UsageError
from acausal.ir.names import listed

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

LOSSES = ("linear", "soft_l1", "huber", "cauchy", "arctan")
NO_INFLUENCE = 1e-12
"""Slopes below this share of the values, for a change of the parameter by its size, are none."""
ROUNDS = 3
"""Fits with standard deviations from the residuals of the one before, where several variables are measured."""


Elsewhere = Callable[[FitProblem, "Sequence[Array]", Ways], list[Any]]
"""Solutions from several starts, None where no run is possible."""


def ways_of(loss: object, f_scale: object, starts: object, seed: object, jobs: int) -> Ways:
    """The ways from arguments of Python; UsageError F006 for one of another type or value."""
    if loss not in LOSSES:
        raise UsageError(Diagnostic("F006", f"unknown loss {loss}", help=f"known: {', '.join(LOSSES)}"))
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise UsageError(Diagnostic("F006", f"seed={seed!r:.40}: it must be a whole number, 0 or more"))
    scale = as_number("f_scale", f_scale)
    if scale is None or not scale > 0:
        raise UsageError(Diagnostic("F006", "f_scale must be a positive number"))
    return Ways(str(loss), scale, as_count("starts", starts), seed, jobs)


def fit(
    name: str,
    variables: Sequence[str],
    unknowns: Sequence[Unknown],
    experiments: Sequence[Experiment],
    slopes: Slopes,
    sigma: "Mapping[str, float] | None",
    ways: Ways,
    units: Mapping[str, str | None],
    where: Where,
    elsewhere: Elsewhere | None = None,
) -> Fit:
    """The best solution of all starts, which may run `elsewhere`, and what it says.

    ModelError A041 for a parameter without influence.
    """
    scale = _ranges(experiments) if sigma is None else _given_sigma(sigma, variables)
    problem = FitProblem(unknowns, experiments, slopes, scale)
    _require_influence(problem, where)
    runs = _all_starts(problem, ways, elsewhere)
    best = min(runs, key=lambda found: float(found.cost))
    for _ in range(ROUNDS if sigma is None and len(variables) > 1 else 0):
        problem = problem.with_sigma(_deviations(problem, best.x))
        best = solved(problem, best.x, ways)
    about = statistics(unknowns, best.x, best.fun, problem.jacobian(best.x), known_sigma=sigma is not None)
    costs = sorted([float(found.cost) for found in runs])
    return Fit(name, tuple(variables), problem, best, about, costs, units)


def _given_sigma(sigma: Mapping[str, float], variables: Sequence[str]) -> "Array":
    """Standard deviations of all variables; UsageError F006 where one is missing or not positive."""
    import numpy as np

    found = {name: as_number(name, x) for name, x in as_mapping("sigma", sigma).items()}
    for name in found:
        if name not in variables:
            hint = f"measured: {listed(list(variables), 6)}"
            raise UsageError(Diagnostic("F005", f"sigma of {name}, which is not measured", help=hint))
    for name in variables:
        if not (found.get(name) or 0.0) > 0:
            raise UsageError(
                Diagnostic(
                    "F006",
                    f"the sigma of {name} must be a positive number",
                    help=f"give all measured variables one: {name}=0.1",
                )
            )
    return np.array([found[name] for name in variables], dtype=np.float64)


def _ranges(experiments: Sequence[Experiment]) -> "Array":
    """Ranges of the measured values of each variable."""
    import numpy as np

    values = np.concatenate([e.values for e in experiments])
    spans = np.ptp(values, axis=0)
    largest = np.abs(values).max(axis=0)
    return np.asarray(np.where(spans > 0, spans, np.where(largest > 0, largest, 1.0)))


def _deviations(problem: FitProblem, x: "Array") -> "Array":
    """Standard deviations of the variables from residuals."""
    import numpy as np

    residuals = np.concatenate(problem.by_experiment(x))
    found = np.sqrt((residuals**2).mean(axis=0))
    return np.asarray(np.where(found > 0, found, problem.sigma))


def _require_influence(problem: FitProblem, where: Where) -> None:
    """ModelError A041 for a parameter of which no measured value depends."""
    import numpy as np

    x = np.array([u.number(u.start) for u in problem.unknowns])
    jacobian = problem.jacobian(x)
    sizes = np.array([1.0 if u.log else abs(u.start) or 1.0 for u in problem.unknowns])
    effect = np.abs(jacobian).max(axis=0) * sizes
    without = [u.name for u, e in zip(problem.unknowns, effect.tolist(), strict=True) if not e > NO_INFLUENCE]
    if without:
        message = f"{listed(without, 6)} {'has' if len(without) == 1 else 'have'} no influence on the measured values"
        hint = "do not fit it, start from other values, or measure another variable"
        raise ModelError(Diagnostic("A041", message, where(without[0]), help=hint))


def _all_starts(problem: FitProblem, ways: Ways, elsewhere: Elsewhere | None) -> list[Any]:
    """Solutions from the values of the model and from points of a low-discrepancy sequence between the bounds."""
    import numpy as np

    first = np.array([u.number(u.start) for u in problem.unknowns])
    points = [first, *_points(problem.unknowns, ways)]
    if len(points) == 1:
        return [solved(problem, first, ways)]

    if elsewhere is not None:
        solutions = elsewhere(problem, points, ways)
    else:
        with ThreadPoolExecutor(ways.jobs) as pool:
            solutions = list(pool.map(lambda x: attempt(problem, x, ways), points))
    return [solution for solution in solutions if solution is not None] or [solved(problem, first, ways)]


def _points(unknowns: Sequence[Unknown], ways: Ways) -> "list[Array]":
    from scipy.stats.qmc import Sobol

    if ways.starts < 2:
        return []
    open_ = [u.name for u in unknowns if not isfinite(u.low + u.high)]
    if open_:
        hint = "give bounds: the starting points are chosen between them"
        raise UsageError(Diagnostic("F006", f"several starts require bounds for {listed(open_, 6)}", help=hint))
    shares = Sobol(len(unknowns), rng=ways.seed).random_base2((ways.starts - 1).bit_length())[: ways.starts - 1]
    low, high = limits(unknowns)
    return list(low + shares * (high - low))
