"""The first change of sign between two times."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

PRECISION = 4.0
"""A crossing is located to that many rounding errors of the time."""


def locate(
    watch: "Callable[[float], Array]", begin: float, first: "Array", end: float
) -> tuple[float, dict[int, int]] | None:
    """The earliest time behind a crossing in (begin, end], and what crosses there in which direction.

    `first` are the values at `begin`; what is zero there counts as having the sign that it takes next.
    """
    import numpy as np
    from scipy.optimize import brentq

    if not len(first):
        return None
    last = watch(end)
    candidates = np.flatnonzero((first * last <= 0) & (first != 0))
    if not len(candidates):
        return None
    times = [brentq(lambda t, i=i: watch(t)[i], begin, end, xtol=1e-300, rtol=8.9e-16) for i in candidates]
    at = min(times)
    margin = PRECISION * max(abs(at), abs(end - begin)) * np.finfo(float).eps
    while at < end:
        values = watch(at)
        crossed = {int(i): 1 if first[i] < 0 else -1 for i in candidates if values[i] * first[i] <= 0}
        if crossed:
            return float(at), crossed
        at = min(at + margin, end)
        margin *= 2
    return float(end), {int(i): 1 if first[i] < 0 else -1 for i in candidates}
