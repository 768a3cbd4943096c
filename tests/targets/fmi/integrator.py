"""Model Exchange by an importer that integrates: Runge-Kutta steps of order 4 that end at events."""

import ctypes
from collections.abc import Callable, Mapping

from tests.targets.fmi.importer import OK, Bool, Double, Instance, Size

BISECTIONS = 45
Signal = Callable[[float], float]


class Integrator:
    """An instance that has been initialized, its states at `time`; `events` are the times of all events."""

    def __init__(self, made: Instance, states: int, step: float, inputs: Mapping[str, Signal] | None = None) -> None:
        self._made, self._states, self._step = made, states, step
        self._inputs = dict(inputs or {})
        self.time, self.events = 0.0, list[float]()
        count = Size()
        assert made.call("GetNumberOfEventIndicators", ctypes.byref(count)) == OK
        self._indicators = count.value
        self.update()

    def update(self) -> None:
        """Events where the instance is, in event mode; then continuous time."""
        flags, time = [Bool() for _ in range(5)], Double()
        assert self._made.call("UpdateDiscreteStates", *[ctypes.byref(f) for f in flags], ctypes.byref(time)) == OK
        self.next_time = time.value if flags[4].value else float("inf")
        assert self._made.call("EnterContinuousTimeMode") == OK

    def to(self, end: float) -> None:
        """All steps and events up to `end`."""
        while self.time < end:
            goal = min(self.time + self._step, self.next_time, end)
            begin, states, sides = self.time, self._made_states(), self._sides()
            self._advance(begin, states, goal - begin)
            is_event = self._sides() != sides
            if is_event:
                low, high = 0.0, goal - begin
                for _ in range(BISECTIONS):
                    size = 0.5 * (low + high)
                    self._advance(begin, states, size)
                    low, high = (low, size) if self._sides() != sides else (size, high)
                self._advance(begin, states, high)
            flags = Bool(), Bool()
            assert self._made.call("CompletedIntegratorStep", Bool(True), *[ctypes.byref(f) for f in flags]) == OK
            if is_event or flags[0].value or self.time >= self.next_time:
                self.event()

    def event(self, **jumps: float) -> None:
        """An event where the instance is, at which inputs jump."""
        self.events.append(self.time)
        assert self._made.call("EnterEventMode") == OK
        for name, value in jumps.items():
            assert self._made.set(name, value) == OK
        self.update()

    def _made_states(self) -> list[float]:
        numbers = (Double * self._states)()
        assert self._made.call("GetContinuousStates", numbers, Size(self._states)) == OK
        return list(numbers)

    def _sides(self) -> list[bool]:
        numbers = (Double * self._indicators)()
        assert self._made.call("GetEventIndicators", numbers, Size(self._indicators)) == OK
        return [x > 0.0 for x in numbers]

    def _rates(self, time: float, states: list[float]) -> list[float]:
        self._place(time, states)
        numbers = (Double * self._states)()
        assert self._made.call("GetContinuousStateDerivatives", numbers, Size(self._states)) == OK
        return list(numbers)

    def _place(self, time: float, states: list[float]) -> None:
        numbers = (Double * self._states)(*states)
        assert self._made.call("SetTime", Double(time)) == OK
        assert self._made.call("SetContinuousStates", numbers, Size(self._states)) == OK
        for name, signal in self._inputs.items():
            assert self._made.set(name, signal(time)) == OK

    def _advance(self, begin: float, states: list[float], size: float) -> None:
        """One step, at whose end the instance is then."""
        slopes: list[list[float]] = []
        for share in (0.0, 0.5, 0.5, 1.0):
            last = slopes[-1] if slopes else [0.0] * len(states)
            moved = [x + share * size * k for x, k in zip(states, last, strict=True)]
            slopes.append(self._rates(begin + share * size, moved))
        a, b, c, d = slopes
        pairs = zip(states, a, b, c, d, strict=True)
        self._place(begin + size, [x + size / 6.0 * (k + 2.0 * (m + n) + o) for x, k, m, n, o in pairs])
        self.time = begin + size
