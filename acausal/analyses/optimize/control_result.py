"""Result of optimal control."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.analyses.optimize.found import Found
from acausal.base.arguments import as_names_in_lists, as_path
from acausal.results.result import Result
from acausal.simulate.inputs.csv_input import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from scipy.optimize import OptimizeResult

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture


class OptimalControl:
    """Controls over time that minimize an objective.

    `value` is the objective, `duration` that of the run in seconds; `controls[name]` are times and values, each
    (2*intervals,), a control at both ends of each interval and linear in between. `time` (nodes,) and `states[name]`
    (nodes,) are those of the collocation. `result` is the run that the integrator makes with the controls, `simulated`
    its objective (`trajectory_numbers`), `gap[name]` the largest difference of a state between both, at the ends of the
    intervals.
    """

    def __init__(
        self,
        name: str,
        objective: str,
        value: float,
        simulated: float,
        duration: float,
        tables: Mapping[str, Table],
        nodes: "tuple[Array, dict[str, Array]]",
        gap: Mapping[str, float],
        result: Result,
        found: Found,
        units: Mapping[str, str | None],
    ) -> None:
        self.name, self.objective = name, objective
        self.value, self.simulated, self.duration = value, simulated, duration
        self.controls = {name: (table.times, table.values) for name, table in tables.items()}
        self.time, self.states = nodes
        self.gap = dict(gap)
        self.result = result
        self.units = dict(units)
        self.method, self.message, self.iterations = found.method, found.message, found.iterations
        self._found = found

    @property
    def optimum(self) -> "OptimizeResult":
        """The solution as SciPy has it: x (scaled unknowns), fun, success, message, nit."""
        from scipy.optimize import OptimizeResult

        found = self._found
        return OptimizeResult(
            x=found.y, fun=self.value, success=found.success, message=found.message, nit=found.iterations
        )

    def write(self, path: str | Path) -> None:
        """The run with the optimal controls as a file (`Result.write`)."""
        self.result.write(path)

    def plot(self, *names: str | Iterable[str], figure: str | Path | None = None) -> "Figure | None":
        """Plot variables of the run; without any, the controls and the states. `figure` is the file to write."""
        from acausal.results.drawing.output import drawn

        return drawn(
            self.picture(*as_names_in_lists("names", names)), None if figure is None else as_path("figure", figure)
        )

    def picture(self, *names: str) -> "Picture":
        """The plot as data."""
        from acausal.results.plot import PlotOptions, picture_of

        return picture_of({self.name: self.result}, names or (*self.controls, *self.states), PlotOptions())

    def data(self) -> dict[str, object]:
        """All as data."""
        return {
            "model": self.name,
            "objective": self.objective,
            "value": self.value,
            "simulated": self.simulated,
            "duration": self.duration,
            "controls": {n: {"time": t.tolist(), "values": v.tolist()} for n, (t, v) in self.controls.items()},
            "gap": self.gap,
            "method": self.method,
            "iterations": self.iterations,
        }

    def __repr__(self) -> str:
        return f"<OptimalControl {self.name}: {self.objective} = {self.value:g}>"

    def __str__(self) -> str:
        largest = max(self.gap.values(), default=0.0)
        where = next((name for name, gap in self.gap.items() if gap == largest), "")
        lines = [
            f"optimal control of {self.name}: {self.message} by {self.method} in {self.iterations} iterations",
            f"  {self.objective} = {self.value:.8g}",
            f"  simulated with these controls: {self.simulated:.8g}",
            f"  largest gap of a state: {largest:.2g}{f' ({where})' if where else ''}",
            f"  duration: {self.duration:.8g} s",
        ]
        for name, (_, values) in self.controls.items():
            unit = f" {self.units[name]}" if self.units.get(name) else ""
            lines.append(f"  control {name}: {values.min():.6g} to {values.max():.6g}{unit}")
        return "\n".join(lines)
