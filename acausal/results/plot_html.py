"""Plots as a web page that can be zoomed."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.atomic_write import replacing
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.results.style import COLORS, INSTALL, title_of

if TYPE_CHECKING:
    from acausal.results.trajectories import Trajectories


def write_html(result: "Trajectories", panels: dict[str | None, list[str]], path: Path) -> None:
    """Write the page, complete in one file."""
    try:
        from plotly.graph_objects import Scatter
        from plotly.subplots import make_subplots
    except ImportError:
        raise UsageError(Diagnostic("F007", ".html plots require plotly", help=INSTALL)) from None
    page = make_subplots(rows=max(1, len(panels)), cols=1, shared_xaxes=True, vertical_spacing=0.06)
    for row, (unit, names) in enumerate(panels.items(), 1):
        for i, name in enumerate(names):
            line = {"color": COLORS[i % len(COLORS)], "width": 1.8}
            page.add_trace(Scatter(x=result.time, y=result[name], name=name, line=line), row=row, col=1)
        page.update_yaxes(title_text=title_of(unit, names), row=row, col=1)
    page.update_xaxes(title_text="time [s]", row=max(1, len(panels)), col=1)
    page.update_layout(template="plotly_white", title=result.name, height=160 + 260 * max(1, len(panels)))
    try:
        with replacing(path) as temporary:
            page.write_html(temporary, include_plotlyjs=True)
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}")) from None
