"""Poles of derivatives that a solver has stepped over, examined where results are stored.

der(p) = 100*(v - p)/(1 - y)      at y = 1 a stiff equation becomes an unstable one: an implicit solver need not notice

Where a divisor has another sign in the next row, its zero is located on the cubic between the rows (Hermite), and the
derivatives are evaluated beside it: at a distance d from a pole they grow as 1/d at least. Where they do not, as those
of sin(x)/x and 1/sqrt(abs(x)), the solution goes on.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.frozen import record
from acausal.ir.names import show_derivative
from acausal.simulate.rows.divisors import Divisor, divisors_of, text_of, values_in_rows
from acausal.simulate.rows.segments import Segment, ends_of
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Row = tuple[float, Array]

MOST_EXAMINED = 8
"""Zeros of one divisor: behind so many without a pole the others are not examined."""
BISECTIONS = 60
DISTANCES = (1e-4, 1e-7), (1e-6, 1e-9)
"""Pairs of distances from a zero at which the derivatives are evaluated, as shares of the time between two rows."""
GROWTH = 100.0
"""From one to the other they grow so much at a pole: 1000 times at one of first order."""
RESIDUE = 1e-9
"""Derivative times distance, as a share of the largest state: less changes nothing."""
SMOOTH, SMALL = 10.0, 1e-3
"""Way by the rate at a row, as a share of the change between the rows and of the largest state."""
KEEP_AWAY = "keep the divisor away from zero (a stop, a limit, another range of the motion), or end the run before"


@record(frozen=True, slots=True)
class EarlierRow:
    """The last of the rows that have been handed on, and the largest state in all of them."""

    system: System
    time: float
    states: "Array"
    frozen: "Array"
    memory: "Array"
    size: float


def last_row(segments: Sequence[Segment], earlier: EarlierRow | None) -> EarlierRow | None:
    """The last row of a portion that is handed on; a pole may be between it and the next one."""
    import numpy as np

    segment = segments[-1]
    times, states, frozen, memory = segment.rows.arrays()
    if len(times) <= segment.first:
        return earlier
    before = 0.0 if earlier is None or earlier.system is not segment.system else earlier.size
    size = max(before, float(np.abs(states[segment.first :]).max(initial=0.0)))
    last = [array[-1].copy() for array in (states, frozen, memory)]
    return EarlierRow(segment.system, float(times[-1]), last[0], last[1], last[2], size)


def first_pole(segments: Sequence[Segment], earlier: EarlierRow | None = None) -> tuple[int, Diagnostic] | None:
    """The number of rows before the first pole, and what it is; None if there is none."""
    if not any(divisors_of(segment.system.executable) for segment in segments):
        return None
    before = 0
    for segment, end in zip(segments, ends_of(segments), strict=True):
        known = earlier if earlier is not None and earlier.system is segment.system and not before else None
        found = min(_poles(segment, end, known), default=None, key=lambda pole: pole[0])
        if found is not None:
            return before + found[0], found[1]
        before += end - segment.first
    return None


def _poles(segment: Segment, end: int, earlier: EarlierRow | None) -> Iterator[tuple[int, Diagnostic]]:
    """The first pole of each divisor: the rows of the segment before it, and what it is."""
    import numpy as np

    system, handed_on, size = segment.system, 0, 0.0
    times, states, frozen, memory = [array[segment.first : end] for array in segment.rows.arrays()]
    if earlier is not None:
        handed_on, size = 1, earlier.size
        times = np.concatenate([[earlier.time], times])
        states, frozen, memory = (
            np.vstack([first, rest])
            for first, rest in ((earlier.states, states), (earlier.frozen, frozen), (earlier.memory, memory))
        )
    divisors = divisors_of(system.executable) if len(times) > 1 else []
    for divisor in divisors:
        with np.errstate(all="ignore"):
            values = np.sign(values_in_rows(system.program, divisor, times, states, system.arrays[1]))
        clear = np.flatnonzero(np.abs(values) == 1.0)
        first, other = clear[:-1], clear[1:]
        changed = (values[first] != values[other]) & (times[first] < times[other])
        for row, behind in np.column_stack([first, other])[changed][:MOST_EXAMINED].tolist():
            system.frozen[:], system.memory[:] = frozen[row], memory[row]
            ends = (float(times[row]), states[row]), (float(times[behind]), states[behind])
            rate = _unbounded_rate(system, divisor, *ends, max(size, float(np.abs(states[: row + 1]).max())))
            if rate is not None:
                yield row + 1 - handed_on, _message(system, divisor, rate, ends[0][0], ends[1][0])
                break


def _unbounded_rate(system: System, divisor: Divisor, begin: "Row", end: "Row", size: float) -> int | None:
    """The state whose derivative has a pole between two rows; None if all are bounded, or as good as that."""
    import numpy as np

    width = end[0] - begin[0]
    with np.errstate(all="ignore"):
        at = _interpolation(system, begin, end, size)
        zero = _zero(system, divisor, at)
        for side, (distance, shorter) in product((-1.0, 1.0), DISTANCES):
            far, near = (system.rates_beside(*at(zero + side * d)) for d in (distance, shorter))
            if far is None or near is None:
                continue
            sizes = np.where(np.isfinite(near), np.abs(near), 0.0)
            grown = (sizes > GROWTH * np.abs(far)) & (sizes * shorter * width > RESIDUE * size)
            if grown.any():
                return int(np.argmax(np.where(grown, sizes, 0.0)))
    return None


def _interpolation(system: System, begin: "Row", end: "Row", size: float) -> "Callable[[float], Row]":
    """Time and states at a share of the way between two rows: a cubic, or a line where a rate is that of a pole."""
    import numpy as np

    width, change = end[0] - begin[0], end[1] - begin[1]
    rates = [system.rates_beside(*row) for row in (begin, end)]
    bends = [np.zeros_like(change) if rate is None else width * rate - change for rate in rates]
    smooth = all((np.abs(bend) <= SMOOTH * np.abs(change) + SMALL * size).all() for bend in bends)
    first, last = bends if smooth else (0.0 * change, 0.0 * change)

    def at(share: float) -> "Row":
        rest = 1.0 - share
        return begin[0] + share * width, begin[1] + share * change + share * rest * (rest * first - share * last)

    return at


def _zero(system: System, divisor: Divisor, at: "Callable[[float], Row]") -> float:
    """The share of the way between two rows at which the divisor is zero, by bisection."""
    import numpy as np

    def value(share: float) -> float:
        t, y = at(share)
        found = values_in_rows(system.program, divisor, np.array([t]), y[np.newaxis], system.arrays[1])
        return float(found[0])

    lower, upper, positive = 0.0, 1.0, value(1.0) > 0.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (lower + upper)
        if (value(middle) > 0.0) == positive:
            upper = middle
        else:
            lower = middle
    return 0.5 * (lower + upper)


def _message(system: System, divisor: Divisor, rate: int, begin: float, end: float) -> Diagnostic:
    """R019: the pole is between two rows."""
    slot = system.program.state_slots[rate]
    name, order = slot.symbol
    derivative = show_derivative(name, order + 1)
    return Diagnostic(
        "R019",
        f"between t = {begin:.10g} and t = {end:.10g}: {derivative} is infinite, as a divisor passes through zero",
        None if slot.origin is None else Label(slot.origin.span),
        notes=(f"the divisor is {text_of(system.program, divisor)}",),
        help=KEEP_AWAY,
    )
