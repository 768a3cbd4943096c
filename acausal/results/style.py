"""How plots look: quiet axes, colours that the colour-blind tell apart (Okabe and Ito, 2008)."""

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
