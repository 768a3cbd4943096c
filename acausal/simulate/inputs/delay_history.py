"""Delay history: past values of delayed expressions, as polynomials over the pieces of steps.

Within a step the solver's own interpolation gives the states, at five times what is delayed, and a
polynomial of degree four goes through these. At an event a piece ends; a delay later the model sees the
jump, so that this is an event too. (L. F. Shampine, S. Thompson, Solving DDEs in MATLAB, Appl. Numer.
Math. 37 (2001): steps no longer than the shortest delay, breaking points met exactly.)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.program import Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

NODES = (0.0, 0.25, 0.5, 0.75, 1.0)
ONE_TIME = 1e-13
"""Times that differ by this share of the run are one time."""


class Past:
    """The past of the delays of one run, whatever states it has.

    `seen` is the time whose event has been treated: at that time the model sees what came after the jump.
    """

    def __init__(self, program: Program, start: float, stop: float) -> None:
        self._names = [slot.name for slot in program.delays]
        self._origins = [slot.origin for slot in program.delays]
        self._start = start
        self._near = ONE_TIME * max(abs(start), abs(stop), stop - start)
        self.times: list[float] = []
        self.seen = -inf
        self._first: Array | None = None
        self._ends: list[float] = [start]
        self._pieces: list[Array] = []
        self._breaks: list[float] = [start]

    @property
    def shortest(self) -> float:
        """The shortest delay, infinite where there is none."""
        return min(self.times, default=inf)

    def begin(self, results: "Array") -> bool:
        """Set the values before the start; True if they are as assumed. SimulationError R009 for a delay time of 0."""
        import numpy as np

        self.times = results[1::2].tolist()
        for time, origin in zip(self.times, self._origins, strict=True):
            if not time > 0.0:
                hint = "choose the parameters so that the delay time is positive"
                where = Label(origin.span, "delayed here")
                raise SimulationError(Diagnostic("R009", f"the delay time is {time:g}", where, help=hint))
        before, self._first = self._first, results[::2].copy()
        return before is not None and bool(np.allclose(before, self._first, rtol=1e-14, atol=1e-300))

    def places(self, program: Program) -> list[tuple[int, int, int]]:
        """(number of the input, delay, order of the derivative) of each input that is a delay; R009 for order 2."""
        number = {name: i for i, name in enumerate(self._names)}
        found = [(i, number[n], order) for i, (n, order) in enumerate(program.input_slots) if n in number]
        for _, delay, order in found:
            if order > 1:
                message = "the equations require the second derivative of a delayed expression"
                raise SimulationError(Diagnostic("R009", message, Label(self._origins[delay].span, "delayed here")))
        return found

    def value(self, delay: int, order: int, t: float) -> float:
        """Value of the delayed expression, or its derivative, a delay before t."""
        if self._first is None:
            return 0.0
        ago = t - self.times[delay]
        if ago <= self._start - self._near or not self._pieces:
            return 0.0 if order else float(self._first[delay])
        number = bisect_left(self._ends, ago, 1, len(self._pieces)) - 1
        end = self._ends[number + 1]
        if end - ago <= self._near and number + 1 < len(self._pieces) and self._sees(end, delay):
            number += 1
        elif ago - self._ends[number] <= self._near and not self._sees(self._ends[number], delay):
            if number == 0:
                return 0.0 if order else float(self._first[delay])
            number -= 1
        begin, end = self._ends[number], self._ends[number + 1]
        return _polynomial(self._pieces[number][:, delay], (ago - begin) / (end - begin), order, end - begin)

    def _sees(self, event: float, delay: int) -> bool:
        """True if the event has come through the delay."""
        return event + self.times[delay] <= self.seen + self._near

    def extend(self, begin: float, end: float, values: "Callable[[float], Array]") -> None:
        """The past goes on from `begin` to `end`; `values` are those of the routine `delayed`."""
        import numpy as np

        if end <= begin:
            return
        rows = [values(begin + c * (end - begin))[::2] for c in NODES]
        self._pieces.append(np.array(rows))
        self._ends.append(end)

    def jump(self, t: float) -> None:
        """Record an event at t, which the delays will repeat."""
        self.seen = t
        if t > self._breaks[-1]:
            self._breaks.append(t)

    def next_event(self, t: float) -> float:
        """The first time after t at which an earlier event comes through a delay."""
        later = inf
        for time in self.times:
            number = bisect_right(self._breaks, t - time + self._near)
            if number < len(self._breaks):
                later = min(later, self._breaks[number] + time)
        return later


def _polynomial(values: "Array", s: float, order: int, length: float) -> float:
    """The polynomial through the values at `NODES` (Newton's divided differences), or its derivative by time."""
    steps = values.tolist()
    for level in range(1, 5):
        for k in range(4, level - 1, -1):
            steps[k] = (steps[k] - steps[k - 1]) / (0.25 * level)
    value, slope = steps[4], 0.0
    for k in (3, 2, 1, 0):
        slope = slope * (s - NODES[k]) + value
        value = value * (s - NODES[k]) + steps[k]
    return slope / length if order else value
