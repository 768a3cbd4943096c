"""A result as HTML, for notebooks."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.results.trajectories import Trajectories


def table(result: "Trajectories", summary: str, rows: int) -> str:
    """The summary of a run and a table of its first variables: range and last value."""
    head = "<tr><th>variable</th><th>unit</th><th>smallest</th><th>largest</th><th>last</th></tr>"
    body = "".join(_row(result, name) for name in result.names[:rows])
    more = len(result.names) - rows
    rest = f"<tr><td colspan=5>and {more} more</td></tr>" if more > 0 else ""
    return f"<p>{escape(summary)}</p><table>{head}{body}{rest}</table>"


def _row(result: "Trajectories", name: str) -> str:
    values = result[name]
    numbers = [f"{x:.6g}" for x in (values.min(), values.max(), values[-1])] if len(values) else ["", "", ""]
    cells = [escape(name), escape(result.column(name).unit or ""), *numbers]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
