"""`delay(x, T)`: what x was the time T ago, and before the start what it is then."""

from math import factorial
from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.simulate.cvode.machine_code import DirectIntegrator
from acausal.simulate.jacobian import sundials_library
from tests.python_loop import simulate_in_python


def _translate(tmp_path: Path, body: str):
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n{body}\nend\n")
    return translate(file)


def _decay(t: float) -> float:
    """x' = -x(t - 1), x = 1 before 0, by the method of steps (Bellman, Cooke, 1963)."""
    return sum((-1) ** k * (t - k + 1) ** k / factorial(k) for k in range(int(t) + 2))


@pytest.mark.parametrize("solver", ["cvode", "lsoda", "rk45"])
@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-5, 1e-5), (1e-9, 1e-9)])
def test_an_equation_with_its_own_past(tmp_path: Path, tolerance: float, allowed: float, solver: str) -> None:
    t = _translate(tmp_path, "parameter T=1\nlocal x (start=1, fixed=true)\nder(x) = -delay(x, T)")
    r = t.simulate(stop=6, tolerance=tolerance, solver=solver)
    assert np.abs(r["x"] - [_decay(s) for s in r.time]).max() < allowed
    assert not any("$" in name for name in r.names)


def test_the_adams_method(tmp_path: Path) -> None:
    """At ends of steps, as its interpolation within long ones is less exact."""
    t = _translate(tmp_path, "parameter T=1\nlocal x (start=1, fixed=true)\nder(x) = -delay(x, T)")
    r = t.simulate(stop=6, interval=1.0, tolerance=1e-9, solver="adams")
    assert r.stats.solver == "adams"
    assert np.abs(r["x"] - [_decay(s) for s in r.time]).max() < 1e-9


def test_the_time_is_a_parameter_and_changes_without_translation(tmp_path: Path) -> None:
    """x' = -x(t - T) scales with the time: x(T s) solves y' = -T y(s - 1); at T = pi/2 the oscillation is undamped."""
    t = _translate(tmp_path, "parameter T=2\nlocal x (start=1, fixed=true)\nder(x) = -delay(x, T)")
    r = t.simulate(stop=200, tolerance=1e-9, parameters={"T": np.pi / 2})
    late = r["x"][r.time > 100]
    half = len(late) // 2
    assert np.abs(late[half:]).max() == pytest.approx(np.abs(late[:half]).max(), rel=2e-3)


def test_a_jump_comes_through_the_delay_and_stays_sharp(tmp_path: Path) -> None:
    body = "local x (start=0, fixed=true), p, y\np = if time > 0.25 then 1 else 0\ny = delay(p, 0.5)\nder(x) = y - x"
    r = _translate(tmp_path, body).simulate(stop=2, tolerance=1e-9)
    exact = np.where(r.time > 0.75, 1 - np.exp(-(r.time - 0.75)), 0)
    assert np.abs(r["x"] - exact).max() < 1e-9
    assert list(r["y"][r.time == 0.75]) == [0, 1]


def test_delays_of_delays_of_arrays_without_states(tmp_path: Path) -> None:
    body = "local x[2], y[2], z\nx = [sin(3*time), time^2]\ny = delay(x, 0.3)\nz = delay(y[1] + y[2], 0.1)"
    r = _translate(tmp_path, body).simulate(stop=2, interval=0.05)
    t = r.time
    late = np.clip(t - 0.4, 0, None)
    assert np.abs(r["z"] - (np.sin(3 * late) + late**2)).max() < 1e-7
    assert np.abs(r["y[2]"] - np.clip(t - 0.3, 0, None) ** 2).max() < 1e-12


def test_an_event_of_what_is_delayed(tmp_path: Path) -> None:
    """A relay with dead time: x rises with slope 1 and falls with slope -1; the turns are T after x passes 0."""
    body = "local x (start=-1, fixed=true), up\nup = if delay(x, 0.5) < 0 then 1 else -1\nder(x) = up"
    r = _translate(tmp_path, body).simulate(stop=8, tolerance=1e-8)
    turns = [e.time for e in r.events if any("x" in c for c in e.changes)]
    assert turns == pytest.approx([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], abs=1e-9)
    assert r["x"].max() == pytest.approx(0.5, abs=1e-9)


def test_what_is_delayed_agrees_with_itself_at_the_start(tmp_path: Path) -> None:
    r = _translate(tmp_path, "local x\nx = 0.5*delay(x, 0.1) + 1").simulate(stop=1)
    assert np.abs(r["x"] - 2).max() < 1e-12
    with pytest.raises(SimulationError, match="R009"):
        _translate(tmp_path, "local x\nx = -2*delay(x, 0.1) + 1").simulate(stop=1)


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="E014"):
        _translate(tmp_path, "local x, y\nx = time\ny = delay(x, x)")
    with pytest.raises(ModelError, match="E014"):
        _translate(tmp_path, "local x, y\nx = time\ny = delay(x, -1)")
    t = _translate(tmp_path, "parameter T=2\nlocal x (start=1)\nder(x) = -delay(x, T)")
    with pytest.raises(SimulationError, match="R009"):
        t.simulate(stop=1, parameters={"T": -2})


def test_without_cvode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sundials_library, "sundials_library", lambda: None)
    t = _translate(tmp_path, "local x (start=1)\nder(x) = -delay(x, 1)")
    r = t.simulate(stop=2)
    assert r.stats.solver == "scipy:LSODA"
    assert [_decay(t) for t in r.time] == pytest.approx(r["x"], abs=1e-5)
    with pytest.raises(UsageError, match="F007"):
        t.simulate(stop=2, solver="cvode")


def test_a_matrix_is_delayed_element_by_element(tmp_path: Path) -> None:
    body = "local M[2,3], D[2,3]\nM = time*[1, 2, 3; 10, 20, 30]\nD = delay(M, 0.5)"
    r = _translate(tmp_path, body).simulate(stop=1, interval=0.25)
    factors = {"D[1,1]": 1, "D[1,2]": 2, "D[1,3]": 3, "D[2,1]": 10, "D[2,2]": 20, "D[2,3]": 30}
    assert {name: r[name][-1] for name in factors} == pytest.approx({n: 0.5 * f for n, f in factors.items()})


def _method_of_steps(terms: list[tuple[float, int]], parts: int, stop: int) -> list[Polynomial]:
    """x on each `1/parts` of time, where x' = sum of a x(t - n/parts) for (a, n), and x = 1 before 0.

    On each part x is a polynomial in the time since its begin: the integral of earlier ones (Bellman, Cooke, 1963).
    """
    found: list[Polynomial] = []
    for i in range(parts * stop):
        rate = sum([a * (found[i - n] if i >= n else Polynomial([1.0])) for a, n in terms], Polynomial([0.0]))
        begin = found[-1](1 / parts) if found else 1.0
        found.append(rate.integ() + begin)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_linear_equations_by_the_method_of_steps(tmp_path: Path, seed: int) -> None:
    """One to three delays, some far shorter than others, under several tolerances; every fourth row is at a break."""
    rng = np.random.default_rng(seed)
    terms = [(float(rng.uniform(-2, 1)), int(rng.integers(1, 13))) for _ in range(rng.integers(1, 4))]
    exact = _method_of_steps(terms, 8, 4)
    rate = " + ".join([f"({a!r})*delay(x, {n / 8!r})" for a, n in terms])
    t = _translate(tmp_path, f"local x (start=1, fixed=true)\nder(x) = {rate}")
    for tolerance in (1e-4, 1e-6, 1e-9):
        r = t.simulate(stop=4, interval=1 / 32, tolerance=tolerance)
        assert r.stats.solver == "cvode"
        parts = np.minimum((r.time * 8).astype(int), len(exact) - 1)
        expected = np.array([exact[i](s - i / 8) for i, s in zip(parts, r.time, strict=True)])
        assert np.abs(r["x"] - expected).max() < 10 * tolerance * np.abs(expected).max()


EVENTFUL = """parameter T=0.3
  discrete n
  local x (start=0, fixed=true), y, z (start=1, fixed=true), w
  y = delay(x, T)
  w^3 + w = delay(z, 2*T) - y
  der(x) = (if y > 0.2 then -1 else 1) - 0.3*w
  der(z) = -delay(z, T/2) + der(y)
  when x < z then
    new(n) = n + 1
    init(z) = z + 0.5
  endwhen
  when sample(0, 0.37) then
    init(x) = 0.9*x
  endwhen"""


def test_batches_and_single_steps_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crossings, samples, restarts, a nonlinear block and the derivative of a delay; another run has the same bits."""
    t = _translate(tmp_path, EVENTFUL)
    for interval in (0.01, 0.7):
        single = simulate_in_python(t, stop=5, interval=interval)
        assert len(single.events) > 10
        with monkeypatch.context() as patch:
            patch.setattr(DirectIntegrator, "advance", None)
            for _ in range(2):
                found = t.simulate(stop=5, interval=interval)
                assert np.array_equal(found.time, single.time)
                assert np.array_equal(found.stored, single.stored)
                assert found.events == single.events
                assert found.stats.steps == single.stats.steps


def test_events_and_delays_by_two_solvers(tmp_path: Path) -> None:
    """The same without the nonlinear block."""
    t = _translate(tmp_path, EVENTFUL.replace("w^3 + w", "2*w"))
    other = t.simulate(stop=5, interval=0.7, solver="lsoda", tolerance=1e-9)
    found = t.simulate(stop=5, interval=0.7, tolerance=1e-9)
    assert len(found.events) > 10
    assert [event.changes for event in found.events] == [event.changes for event in other.events]
    for name in ("x", "z", "w"):
        assert np.abs(found[name] - other[name]).max() < 1e-6


def test_output_times_have_no_part_in_the_history(tmp_path: Path) -> None:
    t = _translate(tmp_path, EVENTFUL)
    fine, coarse = (t.simulate(stop=5, interval=interval) for interval in (0.05, 0.5))
    assert fine.stats.steps == coarse.stats.steps
    assert fine.final["x"] == coarse.final["x"]


def test_a_history_grows_as_long_as_the_run(tmp_path: Path) -> None:
    """More than a thousand steps and events: x' = -x(t - pi/2) goes round for ever as cos(t), from that on."""
    body = "local x, y (start=0, fixed=true)\nx = cos(time)\nder(y) = delay(x, 0.1) - cos(time - 0.1)"
    r = _translate(tmp_path, body).simulate(stop=400, interval=1.0, tolerance=1e-9)
    before = r["y"][r.time >= 1.0]
    assert np.abs(before - before[0]).max() < 1e-6


def test_what_is_delayed_and_cannot_be_evaluated_ends_the_run(tmp_path: Path) -> None:
    """sqrt(1 - time) behind a delay of 0.5 is no number from 1.5 on."""
    t = _translate(tmp_path, "local x (start=0, fixed=true), y\ny = sqrt(1 - time)\nder(x) = delay(y, 0.5)")
    with pytest.raises(RunError) as caught:
        t.simulate(stop=3)
    assert 0.9 < caught.value.result.time[-1] < 1.6


LINE = """@electrical.lib
model Line
  submodel (trapezoidvoltage) V(height=5, t0=5, rise=1, fall=1, width=150, period=300)
  submodel (resistor) R(R=10), Open(R=1e6)
  submodel (transmissionline) T(Z=50, T=20)
  submodel (ground) g
  node a, b, c
  connect V from g to a, R from a to b, T at (b, g, c, g), Open from c to g
  experiment (stop=90, steady=true)
end
"""


def test_values_before_the_start_may_decay_to_zero(tmp_path: Path) -> None:
    """A line with an open end, as ngspice 39 has it to 4e-13: waves of 5/6*u return as -2/3 of what arrives.

    Nothing flows before the start; that value 0 is a limit, which no relative bound is ever met by.
    """
    file = tmp_path / "line.mdl"
    file.write_text(LINE)
    r = translate(file).simulate()
    reflected = (1e6 - 50) / (1e6 + 50)
    for t, echoes in ((15, 0), (40, 1), (80, 2)):
        arrived = sum((-2 / 3 * reflected) ** k for k in range(echoes))
        assert r.at(t)["Open.u"] == pytest.approx(5 * 5 / 6 * (1 + reflected) * arrived, rel=1e-9, abs=1e-12)
