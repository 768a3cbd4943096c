"""Plots as a web page that can be zoomed."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.files.writing import writing
from acausal.base.optional_library import required
from acausal.results.drawing.picture import Band, Panel, Picture
from acausal.results.drawing.style import INSTALL, LineStyle, line_style

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

CURVE_HEIGHT = 19
"""Pixels of a line of the legend."""


def write_page(picture: Picture, path: Path) -> None:
    """Write the page, complete in one file; two pages of one plot are equal."""
    with required("a plot as .html", "plotly", INSTALL):
        from plotly.subplots import make_subplots
    rows = max(1, len(picture.panels))
    page = make_subplots(rows=rows, cols=1, shared_xaxes=True, vertical_spacing=0.06 if rows < 8 else 0.03)
    for row, panel in enumerate(picture.panels, 1):
        _add_panel(page, row, panel, picture)
    page.update_xaxes(title_text=picture.xlabel, row=rows, col=1)
    if "x" in picture.log:
        page.update_xaxes(type="log")
    if "y" in picture.log:
        page.update_yaxes(type="log")
    for marker in picture.markers:
        label = {"text": marker.text, "font": {"size": 9, "color": "#777777"}, "textangle": 90} if marker.text else {}
        page.add_vline(marker.x, line={"color": "#9a9a9a", "width": 1, "dash": "dot"}, label=label)
    height = max(160 + 260 * rows, 120 + CURVE_HEIGHT * sum(len(panel.curves) for panel in picture.panels) // 2)
    page.update_layout(template="plotly_white", title=picture.title, height=height, legend={"font": {"size": 11}})
    with writing(path) as temporary:
        page.write_html(temporary, include_plotlyjs=True, div_id="plot")


def _add_panel(page: "Figure", row: int, panel: Panel, picture: Picture) -> None:
    from plotly.graph_objects import Scatter

    count = len(panel.curves)
    for i, curve in enumerate(panel.curves):
        style = line_style(i, count, picture.graded)
        group = {"legendgroup": f"{row}.{i}"}
        for band in panel.bands[i] if panel.bands else ():
            page.add_trace(_area(band, style, group), row=row, col=1)
        line = {"color": style.color, "width": 1.8, "dash": style.dash}
        mode = "markers" if curve.points else "lines"
        page.add_trace(Scatter(x=curve.x, y=curve.y, name=curve.label, line=line, mode=mode, **group), row=row, col=1)
    page.update_yaxes(title_text=panel.title, row=row, col=1)


def _area(band: Band, style: LineStyle, group: dict[str, str]) -> object:
    """The area of a band as one closed line."""
    import numpy as np
    from plotly.graph_objects import Scatter

    x, y = np.concatenate([band.x, band.x[::-1]]), np.concatenate([band.high, band.low[::-1]])
    look = {"fill": "toself", "fillcolor": style.color, "opacity": 0.2, "line": {"width": 0}, "hoverinfo": "skip"}
    return Scatter(x=x, y=y, name=band.label, showlegend=False, mode="lines", **look, **group)
