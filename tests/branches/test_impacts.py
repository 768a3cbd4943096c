"""Impacts in and beside dead centers: the way is that of before, passed back or with another speed.

Nothing told the branch behind them: positions were off by 5e4 (without a message), velocities by 1e-4, or runs ended.
"""

from math import cos, pi
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from acausal.translation import Translation
from tests.branches.mechanisms import FOLDING, IN_LINE, energy_folding, energy_in_line, parallelograms
from tests.branches.test_dead_centers import made
from tests.branches.test_events_near_centers import RATE

COUNT = "    new(k) = k + 1\n"


@pytest.fixture(scope="module")
def struck(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    """A parallelogram whose crank is struck at a distance before its center."""
    lines = f"  when r0.q < distance - pi/2 then\n{COUNT}    init(r0.w) = factor*r0.w\n  endwhen\n  experiment"
    text = parallelograms(1, stop=1.2).replace("  experiment", lines)
    declared = "  parameter distance=0.3, factor=-0.8\n  discrete k (start=0)\n"
    text = text.replace("model Parallelograms\n", f"model Parallelograms\n{declared}")
    return made(tmp_path_factory.mktemp("struck"), text)


@pytest.mark.parametrize("factor", [-0.8, 0.3])
@pytest.mark.parametrize("distance", [0.0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3])
def test_a_crank_that_is_struck(distance: float, factor: float, struck: Translation) -> None:
    """It is a pendulum whose energy is known before and behind; the rocker turns with it."""
    before, place = 0.5 + RATE, RATE * cos(pi / 2 - distance)
    for solver, tolerance in (("cvode", 1e-4), ("cvode", 1e-8), ("adams", 1e-6), ("dop853", 1e-6), ("lsoda", 1e-6)):
        given = {"distance": distance, "factor": factor}
        r = struck.simulate(tolerance=tolerance, solver=solver, interval=0.05, parameters=given)
        q, w, k = r["r0.q"], r["r0.w"], r["k"]
        assert k[-1] == 1
        for name, sign in (("r1", 1), ("c1", -1)):
            assert np.abs(r[f"{name}.q"] - sign * q).max() < 1e-9
            assert np.abs(r[f"{name}.w"] - sign * w).max() < 1e-7
        energy = np.where(k == 0, before, factor**2 * (before - place) + place)
        assert np.abs(w**2 / 2 + RATE * np.cos(q) - energy).max() < 1000 * tolerance


def test_a_crank_that_is_struck_to_and_fro(tmp_path: Path) -> None:
    """Between two stops, one in the center itself; velocities keep their size, there and at the top."""
    lines = f"  when r0.q < -pi/2 or r0.q > -0.3 then\n{COUNT}    init(r0.w) = -r0.w\n  endwhen\n  experiment"
    text = parallelograms(1, stop=5).replace("  experiment", lines).replace("ic q=0, w=-1", "ic q=-0.5, w=-2")
    t = made(tmp_path, text.replace("model Parallelograms\n", "model Parallelograms\n  discrete k (start=0)\n"))
    for solver in ("cvode", "dop853", "bdf"):
        r = t.simulate(tolerance=1e-8, solver=solver)
        assert r["k"][-1] > 8
        assert np.abs(r["r1.q"] - r["r0.q"]).max() < 1e-9
        assert np.ptp(r["r0.w"] ** 2 / 2 + RATE * np.cos(r["r0.q"])) < 1e-5


def test_a_folded_five_bar_that_is_struck_ends(tmp_path: Path) -> None:
    """Next to the fold no derivatives were found behind an impact, and DOP853 shortened steps that were NaN forever."""
    lines = "  when c1.q < 1e-6 then\n    init(c1.w) = 0.5*c1.w\n    init(c2.w) = 0.5*c2.w\n  endwhen\n  experiment"
    t = made(tmp_path, FOLDING.format(library="mbsdir").replace("  experiment", lines))
    for solver in ("cvode", "dop853"):
        code, energy = "", np.zeros(1)
        try:
            energy = energy_folding(t.simulate(tolerance=1e-6, solver=solver, interval=0.01))
        except SimulationError as error:
            code = error.report.diagnostics[0].code
        assert code in ("", "R015", "R016")
        assert code or np.ptp(energy[30:]) < 1e-3


@pytest.mark.parametrize("distance", [0.0, 1e-15, -1e-12, 1e-9, -1e-6, 1e-3])
def test_a_crank_that_is_stopped_in_its_center(distance: float, struck: Translation) -> None:
    """From rest the motion is not unique there: it went on along another branch, angles off by 1e6, in 20 of 140 runs.

    What `init` tried on the way to the speeds counted as impacts, and states were exchanged behind Newton's jump.
    """
    for solver, tolerance in (("cvode", 1e-4), ("cvode", 1e-8), ("adams", 1e-3), ("radau", 1e-4), ("bdf", 1e-3)):
        given = {"distance": distance, "factor": 0}
        with pytest.raises(SimulationError) as caught:
            struck.simulate(tolerance=tolerance, solver=solver, interval=0.05, parameters=given)
        found = caught.value.report.diagnostics[0]
        assert found.code == "R016"
        assert "an event that stops the motion" in found.notes[0]
        assert found.primary is not None
        assert found.primary.span.text.startswith("e1")


@pytest.fixture(scope="module")
def in_line(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    """An in-line slider-crank that hangs; its crank is struck at a distance before its center."""
    lines = f"  when crank.q < distance - pi/2 then\n{COUNT}    init(crank.w) = factor*crank.w\n  endwhen\n"
    text = IN_LINE.format(library="mbsdir").replace("  experiment (stop=10", f"{lines}  experiment (stop=1.5")
    declared = "  parameter distance=0.3, factor=1, a=0.3, v=-4\n  discrete k (start=0)\n"
    text = text.replace("model InLine\n", f"model InLine\n{declared}").replace("ic q=0.3, w=-4", "ic q=a, w=v")
    text = text.replace("knee(n3=1, r1=0.5)", "knee(n3=1, r1=0.5, near=-2*a)")
    return made(tmp_path_factory.mktemp("in_line"), text)


@pytest.mark.parametrize(("distance", "factor"), [(0.0, 0.11), (1e-12, 0.11), (-1e-12, -0.15), (1e-4, 0.3)])
def test_a_slider_crank_that_is_struck(distance: float, factor: float, in_line: Translation) -> None:
    """The rod mirrors the crank and energy is kept, or the run ends: velocities were off by 2, or the rod folded."""
    for solver, tolerance in (("cvode", 1e-4), ("cvode", 1e-6), ("adams", 1e-4), ("dop853", 1e-6)):
        given = {"distance": distance, "factor": factor}
        try:
            r = in_line.simulate(tolerance=tolerance, solver=solver, interval=0.05, parameters=given)
        except SimulationError as error:
            if error.report.diagnostics[0].code != "R016":
                raise
            continue
        assert np.abs(np.exp(1j * (2 * r["crank.q"] + r["knee.q"])) - 1).max() < 1e-8
        energy = energy_in_line(r)
        assert all(np.ptp(energy[r["k"] == k]) < 1000 * tolerance for k in set(r["k"]))


def test_a_slow_swing_about_a_center(in_line: Translation) -> None:
    """The rod folded in the center with DOP853 at 1e-4: the sign of the determinant tells the branch."""
    for solver, tolerance in (("dop853", 1e-4), ("cvode", 1e-6)):
        given = {"a": 0.02 - pi / 2, "v": 0, "distance": -1}
        r = in_line.simulate(tolerance=tolerance, solver=solver, interval=0.05, stop=6, parameters=given)
        assert np.abs(np.exp(1j * (2 * r["crank.q"] + r["knee.q"])) - 1).max() < 1e-9
        assert np.ptp(energy_in_line(r)) < tolerance
