"""Solvers of the blocks in NumPy text; the compiled code does the same in the same order.

This file is copied into the text when a program has blocks.
"""

from collections.abc import Callable, MutableSequence, Sequence

NOISE = 2.0**-42
STEP_TOLERANCE = 1e-9
RESIDUAL_TOLERANCE = 2.0**-48
SMALLEST_DAMPING = 2.0**-20
ITERATIONS = 60
CONTRACTION = 0.25
"""Residuals and steps fall at least by this factor where Newton's method starts near a solution."""
TINY = 1e-7
"""So small a way, as a share of the unknowns, leads to no other branch, however slowly Newton's method goes it."""


def solve_linear(matrix: Sequence[float], right: Sequence[float]) -> list[float] | None:
    """Gaussian elimination with partial pivoting, the matrix row by row; None if it is singular.

    A pivot that cancellation left over, a NOISE-th of what was subtracted, counts as 0: in random
    singular matrices of up to 100 rows it is a 1e-13th, in regular ones a 1e-4th at least. This does
    not depend on the scales of rows and columns.
    """
    n = len(right)
    rows = [[*matrix[i * n : (i + 1) * n], right[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = rows[k]
        noise = max((abs(pivot[j] * rows[j][k]) for j in range(k)), default=0.0)
        if not abs(pivot[k]) > NOISE * noise:
            return None
        for row in rows[k + 1 :]:
            row[k] = row[k] / pivot[k]
            for j in range(k + 1, n + 1):
                row[j] = row[j] - row[k] * pivot[j]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            rows[k][n] = rows[k][n] - rows[k][j] * rows[j][n]
        rows[k][n] = rows[k][n] / rows[k][k]
    return [row[n] for row in rows]


def factor_linear(p: MutableSequence[float], at: int, matrix: Sequence[float], n: int) -> None:
    """Factors a matrix as `solve_linear` eliminates: L and U from p[at] on, pivots, then 0, or nan if singular."""
    rows = [list(matrix[i * n : (i + 1) * n]) for i in range(n)]
    end = at + n * n
    p[end + n] = float("nan")
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        p[end + k] = float(best)
        pivot = rows[k]
        noise = max((abs(pivot[j] * rows[j][k]) for j in range(k)), default=0.0)
        if not abs(pivot[k]) > NOISE * noise:
            return
        for row in rows[k + 1 :]:
            row[k] = row[k] / pivot[k]
            for j in range(k + 1, n):
                row[j] = row[j] - row[k] * pivot[j]
    for i in range(n):
        for j in range(n):
            p[at + i * n + j] = rows[i][j]
    p[end + n] = 0.0


def solve_factored(p: Sequence[float], at: int, right: Sequence[float]) -> list[float] | None:
    """The solution with the factors that `factor_linear` left; None if the matrix is singular."""
    n = len(right)
    end = at + n * n
    if p[end + n] != 0.0:
        return None
    x = list(right)
    for k in range(n):
        best = int(p[end + k])
        x[k], x[best] = x[best], x[k]
    for k in range(n):
        for i in range(k + 1, n):
            x[i] = x[i] - p[at + i * n + k] * x[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            x[k] = x[k] - p[at + k * n + j] * x[j]
        x[k] = x[k] / p[at + k * n + k]
    return x


def solve_newton(
    residuals: Callable[[Sequence[float], Sequence[float]], list[float]],
    captured: Sequence[float],
    start: Sequence[float],
    nominals: Sequence[float],
    iterations: int = ITERATIONS,
    strict: bool = False,
) -> list[float] | None:
    """Damped Newton: residuals, each as a share of its largest term, must fall at each step; None if they do not.

    `residuals` gives the residuals, then their Jacobian row by row. Unknowns count as a share of
    the larger of their value and their nominal value. `strict`: steps are not damped, and residuals and steps
    contract by CONTRACTION at least, so that the solution is the one next to the start (`runtime/branch`); but where
    the whole way is TINY.
    """
    n = len(start)
    x = list(start)
    values = residuals(captured, x)
    longest, way, slow = float("inf"), 0.0, False
    for _ in range(iterations):
        weights = [max(abs(a), b) for a, b in zip(x, nominals, strict=True)]
        jacobian = values[n:]
        scales = [max(abs(jacobian[i * n + j]) * weights[j] for j in range(n)) for i in range(n)]
        step = solve_linear(jacobian, [-v for v in values[:n]])
        if step is None:
            return None
        size = max(abs(s) / w for s, w in zip(step, weights, strict=True))
        norm = _norm(values, scales)
        if norm == float("inf"):
            return None
        slow = slow or size > longest
        if strict and size > STEP_TOLERANCE / CONTRACTION:
            longest = CONTRACTION * size
        damping = 1.0
        while True:
            trial = [a + damping * s for a, s in zip(x, step, strict=True)]
            values = residuals(captured, trial)
            trial_norm = _norm(values, scales)
            small = (size if strict else damping * size) <= STEP_TOLERANCE
            if trial_norm <= RESIDUAL_TOLERANCE or (trial_norm < float("inf") and small):
                return trial
            slow = slow or (strict and not trial_norm <= CONTRACTION * norm)
            if slow and way + damping * size > TINY:
                return None
            if trial_norm <= (1 - damping / 4) * norm:
                break
            damping = damping / 2
            if damping < SMALLEST_DAMPING:
                return None
        way = way + damping * size
        x = trial
    return None


def _norm(values: Sequence[float], scales: Sequence[float]) -> float:
    """The largest residual as a share of its scale; infinite if a value or a derivative is no finite number."""
    if not sum(abs(v) for v in values) < float("inf"):
        return float("inf")
    return max(abs(v) / s for v, s in zip(values, scales, strict=False))
