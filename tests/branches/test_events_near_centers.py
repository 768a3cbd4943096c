"""Events on what a singular block solves, next to a dead center: as many as the motion has, at their angles.

A parallelogram is a pendulum with the energy w**2/2 - RATE*(1 - cos(q)) = 1/2. Directly at a distance d from the center
velocities have errors of 1e-16/d**2: at 4e-5 events on them fired three to six times each.
"""

from math import cos, pi, sqrt
from pathlib import Path

import numpy as np
import pytest

from acausal.simulate.jacobian.exact_jacobian_python import ExactArray
from tests.branches.mechanisms import G, parallelograms
from tests.branches.test_dead_centers import made
from tests.events.models import event_times

RATE = 6 / 5 * G
"""Largest acceleration."""


def counting(variable: str, level: float) -> str:
    """A parallelogram that counts how often the variable passes the level, in both directions."""
    lines = [f"  when {variable} < {level!r} then", "    new(k) = k + 1", f"  elsewhen {variable} > {level!r} then"]
    lines += ["    new(k) = k + 1", "  endwhen", "  experiment"]
    text = parallelograms(1, stop=2.0).replace("  experiment", "\n".join(lines))
    return text.replace("model Parallelograms\n", "model Parallelograms\n  discrete k (start=0)\n")


def velocity(angle: float) -> float:
    """The angular velocity at an angle from upright."""
    return sqrt(1 + 2 * RATE * (1 - cos(angle)))


@pytest.mark.parametrize("solver", ["auto", "dop853", "lsoda", "bdf"])
@pytest.mark.parametrize("distance", [0.03, 1e-3, 4e-5, 1e-6, 1e-9, -1e-8, -1e-4])
@pytest.mark.parametrize("name", ["r1.w", "c1.w"])
def test_velocities(name: str, distance: float, solver: str, tmp_path: Path) -> None:
    """Down to the first center, and up behind the second one."""
    angle = pi / 2 - distance
    t = made(tmp_path, counting(name, -velocity(angle) if name == "r1.w" else velocity(angle)))
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        r = t.simulate(tolerance=tolerance, solver=solver)
        times = event_times(r, "k")
        assert r.stats.events == len(times) == 2
        assert np.interp(times, r.time, -r["r0.q"]) == pytest.approx([angle, 2 * pi - angle], abs=100 * tolerance)
        assert np.abs(r["r1.w"] - r["r0.w"]).max() < 1e-10
        assert np.abs(r["c1.w"] + r["r0.w"]).max() < 1e-10


@pytest.mark.parametrize("distance", [1e-6, -1e-8])
def test_jacobians(distance: float, tmp_path: Path) -> None:
    """A run that begins anew beside a center has the Jacobian of a pendulum: RATE*cos(q) and 0; it was 1e11 and 1e4."""
    t = made(tmp_path, counting("r1.w", -velocity(pi / 2 - distance)))
    found = []
    with pytest.MonkeyPatch.context() as patch:
        original = ExactArray.__call__

        def noted(self: ExactArray, time: float, y: np.ndarray) -> np.ndarray:
            matrix = original(self, time, y)
            found.append((float(y[0]), matrix))
            return matrix

        patch.setattr(ExactArray, "__call__", noted)
        t.simulate(tolerance=1e-6, solver="radau")
    assert any(abs(q + pi / 2) < 1e-5 for q, _ in found)
    for q, matrix in found:  # the nearest node is at most half a node's distance of 0.04 away
        assert matrix == pytest.approx(np.array([[0, 1], [RATE * cos(q), 0]]), abs=RATE * 0.03)


def test_kinks_in_dead_centers(tmp_path: Path) -> None:
    """|cos(q)| has its kink in the center itself: rows there were off by 1e-5, the direct solution's errors.

    At a distance of d they were off by 2e-16/d: a step of Newton's method from solutions that are exact.
    """
    text = parallelograms(1, stop=2.0).replace("  experiment", "  z = abs(cos(r1.q))\n  experiment")
    t = made(tmp_path, text.replace("model Parallelograms\n", "model Parallelograms\n  local z\n"))
    for solver in ("auto", "adams"):
        r = t.simulate(tolerance=1e-8, solver=solver, stop=2.0)
        behind = int(np.argmax(r["r0.q"] < -pi / 2))
        center = r.time[behind] + (-pi / 2 - r["r0.q"][behind]) / r["r0.w"][behind]  # accelerations vanish there
        for stop in (2.0, center, center + 1e-7, center - 1e-5, *(center + np.array([1, 3.3, 10, 33]) * 1e-9)):
            r = t.simulate(tolerance=1e-8, solver=solver, stop=float(stop))
            assert np.abs(r["z"] - np.abs(np.cos(r["r0.q"]))).max() < 1e-11


@pytest.mark.parametrize("solver", ["radau", "dop853", "rk45"])
@pytest.mark.parametrize("distance", [1e-9, -1e-9, 1e-6, -1e-6, 1e-4, -1e-4, 1e-2, -1e-2, 0.1])
def test_events_within_steps(distance: float, solver: str, tmp_path: Path) -> None:
    """The step that an event ends leaves no points behind it: Radau folded the parallelogram at 1e-4, DOP853 at 1e-3.

    An implicit solver tries the states of the event at later times, too: there derivatives were 1e9 for 12.
    """
    angle = pi / 2 - distance
    t = made(tmp_path, counting("r1.w", -velocity(angle)))
    for tolerance in (1e-3, 1e-4, 1e-5, 1e-7):
        r = t.simulate(tolerance=tolerance, solver=solver)
        times = event_times(r, "k")
        assert r.stats.events == len(times) == 2
        assert np.interp(times, r.time, -r["r0.q"]) == pytest.approx([angle, 2 * pi - angle], abs=100 * tolerance)
        assert np.abs(r["r1.q"] - r["r0.q"]).max() < 1e-9
        assert np.abs(r["c1.q"] + r["r0.q"]).max() < 1e-9
        assert np.abs(r["r1.w"] - r["r0.w"]).max() < 1e-9
