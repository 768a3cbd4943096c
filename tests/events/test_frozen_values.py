"""Frozen values agree with their relations in every row: crossings together, at zero at the start, by all solvers."""

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.simulate.solver.scipy_solvers import scipy_solver as scipy_method
from acausal.simulate.solver.scipy_solvers.bisect import locate
from tests.collection import ROOT
from tests.events.models import event_times, model
from tests.events.test_samples import SOLVERS, translated
from tests.python_loop import python_loop

ENGINE = """@mbsdir.lib
@translational.lib
model class Cyl
  parameter offset, tilt
  submodel (Fixed) turn(n3=1, angle=offset), lean(n3=1, angle=tilt)
  submodel (Bar) pinr(r1=0.05), rod(r1=-0.175), top(r1=0.42), pinp(r1=-0.1)
  submodel (Prismatic) piston(n1=-1, near=0.1)
  submodel (Revolute) knee(n3=1)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b(m=1, r1=-0.0875, I33=0.006), p(m=6, r1=-0.05)
  submodel (signalforce) gas
  cut A = turn:A, base = lean:A
  connect turn - pinr, lean - top - piston - pinp - knee - rod
  connect gas at piston:Axis, p at piston, b at knee, pin at (pinr:B, rod:B)
  gas.force = if piston.w < 0 then 2400 else 6000
end
model Engine
  submodel (Inertial) i
  submodel (Revolute) crank(n3=1) (ic q=START, w=10)
  submodel (Body) wheel(m=1, I33=1.1)
  submodel (Cyl) c1(offset=-pi/6, tilt=-pi/6), c2(offset=pi/2, tilt=pi/6)
  submodel (Cyl) c3(offset=7*pi/6, tilt=-pi/6), c4(offset=7*pi/6, tilt=pi/6)
  connect i - crank, wheel at crank
  connect crank - branch (c1:A, c2:A, c3:A, c4:A), i - branch (c1:base, c2:base, c3:base, c4:base)
  experiment (stop=1, interval=0.001, tolerance=1e-8)
end
"""
"""Cylinders on one crank whose pistons come to their dead centres in pairs, at the same moment up to rounding."""
CYLINDERS = ("c1", "c2", "c3", "c4")
INTERVALS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


@pytest.mark.parametrize("start", ["0.1", "pi/6"])
def test_pistons_at_their_dead_centres_together(start: str, tmp_path: Path) -> None:
    """In every row the force of the gas is that of the piston's velocity; the end depends on the tolerance alone.

    From pi/6 on pistons are at dead centres at the start, but for rounding.
    """
    engine = translated(ENGINE.replace("START", start), tmp_path)
    for tolerance, intervals in ((1e-6, INTERVALS), (1e-8, INTERVALS[::3])):
        ends = []
        for interval in intervals:
            result = engine.simulate(interval=interval, tolerance=tolerance)
            ends.append(float(result["crank.w"][-1]))
            for name in CYLINDERS:
                w, force = result[f"{name}.piston.w"], result[f"{name}.gas.force"]
                moving = np.abs(w) > 1e-9
                assert np.array_equal(force[moving], np.where(w < 0, 2400.0, 6000.0)[moving]), (name, interval)
        assert np.ptp(ends) < 20 * tolerance * abs(ends[0])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("condition", "slope", "count"),
    [
        ("x > 0", 1, 1),
        ("x >= 0", 1, 0),
        ("x < 0", -1, 1),
        ("x <= 0", -1, 0),
        ("x >= 0", -1, 0),
        ("x > 0", -1, 0),
        ("time > 0", 1, 1),
        ("time >= 0", 1, 0),
        ("not (x <= 0)", 1, 1),
        ("x > 0 and time > 0", 1, 1),
        ("x > 1e-17", 1, 1),
        ("x > -1e-17", 1, 1),
        ("0.1 + 0.2 + x > 0.3", 1, 1),
        ("0.3 + x > 0.1 + 0.2", 1, 1),
        ("sin(3*pi) + x > sin(pi)", 1, 1),
    ],
)
def test_a_condition_that_is_at_zero_at_the_start(solver: str, condition: str, slope: int, count: int) -> None:
    """It becomes true right after the start where it is false at zero and true on the side to which x goes."""
    lines = f"""discrete integer n
  local x (start=0, fixed=true)
  der(x) = {slope}
  when {condition} then
    new(n) = n + 1
  endwhen"""
    for loop in (nullcontext, python_loop):
        with loop():
            result = model(lines, solver=solver)
        assert result["n"][-1] == count
        assert event_times(result, "n").size == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_switches_without_states(solver: str) -> None:
    """1 V behind an ideal switch of 1e-5 Ohm or 1e5 Ohm that follows a sine up to t = 1 and is closed then."""
    lines = """discrete integer n
  local on, g, i, u
  on = if time > 1 then 1 else sin(20*time)
  g = if on > 0.5 then 1e5 else 1e-5
  i = g*u
  i = 1 - u
  when i > 0.5 then
    new(n) = n + 1
  endwhen"""
    result = model(lines, stop=2, interval=0.01, solver=solver)
    on, i = result["on"], result["i"]
    away = np.abs(on - 0.5) > 1e-9
    assert np.array_equal((i > 0.5)[away], (on > 0.5)[away])
    rises = [(np.pi / 6 + 2 * np.pi * k) / 20 for k in range(4) if (np.pi / 6 + 2 * np.pi * k) / 20 < 1]
    np.testing.assert_allclose(event_times(result, "n"), rises, rtol=1e-14)


@pytest.mark.parametrize("solver", ["lsoda", "radau"])
def test_the_h_bridge(solver: str) -> None:
    """The carrier has a period of 0.1 ms: two switches a period and leg, 0.03 s long."""
    bridge = translate(ROOT / "examples" / "h_bridge.mdl")
    result, reference = bridge.simulate(solver=solver), bridge.simulate(tolerance=1e-9)
    assert len(result.events) == len(reference.events)
    times = [[event.time for event in run.events] for run in (result, reference)]
    np.testing.assert_allclose(times[0], times[1], rtol=0, atol=1e-8)


def test_locate_takes_the_first_of_several_crossings() -> None:
    """Functions of time with crossings at 0.3, 0.3 (1e-17 apart), 0.7 and none; then within one rounding error."""

    def watch(t: float, factor: float = 1.0) -> np.ndarray:
        return np.array([t - 0.7, t - 0.3, 0.1 + 0.2 - t, t + 1.0])

    at, crossed = locate(watch, 0.0, watch(0.0), 1.0) or (0.0, {})
    assert abs(at - 0.3) < 1e-15
    assert 1 in crossed or 2 in crossed
    assert crossed.get(1, 1) == 1
    assert crossed.get(2, -1) == -1
    assert locate(watch, 0.4, watch(0.4), 0.6) is None
    assert locate(lambda *_: np.zeros(0), 0.0, np.zeros(0), 1.0) is None
    steep = locate(lambda t, _: np.array([-1.0 if t < 0.123456789 else 1.0]), 0.0, np.array([-1.0]), 1.0)
    assert steep is not None
    assert abs(steep[0] - 0.123456789) < 1e-15


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_crossing_in_the_first_step(solver: str) -> None:
    """SciPy's first step is 1e-4 long here: x = t crosses within it."""
    lines = """discrete integer n
  local x (start=0, fixed=true)
  der(x) = 1
  when x > LEVEL then
    new(n) = n + 1
  endwhen"""
    for level in (1e-7, 1e-6, 5e-5, 9e-5):
        result = model(lines.replace("LEVEL", repr(level)), solver=solver, interval=0.5, stop=1)
        assert event_times(result, "n") == pytest.approx([level], abs=1e-12)


def test_a_crossing_that_the_solver_does_not_tell_is_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy's solvers with a location that finds nothing: frozen values follow at the next output time."""
    monkeypatch.setattr(scipy_method, "locate", lambda *_: None)
    lines = """discrete integer n
  local x (start=0.05, fixed=true), z (start=0, fixed=true)
  der(x) = 1
  der(z) = if x > 0.5 then 1 else 0
  when x > 0.5 then
    new(n) = n + 1
  endwhen"""
    result = model(lines, solver="rk45", interval=0.1)
    assert event_times(result, "n") == pytest.approx([0.5])
    assert result["z"][-1] == pytest.approx(0.5)
    assert [len(event.changes) for event in result.events] == [2]
