"""Rows of a result that become frames of a picture."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

RATE = 30
"""Frames for a second of the picture."""
SHORTEST, LONGEST = 2.0, 60.0
"""Seconds that a picture lasts at least and at most; between them it lasts as long as what it shows."""
MOST = 3000
"""Frames, with those of events."""


def frames(time: "Array") -> "Array":
    """The rows that become frames; `time` has a row at least.

    About `RATE` for a second of the picture, the first, the last, and both sides of every event, as long as
    these are not more than `MOST`.
    """
    import numpy as np

    grid = np.linspace(time[0], time[-1], int(RATE * seconds(time)) + 1)
    even = np.searchsorted(time, grid - 1e-9 * (time[-1] - time[0]))
    before = np.flatnonzero(np.diff(time) == 0)
    rows = np.unique(np.concatenate([[0, len(time) - 1], even, before, before + 1]))
    return thinned(rows, MOST)


def thinned(rows: "Array", most: int) -> "Array":
    """The rows, or `most` of them at even distances."""
    import numpy as np

    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).round().astype(int)]


def seconds(time: "Array") -> float:
    """Duration of the picture."""
    return min(max(float(time[-1] - time[0]), SHORTEST), LONGEST)
