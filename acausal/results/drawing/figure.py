"""The figure of a plot: matplotlib's, which a notebook shows by itself."""

from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import style
from matplotlib.figure import Figure
from PIL import Image

from acausal.results.drawing.picture import Panel, Picture
from acausal.results.drawing.style import STYLE, line_style, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

DATELESS = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Two files of one plot are equal."""
DASHED = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
AXES_WIDTH, PANEL_HEIGHT, TALLEST_PANEL = 7.0, 2.6, 6.0
"""Inches: of the axes, and of a panel with a short and with a long legend."""
MARGIN = 1.0
"""Inches beside the axes, for their numbers and labels."""
ROW = 0.185
"""Inches of a line of a legend; where one has more lines than a panel, it gets small letters and columns."""
SMALL = 7
SMALL_ROW = 0.145


class Plot(Figure):
    """A figure with a picture for notebooks, where matplotlib has not registered its own."""

    def _repr_png_(self) -> bytes:
        """The picture of a notebook."""
        with style.context(STYLE):
            return png(self)


def draw(picture: Picture, figure: Figure) -> None:
    """Draw panels below each other; the figure gets as large as its legends need."""
    heights = [_height(panel) for panel in picture.panels] or [PANEL_HEIGHT]
    figure.set_size_inches(AXES_WIDTH + MARGIN, 1.2 + sum(heights))
    axes = figure.subplots(len(heights), sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    legends: list[Legend] = []
    for axis, panel, height in zip(axes, picture.panels, heights, strict=False):
        _panel(axis, panel, picture)
        if len(panel.curves) > 1:
            legends.append(_legend(axis, len(panel.curves), height))
    axes[-1].set_xlabel(picture.xlabel)
    figure.suptitle(picture.title)
    if legends:
        widest = max(legend.get_window_extent().width for legend in legends) / figure.dpi
        figure.set_size_inches(AXES_WIDTH + MARGIN + widest, 1.2 + sum(heights))
    figure.set_layout_engine("constrained")


def _height(panel: Panel) -> float:
    """Inches of a panel."""
    count = len(panel.curves)
    if count * ROW <= PANEL_HEIGHT:
        return PANEL_HEIGHT
    return min(TALLEST_PANEL, max(PANEL_HEIGHT, SMALL_ROW * ceil(count / 2)))


def _legend(axis: "Axes", count: int, height: float) -> "Legend":
    """A legend right of the axes, in as many columns as it needs."""
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2}
    if count * ROW > height:
        columns = ceil(count * SMALL_ROW / height)
        place |= {"ncols": columns, "fontsize": SMALL, "columnspacing": 1.0, "handlelength": 2.0, "labelspacing": 0.25}
    found: Legend = axis.legend(**place)
    return found


def _panel(axis: "Axes", panel: Panel, picture: Picture) -> None:
    count = len(panel.curves)
    for marker in picture.markers:
        axis.axvline(marker.x, color="#9a9a9a", linewidth=0.8, linestyle=(0, (2, 2)), zorder=1)
    for i, curve in enumerate(panel.curves):
        color, dash = line_style(i, count, picture.graded)
        for band in panel.bands[i] if panel.bands else ():
            axis.fill_between(band.x, band.low, band.high, color=color, alpha=0.2, linewidth=0)
        line, dot = ("none", ".") if curve.points else (DASHED[dash], "none")
        axis.plot(curve.x, curve.y, label=short(curve.label), color=color, linestyle=line, marker=dot)
    axis.set_ylabel(panel.title)
    axis.margins(x=0 if picture.xlabel.startswith("time [") else 0.02)
    if "x" in picture.log:
        axis.set_xscale("log")
    if "y" in picture.log:
        axis.set_yscale("log")


def save(drawn: Figure, path: Path) -> None:
    """Write a picture file; its extension gives the format."""
    with style.context(STYLE):
        if path.suffix.lower() == ".png":
            path.write_bytes(png(drawn))
        else:
            drawn.savefig(path, metadata=DATELESS.get(path.suffix.lower()))


def png(drawn: Figure) -> bytes:
    """The picture with the colors of its lines, all of them, and without transparency."""
    pixels, packed = BytesIO(), BytesIO()
    drawn.savefig(pixels, format="png", transparent=False)
    Image.open(pixels).convert("RGB").save(packed, "PNG", optimize=True)
    return packed.getvalue()
