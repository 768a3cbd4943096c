"""Samples for Sobol indices, and the indices with confidence intervals."""

from typing import TYPE_CHECKING, Any

from acausal.base.frozen import dataclass
from acausal.sweep.points.designs import sobol_points

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

RESAMPLES = 400
"""Resamples of a confidence interval."""


def design(count: int, dimensions: int, seed: int) -> "Array":
    """Two independent samples A and B, then for each parameter A with the column of B: (d + 2)*count rows.

    A. Saltelli et al., Computer Physics Communications 181, 2010, section 3.
    """
    import numpy as np

    both = sobol_points(count, 2 * dimensions, seed)
    a, b = both[:, :dimensions], both[:, dimensions:]
    mixed = []
    for k in range(dimensions):
        column = a.copy()
        column[:, k] = b[:, k]
        mixed.append(column)
    return np.vstack([a, b, *mixed])


@dataclass(frozen=True, slots=True)
class Index:
    """A Sobol index with the limits of its confidence interval of 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True, slots=True)
class SobolIndices:
    """First-order and total indices of each parameter: shares of the variance of an output.

    `first` is what the parameter explains alone, `total` what it explains together with others.
    """

    first: dict[str, Index]
    total: dict[str, Index]


def sobol_indices(values: "Array", names: tuple[str, ...], seed: int) -> SobolIndices | None:
    """Indices of one output from its values for a `design`; None if it does not vary.

    First order: Saltelli et al. 2010, table 2 (b); total: M. J. W. Jansen, Computer Physics Communications 117, 1999.
    Points at which a run failed (nan) count for no parameter. Intervals are percentiles of a bootstrap over the points.
    """
    import numpy as np

    parts = values.reshape(len(names) + 2, -1)
    parts = parts[:, np.isfinite(parts).all(axis=0)]
    count = parts.shape[1]
    if count < 2 or not np.ptp(parts[:2]) > 0:
        return None
    found = _estimates(parts)
    generator = np.random.default_rng(seed)
    others = np.array([_estimates(parts[:, generator.integers(0, count, count)]) for _ in range(RESAMPLES)])
    low, high = np.nanpercentile(others, [2.5, 97.5], axis=0)

    def indices(row: int) -> dict[str, Index]:
        columns: Any = zip(names, found[row].tolist(), low[row].tolist(), high[row].tolist(), strict=True)
        return {name: Index(*entry) for name, *entry in columns}

    return SobolIndices(indices(0), indices(1))


def _estimates(parts: "Array") -> "Array":
    """First-order and total indices, (2, d)."""
    import numpy as np

    mean = parts[:2].mean()
    a, b, mixed = parts[0] - mean, parts[1] - mean, parts[2:] - mean
    variance = np.concatenate([a, b]).var()
    with np.errstate(invalid="ignore", divide="ignore"):
        first = (b * (mixed - a)).mean(axis=1) / variance
        total = 0.5 * ((a - mixed) ** 2).mean(axis=1) / variance
    return np.array([first, total])
