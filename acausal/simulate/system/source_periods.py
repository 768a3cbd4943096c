"""Intervals in which the sines of time of a program are active, from its parameters."""

from collections.abc import Iterator
from math import inf, log
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.ir.program.slots import WaveSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

GONE = log(2.0**-53)
"""The exponent of an amplitude that is nothing beside what it was."""
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
    begin, end = -inf, inf
    for rate_at, rest_at in wave.conditions:
        rate, rest = float(p[rate_at]), float(p[rest_at])
        if rate > 0.0:
            begin = max(begin, -rest / rate)
        elif rate < 0.0:
            end = min(end, -rest / rate)
        elif rest < 0.0:
            return inf, -inf
    if wave.decay is not None:
        rate, rest = float(p[wave.decay[0]]), float(p[wave.decay[1]])
        if rate < 0.0:
            end = min(end, (GONE - rest) / rate)
    return (begin, end) if begin < end else (inf, -inf)
