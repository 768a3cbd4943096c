"""The content of a plot, whatever draws it: panels with curves and bands, and markers of events."""

from typing import TYPE_CHECKING, Literal

from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Log = Literal["", "x", "y", "xy"]
"""The axes with a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through the points (x, y) in the order of the rows, or the points alone, as of measured values."""

    label: str
    x: "Array"
    y: "Array"
    points: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """The area between two curves: percentiles of many runs."""

    label: str
    x: "Array"
    low: "Array"
    high: "Array"


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves with one vertical axis; `title` is its label, `bands[i]` are the bands around curve i, widest first."""

    title: str
    curves: tuple[Curve, ...]
    bands: tuple[tuple[Band, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """An event: its place on the horizontal axis, and what changed."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Panels above each other with one horizontal axis; `graded` curves are colored by their number, as of a sweep."""

    title: str
    xlabel: str
    panels: tuple[Panel, ...]
    markers: tuple[Marker, ...] = ()
    log: Log = ""
    graded: bool = False
