"""Plots of results over time: curves of one unit share a panel."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.atomic_write import replacing
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import listed
from acausal.results.style import COLORS, INSTALL, STYLE, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from acausal.results.trajectories import Trajectories

WITHOUT_WINDOW = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
"""Backends of matplotlib that only write files."""

MOST_PANELS, MOST_CURVES = 12, 120
"""Of a plot; at most 2.6 inches high each, a page of 12 panels still opens in a viewer."""
MOST_UNITS = 6
"""Units named in a message."""


def plot(result: "Trajectories", names: Iterable[str], figure: Path | None = None) -> "Figure | None":
    """Plot variables (names, or patterns such as `*.phi`), one panel a unit.

    `figure` is the file to write: .png, .svg, .pdf, or .html for a page to zoom in. Without it, and for
    pictures, the matplotlib figure is returned, which a notebook shows. UsageError F005 for unknown names, F007
    where the library is missing, F008 where the file cannot be written.
    """
    panels = panels_of(result, result.match(names))
    if figure is not None and figure.suffix.lower() in (".html", ".htm"):
        from acausal.results.plot_html import write_html

        write_html(result, panels, figure)
        return None
    drawn = _draw(result, panels, on_screen=figure is None and has_screen())
    if figure is not None:
        _save(drawn, figure)
    return drawn


def has_screen() -> bool:
    """True if matplotlib can open a window; F007 where it is missing."""
    try:
        from matplotlib import get_backend
    except ImportError:
        raise _missing() from None
    backend = get_backend().lower()
    return backend not in WITHOUT_WINDOW and "inline" not in backend


def panels_of(result: "Trajectories", names: Iterable[str]) -> dict[str | None, list[str]]:
    """The variables by unit, in the order in which they are named; UsageError F017 for more than a page can show."""
    panels: dict[str | None, list[str]] = {}
    for name in names:
        panels.setdefault(result.column(name).unit, []).append(name)
    curves = sum(map(len, panels.values()))
    for count, most, what in ((len(panels), MOST_PANELS, "panels, one for each unit"), (curves, MOST_CURVES, "curves")):
        if count > most:
            units = listed([f"{unit or 'without unit'}: {len(own)}" for unit, own in panels.items()], MOST_UNITS)
            hint = "name fewer variables, or a narrower pattern, as in 'piston.*.v'"
            message = f"{count} {what} do not fit into a plot, at most {most}"
            raise UsageError(Diagnostic("F017", message, notes=(f"variables by unit: {units}",), help=hint))
    return panels


def _draw(result: "Trajectories", panels: dict[str | None, list[str]], on_screen: bool) -> "Figure":
    try:
        from matplotlib import style

        from acausal.results.figure import Plot
    except ImportError:
        raise _missing() from None
    with style.context(STYLE):
        figure = _window() if on_screen else Plot()
        figure.set_size_inches(8.0, 1.2 + 2.6 * max(1, len(panels)))
        figure.set_layout_engine("constrained")
        axes = figure.subplots(max(1, len(panels)), sharex=True, squeeze=False)[:, 0]
        for axis, (unit, names) in zip(axes, panels.items(), strict=False):
            _panel(axis, result, unit, names)
        axes[-1].set_xlabel("time [s]")
        figure.suptitle(result.name)
    if on_screen:
        _show()
    return figure


def _window() -> "Figure":
    from matplotlib import pyplot

    return pyplot.figure()


def _show() -> None:
    from matplotlib import pyplot

    pyplot.show()


def _missing() -> UsageError:
    return UsageError(Diagnostic("F007", "plots require matplotlib", help=INSTALL))


def _panel(axis: "Axes", result: "Trajectories", unit: str | None, names: list[str]) -> None:
    for i, name in enumerate(names):
        axis.plot(result.time, result[name], label=name, color=COLORS[i % len(COLORS)])
    axis.set_ylabel(title_of(unit, names))
    axis.margins(x=0)
    if len(names) > 1:
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _save(drawn: "Figure", path: Path) -> None:
    from acausal.results.figure import save

    try:
        with replacing(path) as temporary:
            save(drawn, temporary)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "known formats: .png, .svg, .pdf, .html"
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {why}")) from None
