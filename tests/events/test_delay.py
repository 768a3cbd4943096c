"""`delay(x, T)`: what x was the time T ago, and before the start what it is then."""

from math import factorial
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.pipeline import translate


def _translate(tmp_path: Path, body: str):
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n{body}\nend\n")
    return translate(file)


def _decay(t: float) -> float:
    """x' = -x(t - 1), x = 1 before 0, by the method of steps (Bellman, Cooke, 1963)."""
    return sum((-1) ** k * (t - k + 1) ** k / factorial(k) for k in range(int(t) + 2))


@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-5, 1e-5), (1e-9, 1e-9)])
def test_an_equation_with_its_own_past(tmp_path: Path, tolerance: float, allowed: float) -> None:
    t = _translate(tmp_path, "parameter T=1\nlocal x (start=1, fixed=true)\nder(x) = -delay(x, T)")
    r = t.simulate(stop=6, tolerance=tolerance)
    assert np.abs(r["x"] - [_decay(s) for s in r.time]).max() < allowed
    assert not any("$" in name for name in r.names)


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
    with pytest.raises(UsageError, match="R009"):
        t.simulate(stop=1, solver="cvode")


def test_a_matrix_is_delayed_element_by_element(tmp_path: Path) -> None:
    body = "local M[2,3], D[2,3]\nM = time*[1, 2, 3; 10, 20, 30]\nD = delay(M, 0.5)"
    r = _translate(tmp_path, body).simulate(stop=1, interval=0.25)
    factors = {"D[1,1]": 1, "D[1,2]": 2, "D[1,3]": 3, "D[2,1]": 10, "D[2,2]": 20, "D[2,3]": 30}
    assert {name: r[name][-1] for name in factors} == pytest.approx({n: 0.5 * f for n, f in factors.items()})
