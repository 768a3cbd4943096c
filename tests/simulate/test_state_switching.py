"""Machine code judges choices of states as LAPACK does, and a run goes on with other states as if nothing was."""

from itertools import product
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import qr

from acausal.ir.program.slots import ChoiceSlot, ChoiceTable
from acausal.pipeline import translate
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.system.state_monitor import StateMonitor
from acausal.structure.orthogonal import LEAST_VOLUME
from tests.collection import ROOT
from tests.python_loop import simulate_in_python

NUMBERS = (0.0, -1e-3, 0.19, -0.21, 1.0, -7.0)


def slot(rows: int, columns: int, position: int = 0, weights: tuple[float, ...] | None = None) -> ChoiceSlot:
    """The first columns are the dummies'."""
    return ChoiceSlot(((("x",), 0),) * columns, tuple(range(rows)), weights or (1.0,) * columns, position)


def judged(results: np.ndarray, *slots: ChoiceSlot) -> tuple[bool, tuple[tuple[int, ...], ...]]:
    """The verdict and the best dummies."""
    monitor = StateMonitor(ChoiceTable(slots, (), len(results)), results)
    return monitor.ill_conditioned(), monitor.best()


@pytest.mark.parametrize("row", list(product(NUMBERS, repeat=3)))
def test_one_constraint(row: tuple[float, ...]) -> None:
    for dummy in range(3):
        choice = ChoiceSlot(((("x",), 0),) * 3, (dummy,), (1.0,) * 3, 1)
        poor, ((best,),) = judged(np.array([9.0, *row, 9.0]), choice)
        assert poor == (abs(row[dummy]) < LEAST_VOLUME * max(map(abs, row)))
        assert abs(row[best]) == max(map(abs, row))


@pytest.mark.parametrize("bad", [nan, inf, -inf])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_no_number_is_not_judged(bad: float, place: int) -> None:
    row = [0.0, 0.0]
    row[place] = bad
    assert judged(np.array(row), slot(1, 2)) == (False, ((0,),))
    assert judged(np.array([*row, 0.1, 1.0]), slot(1, 2), slot(1, 2, 2)) == (True, ((0,), (1,)))


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_against_lapack(rows: int) -> None:
    """Pivots are found among the columns times their weights, judged is without these."""
    chance = np.random.default_rng(rows)
    verdicts = []
    for _ in range(200):
        columns = rows + 2
        matrix = chance.normal(size=(rows, columns)) * chance.choice([0.0, 0.1, 1.0, 10.0], size=columns)
        weights = chance.choice([1 / 3, 1.0, 3.0], size=columns)
        pivots = sorted(qr(matrix * weights, mode="r", pivoting=True)[1][:rows])
        best = abs(np.linalg.det(matrix[:, pivots]))
        mine = abs(np.linalg.det(matrix[:, :rows]))
        if best > 0.0 and abs(mine / best - LEAST_VOLUME) > 1e-9:
            found = judged(matrix.ravel(), slot(rows, columns, 0, tuple(weights.tolist())))
            verdicts.append(found[0])
            assert found == (mine < LEAST_VOLUME * best, (tuple(pivots),))
    assert {True, False} == set(verdicts)


def round_and_round(tmp_path: Path) -> Path:
    """The Cartesian pendulum thrown so fast that it goes over the top."""
    text = (ROOT / "examples" / "pendulum.mdl").read_text(encoding="utf-8")
    file = tmp_path / "round.mdl"
    file.write_text(text.replace("start=0,", "start=9,").replace("pi/3", "0"), encoding="utf-8")
    return file


def test_over_the_top_with_and_without_python_between(tmp_path: Path) -> None:
    """The rows are the same to the last bit, whoever looks at the progress."""
    model = translate(round_and_round(tmp_path))
    at_once, single = model.simulate(), simulate_in_python(model)
    for other in (single, model.simulate(), model.simulate(progress=lambda _: None)):
        assert np.array_equal(at_once.time, other.time)
        assert np.array_equal(at_once.stored, other.stored)
        assert at_once.stats.steps == other.stats.steps


EVENTS = """
  when x > 0.3 then
    new(n) = n + 1
  endwhen
  when sample(0.05, 0.13) then
    new(k) = k + 0.01*x
  endwhen
  when y > 0.9 then
    init(v) = 0.5*n - v
  endwhen
  der(v) = -v
"""


def test_machine_code_does_events_between_changes_of_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are those of Python to the last bit; counts of crossings are those of the angle."""
    file = round_and_round(tmp_path)
    text = file.read_text(encoding="utf-8").replace(
        "  local F", "  discrete n, k\n  local v (start=1, fixed=true)\n  local F"
    )
    file.write_text(text.replace("  experiment", f"{EVENTS}  experiment"), encoding="utf-8")
    model, by_python = translate(file), list[float]()
    instant = Instant.at

    def noted(self: Instant, t: float, *arguments: object) -> object:
        by_python.append(t)
        return instant(self, t, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Instant, "at", noted)
    at_once = model.simulate()
    assert not by_python
    single = simulate_in_python(model)
    assert by_python
    assert np.array_equal(at_once.time, single.time)
    assert np.array_equal(at_once.stored, single.stored)
    assert (at_once.stats.steps, at_once.stats.events) == (single.stats.steps, single.stats.events)
    alone = np.diff(at_once.time, append=np.inf) > 0.0  # of two rows at an event x may be on either side by rounding
    x = np.asarray(at_once["x"])[alone]
    assert at_once["n"][-1] == np.count_nonzero((x[:-1] <= 0.3) & (x[1:] > 0.3))
    y = np.asarray(at_once["y"])
    assert np.count_nonzero((y[:-1] <= 0.99) & (y[1:] > 0.99)) > 10


def test_output_times_far_apart_hide_no_choice_that_becomes_bad(tmp_path: Path) -> None:
    """A pendulum that goes over the top twice a second, looked at every five seconds; energy as below."""
    model = translate(round_and_round(tmp_path))
    for interval in (0.02, 1.0, 5.0):
        result = model.simulate(stop=10, interval=interval, tolerance=1e-6)
        energy = (result["vx"] ** 2 + result["vy"] ** 2) / 2 + 9.81 * result["y"]
        np.testing.assert_allclose(energy, 40.5 - 9.81, rtol=5e-4)


@pytest.mark.parametrize("solver", ["auto", "lsoda"])
def test_energy_over_the_top(tmp_path: Path, solver: str) -> None:
    """v^2/2 + g y = 9^2/2 - g on a circle of radius 1, with x and y as states by turns."""
    result = translate(round_and_round(tmp_path)).simulate(solver=solver)
    x, y, vx, vy = (np.asarray(result[name]) for name in ("x", "y", "vx", "vy"))
    assert np.asarray(y).max() > 0.999
    np.testing.assert_allclose(x**2 + y**2, 1.0, rtol=1e-9)
    np.testing.assert_allclose((vx**2 + vy**2) / 2 + 9.81 * y, 40.5 - 9.81, rtol=5e-6)


def test_the_first_run_is_like_the_next() -> None:
    """Only the first has the program with other states made: what it asks for that leaves no trace."""
    model = translate(ROOT / "examples" / "bricard.mdl")
    first, second = model.simulate(), model.simulate()
    assert np.array_equal(first.stored, second.stored)


def test_other_states_keep_units_and_texts(tmp_path: Path) -> None:
    """Released horizontally, the pendulum begins with other states than those of the first program."""
    text = (ROOT / "examples" / "pendulum.mdl").read_text(encoding="utf-8").replace("pi/3", "angle")
    part = 'model class Part\n  parameter string file="wheel.stl"\n  local x\n  x = 2*time\nend\n\nmodel Pendulum'
    file = tmp_path / "m.mdl"
    file.write_text(
        text.replace("model Pendulum", f"{part}\n  parameter angle=pi/3").replace(
            "  experiment", "  submodel (Part) part\n  local speed\n  speed = der(x)\n  experiment"
        ),
        encoding="utf-8",
    )
    model = translate(file)
    result = model.simulate(stop=0.1, parameters={"angle": np.pi / 2})
    names = {slot.symbol[0][0] for slot in model.program.state_slots}
    assert names == {"x", "vx"}
    assert np.abs(result["speed"]).max() < 0.5, "x is at its extreme and is no state any more"
    assert result.column("speed").unit == "m/s"
    assert result.texts["part.file"].value == "wheel.stl"
