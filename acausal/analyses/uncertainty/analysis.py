"""Runs of an uncertainty analysis: samples of the parameters, swept, with what is asked of them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.analyses.uncertainty.request import UncertaintyRequest
from acausal.analyses.uncertainty.result import Bands, Runs, Uncertainty
from acausal.analyses.uncertainty.sobol import SobolIndices, design, sobol_indices
from acausal.base.diagnostics import Diagnostic
from acausal.sweep.points.designs import sobol_points
from acausal.sweep.points.distributions import Distribution
from acausal.sweep.result import SweepResult

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

PORTION = 256
"""Runs whose trajectories are in memory at a time."""
LEVELS = (5.0, 25.0, 50.0, 75.0, 95.0)
"""Percentiles of bands."""

Sweep = Callable[[Mapping[str, list[float]], bool, int], SweepResult]
"""Sweeps a table of runs, with whole results or not; the last argument is how many runs were done before."""


def uncertainty(
    name: str, distributions: Mapping[str, Distribution], asked: UncertaintyRequest, sweep: Sweep, times: "Array"
) -> Uncertainty:
    """The result; `times` are those of the bands."""
    names = tuple(distributions)
    shares = (design if asked.indices else sobol_points)(asked.n, len(names), asked.seed)
    samples = {key: d.values(shares[:, k]) for k, (key, d) in enumerate(distributions.items())}
    collected = _Collected(asked, len(shares), times)
    size = PORTION if asked.bands else len(shares)
    for first in range(0, len(shares), size):
        table = {key: column[first : first + size].tolist() for key, column in samples.items()}
        collected.take(first, sweep(table, bool(asked.bands), first))
    indices: dict[str, SobolIndices | None] = {}
    if asked.indices:
        indices = {label: sobol_indices(found, names, asked.seed) for label, found in collected.values.items()}
    bands = {
        variable: Bands(times, LEVELS, _percentiles(rows), collected.units.get(variable))
        for variable, rows in collected.rows.items()
    }
    notes = tuple(dict.fromkeys(collected.notes))
    runs = Runs(samples, collected.values, collected.failures)
    return Uncertainty(name, dict(distributions), runs, indices, bands, asked.n, notes)


class _Collected:
    """Values of the outputs of all runs, and rows of the variables that have bands."""

    def __init__(self, asked: UncertaintyRequest, count: int, times: "Array") -> None:
        import numpy as np

        self._asked, self._times = asked, times
        self.values = {label: np.full(count, np.nan) for label in asked.outputs}
        self.rows = {variable: np.full((count, len(times)), np.nan) for variable in asked.bands}
        self.units: dict[str, str | None] = {}
        self.failures: dict[int, Diagnostic] = {}
        self.notes: list[Diagnostic] = []

    def take(self, first: int, part: SweepResult) -> None:
        """The runs of a sweep, whose trajectories are not needed afterwards."""
        import numpy as np

        for label, quantity in self._asked.outputs.items():
            self.values[label][first : first + len(part)] = part[str(quantity)]
        self.failures.update({first + k: failure for k, failure in part.failures.items()})
        self.notes += part.notes
        if not self.rows:
            return
        for k in [k for k in range(len(part)) if k not in part.failures]:
            result = part.runs[k]
            for variable, rows in self.rows.items():
                self.units[variable] = result.columns[variable].unit
                rows[first + k] = np.interp(self._times, result.time, result[variable], right=np.nan)


def _percentiles(rows: "Array") -> "Array":
    """Percentiles over the runs (levels, times); runs that have ended do not count, nan where none is left."""
    import warnings

    import numpy as np

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN slice", RuntimeWarning)
        found: Array = np.nanpercentile(rows, LEVELS, axis=0)
    return found
