"""Residuals of all experiments and their exact slopes, as functions of the unknown parameters.

A parameter on a logarithmic scale is exp(x); residuals are differences divided by the standard deviation of the
variable, or by its range where that is not known yet.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from acausal.analyses.fitting.measurements import Experiment
from acausal.analyses.fitting.unknowns import Unknown
from acausal.base.diagnostics import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

AT_BOUND = 1e-6
"""Of the range between bounds: the method with bounds stays within them."""
FAILED = 1e3
"""Times the residuals of the start: those of parameters with which no run is possible."""


class Slopes(Protocol):
    """Values (times, variables) of a run and their slopes (times, variables, parameters)."""

    def __call__(self, experiment: Experiment, values: Mapping[str, float]) -> "tuple[Array, Array]":
        """The run of an experiment with these parameters."""
        ...


class FitProblem:
    """Residuals of the unknown numbers x (parameters,); the last point and the best one are remembered.

    Slopes come with values, and of the best point they are asked for again.
    """

    def __init__(
        self, unknowns: Sequence[Unknown], experiments: Sequence[Experiment], slopes: Slopes, sigma: "Array"
    ) -> None:
        self.unknowns, self.experiments, self.sigma = tuple(unknowns), tuple(experiments), sigma
        self._slopes = slopes
        self._last: tuple[bytes, Array, Array] | None = None
        self._best: tuple[float, tuple[bytes, Array, Array]] | None = None
        self._size: float | None = None
        self._shares = 1.0 / sigma[:, None]
        self._has_logs = any(u.log for u in self.unknowns)
        self.runs = 0

    def values(self, x: "Array") -> dict[str, float]:
        """Values of the parameters."""
        return {u.name: u.value(number) for u, number in zip(self.unknowns, x.tolist(), strict=True)}

    def at_bounds(self, x: "Array") -> dict[str, str]:
        """The bound, "lower" or "upper", of each parameter that is on one."""
        found = {}
        for u, number in zip(self.unknowns, x.tolist(), strict=True):
            low, high = u.number(u.low), u.number(u.high)
            near = AT_BOUND * (high - low) if isfinite(high - low) else 0.0
            if number - low <= near or high - number <= near:
                found[u.name] = "lower" if number - low <= near else "upper"
        return found

    def with_sigma(self, sigma: "Array") -> "FitProblem":
        """The same with other standard deviations."""
        return FitProblem(self.unknowns, self.experiments, self._slopes, sigma)

    def residuals(self, x: "Array") -> "Array":
        """Residuals (measured values,) of all experiments one after the other, each row by row."""
        return self._at(x)[0]

    def jacobian(self, x: "Array") -> "Array":
        """Slopes (measured values, parameters) of the residuals along the unknown numbers."""
        return self._at(x)[1]

    def by_experiment(self, x: "Array") -> "list[Array]":
        """Differences (times, variables) between model and data, in the units of the variables."""
        import numpy as np

        found, start = [], 0
        flat = self.residuals(x)
        for experiment in self.experiments:
            size = experiment.values.size
            part = flat[start : start + size].reshape(experiment.values.shape)
            found.append(np.asarray(part * self.sigma))
            start += size
        return found

    def required(self, x: "Array") -> "Array":
        """Residuals as `residuals`; SimulationError where no run is possible."""
        return self._evaluated(x)[0]

    def _at(self, x: "Array") -> "tuple[Array, Array]":
        import numpy as np

        try:
            return self._evaluated(x)
        except SimulationError:
            if self._size is None:
                raise
            size = sum([e.values.size for e in self.experiments])
            return np.full(size, FAILED * self._size), np.zeros((size, len(self.unknowns)))

    def _evaluated(self, x: "Array") -> "tuple[Array, Array]":
        import numpy as np

        point = x.tobytes()
        for known in (self._last, None if self._best is None else self._best[1]):
            if known is not None and known[0] == point:
                return known[1], known[2]
        values = self.values(x)
        rows, slopes = [], []
        factors = self._shares
        if self._has_logs:
            factors = factors * np.array([values[u.name] if u.log else 1.0 for u in self.unknowns])
        for experiment in self.experiments:
            self.runs += 1
            found, along = self._slopes(experiment, values)
            rows.append(((found - experiment.values) / self.sigma).ravel())
            slopes.append((along * factors).reshape(-1, len(self.unknowns)))
        is_one = len(rows) == 1
        residuals, jacobian = (rows[0], slopes[0]) if is_one else (np.concatenate(rows), np.concatenate(slopes))
        if self._size is None:
            self._size = float(np.abs(residuals).max()) or 1.0
        self._last = point, residuals, jacobian
        cost = float(residuals @ residuals)
        if self._best is None or cost < self._best[0]:
            self._best = cost, self._last
        return residuals, jacobian
