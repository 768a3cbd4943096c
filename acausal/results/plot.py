"""Plots of results over time or over each other: quantities of one unit share a panel."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.results.drawing.output import drawn
from acausal.results.drawing.picture import Curve, Log, Marker, Panel, Picture
from acausal.results.quantities import Quantity, in_units, missing, quantities, remark

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.results.trajectories import Trajectories

MOST_PANELS, MOST_CURVES = 12, 120
"""Of a plot; at most 2.6 inches high each, a page of 12 panels still opens in a viewer."""
MOST_UNITS = 6
"""Units named in a message."""
MOST_MARKERS = 400
"""Events that a plot shows; of those closer together than this, one is shown."""
Panels = dict[str | None, list[Quantity]]


@dataclass(frozen=True, slots=True)
class PlotOptions:
    """Options of a plot beside what it shows.

    `x` is the quantity of the horizontal axis (None: time), `units` those of display, `log` the logarithmic axes,
    `events` marks events.
    """

    x: str | None = None
    units: tuple[str, ...] = ()
    log: Log = field(default="")
    events: bool = False


DEFAULT = PlotOptions()


def plot(
    results: "Mapping[str, Trajectories]",
    names: Iterable[str],
    options: PlotOptions = DEFAULT,
    figure: Path | None = None,
) -> "Figure | None":
    """Plot quantities (names, patterns such as `*.phi`, expressions) of results, each with a name for the legend.

    `figure` is the file to write: .png, .svg, .pdf, or .html for a page to zoom in. Without it, and for
    pictures, the matplotlib figure is returned, which a notebook shows. UsageError F005 for unknown names, F007
    where the library is missing, F008 where the file cannot be written, F010, F022 for faults of expressions and
    units, F017 for more than a page can show.
    """
    return drawn(picture_of(results, names, options), figure)


def chosen(
    results: "Sequence[Trajectories]", names: Iterable[str], options: PlotOptions = DEFAULT
) -> tuple[Quantity, ...]:
    """The quantities of a plot, first that of the horizontal axis if it is not time; errors as `plot`.

    Names must be known to one of the results; without names, those of the first experiment are taken.
    """
    asked = tuple(names) or results[0].plotted
    found: dict[tuple[str, str | None], Quantity] = {}
    for name in asked:
        for quantity in _known_to_one(results, name):
            found.setdefault((quantity.text, quantity.unit), quantity)
    across = () if options.x is None else _known_to_one(results, options.x)
    if len(across) > 1:
        message = f"{options.x} stands for {len(across)} variables"
        raise UsageError(Diagnostic("F006", message, help="name one variable for the horizontal axis"))
    return in_units((*across, *found.values()), options.units)


def _known_to_one(results: "Sequence[Trajectories]", name: str) -> tuple[Quantity, ...]:
    """The quantities of a name in the first result that has them with units, else in the first that has them.

    The error of the first one if none has them.
    """
    errors: list[UsageError] = []
    without_units: list[tuple[Quantity, ...]] = []
    for result in results:
        try:
            found = quantities(result, (name,))
        except UsageError as error:
            if error.report.diagnostics[0].code not in ("F005", "F022"):
                raise
            errors.append(error)
            continue
        if all(quantity.unit is not None for quantity in found):
            return found
        without_units.append(found)
    if not without_units:
        raise errors[0]
    return without_units[0]


def _check_units(results: "Mapping[str, Trajectories]", shown: Iterable[Quantity]) -> None:
    """UsageError F022 where a variable has another unit in another result; files without units have the same."""
    for name in dict.fromkeys([name for quantity in shown for name in quantity.variables]):
        units = {run: result.column(name).unit for run, result in results.items() if name in result}
        known = {run: unit for run, unit in units.items() if unit is not None}
        if len(set(known.values())) > 1:
            places = listed([f"{unit} in {run}" for run, unit in known.items()], MOST_UNITS)
            message = f"the results have different units of {name}: {places}"
            raise UsageError(Diagnostic("F022", message, help="plot them separately, or write them in one unit"))


def panels_of(shown: Iterable[Quantity], runs: int = 1) -> Panels:
    """Quantities by unit, in the order in which they are named; UsageError F017 for more than a page can show."""
    panels: Panels = {}
    for quantity in shown:
        panels.setdefault(quantity.unit, []).append(quantity)
    curves = runs * sum(map(len, panels.values()))
    for count, most, what in ((len(panels), MOST_PANELS, "panels, one for each unit"), (curves, MOST_CURVES, "curves")):
        if count > most:
            units = listed([f"{unit or 'without unit'}: {len(own)}" for unit, own in panels.items()], MOST_UNITS)
            hint = "name fewer variables, or a narrower pattern, as in 'piston.*.v'"
            message = f"{count} {what} do not fit into a plot, at most {most}"
            raise UsageError(Diagnostic("F017", message, notes=(f"variables by unit: {units}",), help=hint))
    return panels


def picture_of(
    results: "Mapping[str, Trajectories]", names: Iterable[str], options: PlotOptions = DEFAULT, graded: bool = False
) -> Picture:
    """The content of a plot; errors as `plot`."""
    shown = list(chosen(list(results.values()), names, options))
    _check_units(results, shown)
    across = shown.pop(0) if options.x is not None else None
    panels = panels_of(shown, len(results))
    made = tuple([_panel(results, across, unit, own) for unit, own in panels.items()])
    for panel in made:
        _check_log(panel, options.log)
    first = next(iter(results.values()))
    title = first.name if len({result.name for result in results.values()}) == 1 else ""
    return Picture(title, xlabel_of(across), made, _markers(results, across, options), options.log, graded)


def xlabel_of(across: Quantity | None) -> str:
    """Label of the horizontal axis."""
    return "time [s]" if across is None else title_of(across.unit, [across.label])


def title_of(unit: str | None, names: Sequence[str]) -> str:
    """Label of an axis: the name of a single quantity, and the unit."""
    name = names[0] if len(names) == 1 else ""
    return f"{name} [{unit}]".strip() if unit and unit != "1" else name


def _panel(
    results: "Mapping[str, Trajectories]", across: Quantity | None, unit: str | None, own: Sequence[Quantity]
) -> Panel:
    curves = []
    names = [quantity.label + remark(results.values(), quantity) for quantity in own]
    for quantity, name in zip(own, names, strict=True):
        for run, result in results.items():
            if missing(result, quantity) or (across is not None and missing(result, across)):
                continue
            label = name if len(results) == 1 else run if len(own) == 1 else f"{name} ({run})"
            x = result.time if across is None else across.values(result)
            curves.append(Curve(label, x, quantity.values(result)))
    return Panel(title_of(unit, names), tuple(curves))


def _check_log(panel: Panel, log: str) -> None:
    """UsageError F006 for a logarithmic axis on which nothing can be drawn."""
    for axis in log:
        values = [(curve.label, curve.x if axis == "x" else curve.y) for curve in panel.curves]
        dark = [label for label, numbers in values if len(numbers) and not (numbers > 0).any()]
        if dark:
            what = "the horizontal axis" if axis == "x" else listed(dark, MOST_UNITS)
            message = f"{what} has no positive value to show on a logarithmic axis"
            raise UsageError(Diagnostic("F006", message, help="plot abs(x) of a negative x, or use a linear axis"))


def _markers(
    results: "Mapping[str, Trajectories]", across: Quantity | None, options: PlotOptions
) -> tuple[Marker, ...]:
    """The events of all results; over another axis than time there are none."""
    if not options.events or across is not None:
        return ()
    found = sorted({(e.time, "; ".join(e.changes)) for result in results.values() for e in result.event_marks})
    if not found:
        return ()
    apart = (max(float(r.time[-1]) for r in results.values() if len(r.time)) - found[0][0]) / MOST_MARKERS
    markers: list[Marker] = []
    for time, text in found:
        if not markers or time - markers[-1].x >= apart:
            markers.append(Marker(time, text))
    return tuple(markers)
