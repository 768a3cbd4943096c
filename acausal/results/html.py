"""A result as HTML, for notebooks."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from acausal.base.diagnostics import UsageError

if TYPE_CHECKING:
    from acausal.results.trajectories import Trajectories


MARK = " (not unique)"


def table(result: "Trajectories", summary: str, names: Sequence[str], rows: int) -> str:
    """The summary of a run and a table of variables: range and last value of the first of `names`."""
    head = "<tr><th>variable</th><th>unit</th><th>smallest</th><th>largest</th><th>last</th></tr>"
    body = "".join(_row(result, name) for name in names[:rows])
    more = len(result.names) - min(len(names), rows)
    rest = f"<tr><td colspan=5>and {more} more</td></tr>" if more > 0 else ""
    return f"<p>{escape(summary)}</p><table>{head}{body}{rest}</table>"


def picture(plot: Callable[[], object]) -> str:
    """Picture of the figure that `plot` returns; empty where that opens a window or cannot be done."""
    from acausal.results.drawing.output import has_screen

    try:
        drawn = None if has_screen() else plot()
    except UsageError:
        return ""
    png: Callable[[], bytes] | None = getattr(drawn, "_repr_png_", None)
    return "" if png is None else f'<img alt="plot" src="data:image/png;base64,{b64encode(png()).decode()}">'


def _row(result: "Trajectories", name: str) -> str:
    values = result[name]
    numbers = [f"{x:.6g}" for x in (values.min(), values.max(), values[-1])] if len(values) else ["", "", ""]
    column = result.column(name)
    cells = [escape(name + ("" if column.unique else MARK)), escape(column.unit or ""), *numbers]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
