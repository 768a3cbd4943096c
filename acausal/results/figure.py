"""The figure of a plot: matplotlib's, which a notebook shows by itself."""

from io import BytesIO
from pathlib import Path

from matplotlib import style
from matplotlib.figure import Figure
from PIL import Image

from acausal.results.style import STYLE

DATELESS = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Two files of one plot are equal."""
PALETTE = 64
"""Colours of a .png: more than a plot has with its smoothed edges, and a third of the bytes."""


class Plot(Figure):
    """A figure with a picture for notebooks, where matplotlib has not registered its own."""

    def _repr_png_(self) -> bytes:
        """The picture of a notebook."""
        with style.context(STYLE):
            return png(self)


def save(drawn: Figure, path: Path) -> None:
    """Write a picture file; its extension gives the format."""
    with style.context(STYLE):
        if path.suffix.lower() == ".png":
            path.write_bytes(png(drawn))
        else:
            drawn.savefig(path, metadata=DATELESS.get(path.suffix.lower()))


def png(drawn: Figure) -> bytes:
    """The picture, in few colours."""
    pixels, packed = BytesIO(), BytesIO()
    drawn.savefig(pixels, format="png")
    Image.open(pixels).convert("RGB").quantize(PALETTE).save(packed, "PNG", optimize=True)
    return packed.getvalue()
