"""Statistics of parameters at a least-squares solution: errors, intervals, correlations, what is not determined.

Covariance s^2*(J'J)^-1 with the residual variance s^2 (G. A. F. Seber, C. J. Wild, Nonlinear Regression, 1989,
sections 2.1 and 5.1), in the unknown numbers: logarithms for parameters on a logarithmic scale.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.analyses.fitting.unknowns import Unknown
from acausal.base.diagnostics import Diagnostic, Severity
from acausal.base.frozen import dataclass
from acausal.ir.names import listed

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

LEVEL = 0.95
DEPENDENT = 1e-6
"""Singular values below this share of the largest one are zero: slopes are exact to about the tolerance of the runs."""
PART = 0.05
"""Parameters with a smaller part in a combination are not named."""
SHOWN = 6


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Standard errors (parameters,) in the units of the parameters, limits of the 95 % interval (parameters, 2).

    `covariance` and `correlations` (parameters, parameters) are those of the unknown numbers; inf or nan for what the
    data do not determine, which `notes` state.
    """

    errors: "Array"
    intervals: "Array"
    covariance: "Array"
    correlations: "Array"
    variance: float
    notes: tuple[Diagnostic, ...]


def statistics(
    unknowns: Sequence[Unknown], x: "Array", residuals: "Array", jacobian: "Array", *, known_sigma: bool
) -> Statistics:
    """The statistics of a solution; `known_sigma` if residuals are in units of known standard deviations."""
    import numpy as np
    from scipy.special import stdtrit

    count, p = jacobian.shape
    scale = np.array([1.0 if u.log else abs(v) or 1.0 for u, v in zip(unknowns, x.tolist(), strict=True)])
    _, sizes, right = np.linalg.svd(jacobian * scale, full_matrices=False)
    is_kept = sizes > DEPENDENT * sizes[0]
    freedom = count - p + int((~is_kept).sum())
    variance = 1.0 if known_sigma else float(residuals @ residuals) / freedom if freedom > 0 else np.nan
    directions = right[is_kept] / sizes[is_kept, None] * scale
    covariance = variance * (directions.T @ directions)
    lost = (np.abs(right[~is_kept]) > PART).any(axis=0)
    deviations = np.sqrt(np.where(lost, np.inf, covariance.diagonal()))
    factor = float(stdtrit(freedom, (1 + LEVEL) / 2)) if freedom > 0 else np.nan
    intervals, errors = np.stack([x - factor * deviations, x + factor * deviations], axis=1), deviations
    is_log = [u.log for u in unknowns]
    if any(is_log):
        with np.errstate(over="ignore"):
            intervals[is_log] = np.exp(intervals[is_log])
            errors = np.where(is_log, np.exp(x) * deviations, deviations)
    finite = np.where(lost | ~(deviations > 0), np.nan, deviations)
    if lost.any():
        covariance[lost] = covariance[:, lost] = np.nan
    correlations = covariance / (finite * finite[:, None])
    return Statistics(errors, intervals, covariance, correlations, variance, _notes(unknowns, right[~is_kept]))


def _notes(unknowns: Sequence[Unknown], directions: "Array") -> tuple[Diagnostic, ...]:
    """A warning for each combination of parameters that changes no measured value."""
    found = []
    for direction in directions:
        relative = direction / max(direction.min(), direction.max(), key=abs)
        parts = [(u, float(part)) for u, part in zip(unknowns, relative, strict=True) if abs(part) > PART]
        names = [u.name for u, _ in parts]
        if len(parts) == 1:
            message = f"the data do not determine {names[0]}: it has no influence on the measured values"
        else:
            message = f"the data do not determine {listed(names, SHOWN)} separately"
        changes = ", ".join([f"{u.name} by {part:+.3g} %" for u, part in parts])
        note = f"no measured value changes with {changes}"
        hint = f"give {names[-1]} a value, or measure something else" if len(parts) > 1 else f"give {names[0]} a value"
        found.append(Diagnostic("A042", message, None, (), (note,), hint, severity=Severity.WARNING))
    return tuple(found)
