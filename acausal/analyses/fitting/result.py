"""Result of a fit."""

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.analyses.fitting.problem import FitProblem
from acausal.analyses.fitting.statistics import Statistics
from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture

STRONG = 0.9
"""Correlations above this are shown."""


class Fit:
    """Fitted parameters.

    `values[name]`, `errors[name]` (standard errors) and `intervals[name]` (limits of the 95 % interval) are in the
    units of the parameters; `correlations` and `covariance` (parameters, parameters) are in the order of `names`, for
    logarithms of parameters on a logarithmic scale. `notes` state combinations that the data do not determine (A042):
    errors are infinite then. `at_bounds` says of parameters on a bound which one, "lower" or "upper": errors and
    intervals are those without the bound. `sigma[variable]` are standard deviations of the measurements, `residuals`
    differences (times, variables) between model and data by experiment, `costs` those of all starts. `result` is
    SciPy's.
    """

    def __init__(
        self,
        name: str,
        variables: tuple[str, ...],
        problem: FitProblem,
        result: Any,  # noqa: ANN401 - SciPy has no types
        about: Statistics,
        costs: Sequence[float],
        units: Mapping[str, str | None],
    ) -> None:
        self.name, self.variables = name, variables
        self.names = tuple([u.name for u in problem.unknowns])
        self.values = problem.values(result.x)
        self.errors = dict(zip(self.names, about.errors.tolist(), strict=True))
        limits = about.intervals.tolist()
        self.intervals = {n: (low, high) for n, (low, high) in zip(self.names, limits, strict=True)}
        self.correlations, self.covariance = about.correlations, about.covariance
        self.notes = about.notes
        self.result = result
        self.costs = tuple(costs)
        self.residuals = problem.by_experiment(result.x)
        deviation = float(about.variance) ** 0.5
        self.sigma = dict(zip(variables, (problem.sigma * deviation).tolist(), strict=True))
        self.units = dict(units)
        self.runs = problem.runs
        self.at_bounds = problem.at_bounds(result.x)
        self._experiments = problem.experiments

    def __getitem__(self, name: str) -> float:
        if name not in self.values:
            hint = f"fitted: {', '.join(self.names)}"
            raise UsageError(Diagnostic("F005", f"{name} was not fitted", help=hint))
        return self.values[name]

    @property
    def measured(self) -> "list[tuple[Array, Array]]":
        """Times (times,) and measured values (times, variables) of all experiments."""
        return [(e.time, e.values) for e in self._experiments]

    def plot(self, figure: str | Path | None = None) -> "Figure | None":
        """Plot residuals over time; `figure` is the file to write."""
        from acausal.results.drawing.output import drawn

        return drawn(self.picture(), None if figure is None else as_path("figure", figure))

    def picture(self) -> "Picture":
        """The plot as data: measured and fitted values, and below each variable the residuals."""
        from acausal.results.drawing.picture import Curve, Panel, Picture
        from acausal.results.plot import title_of

        panels = []
        for k, variable in enumerate(self.variables):
            fitted, rest = [], []
            for experiment, residuals in zip(self._experiments, self.residuals, strict=True):
                several = f" {experiment.name}" if len(self._experiments) > 1 else ""
                measured = experiment.values[:, k]
                fitted.append(Curve(f"measured{several}", experiment.time, measured, points=True))
                fitted.append(Curve(f"fitted{several}", experiment.time, measured + residuals[:, k]))
                rest.append(Curve(f"residual{several}", experiment.time, residuals[:, k], points=True))
            unit = self.units.get(variable)
            panels.append(Panel(title_of(unit, [variable]), tuple(fitted)))
            panels.append(Panel(title_of(unit, ["residual"]), tuple(rest)))
        return Picture(f"{self.name}: measured and fitted values", "time [s]", tuple(panels))

    def data(self) -> dict[str, object]:
        """All as data."""
        return {
            "model": self.name,
            "values": self.values,
            "errors": self.errors,
            "intervals": self.intervals,
            "correlations": self.correlations.tolist(),
            "sigma": self.sigma,
            "cost": float(self.result.cost),
            "starts": len(self.costs),
            "runs": self.runs,
            "at_bounds": self.at_bounds,
            "undetermined": [note.message for note in self.notes],
            "units": {name: self.units.get(name) for name in (*self.names, *self.variables)},
        }

    def _deviation(self, variable: str) -> str:
        """The standard deviation of the residuals of a variable; there is none if no more data than parameters."""
        unit = f" {self.units[variable]}" if self.units.get(variable) else ""
        return f"{self.sigma[variable]:.3g}{unit}" if isfinite(self.sigma[variable]) else "not determined"

    def __repr__(self) -> str:
        return f"<Fit {self.name}: {', '.join([f'{n} = {x:g}' for n, x in self.values.items()])}>"

    def __str__(self) -> str:
        count = sum([values.size for _, values in self.measured])
        lines = [f"fit of {self.name}: {len(self.names)} parameters, {count} measured values, {self.result.message}"]
        width = max(map(len, self.names))
        for name, value in self.values.items():
            unit = f" {self.units[name]}" if self.units.get(name) else ""
            low, high = self.intervals[name]
            error = self.errors[name]
            about = "not determined"
            if error < inf:
                about = f"+/- {error:.2g}{unit}, 95 %: {low:.6g} to {high:.6g}"
            bound = f", at its {self.at_bounds[name]} bound" if name in self.at_bounds else ""
            lines.append(f"  {name.ljust(width)}  {value:.8g}{unit}  {about}{bound}")
        for i, first in enumerate(self.names):
            for j, second in enumerate(self.names[:i]):
                if abs(self.correlations[i, j]) > STRONG:
                    lines.append(f"  correlation of {second} and {first}: {self.correlations[i, j]:.3f}")
        deviations = [f"{variable} {self._deviation(variable)}" for variable in self.sigma]
        lines.append(f"  standard deviation of the residuals: {', '.join(deviations)}")
        lines += [f"  {note.message}: {'; '.join(note.notes)}" for note in self.notes]
        return "\n".join(lines)
