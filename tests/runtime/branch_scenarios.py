"""Nonlinear blocks whose branches are tracked: along events, and where they cross."""

from collections.abc import Callable
from functools import partial
from math import copysign, cos, sin
from types import SimpleNamespace
from typing import Any

import numpy as np

from acausal.runtime.blocks import pivots
from acausal.runtime.branches import branch_points, branch_results, branch_slopes, moved_routine, tracked
from acausal.runtime.branches.branch_record import BranchRecord, record_size
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.steps import followed_time
from tests.runtime.cvode_scenario import solver_record

BASE, FOLLOWED = 6, 2
NAMES = {name: kernel.__name__ for name, kernel in tracked.TRACKERS.items()}
END = BASE + record_size(BASE, FOLLOWED)


def toy(
    *moving: tuple[int, int],
    near_singular: tuple[str, ...] = (),
    states: tuple[str, ...] = ("q", "w"),
    judged: bool = False,
    inputs: tuple[tuple[int, int], ...] = (),
) -> Any:
    """What is asked of a program with two states, or without any."""
    sizes: dict[str, Any] = {"memory": BASE, "followed": FOLLOWED, "interpolation_start": END}
    sizes |= {
        "near_singular": near_singular,
        "driven": (),
        "turning": (0,) if moving else (),
        "result_size": lambda _: 2,
    }
    sizes |= {"input_size": 2, "moving_inputs": inputs}
    sizes |= {"interpolation": moved_routine.workspace_size(FOLLOWED, 2, 2, 2)}
    flags = {"is_timed": False, "is_judged": judged, "block_of_followed": [5] * FOLLOWED}
    return SimpleNamespace(state_slots=states, moving=moving, **sizes, **flags)


def recorded(program: Any, name: str, routine: Callable[..., int]) -> Callable[..., int]:
    """The kernel in the place of a routine, as the recorder has it."""
    kernel = getattr(tracked, NAMES.get(name, "near_results"))
    return partial(kernel, tracked.tracked_routine(program, name, routine))


def memory() -> Any:
    m = np.zeros(END + moved_routine.workspace_size(FOLLOWED, 2, 2, 2))
    branch_points.activate(m, BASE)
    return m


def track_branches() -> None:
    """A solver goes on, goes back, and passes events; some points have no solution."""
    m = memory()

    def solve(t: float, y: object, u: object, p: object, m: Any, out: object) -> int:
        m[0], m[1] = sin(t), cos(3 * t) + m[1] / 1e3
        return 1 if 0.95 < t % 1.0 < 0.97 else 0

    no = np.zeros(1)
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


def judge_steps() -> None:
    """Long steps are too long for abs(sin(t)): the first one, others, and those over the kink; much shorter ones go."""
    m, no = memory(), np.zeros(1)

    def solve(t: float, y: object, u: object, p: object, m: Any, out: object) -> int:
        m[0], m[1] = abs(sin(t)), 1.0
        return 0

    slope = recorded(toy(judged=True), "derivatives", solve)
    at = 2.5
    for step, status in ((0.0, 0), (0.3, 5), (0.001, 0), (0.002, 0), (0.5, 5), (0.1, 0), (0.7, 5), (0.001, 0)):
        assert slope(at + step, no, no, no, m, no) == status
        at += step if status == 0 else 0.0


def solve_crossing(y: Any, m: Any, out: Any, rough: float) -> int:
    """z**2 = sin(q)**2 by the start value in m, and derivatives with sin(q)/z."""
    z = copysign(sin(y[0]), m[0])
    if abs(z) < 1e-9 or abs(z - m[0]) > 0.5 * abs(z):
        return 1
    m[0], m[1] = z, cos(y[0])
    pivots.note_pivots(m, END, np.array([2 * z]), 1)
    out[0], out[1] = y[1], sin(y[0]) / z * cos(y[0]) + rough * abs(y[0])
    return 0


def strike() -> None:
    """The same, struck beside the center: it goes back with other speeds, and stops when it is struck again."""

    def solve(t: float, y: Any, u: object, p: object, m: Any, out: Any) -> int:
        return solve_crossing(y, m, out, 0.0)

    m, no, out = memory(), np.zeros(1), np.zeros(2)
    m[0], m[1] = sin(-1.0), cos(-1.0)
    initial, slope, events = [recorded(toy((0, 1)), name, solve) for name in ("initial", "derivatives", "events")]
    initial(0.0, np.array([-1.0, 1.0]), no, no, m, out)
    branch_points.activate(m, BASE)
    m[0], m[1] = sin(-1.0), cos(-1.0)
    for number in range(51):
        slope(0.02 * number, np.array([0.02 * number - 1.0005, 1.0]), no, no, m, out)
    for speed in (1.0, -0.8):
        events(1.0, np.array([-0.0005, speed]), no, no, m, out)
    for number in range(20):
        q = -0.0005 - 0.8 * 0.02 * number
        assert slope(1.0 + 0.02 * number, np.array([q, -0.8]), no, no, m, out) == 0
        assert abs(out[1] - cos(q)) < 1e-8, q
    for speed in (-0.8, -0.8 * (1 + 1e-9), 0.0):
        events(1.4, np.array([-0.3205, speed]), no, no, m, out)
    assert overlay(BranchRecord, m, BASE).count == 0.0


def stop_in_center() -> None:
    """Stopped beside the center it is refused: on both sides of it, where it was to go, branches part."""

    def solve(t: float, y: Any, u: object, p: object, m: Any, out: Any) -> int:
        m[0], m[1] = copysign(sin(y[0]), m[0]), cos(y[0])
        pivots.note_pivots(m, END, np.array([2 * m[0]]), 1)
        out[0], out[1] = y[1], 0.0
        return 0

    m, no, out = memory(), np.zeros(1), np.zeros(2)
    initial, slope, events = [recorded(toy((0, 1)), name, solve) for name in ("initial", "derivatives", "events")]
    initial(0.0, np.array([-1.0, 1.0]), no, no, m, out)
    branch_points.activate(m, BASE)
    for number in range(21):
        slope(0.02 * number, np.array([0.02 * number - 0.4005, 1.0]), no, no, m, out)
    for speed in (1.0, 0.0):
        events(0.4, np.array([-0.0005, speed]), no, no, m, out)
    assert slope(0.4, np.array([-0.0005, 0.0]), no, no, m, out) != 0
    assert overlay(BranchRecord, m, BASE).crossing == 1.0


def cross_branches() -> None:
    """z**2 = sin(q)**2, whose branches cross at q = 0, and derivatives with sin(q)/z, which go on smoothly."""

    def solve(t: float, y: Any, u: object, p: object, m: Any, out: Any) -> int:
        return solve_crossing(y, m, out, rough)

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


def cross_branches_in_time() -> None:
    """The same by an input alone."""

    def solve(t: float, y: object, u: Any, p: object, m: Any, out: Any) -> int:
        z = copysign(sin(u[0]), m[0])
        if abs(z) < 1e-9 or abs(z - m[0]) > 0.5 * abs(z):
            return 1
        m[0], m[1] = z, cos(u[0])
        pivots.note_pivots(m, END, np.array([2 * z]), 1)
        out[0], out[1] = z, sin(u[0]) / z * cos(u[0])
        return 0

    m, row, no, out = memory(), memory(), np.zeros(1), np.zeros(2)
    m[0], m[1] = sin(-1.0), cos(-1.0)
    program = toy(near_singular=("variables",), states=(), inputs=((0, 1),))
    slope, variables = [recorded(program, name, solve) for name in ("derivatives", "variables")]
    for number in range(90):
        t = 0.02 * number + 0.0007
        given = np.array([t - 1.0, 1.0])
        slope(t, no, given, no, m, np.zeros(2))
        branch_results.predict(m, BASE, FOLLOWED, t)
        row[:BASE] = m[:BASE]
        variables(t, no, given, no, row, out)
        assert abs(out[1] - cos(t - 1.0)) < 1e-8, t


def follow_in_time() -> None:
    """A kink at 0.3, another branch from 0.5 to 0.6, an input that jumps at 0.7, and the end of the branch at 0.9."""
    m, no, given = memory(), np.zeros(1), np.zeros(1)
    m[0] = 0.3

    def fill(_: int, t: float) -> int:
        given[0] = 5.0 if t > 0.7 else 0.0
        return 0

    def solve(t: float, y: object, u: object, p: object, m: Any, out: object) -> int:
        fill(0, t)
        x = abs(t - 0.3) + given[0] + (0.01 if 0.5 < t < 0.6 else 0.0)
        if t > 0.9 or (abs(x - m[0]) > 0.2 and overlay(BranchRecord, m, BASE).count > 0):
            return 1
        m[0], m[1] = x, sin(t)
        return 0

    numbers = "time", "step", "last", "shortest", "least", "begin", "end", "back_until", "longest_back"
    f = followed_time.FollowedTime(
        **dict.fromkeys(numbers, 0.0),
        y=no,
        u=no,
        p=no,
        m=m,
        out=np.zeros(2),
        given=given,
        given_before=np.zeros(1),
        memory=BASE,
        followed=FOLLOWED,
        given_count=1,
        inputs=0,
        fill=fill,
        derivatives=recorded(toy(states=()), "derivatives", solve),
        record=solver_record(),
    )
    assert followed_time.begin_followed(f, 0.0) == 0
    for end in (0.1, 0.4, 0.65, 0.8):
        status = followed_time.follow_time(f, end)
        assert status == 0, (end, f.time, status)
        assert f.time == end
        assert m[0] == abs(end - 0.3) + (5.0 if end > 0.7 else 0.0)
    assert followed_time.follow_time(f, 1.0) == 1
    assert abs(f.time - 0.9) < 1e-11


BRANCHES = {
    "branches": track_branches,
    "steps": judge_steps,
    "crossing branches": cross_branches,
    "impacts": strike,
    "stops in centers": stop_in_center,
    "crossing branches in time": cross_branches_in_time,
    "followed time": follow_in_time,
}
