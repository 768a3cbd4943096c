"""Nonlinear blocks whose branches are tracked: along events, and where they cross."""

from collections.abc import Callable
from functools import partial
from math import copysign, cos, sin
from types import SimpleNamespace
from typing import Any

import numpy as np

from acausal.runtime.blocks import branch_points, branch_results, branch_slopes, moved_routine, pivots, tracked
from acausal.runtime.blocks.branch_record import BranchRecord, record_size
from acausal.runtime.kernel.overlay import overlay

BASE, FOLLOWED = 6, 2
NAMES = {name: kernel.__name__ for name, kernel in tracked.TRACKERS.items()}
END = BASE + record_size(BASE, FOLLOWED)


def toy(*moving: tuple[int, int], near_singular: tuple[str, ...] = ()) -> Any:
    """What is asked of a program with two states."""
    sizes: dict[str, Any] = {"memory": BASE, "followed": FOLLOWED, "interpolation_start": END}
    sizes |= {"near_singular": near_singular, "result_size": lambda _: 2}
    return SimpleNamespace(state_slots=("q", "w"), moving=moving, **sizes)


def recorded(program: Any, name: str, routine: Callable[..., int]) -> Callable[..., int]:
    """The kernel in the place of a routine, as the recorder has it."""
    kernel = getattr(tracked, NAMES.get(name, "near_results"))
    return partial(kernel, tracked.tracked_routine(program, name, routine))


def memory() -> Any:
    m = np.zeros(END + moved_routine.workspace_size(FOLLOWED, 2, 2))
    branch_points.activate(m, BASE)
    return m


def track_branches() -> None:
    """A solver goes on, goes back, and passes events; some points have no solution."""
    m = memory()

    def solve(t: float, y: object, u: object, p: object, m: Any, out: object) -> int:
        m[0], m[1] = sin(t), cos(3 * t) + m[1] / 1e3
        return 1 if 0.95 < t % 1.0 < 0.97 else 0

    no, row = np.zeros(1), partial(tracked.tracked_row, tracked.tracked_routine(toy(), "variables", solve))
    around = {name: recorded(toy(), name, solve) for name in ("initial", "derivatives", "events", "crossings")}
    around["initial"](0.0, no, no, no, m, no)
    branch_points.activate(m, BASE)
    for number in range(60):
        t = 0.07 * number
        for tried in (t + 0.05, t + 0.01, t, t + 0.07):
            around["derivatives"](tried, no, no, no, m, no)
        around["crossings"](t + 0.03, no, no, no, m, no)
        if number % 9 == 8:
            around["events"](t + 0.07, no, no, no, m, no)
        overlay(BranchRecord, m, BASE).by_steps = float(number > 40)
        branch_slopes.is_rough(m, BASE, FOLLOWED, t + 0.07)
        branch_slopes.end_step(m, BASE, FOLLOWED, t + 0.07)
        if number % 3 == 2:
            branch_points.drop_later(m, BASE, FOLLOWED, t + 0.06)
        branch_results.predict(m, BASE, FOLLOWED, t + 0.07)
        row(t + 0.07, no, no, no, m, no)


def cross_branches() -> None:
    """z**2 = sin(q)**2, whose branches cross at q = 0, and derivatives with sin(q)/z, which go on smoothly."""

    def solve(t: float, y: Any, u: object, p: object, m: Any, out: Any) -> int:
        z = copysign(sin(y[0]), m[0])
        if abs(z) < 1e-9 or abs(z - m[0]) > 0.5 * abs(z):
            return 1
        m[0], m[1] = z, cos(y[0])
        pivots.note_pivots(m, END, np.array([2 * z]), 1)
        out[0], out[1] = y[1], sin(y[0]) / z * cos(y[0]) + rough * abs(y[0])
        return 0

    for roughness in (0.0, 1.0):
        rough, m = roughness, memory()
        m[0], m[1] = sin(-1.0), cos(-1.0)
        slope = recorded(toy((0, 1)), "derivatives", solve)
        variables = recorded(toy((0, 1), near_singular=("variables",)), "variables", solve)
        row, out = memory(), np.zeros(2)
        for number in range(90):
            t = 0.02 * number + 0.0007
            slope(t, np.array([t - 1.0, 1.0]), np.zeros(1), np.zeros(1), m, np.zeros(2))
            time = 1.0 if number == 49 else t + 0.005
            branch_results.predict(m, BASE, FOLLOWED, time)
            row[:BASE] = m[:BASE]
            variables(time, np.array([time - 1.0, 1.0]), np.zeros(1), np.zeros(1), row, out)
            if not roughness:
                assert abs(out[1] - cos(time - 1.0)) < 1e-8, time
        slope(2.0, np.array([0.0, roughness]), np.zeros(1), np.zeros(1), memory(), np.zeros(2))


BRANCHES = {"branches": track_branches, "crossing branches": cross_branches}
