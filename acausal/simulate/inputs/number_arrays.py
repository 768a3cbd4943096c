"""Arrays of numbers from what a caller gives: lists, arrays, columns of data frames."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def floats_of(value: object) -> "Array | None":
    """An array of float64; None for anything but numbers, as dates, and for lists of different lengths."""
    import numpy as np

    try:
        found = np.asarray(value)
        return None if found.dtype.kind in "mMc" else found.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        return None


def seconds_of(times: object) -> "Array | None":
    """Times in seconds: numbers, or durations as of a `pandas.TimedeltaIndex`; None for anything else, as dates."""
    import numpy as np

    found = np.asarray(times)
    return found / np.timedelta64(1, "s") if found.dtype.kind == "m" else floats_of(times)
