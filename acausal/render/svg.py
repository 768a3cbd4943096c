"""Drawings that notebooks show as pictures."""


class Svg(str):
    """The text of an SVG file; at the end of a cell of a notebook it is the picture."""

    def _repr_svg_(self) -> str:
        return str(self)
