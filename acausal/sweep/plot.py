"""Plots of a sweep: a curve for each run, or the median of all runs and bands of percentiles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.results.drawing.picture import Band, Curve, Panel, Picture
from acausal.results.plot import MOST_CURVES, PlotOptions, chosen, panels_of, picture_of, title_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.quantities import Quantity
    from acausal.results.trajectories import Trajectories

PERCENTILES = ((5.0, 95.0), (25.0, 75.0))
"""Bands, widest first."""


def run_labels(values: Sequence[Mapping[str, float]]) -> list[str]:
    """Labels of runs: the values of the parameters that differ."""
    differing = [name for name in (values[0] if values else ()) if len({run[name] for run in values}) > 1]
    labels = [", ".join(f"{name}={run[name]:g}" for name in differing) or f"run {i}" for i, run in enumerate(values)]
    return [label if labels.count(label) == 1 else f"{label} (run {i})" for i, label in enumerate(labels)]


def curves_of(name: str, runs: "Mapping[str, Trajectories]", names: Iterable[str], options: PlotOptions) -> Picture:
    """A curve for each run, shaded in the order of the runs; errors as of a plot."""
    _check_runs(runs)
    names = tuple(names)
    shown = chosen(list(runs.values()), names, options)
    curves = len(runs) * (len(shown) - (options.x is not None))
    if curves > MOST_CURVES:
        message = f"{curves} curves of {len(runs)} runs do not fit into a plot, at most {MOST_CURVES}"
        hint = "plot the median and percentiles: --bands, in Python bands=True"
        raise UsageError(Diagnostic("F017", message, help=hint))
    found = picture_of(runs, names, options, graded=True)
    return Picture(name, found.xlabel, found.panels, found.markers, found.log, True)


def bands_of(name: str, runs: "Mapping[str, Trajectories]", names: Iterable[str], options: PlotOptions) -> Picture:
    """The median of all runs over time, with bands of percentiles; errors as of a plot."""
    _check_runs(runs)
    if options.x is not None or options.events:
        hint = "drop --bands, or --x and --events"
        raise UsageError(Diagnostic("F006", "bands are over time, without the events of single runs", help=hint))
    results = list(runs.values())
    panels = panels_of(chosen(results, tuple(names), options))
    times = _times(results)
    made = []
    for unit, own in panels.items():
        pairs = [_median_and_bands(quantity, results, times) for quantity in own]
        title = title_of(unit, [quantity.label for quantity in own])
        made.append(Panel(title, tuple([c for c, _ in pairs]), tuple([b for _, b in pairs])))
    title = f"{name}: median of {len(results)} runs, 5 to 95 % and 25 to 75 %"
    return Picture(title, "time [s]", tuple(made), (), options.log)


def _check_runs(runs: "Mapping[str, Trajectories]") -> None:
    if not runs:
        raise UsageError(Diagnostic("F006", "no run of the sweep has a result to plot", help="see why the runs failed"))


def _times(results: "Sequence[Trajectories]") -> "Array":
    """The instants of the longest result, each once."""
    import numpy as np

    times: Array = np.unique(max(results, key=lambda r: (float(r.time[-1]), len(r.time))).time)
    return times


def _median_and_bands(
    quantity: "Quantity", results: "Sequence[Trajectories]", times: "Array"
) -> tuple[Curve, tuple[Band, ...]]:
    """Median and bands of a quantity; runs that have ended do not count."""
    import numpy as np

    rows = [np.interp(times, r.time, quantity.values(r), left=np.nan, right=np.nan) for r in results]
    table = np.array(rows)
    levels = [50.0, *[p for pair in PERCENTILES for p in pair]]
    median, *others = np.nanpercentile(table, levels, axis=0)
    pairs = zip(PERCENTILES, others[::2], others[1::2], strict=True)
    bands = [Band(f"{low:g} to {high:g} %", times, below, above) for (low, high), below, above in pairs]
    return Curve(quantity.label, times, median), tuple(bands)
