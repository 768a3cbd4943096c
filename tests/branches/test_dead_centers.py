"""Dead centers, where two branches of a closed loop cross: passed on the smooth one, with the energy conserved.

Bounds are those of the solver: with the same tolerance a pendulum, which has no loop, drifts by a third of them.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.translation import Translation
from tests.branches.mechanisms import (
    FOLDING,
    IN_LINE,
    G,
    angles_of_parallelograms,
    energy_folding,
    energy_in_line,
    energy_of_parallelograms,
    parallelograms,
)
from tests.python_loop import simulate_in_python

LIBRARIES = ("mbsdir", "mbsinv")
TOLERANCES = (1e-5, 1e-6, 1e-8, 1e-9)


def made(folder: Path, text: str) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


@pytest.mark.parametrize(("count", "library"), [(1, "mbsdir"), (1, "mbsinv"), (4, "mbsdir"), (40, "mbsdir")])
def test_parallelograms_stay_parallelograms(count: int, library: str, tmp_path: Path) -> None:
    """All upright links turn alike, as one pendulum of mass (count + 1)/3 + count; the level ones stay level.

    They are level with the others ten times in ten seconds, as the benchmark says.
    """
    t = made(tmp_path, parallelograms(count, library))
    mass, weight = (count + 1) / 3 + count, G * ((count + 1) / 2 + count)
    reference = solve_ivp(
        lambda _, y: (y[1], weight * np.sin(y[0]) / mass), (0, 10), (0.0, -1.0), method="DOP853", rtol=1e-12, atol=1e-12
    )
    for tolerance in TOLERANCES:
        r = t.simulate(tolerance=tolerance)
        upright, level = angles_of_parallelograms(r, count)
        assert np.abs(upright - upright[0]).max() < 1e-9
        assert np.abs(np.exp(1j * level) - 1).max() < 1e-9
        assert np.abs(upright[0][-1] - reference.y[0][-1]) < 2000 * tolerance
        assert np.sum(np.diff(np.sign(np.cos(upright[0]))) != 0) == 10
        energy = energy_of_parallelograms(r, count)
        assert np.abs(energy - energy[0]).max() < 40 * tolerance * energy[0]


@pytest.mark.parametrize(("count", "library"), [(1, "mbsdir"), (1, "mbsinv"), (4, "mbsdir"), (40, "mbsdir")])
def test_the_energy_of_parallelograms_is_that_of_a_pendulum(count: int, library: str, tmp_path: Path) -> None:
    """With the smallest tolerance the error is at most twice that of a pendulum, which has no loop.

    Rows next to a dead center, at a distance d, have rounding errors of 1e-16/d^2 in velocities: they do not count.
    """
    mass, weight = (count + 1) / 3 + count, G * ((count + 1) / 2 + count)
    text = f"""model Pendulum
  local q (start=0, fixed=true), w (start=-1, fixed=true)
  der(q) = w
  der(w) = {weight / mass!r}*sin(q)
  experiment (stop=10, interval=0.01)
end
"""
    free = made(tmp_path, text).simulate(tolerance=1e-10)
    expected = mass * free["w"] ** 2 / 2 + weight * np.cos(free["q"])
    r = made(tmp_path, parallelograms(count, library)).simulate(tolerance=1e-10)
    assert r.time[-1] == 10.0
    counted = np.abs(np.cos(r["r0.q"])) > 1e-3
    energy = energy_of_parallelograms(r, count)
    assert np.abs(energy - energy[0])[counted].max() < 2 * np.abs(expected - expected[0]).max()


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_energy_of_a_slider_crank_at_the_smallest_tolerance(library: str, tmp_path: Path) -> None:
    r = made(tmp_path, IN_LINE.format(library=library)).simulate(tolerance=1e-10)
    assert np.sum(np.diff(np.sign(np.cos(r["crank.q"]))) != 0) >= 6
    counted = np.abs(np.cos(r["crank.q"])) > 1e-3
    assert np.ptp(energy_in_line(r)[counted]) < 40 * 1e-10 * 3 * G


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_slider_crank_whose_rod_is_as_long_as_its_crank(library: str, tmp_path: Path) -> None:
    """The rod stays the mirror image of the crank, and does not turn with it around the crank's center."""
    t = made(tmp_path, IN_LINE.format(library=library))
    for tolerance in TOLERANCES:
        r = t.simulate(tolerance=tolerance)
        assert np.sum(np.diff(np.sign(np.cos(r["crank.q"]))) != 0) >= 6
        assert np.abs(np.exp(1j * (2 * r["crank.q"] + r["knee.q"])) - 1).max() < 1e-9
        assert np.abs(r["piston.q"] + 1 - np.cos(r["crank.q"])).max() < 1e-9
        energy = energy_in_line(r)
        assert np.ptp(energy) < 40 * tolerance * 3 * G


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_five_bar_that_folds(library: str, tmp_path: Path) -> None:
    """The motion is symmetric: it goes straight through the point where all links lie on one line."""
    t = made(tmp_path, FOLDING.format(library=library))
    for tolerance in TOLERANCES:
        r = t.simulate(tolerance=tolerance)
        assert r["c1.q"][0] == 1.0
        assert r["c1.q"][-1] < -1.0
        assert np.abs(r["c1.q"] + r["c2.q"] - np.pi).max() < 300 * tolerance
        assert (np.diff(r["k1.q"]) > 0).all()
        energy = energy_folding(r)
        assert np.ptp(energy) < 40 * tolerance * energy[0]


@pytest.mark.parametrize("beside", [0.0, 1e-9, -1e-9, 1e-6])
def test_a_run_does_not_begin_in_a_dead_center(beside: float, tmp_path: Path) -> None:
    """Positions do not tell there on which branch the mechanism is: its velocities were taken at random."""
    texts = (
        parallelograms(1).replace("(ic q=0, w=-1)", f"(ic q=pi/2+{beside}, w=-3)"),
        IN_LINE.format(library="mbsdir").replace("q=0.3, w=-4", f"q=pi/2+{beside}, w=-4"),
    )
    for text in texts:
        with pytest.raises(RunError) as caught:
            made(tmp_path, text).simulate(stop=1)
        assert caught.value.report.diagnostics[0].code == "R016"


def test_a_run_may_begin_near_a_dead_center(tmp_path: Path) -> None:
    """The rod of the slider-crank lies on the crank all the time, or is its mirror image, as the guesses say."""
    for beside in (1e-3, 1e-2):
        t = made(tmp_path, IN_LINE.format(library="mbsdir").replace("q=0.3, w=-4", f"q=pi/2-{beside}, w=-4"))
        r = t.simulate(tolerance=1e-8, stop=2)
        rod = r["crank.q"] + r["knee.q"]
        mirrored, folded = np.cos(rod) - np.cos(r["crank.q"]), np.cos(rod) + np.cos(r["crank.q"])
        assert min(np.abs(mirrored).max(), np.abs(folded).max()) < 1e-8
        energy = energy_in_line(r)
        assert np.ptp(energy) < 40 * 1e-8 * 3 * G


def test_a_five_bar_that_misses_its_dead_center_by_a_millionth(tmp_path: Path) -> None:
    """Folding is unstable: when the five-bar folds for the second time, at t = 0.758 s, asymmetry has grown to 1e-7.

    There the direction of motion turns within a microsecond, and accelerations are known to four digits only: rounding
    decides whether a run comes through. What there is of it is right.
    """
    t = made(tmp_path, FOLDING.format(library="mbsdir"))
    try:
        r, end = t.simulate(tolerance=1e-10, stop=1), ("", 1.0)
    except RunError as error:
        r, end = error.result, (error.report.diagnostics[0].code, 0.75)
    assert end in (("", r.time[-1]), ("R015", pytest.approx(r.time[-1])))
    assert r.stats.steps < 200_000
    assert np.abs(r["c1.q"] + r["c2.q"] - np.pi).max() < 1e-5
    energy = energy_folding(r)
    assert np.abs(energy - energy[0]).max() < 40 * 1e-10 * energy[0]


@pytest.mark.parametrize("solver", ["adams", "lsoda", "radau", "dop853", "rk45"])
def test_every_solver_passes(solver: str, tmp_path: Path) -> None:
    t = made(tmp_path, parallelograms(1, stop=3))
    for tolerance in (1e-6, 1e-9):
        r = t.simulate(tolerance=tolerance, solver=solver)
        upright, _ = angles_of_parallelograms(r, 1)
        assert np.abs(upright - upright[0]).max() < 1e-9
        energy = energy_of_parallelograms(r, 1)
        assert np.abs(energy - energy[0]).max() < 100 * tolerance * energy[0]


def test_output_times_do_not_matter(tmp_path: Path) -> None:
    """Rows between steps are evaluated on the branch of the steps; one by one they are the same."""
    t = made(tmp_path, parallelograms(1, stop=3))
    for interval in (1.0, 0.1, 0.001):
        r = t.simulate(tolerance=1e-6, interval=interval)
        assert np.abs(r["r1.q"] - r["r0.q"]).max() < 1e-9
        assert np.array_equal(simulate_in_python(t, tolerance=1e-6, interval=interval).stored, r.stored)
