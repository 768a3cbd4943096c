"""Intervals in which the sines of time of a program are active, from its parameters."""

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.ir.program.slots import WaveSlot
from acausal.runtime.step_limits import wave_begin, wave_end

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

NEAR = 1e-12
"""Times that differ by this share are one time."""


def velocities_at(program: Program, p: "Array", t: float) -> Iterator[float]:
    """Angular velocities of the sines that are there at t, or begin there."""
    for wave in program.waves:
        rate = abs(float(p[wave.rate]))
        begin, end = span(wave, p)
        if rate > 0.0 and not _is_ahead(begin, t) and _is_ahead(end, t):
            yield rate


def next_change(program: Program, p: "Array", t: float) -> float:
    """The next time after t at which a sine begins or ends, infinite if there is none."""
    times = [time for wave in program.waves for time in span(wave, p)]
    return min((time for time in times if _is_ahead(time, t)), default=inf)


def _is_ahead(time: float, t: float) -> bool:
    return time == inf or time - NEAR * abs(time) > t


def span(wave: WaveSlot, p: "Array") -> tuple[float, float]:
    """Interval in which a sine is active; from infinity to -infinity, if it never is."""
    places = [place for condition in wave.conditions for place in condition]
    count, decay = len(wave.conditions), wave.decay or (-1, -1)
    begin, end = float(wave_begin(p, places, count)), float(wave_end(p, places, count, *decay))
    return (begin, end) if begin < end else (inf, -inf)
