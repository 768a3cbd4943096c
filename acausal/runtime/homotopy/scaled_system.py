"""Residuals and their Jacobian, scaled: residuals by their largest terms at a point, unknowns by their size there."""

from acausal.runtime.blocks.newton import Residuals
from acausal.runtime.kernel.language import Bool, Int, Reals, kernel


@kernel
def evaluate_scaled(
    rows: Int, n: Int, residuals: Residuals, captured: Reals, x: Reals, weights: Reals, scales: Reals, values: Reals
) -> Bool:
    """Stores the residuals, then their Jacobian row by row, scaled; False where these are no finite numbers."""
    residuals(captured, x, values)
    total = 0.0
    for i in range(rows):
        values[i] = values[i] / scales[i]
        total = total + abs(values[i])
        for j in range(n):
            entry = values[rows + i * n + j] * weights[j] / scales[i]
            values[rows + i * n + j] = entry
            total = total + abs(entry)
    return total < float("inf")


@kernel
def scale_system(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    nominals: Reals,
    weights: Reals,
    scales: Reals,
    values: Reals,
) -> Bool:
    """Stores the scales at x; False where the residuals or their derivatives are no finite numbers."""
    for i in range(n):
        weights[i] = max(abs(x[i]), nominals[i])
        scales[i] = 1.0
    if not evaluate_scaled(n, n, residuals, captured, x, weights, scales, values):
        return False
    for i in range(n):
        largest = abs(values[i])
        for j in range(n):
            largest = max(largest, abs(values[n + i * n + j]))
        if largest > 0.0:
            scales[i] = largest
    return True
