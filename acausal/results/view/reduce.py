"""Curves with fewer points that look the same: smallest and largest value of each of many parts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array


def reduced(values: "Array", most: int) -> "NDArray[intp] | None":
    """Rows of a curve to show, at most `most`, with its first and last; None if all are few enough."""
    import numpy as np

    count = len(values)
    if count <= most:
        return None
    edges = np.linspace(1, count - 1, max(1, (most - 2) // 2) + 1).astype(int)
    rows = {0, count - 1}
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if last > first:
            part = values[first:last]
            rows |= {first + int(np.argmin(part)), first + int(np.argmax(part))}
    return np.array(sorted(rows), dtype=np.intp)
