"""Style of plots: light axes, colors for color-blind readers (Okabe and Ito, 2008)."""

INSTALL = "pip install 'acausal[plot]'"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

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


def title_of(unit: str | None, names: list[str]) -> str:
    """Label of a panel's axis: the name of a single curve, and the unit."""
    name = names[0] if len(names) == 1 else ""
    return f"{name} [{unit}]".strip() if unit else name
