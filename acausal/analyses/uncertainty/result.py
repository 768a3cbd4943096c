"""Result of an uncertainty analysis."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.analyses.linear_systems.text_tables import table
from acausal.analyses.uncertainty.sobol import SobolIndices
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.optional_library import required
from acausal.sweep.points.distributions import Distribution

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from acausal.codegen.executable import Array
    from acausal.results.drawing.picture import Picture

SALIB = {"uniform": "unif", "normal": "norm", "loguniform": "logunif"}
"""Distributions of SALib with the same numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Percentiles of a variable over time: `values` (levels, times) in its `unit` at the percentages `levels`."""

    time: "Array"
    levels: tuple[float, ...]
    values: "Array"
    unit: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Values of the parameters and of the outputs, (runs,) each, nan where a run failed; failures by run."""

    samples: "dict[str, Array]"
    values: "dict[str, Array]"
    failures: dict[int, Diagnostic]


class Uncertainty:
    """Outputs of runs with uncertain parameters, and their statistics.

    `samples[parameter]` and `outputs[output]` (runs,) are the values of all runs, `indices[output]` the Sobol indices
    (None for an output that does not vary; empty without `indices=True`), `bands[variable]` percentiles over time,
    `failures` says by number why runs failed. With indices the first 2*n runs are samples of the distributions.
    """

    def __init__(
        self,
        name: str,
        distributions: dict[str, Distribution],
        runs: Runs,
        indices: dict[str, SobolIndices | None],
        bands: dict[str, Bands],
        n: int,
        notes: tuple[Diagnostic, ...],
    ) -> None:
        self.name = name
        self.distributions = distributions
        self.samples, self.outputs, self.failures = runs.samples, runs.values, runs.failures
        self.indices = indices
        self.bands = bands
        self.n = n
        self.notes = notes

    def __len__(self) -> int:
        return len(next(iter(self.samples.values())))

    # ------------------------------------------------------------ statistics

    def values(self, output: str) -> "Array":
        """The values of an output that are a sample of its distribution, without failed runs."""
        import numpy as np

        found = self.outputs[self._known(output)]
        sample = found[: 2 * self.n] if self.indices else found
        return sample[np.isfinite(sample)]

    def mean(self, output: str) -> float:
        """Mean of an output."""
        return float(self._sample(output).mean())

    def standard_deviation(self, output: str) -> float:
        """Standard deviation of an output, from one degree of freedom less than there are runs."""
        return float(self._sample(output).std(ddof=1)) if len(self._sample(output)) > 1 else 0.0

    def quantile(self, output: str, share: float) -> float:
        """The value below which this share (0 to 1) of the runs is."""
        import numpy as np

        if not 0.0 <= share <= 1.0:
            raise UsageError(Diagnostic("F006", f"share = {share:g}: it is between 0 and 1"))
        return float(np.quantile(self._sample(output), share))

    def worst(self, output: str, count: int = 1, *, smallest: bool = False) -> list[dict[str, float]]:
        """Parameters of the runs with the largest (smallest) values of an output, ready for `simulate`."""
        import numpy as np

        found = self.outputs[self._known(output)]
        order = np.argsort(found if smallest else -found, kind="stable").tolist()
        chosen = [k for k in order if np.isfinite(found[k])][:count]
        return [{name: float(column[k]) for name, column in self.samples.items()} for k in chosen]

    def _sample(self, output: str) -> "Array":
        found = self.values(output)
        if not len(found):
            raise UsageError(Diagnostic("F006", f"no run gave a value of {output}", help="see `failures`"))
        return found

    def _known(self, output: str) -> str:
        if output not in self.outputs:
            hint = f"the outputs are {', '.join(self.outputs)}"
            raise UsageError(Diagnostic("F005", f"{output} is not an output of this analysis", help=hint))
        return output

    # ------------------------------------------------------------ other libraries, files, plots

    @property
    def problem(self) -> dict[str, Any]:
        """The problem dictionary of SALib; UsageError F006 for a distribution that SALib does not have."""
        wrong = next((name for name, d in self.distributions.items() if d.name not in SALIB or d.frozen), None)
        if wrong is not None:
            message = f"SALib has no {self.distributions[wrong].name} with these numbers, the distribution of {wrong}"
            raise UsageError(Diagnostic("F006", message))
        distributions = list(self.distributions.values())
        return {
            "num_vars": len(distributions),
            "names": list(self.distributions),
            "bounds": [list(d.arguments) for d in distributions],
            "dists": [SALIB[d.name] for d in distributions],
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame with a row for each run; UsageError F007 without pandas."""
        with required("to_pandas", "pandas", "'acausal[notebook]'"):
            import pandas as pd
        return pd.DataFrame({**self.samples, **self.outputs}, index=pd.RangeIndex(len(self), name="run"))

    def write(self, path: str | Path) -> None:
        """Write parameters and outputs of all runs as CSV, with all their digits."""
        import csv

        from acausal.base.files.writing import writing

        columns = {**self.samples, **self.outputs}
        rows = zip(*[column.tolist() for column in columns.values()], strict=True)
        with writing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["run", *columns])
            writer.writerows([k, *["" if x != x else repr(x) for x in row]] for k, row in enumerate(rows))

    def plot(self, figure: str | Path | None = None) -> "Figure | None":
        """Plot the bands: median and percentiles of each variable over time."""
        from acausal.base.arguments import as_path
        from acausal.results.drawing.output import drawn

        return drawn(self.picture(), None if figure is None else as_path("figure", figure))

    def picture(self) -> "Picture":
        """The content of the plot; UsageError F006 without bands."""
        from acausal.results.drawing.picture import Band, Curve, Panel, Picture
        from acausal.results.plot import title_of

        if not self.bands:
            hint = 'name variables: bands=["C.u"], --bands C.u'
            raise UsageError(Diagnostic("F006", "the uncertainty analysis has no bands to plot", help=hint))
        panels = []
        for name, found in self.bands.items():
            middle, rows = len(found.levels) // 2, found.values
            labels = [f"{found.levels[k]:g} to {found.levels[-1 - k]:g} %" for k in range(middle)]
            pairs = [Band(label, found.time, rows[k], rows[-1 - k]) for k, label in enumerate(labels)]
            median = Curve(name, found.time, rows[middle])
            panels.append(Panel(title_of(found.unit, [name]), (median,), (tuple(pairs),)))
        return Picture(f"{self.name}: median of {len(self)} runs and percentiles", "time [s]", tuple(panels))

    # ------------------------------------------------------------ text

    @property
    def summary(self) -> str:
        """The analysis in one line."""
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"{self.name}: {len(self)} runs{failed}"

    def __str__(self) -> str:
        return "\n".join([*self._statistics(), *self._shares(), "", self.summary])

    def __repr__(self) -> str:
        return f"<Uncertainty {self.summary}; outputs {', '.join(self.outputs)}>"

    def _statistics(self) -> Iterator[str]:
        cells = []
        for output in self.outputs:
            if len(self.values(output)):
                quantiles = [self.quantile(output, share) for share in (0.0, 0.05, 0.5, 0.95, 1.0)]
                numbers = [self.mean(output), self.standard_deviation(output), *quantiles]
            else:
                numbers = []
            cells.append([output, *[f"{x:.6g}" for x in numbers]])
        yield from table(["output", "mean", "deviation", "smallest", "5 %", "median", "95 %", "largest"], cells)

    def _shares(self) -> Iterator[str]:
        for output, found in self.indices.items():
            yield ""
            if found is None:
                yield f"{output} does not vary"
                continue
            cells = [[name, str(found.first[name]), str(found.total[name])] for name in found.first]
            yield from table([f"share of the variance of {output}", "alone", "with others"], cells)

    def data(self) -> dict[str, object]:
        """All but the bands as plain numbers, for JSON; None where a run failed."""
        columns = {**self.samples, **self.outputs}
        return {
            "name": self.name,
            "n": self.n,
            "distributions": {name: str(d) for name, d in self.distributions.items()},
            "runs": {name: [None if x != x else x for x in values.tolist()] for name, values in columns.items()},
            "statistics": {name: self._data_of(name) for name in self.outputs if len(self.values(name))},
            "indices": {name: None if found is None else _indices_data(found) for name, found in self.indices.items()},
            "failed": {str(run): failure.message for run, failure in self.failures.items()},
        }

    def _data_of(self, output: str) -> dict[str, float]:
        found = {"mean": self.mean(output), "standard_deviation": self.standard_deviation(output)}
        return {**found, **{f"{100 * q:g} %": self.quantile(output, q) for q in (0.0, 0.05, 0.5, 0.95, 1.0)}}


def _indices_data(found: SobolIndices) -> Mapping[str, object]:
    kinds = {"first": found.first, "total": found.total}
    return {kind: {name: [x.value, x.low, x.high] for name, x in given.items()} for kind, given in kinds.items()}
