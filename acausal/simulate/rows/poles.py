"""Poles of derivatives that a solver has stepped over, examined where results are stored.

der(p) = 100*(v - p)/(1 - y)      at y = 1 a stiff equation becomes an unstable one: an implicit solver need not notice

Where a divisor has another sign in the next row, or comes so near to zero that it may be zero twice between two rows
(`zeros_between_rows`), its zero is located on the cubic between the rows (Hermite), and the derivatives are evaluated
beside it: at a distance d from a pole they grow as 1/d at least. Where they do not, as those of sin(x)/x and
1/sqrt(abs(x)), the solution goes on, unless a state has changed more than its derivative allows (`leaps`).
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.frozen import record
from acausal.ir.names import show_derivative
from acausal.runtime.poles import FIRST_DISTANCE, NEARER, SECOND_DISTANCE, is_unbounded
from acausal.simulate.rows.between_rows import Between
from acausal.simulate.rows.divisor_bounds import vanishing_divisors
from acausal.simulate.rows.divisor_values import Points, note_of, values_at
from acausal.simulate.rows.divisors import Divisor
from acausal.simulate.rows.leaps import leaping_rate
from acausal.simulate.rows.segments import Segment, ends_of
from acausal.simulate.rows.zeros_between_rows import zero_between, zeros_between
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_EXAMINED = 8
"""Zeros of one divisor: behind so many without a pole the others are not examined."""
DISTANCES = tuple([(distance, NEARER * distance) for distance in (FIRST_DISTANCE, SECOND_DISTANCE)])
"""Pairs of distances from a zero at which the derivatives are evaluated, as shares of the time between two rows."""
KEEP_AWAY = "keep the divisor away from zero (a stop, a limit, another range of the motion), or end the run before"


@record(frozen=True, slots=True)
class EarlierRow:
    """The last of the rows that have been handed on, and the largest state in all of them."""

    system: System
    time: float
    states: "Array"
    frozen: "Array"
    memory: "Array"
    stored: "Array"
    size: float


@record(frozen=True, slots=True)
class StoredRows:
    """Variables of the rows of all segments, as far as they are valid, as the program of the `first` has them."""

    first: System
    values: "Array"

    def of(self, segment: Segment, begin: int, count: int) -> "Array":
        """The variables of so many rows of a segment, from row `begin` of all on; NaN where unknown."""
        import numpy as np

        if segment.system is self.first and begin + count <= len(self.values):
            return self.values[begin : begin + count]
        found = np.full((count, segment.system.program.stored_size), np.nan)
        if segment.system is self.first:
            known = self.values[begin : begin + count]
            found[: len(known)] = known
        return found


def last_row(segments: Sequence[Segment], stored: StoredRows, earlier: EarlierRow | None) -> EarlierRow | None:
    """The last row of a portion that is handed on; a pole may be between it and the next one."""
    import numpy as np

    segment = segments[-1]
    times, states, frozen, memory = segment.rows.arrays()
    if len(times) <= segment.first:
        return earlier
    before = 0.0 if earlier is None or earlier.system is not segment.system else earlier.size
    size = max(before, float(np.abs(states[segment.first :]).max(initial=0.0)))
    last = [array[-1].copy() for array in (states, frozen, memory)]
    (values,) = stored.of(segment, len(stored.values) - 1, 1)
    return EarlierRow(segment.system, float(times[-1]), last[0], last[1], last[2], values, size)


def first_pole(
    segments: Sequence[Segment], stored: StoredRows, earlier: EarlierRow | None
) -> tuple[int, Diagnostic] | None:
    """The number of rows before the first pole, and what it is; None if there is none."""
    for segment in segments:
        if vanishing_divisors(segment.system).all:
            break
    else:
        return None
    before = 0
    for segment, end in zip(segments, ends_of(segments), strict=True):
        known = earlier if earlier is not None and earlier.system is segment.system and not before else None
        values = stored.of(segment, before, end - segment.first)
        found = min(_poles(segment, end, values, known), default=None, key=lambda pole: pole[0])
        if found is not None:
            return before + found[0], found[1]
        before += end - segment.first
    return None


def may_have_pole(system: System, points: Points) -> bool:
    """True if a divisor may be zero between two of these rows."""
    divisors = vanishing_divisors(system)
    found = values_at(system.program, divisors.all, divisors.needed, divisors.columns, points, system.arrays[1])
    return any(zeros_between(points.times, values) for values in found)


def _poles(segment: Segment, end: int, stored: "Array", earlier: EarlierRow | None) -> Iterator[tuple[int, Diagnostic]]:
    """The first pole of each divisor: the rows of the segment before it, and what it is."""
    import numpy as np

    system, handed_on, size = segment.system, 0, 0.0
    divisors = vanishing_divisors(system)
    if not divisors.all:
        return
    times, states, frozen, memory = [array[segment.first : end] for array in segment.rows.arrays()]
    if earlier is not None:
        handed_on, size = 1, earlier.size
        times = np.concatenate([[earlier.time], times])
        first = earlier.states, earlier.frozen, earlier.memory, earlier.stored
        both = zip(first, (states, frozen, memory, stored), strict=True)
        states, frozen, memory, stored = (np.vstack([row, rest]) for row, rest in both)
    if len(times) < 2:
        return
    inputs = system.inputs_in_rows(times, frozen) if divisors.have_inputs else frozen
    points = Points(times, states, inputs, stored)
    found = values_at(system.program, divisors.all, divisors.needed, divisors.columns, points, system.arrays[1])
    examined = [zeros_between(times, values)[:MOST_EXAMINED] for values in found]
    if not any(examined):
        return
    kept = [array.copy() for array in system.arrays]
    for divisor, pairs in zip(divisors.all, examined, strict=True):
        for row, behind in pairs:
            largest = max(size, float(np.abs(states[: row + 1]).max(initial=0.0)))
            solutions = memory[row], memory[behind]
            between = Between(system, divisor, points, (row, behind), frozen[row], solutions, largest)
            rate = _unbounded_rate(between)
            if rate is not None:
                yield row + 1 - handed_on, _message(system, divisor, rate, float(times[row]), float(times[behind]))
                break
    for array, before in zip(system.arrays, kept, strict=True):
        array[:] = before


def _unbounded_rate(between: Between) -> int | None:
    """The state whose derivative has a pole between two rows; None if all are bounded, or as good as that."""
    import numpy as np

    with np.errstate(all="ignore"):
        zero = zero_between(between)
        growing = None if zero is None else _growing_rate(between, zero)
        return leaping_rate(between) if growing is None else growing


def _growing_rate(between: Between, zero: float) -> int | None:
    """The state whose derivative grows most beside a zero of the divisor as at a pole; None if none does."""
    for side, (distance, shorter) in product((-1.0, 1.0), DISTANCES):
        far, near = (between.rates(zero + side * d) for d in (distance, shorter))
        if far is None or near is None:
            continue
        of_states = enumerate(zip(far.tolist(), near.tolist(), strict=True))
        grown = [k for k, (f, n) in of_states if is_unbounded(f, n, shorter, between.width, between.size)]
        if grown:
            return max(grown, key=lambda k: abs(float(near[k])))
    return None


def _message(system: System, divisor: Divisor, rate: int, begin: float, end: float) -> Diagnostic:
    """R019: the pole is between two rows."""
    slot = system.program.state_slots[rate]
    name, order = slot.symbol
    derivative = show_derivative(name, order + 1)
    note = note_of(system.program, divisor)
    what = "as linear equations become singular" if divisor.is_matrix else "as a divisor passes through zero"
    return Diagnostic(
        "R019",
        f"between t = {begin:.10g} and t = {end:.10g}: {derivative} is infinite, {what}",
        None if slot.origin is None else Label(slot.origin.span),
        notes=() if note is None else (note,),
        help=KEEP_AWAY,
    )
