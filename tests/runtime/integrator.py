"""A small solver in place of CVODE, for runs in Python: Runge-Kutta steps, roots by bisection."""

from array import array
from collections.abc import Callable, Sequence
from math import inf

from acausal.runtime.events.between_events import ROOT, STOPPED
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.single_steps import ONE_STEP

Function = Callable[[float, Sequence[float]], list[float]]
LENGTH = 0.07
"""Of a single step."""
STEPS = 8
"""From one output time to the next."""
HALVINGS = 45
CLOSE = 1e-9
"""What crosses again within so many seconds is not a new root."""
NOISE = 1e-12
"""Rounding of root functions: one that is zero for a while, as a slope at rest, has either sign."""


class Integrator:
    """The routines of `LoopContext` that are functions of CVODE."""

    def __init__(self, slope: Function, root_functions: Function) -> None:
        self._slope, self._root_functions = slope, root_functions
        self._limit: float | None = None
        self._steps = 0
        self._last_root = -inf
        self._last: list[float] = []
        self._roots: list[int] = []
        self._begin: tuple[float, Sequence[float]] = (0.0, ())
        self._now: tuple[float, Sequence[float]] = (0.0, ())
        self.context: LoopContext

    def routines(self) -> dict[str, Callable[..., int]]:
        """By the names of the fields."""
        names = ("solve", "set_stop", "root_info", "reinit", "set_least", "set_first", "count_steps", "count_jacobians")
        return {name: getattr(self, name) for name in (*names, "interpolate", "set_most_steps")}

    def solve(self, cvode: int, goal: float, vector: int, reached: "array[float]", task: int) -> int:
        t, y = reached[0], list(self.context.numbers)  # type: ignore[call-overload]
        end = goal if self._limit is None else min(goal, self._limit)
        if task == ONE_STEP:
            t, y = self._now
            end = min(end, t + LENGTH)
        self._begin = t, y
        for number in range(STEPS):
            h = (end - t) / (STEPS - number)
            after = self._step(t, y, h)
            if any(self._crossed(self._watched(t + h, after))):
                h, at_root = self._located(t, y, h)
                values = self._watched(t + h, at_root)
                self._roots, self._last = self._crossed(values), values
                if t + h > self._last_root + CLOSE:
                    self._last_root = t + h
                    return self._reach(t + h, at_root, ROOT)
                h, after = h + CLOSE, self._step(t, y, h + CLOSE)
            t, y = t + h, after
            self._steps += 1
            self._last = self._watched(t, y)
        is_stopped, self._limit = end == self._limit, None if end == self._limit else self._limit
        return self._reach(end, y, STOPPED if is_stopped else 0)

    def interpolate(self, cvode: int, t: float, order: int, vector: int) -> int:
        (begin, first), (end, last) = self._begin, self._now
        share = (t - begin) / (end - begin) if end > begin else 1.0
        there = self.context.numbers if vector == self.context.vector else self.context.between_there
        for i, (a, b) in enumerate(zip(first, last, strict=True)):
            there[i] = a + share * (b - a)
        return 0

    def set_stop(self, cvode: int, time: float) -> int:
        self._limit = time
        return 0

    def root_info(self, cvode: int, roots: "array[int]") -> int:
        roots[:] = array("i", self._roots)
        return 0

    def reinit(self, cvode: int, t: float, vector: int) -> int:
        self._last, self._limit, self._steps = list(self.context.starts)[:-1], None, 0  # type: ignore[call-overload]
        self._last_root = min(self._last_root, t)
        self._begin = self._now = t, list(self.context.numbers)  # type: ignore[call-overload]
        return 0

    def set_least(self, cvode: int, time: float) -> int:
        return 0

    def set_first(self, cvode: int, time: float) -> int:
        return 0

    def count_steps(self, cvode: int, count: "array[int]") -> int:
        count[0] = self._steps
        return 0

    def set_most_steps(self, cvode: int, count: int) -> int:
        return 0

    def count_jacobians(self, cvode: int, count: "array[int]") -> int:
        count[0] = 1
        return 0

    # ------------------------------------------------------------------ steps

    def _reach(self, t: float, y: Sequence[float], status: int) -> int:
        e, watched = self.context, self._watched(t, y)
        self._now = t, y
        for i, value in enumerate(y):
            e.numbers[i] = value
        for i, value in enumerate([*watched, t]):
            e.watched_values[i] = value
        e.reached[0] = t
        return status

    def _step(self, t: float, y: Sequence[float], h: float) -> list[float]:
        k1 = self._slope(t, y)
        k2 = self._slope(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1, strict=True)])
        k3 = self._slope(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2, strict=True)])
        k4 = self._slope(t + h, [a + h * b for a, b in zip(y, k3, strict=True)])
        return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4, strict=True)]

    def _watched(self, t: float, y: Sequence[float]) -> list[float]:
        offset = list(self.context.offset)  # type: ignore[call-overload]
        return [value + shift for value, shift in zip(self._root_functions(t, y), offset, strict=True)]

    def _crossed(self, values: Sequence[float]) -> list[int]:
        signs = zip(self._last, values, strict=True)
        return [
            0 if before * now > 0 or before == 0 or abs(now) < NOISE else (1 if before < 0 else -1)
            for before, now in signs
        ]

    def _located(self, t: float, y: Sequence[float], h: float) -> tuple[float, list[float]]:
        """The shortest step behind which something has crossed."""
        low = 0.0
        for _ in range(HALVINGS):
            middle = (low + h) / 2
            crossed = any(self._crossed(self._watched(t + middle, self._step(t, y, middle))))
            low, h = (low, middle) if crossed else (middle, h)
        return h, self._step(t, y, h)
