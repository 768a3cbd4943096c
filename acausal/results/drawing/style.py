"""Style of plots: light axes, colors for color-blind readers (Okabe and Ito, 2008)."""

from typing import NamedTuple

INSTALL = "'acausal[plot]'"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("solid", "dash", "dot", "dashdot")
"""In the words of plotly."""
GRADES = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
"""Colors of the scale viridis (van der Walt, Smith, 2015)."""
LABEL = 44
"""Characters of a label in a legend."""

STYLE = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.grid": True,
    "axes.formatter.useoffset": False,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.6,
    "font.size": 10,
    "figure.titlesize": 11,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "savefig.dpi": 100,
    "svg.hashsalt": "acausal",
}
"""Settings of matplotlib."""


class LineStyle(NamedTuple):
    """Color as #rrggbb, and one of `DASHES`."""

    color: str
    dash: str


def line_style(number: int, count: int, graded: bool = False) -> LineStyle:
    """The style of a curve among `count`: seven colors, then the same dashed; more than 28 get shades of one scale."""
    if count > len(COLORS) * len(DASHES) or (graded and count > len(COLORS)):
        return LineStyle(_shade(number / max(1, count - 1)), "solid")
    return LineStyle(COLORS[number % len(COLORS)], DASHES[number // len(COLORS)])


def _shade(place: float) -> str:
    """The color at a place from 0 to 1 of the scale."""
    scaled = place * (len(GRADES) - 1.001)
    left, part = int(scaled), scaled - int(scaled)
    ends = [[int(GRADES[left + i][k : k + 2], 16) for k in (1, 3, 5)] for i in (0, 1)]
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(*ends, strict=True))


def short(label: str) -> str:
    """A label that fits into a legend: its middle is replaced where it is long."""
    if len(label) <= LABEL:
        return label
    left = LABEL // 2 - 1
    return f"{label[:left]}...{label[-(LABEL - left - 3) :]}"
