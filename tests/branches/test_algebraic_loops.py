"""Algebraic loops with several solutions: a run follows the one it begins with, and ends where that ends."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.translation import Translation

SOLVERS = ("cvode", "adams", "lsoda", "radau", "bdf", "rk45", "dop853")
PUMP = """model class Pump
  parameter patm=101325, Kv=1e-2, dp_small=1, dp0=3e5, a1=1e6, a2=3e2, a3=3e2, T0=293.15, rho=995, A=0.01, w_extra=0
  parameter g=9.80665, Tref=273.16, cp=4186, tau=1
  terminal w_pump, p1{guess}, p2, dp_pump, dp_valve, sqrt_dp, h0, h1, W, y (start=20, fixed=true), eta, T1
  dp_pump = p1 - patm
  dp_valve = p1 - p2
  dp_pump = dp0 - a1*w_pump^2
  w_pump = Kv*sqrt_dp
  sqrt_dp = dp_valve/(dp_valve^2 + dp_small^2)^0.25
  W = a2 + a3*w_pump
  w_pump*(h1 - h0) = W
  rho*A*der(y) = w_pump + w_extra
  p2 = rho*g*y + patm
  h0 = cp*(T0 - Tref)
  h1 = cp*(T1 - Tref)
  eta = (p1 - patm)*w_pump/rho/W
end
model FiniteEscapeTime
  submodel (Pump) pump
  local Ts (start=293.15)
  pump.tau*der(Ts) = pump.T1 - Ts
  initial der(Ts) = 0
  experiment (stop=1000)
end
"""
FOLD = """model Fold
  local s (start=-3, fixed=true), x (start=-2.1){more}
  der(s) = 1
  x^3 - 3*x = s
  experiment (stop=8, interval=0.1)
end
"""


def made(folder: Path, text: str) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def _flow(y: float, direction: float) -> float:
    """The flow through valve and pump by bisection, in one direction."""
    low, high = 0.0, 10.0

    def excess(w: float) -> float:
        """Pressure of pump and valve too much: at the flow w the valve has a difference of about (w/Kv)^2."""
        square = (w / 1e-2) ** 2
        difference = direction * np.sqrt((square**2 + np.sqrt(square**4 + 4 * square**2)) / 2)
        return float(direction * (3e5 - 1e6 * w**2 - 995 * 9.80665 * y - difference))

    while high - low > 1e-15 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if (excess(middle) > 0) == (excess(0.0) > 0) else (low, middle)
    return direction * low


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize(("guess", "direction", "stop"), [("", -1.0, 1000), (" (start=4e5)", 1.0, 660)])
def test_a_pump_keeps_the_direction_of_its_flow(
    guess: str, direction: float, stop: float, tolerance: float, tmp_path: Path
) -> None:
    """Both directions solve the equations; from the default guesses the run begins with the negative one.

    With the positive one the tank is full at about t = 666 s, and the temperature infinite.
    (D. Winkler and M. Gudem, FailureModes, a Modelica library of models that fail; the flow by bisection.)
    """
    r = made(tmp_path, PUMP.format(guess=guess)).simulate(tolerance=tolerance, stop=stop)
    flow, level = r["pump.w_pump"], r["pump.y"]
    assert r.time[-1] == stop
    assert (flow * direction > 0).all()
    for k in range(0, len(flow), 50):
        assert flow[k] == pytest.approx(_flow(level[k], direction), rel=1e-6)
    if direction < 0:
        assert r.at(398)["pump.w_pump"] == pytest.approx(-0.52256, abs=2e-5)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6, 1e-8, 1e-10])
def test_a_tank_that_is_full_ends_the_run(tolerance: float, tmp_path: Path) -> None:
    """The flow falls as exp(-9.8 t); from t = 665 s on the last digit of the level determines the temperature."""
    with pytest.raises(RunError) as caught:
        made(tmp_path, PUMP.format(guess=" (start=4e5)")).simulate(tolerance=tolerance, stop=1000)
    assert caught.value.report.diagnostics[0].code == "R015"
    r = caught.value.result
    assert r.stats.steps < 500_000
    flow, level = r["pump.w_pump"], r["pump.y"]
    assert (flow > 0).all()
    for k in np.flatnonzero(r.time < 660)[::50]:
        assert flow[k] == pytest.approx(_flow(level[k], 1.0), rel=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_fold_ends_the_run(solver: str, tmp_path: Path) -> None:
    """x^3 - 3x = s has three solutions for -2 < s < 2; the lower one ends at s = 2, x = -1, where t = 5."""
    t = made(tmp_path, FOLD.format(more=", y (start=0)\n  der(y) = x"))
    for tolerance in (1e-4, 1e-8):
        with pytest.raises(RunError) as caught:
            t.simulate(solver=solver, tolerance=tolerance)
        diagnostic = caught.value.report.diagnostics[0]
        assert diagnostic.code in (("R014",) if solver not in ("lsoda", "bdf") else ("R014", "R003"))
        r = caught.value.result
        assert 4.8 < r.time[-1] < 5.001
        assert (r["x"] <= -0.99).all()


@pytest.mark.parametrize("more", ["", ", y (start=0)\n  der(y) = s"])
def test_a_loop_that_only_results_read_keeps_its_branch_too(more: str, tmp_path: Path) -> None:
    """No step of the solver looks at it: it is followed from row to row, however far these are apart."""
    t = made(tmp_path, FOLD.format(more=more))
    for interval in (0.01, 0.1, 0.7):
        with pytest.raises(RunError) as caught:
            t.simulate(interval=interval)
        assert caught.value.report.diagnostics[0].code == "R014"
        r = caught.value.result
        assert 5 - interval - 1e-6 < r.time[-1] < 5 + 1e-6
        assert (r["x"] <= -1.0 + 1e-6).all()


def test_a_loop_of_time_alone_keeps_its_branch(tmp_path: Path) -> None:
    t = made(tmp_path, "model M\n  local x (start=-2.1)\n  x^3 - 3*x = time - 3\nend\n")
    r = t.simulate(stop=4.9)
    assert (r["x"] < -1).all()
    with pytest.raises(RunError) as caught:
        t.simulate(stop=8)
    assert caught.value.report.diagnostics[0].code == "R014"


def test_two_branches_that_cross_are_passed_straight(tmp_path: Path) -> None:
    """(x - s)(x + s) + 0 = 0 crosses itself at s = 0: both branches are straight lines."""
    for start, sign in ((-1.0, 1.0), (1.0, -1.0)):
        text = f"model M\n  local s (start=-1, fixed=true), y, x (start={start})\n  der(s) = 1\n  der(y) = x\n"
        t = made(tmp_path, text + "  x^2 = s^2\nend\n")
        for tolerance in (1e-4, 1e-6, 1e-9):
            r = t.simulate(stop=2, tolerance=tolerance, interval=0.037)
            assert np.abs(r["x"] - sign * r["s"]).max() < 1e-9


def test_an_event_may_change_the_branch(tmp_path: Path) -> None:
    """At an event a discrete value changes, and with it the solution jumps: that is no error."""
    text = """model M
  local s (start=-3, fixed=true), x (start=-2.1), y
  discrete k (start=0)
  der(s) = 1
  der(y) = x
  (x - k)^3 - 3*(x - k) = s
  when time > 3 then
    new(k) = 5
  endwhen
end
"""
    r = made(tmp_path, text).simulate(stop=4.5, interval=0.1)
    assert r.time[-1] == 4.5
    assert r["x"][-1] == pytest.approx(5 + np.roots([1, 0, -3, -1.5]).real.min(), rel=1e-9)
    assert r["x"][r.time < 3].max() < -1


def test_an_equation_that_saturates_goes_on(tmp_path: Path) -> None:
    """x/(1 + x) = 1 - exp(-t) has x = exp(t) - 1: eps exp(t) of it is rounding, which no shorter step makes smooth."""
    text = "model M\n  local x, z (start=1, fixed=true)\n  x/(1 + x) = 1 - exp(-time)\n  der(z) = -z\nend\n"
    r = made(tmp_path, text).simulate(stop=18, interval=0.5)
    exact = np.expm1(r.time)
    assert np.all(np.abs(r["x"] - exact) <= 1e-12 * exact + 16 * np.finfo(float).eps * np.exp(r.time) * (1 + exact))
