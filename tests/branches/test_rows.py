"""Rows, events and choices of states next to dead centers and exactly in them: by formula, with every tolerance."""

from pathlib import Path

import numpy as np
import pytest

from acausal.results.result import Result
from tests.branches.mechanisms import G, parallelograms
from tests.branches.test_dead_centers import made
from tests.python_loop import simulate_in_python

ONE = 5 / 3, 2 * G
"""Mass and weight of the pendulum that a parallelogram of links of 1 m and 1 kg is."""
TOLERANCES = (1e-6, 1e-8, 1e-10)


def switching(angle: str) -> str:
    """A parallelogram with an event exactly in each dead center."""
    raised = "    new(k) = k + 1\n"
    lines = f"when cos({angle}) < 0 then\n{raised}  elsewhen cos({angle}) > 0 then\n{raised}  endwhen"
    text = parallelograms(1, stop=2.0).replace("  experiment", f"  {lines}\n  experiment")
    return text.replace("model Parallelograms\n", "model Parallelograms\n  discrete k (start=0)\n")


def check(r: Result) -> None:
    """Angles, velocities, accelerations, and the force in the pin: half of what moves the level link."""
    mass, weight = ONE
    q, w = r["r0.q"], r["r0.w"]
    acceleration = weight * np.sin(q) / mass
    for name, sign in (("r1", 1), ("c1", -1)):
        assert np.abs(r[f"{name}.q"] - sign * q).max() < 1e-9
        assert np.abs(r[f"{name}.w"] - sign * w).max() < 1e-9
        assert np.abs(r[f"{name}.wd"] - sign * acceleration).max() < 1e-7
    assert np.abs(r["r0.wd"] - acceleration).max() < 1e-7
    of_middle = (1j * acceleration - w**2) * 1j * np.exp(1j * q)
    force = np.abs(of_middle + 1j * G) / 2
    assert np.abs(np.hypot(r["e1.f[1]"], r["e1.f[2]"]) - force).max() < 1e-6


@pytest.mark.parametrize("solver", ["auto", "dop853"])
@pytest.mark.parametrize("angle", ["r0.q", "r1.q"])
def test_events_in_dead_centers(angle: str, solver: str, tmp_path: Path) -> None:
    """Events by the angle that is a state, and by one that the loop determines."""
    t = made(tmp_path, switching(angle))
    for tolerance in TOLERANCES:
        r = t.simulate(tolerance=tolerance, solver=solver)
        assert r["k"][-1] == 2
        assert np.sum(np.abs(np.cos(r["r0.q"])) < 1e-6) >= 4
        check(r)
    r = t.simulate(tolerance=1e-8)
    assert np.array_equal(simulate_in_python(t, tolerance=1e-8).stored, r.stored)


@pytest.mark.parametrize("solver", ["auto", "dop853"])
def test_rows_next_to_dead_centers(solver: str, tmp_path: Path) -> None:
    """Rows down to some 1e-7 beside a dead center, however many there are."""
    t = made(tmp_path, parallelograms(1, stop=2.0))
    for tolerance in TOLERANCES:
        r = t.simulate(tolerance=tolerance, solver=solver)
        center = np.interp(np.pi / 2, -r["r0.q"][:100], r.time[:100])
        check(r)
        check(t.simulate(tolerance=tolerance, solver=solver, interval=center / 40))
        check(t.simulate(tolerance=tolerance, solver=solver, interval=0.001))


def test_rows_of_a_sweep(tmp_path: Path) -> None:
    """Runs of a sweep end at, before, and behind a dead center, and give what single runs give."""
    t = made(tmp_path, switching("r0.q"))
    center = 0.70845000872
    for stop in (center - 1e-5, center - 1e-7, center, center + 1e-6):
        names = ["r1.q", "r1.w", "r1.wd", "c1.wd", "r0.q", "r0.w"]
        swept = t.sweep({"b0.m": [1.0, 1.0000001]}, final=names, stop=stop, tolerance=1e-8, jobs=1)
        r = t.simulate(stop=stop, tolerance=1e-8)
        check(r)
        for name in names:
            assert swept[f"final({name})"][0] == r[name][-1]
