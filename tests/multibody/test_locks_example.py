"""The robot with brakes (examples/robot_brakes.mdl) against equations in world coordinates (trees.py)."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from tests.multibody.test_friction import bearings
from tests.multibody.test_locks import r3
from tests.multibody.trees import Joint, State, mass_matrix, torques, wrenches

EXAMPLE = Path(__file__).parents[2] / "examples" / "robot_brakes.mdl"
GOALS = ((1.5, 2000, 400), (0.6, 6000, 1500), (0.8, 3000, 600), (1, 100, 20), (0.7, 300, 60), (-2, 50, 8))
BEARINGS = ((0.15, 0.4, 0.15), (0.1, 0.3, 0.0), (0.08, 0.3, 0.0))
"""Radius, span and collar of the first three joints."""
PRESS = (800, 1600, 800)


def test_emergency_stop() -> None:
    """The impact of the pawls; motors, friction and stop as what moves the bodies by their places and velocities."""
    result = translate(EXAMPLE).simulate()
    joints = r3()
    joints[5] = replace(joints[5], centre=np.array([0, 0, 0.2]), inertia=np.diag([0.5, 0.4, 0.3]))
    names = [f"r{k}" for k in range(1, 7)]
    _is_caught(result, joints, names)
    for row in range(0, len(result.time), 23):
        q, w, a = (np.array([result[f"{name}.{x}"][row] for name in names]) for x in ("q", "w", "wd"))
        state, power = State(q, w, {}), result["power"][row]
        acting, forces = torques(joints, state, a), wrenches(joints, state, a)
        acting = acting - [power * (k * (goal - x) - d * v) for (goal, k, d), x, v in zip(GOALS, q, w, strict=True)]
        for k, (radius, span, collar) in enumerate(BEARINGS):
            e, f, mode = joints[k].axis, forces[k], result[f"{names[k]}.mode"][row]
            most = 0.05 * (radius * bearings(e, f, span) + collar * abs(e @ f[3:])) + (1 - power) * PRESS[k]
            assert abs(acting[k]) < most * 1.005 + 1e-6
            if mode:
                assert acting[k] == pytest.approx(-np.sign(mode) * most, rel=5e-3)
        if power:
            assert acting[[3, 5]] == pytest.approx(0, abs=1e-6)
        if not result["r5.side"][row]:
            assert acting[4] == pytest.approx(0, abs=1e-6)
    assert result.at(3.0)["r5.q"] == pytest.approx(1.6, abs=1e-6)
    assert [result.at(3.0)[f"{name}.w"] for name in names] == pytest.approx([0.0] * 6, abs=1e-9)


def _is_caught(result: Result, joints: list[Joint], names: list[str]) -> None:
    """M*dq' = P: at r4 and r6 what stops them, at r5 nothing, at r1 to r3 no more than the bearings' impulses rub."""
    rows = np.flatnonzero(np.abs(result.time - 0.4) < 1e-12)
    q = np.array([result[f"{name}.q"][rows[0]] for name in names])
    before, after = (np.array([result[f"{name}.w"][row] for name in names]) for row in (rows[0], rows[-1]))
    none, change = np.zeros(6), after - before
    state = State(q, none, {})
    impulse = mass_matrix(joints, state) @ change
    led = wrenches(joints, state, change) - wrenches(joints, state, none)
    assert after[[3, 5]] == pytest.approx([0, 0], abs=1e-9)
    assert np.abs(change).min() > 1e-3
    for k, (radius, span, collar) in enumerate(BEARINGS):
        e = joints[k].axis
        most = 0.05 * (radius * bearings(e, led[k], span) + collar * abs(e @ led[k, 3:]))
        assert 0 < abs(impulse[k]) < most
    assert impulse[4] == pytest.approx(0, abs=1e-9 * np.abs(impulse).max())
    assert impulse[[3, 5]] == pytest.approx([result[f"r{k}.impulse[1]"][rows[-1]] for k in (4, 6)], rel=1e-8)
