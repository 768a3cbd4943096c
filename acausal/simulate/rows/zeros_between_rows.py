"""Zeros of a divisor between two rows: a single one changes its sign, two may do so unnoticed.

|v|  .       .          a row at which v is smallest; the parabola through it and its neighbors,
       .   .            or half as much again, reaches zero beside it
-------- . -------
"""

from typing import TYPE_CHECKING

from acausal.runtime.divisor_bounds import TOUCHES
from acausal.runtime.poles import PoleWatch, find_zero

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.rows.between_rows import Between

SAMPLES, ROUNDS = 32, 8
"""Points between two rows, and so many times more of them around the one where the divisor is least."""


def zeros_between(times: "Array", values: "Array") -> list[tuple[int, int]]:
    """Pairs of rows between which a divisor may be zero, in order; at events rows of one time are none."""
    import numpy as np

    if len(values) < 2 or ((values.min() > 0.0 or values.max() < 0.0) and not _has_lows(abs(values))):
        return []
    with np.errstate(all="ignore"):
        signs = np.sign(values)
        clear = np.flatnonzero(np.abs(signs) == 1.0)
        if len(clear) < 2:
            return []
        first, other = clear[:-1], clear[1:]
        moves = times[first] < times[other]
        changed = (signs[first] != signs[other]) & moves
        sizes = np.abs(values[clear])
        before, here, after = sizes[:-2], sizes[1:-1], sizes[2:]
        is_low = (here <= before) & (here <= after) & (here < before - 2.0 * here + after) & moves[:-1] & moves[1:]
        near = np.zeros_like(changed)
        near[:-1] |= is_low
        near[1:] |= is_low
        chosen = changed | near
    return list(zip(first[chosen].tolist(), other[chosen].tolist(), strict=True))


def _has_lows(sizes: "Array") -> bool:
    """True if a size is not above its neighbors."""
    here = sizes[1:-1]
    return bool(((here <= sizes[:-2]) & (here <= sizes[2:])).any())


def zero_between(between: "Between") -> float | None:
    """The share of the way between two rows at which the divisor is zero; None where it is not.

    One that depends on solutions of nonlinear blocks has to change its sign.
    """
    import numpy as np

    first, last = between.values([0.0, 1.0]).tolist()
    if (first > 0.0) != (last > 0.0):
        return _first_zero(between, first, 1.0)
    if between.has_solutions:
        return None
    lower, upper, least = 0.0, 1.0, first
    for _ in range(ROUNDS):
        shares = np.linspace(lower, upper, SAMPLES + 1)
        values = between.values(shares.tolist()) * (1.0 if first > 0.0 else -1.0)
        place = 0 if np.isnan(values).all() else int(np.nanargmin(values))
        least = float(values[place])
        if least < 0.0:
            return _first_zero(between, first, float(shares[place]))
        lower, upper = float(shares[max(place - 1, 0)]), float(shares[min(place + 1, SAMPLES)])
    return 0.5 * (lower + upper) if least <= TOUCHES * max(abs(first), abs(last)) else None


def _first_zero(between: "Between", first: float, end: float) -> float:
    """The share up to `end` at which the divisor changes its sign; it is `first` where the way begins."""
    import numpy as np

    def divisor(share: float, *arrays: "Array") -> int:
        arrays[-1][0] = between.values([share])[0]
        return 0

    names = "u", "p", "m", "point", "between", "far_rates", "near_rates", "memory_aside"
    nothing = np.zeros(0)
    numbers = {"count": 1, "states": 0, "memory_size": 0, "has_point": 1, "time": 0.0}
    values = {"values": [first], "now": [0.0], **dict.fromkeys(names, nothing)}
    return find_zero(PoleWatch(**numbers, **values, divisors=divisor, derivatives=divisor), 0, end, 1.0, nothing)
