"""Why Newton's method found no solution: the worst equation, and the guess that matters most for it."""

from math import isfinite

from acausal.base.frozen import dataclass
from acausal.codegen.numpy.numpy_solvers import newton_solution, storing
from acausal.simulate.failure.interpreter import Numbers, Unsolved

SATISFIED = 1e-12
"""A residual that does not matter."""


@dataclass(frozen=True, slots=True)
class NewtonFailure:
    """The point nearest to a solution that was seen, and numbers of an equation and an unknown of the block.

    `residual` is that of the worst equation there; `why` is "no number" (at the guesses the equation has no finite
    value), "flat" (there it does not change with any unknown), "limit" (the equations are satisfied within rounding,
    but no solution is near) or "none" (no solution was found).
    """

    point: tuple[float, ...]
    equation: int
    residual: float
    unknown: int
    why: str


def newton_failure(found: Unsolved) -> NewtonFailure:
    """Examines every point that damped Newton comes to from the guesses."""
    import numpy as np

    assert found.residuals is not None
    n = len(found.start)
    seen: list[tuple[Numbers, list[float]]] = []
    function = found.residuals

    def watched(x: Numbers) -> list[float]:
        values = function(x)
        seen.append((tuple(x), values))
        return values

    with np.errstate(all="ignore"):
        newton_solution(storing(watched, n), (), found.start, found.nominals)
    first = seen[0][1]
    wrong = [i for i in range(n) if not isfinite(first[i])]
    if wrong or not all(map(isfinite, first)):
        equation = wrong[0] if wrong else next(k for k, v in enumerate(first[n:]) if not isfinite(v)) // n
        unknown = _strongest(first, equation, found.start, found.nominals)
        return NewtonFailure(found.start, equation, first[equation], unknown, "no number")
    scales = _scales(first, found.start, found.nominals)
    point, values = min(seen, key=lambda item: _measure(item[1], scales))
    worst = max(range(n), key=lambda i: abs(values[i]) / scales[i])
    flat = not any(first[n + worst * n : n + worst * n + n])
    unknown = _strongest(values if flat else first, worst, found.start, found.nominals)
    if not flat and _measure(values, scales) <= SATISFIED:
        unknown = max(range(n), key=lambda j: abs(point[j]) / _weights(found.start, found.nominals)[j])
        return NewtonFailure(tuple(point), worst, values[worst], unknown, "limit")
    return NewtonFailure(tuple(point), worst, values[worst], unknown, "flat" if flat else "none")


def _weights(x: Numbers, nominals: Numbers) -> list[float]:
    return [max(abs(a), b) for a, b in zip(x, nominals, strict=True)]


def _scales(values: list[float], x: Numbers, nominals: Numbers) -> list[float]:
    """The largest term of each residual, 1 where there is none."""
    n, weights = len(x), _weights(x, nominals)
    return [max(abs(values[n + i * n + j]) * w for j, w in enumerate(weights)) or 1.0 for i in range(n)]


def _measure(values: list[float], scales: list[float]) -> float:
    if not all(map(isfinite, values)):
        return float("inf")
    return max(abs(v) / s for v, s in zip(values, scales, strict=False))


def _strongest(values: list[float], i: int, x: Numbers, nominals: Numbers) -> int:
    """The unknown by which an equation changes most; one that gives no number counts most of all."""
    n = len(x)
    sizes = [abs(values[n + i * n + j]) * w for j, w in enumerate(_weights(x, nominals))]
    return max(range(n), key=lambda j: sizes[j] if isfinite(sizes[j]) else float("inf"))
