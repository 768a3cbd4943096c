"""Parameters that minimize objectives of runs, against closed forms."""

import math

import pytest

import acausal
from acausal.analyses.optimize.parameter_optimum import ParameterOptimum
from acausal.base.diagnostics import SimulationError, UsageError
from acausal.translation import Translation

OSCILLATOR = """model Oscillator
  parameter d (unit="kg/s") = 1, k = 1
  local x (start=1, unit="m"), v (start=0)
  der(x) = v
  der(v) = -k*x - d*v
  experiment (stop=40)
end
"""
QUARTER_CAR = """model Quarter
  parameter ms = 250, mu = 35, ks = 16000, kt = 160000, c = 500
  local xs (start=0), vs (start=0.02), xu (start=0), vu (start=0.1), F, a
  F = -ks*(xs - xu) - c*(vs - vu)
  a = F/ms
  der(xs) = vs
  der(vs) = a
  der(xu) = vu
  mu*der(vu) = -F - kt*xu
  experiment (stop=20, interval=0.002)
end
"""


@pytest.fixture(scope="module")
def oscillator() -> Translation:
    return acausal.translate(OSCILLATOR, cache=False)


def best(model: Translation, *args: object, **options: object) -> ParameterOptimum:
    found = model.optimize(*args, **options)  # type: ignore[arg-type]  # as the tests give them
    assert isinstance(found, ParameterOptimum)
    return found


def test_integral(oscillator: Translation) -> None:
    """x'' + d x' + x = 0 from x = 1: the integral of x^2 is (1 + d^2)/(2 d), least for d = 1."""
    found = best(oscillator, "integral(x^2)", parameters={"d": (0.2, 5)}, values={"d": 3})
    assert found["d"] == pytest.approx(1.0, abs=1e-3)
    assert found.value == pytest.approx(1.0, rel=1e-6)
    assert found.units["d"] == "kg/s"
    assert "d = 1" in str(found)


def test_constraint_and_logarithmic_scale(oscillator: Translation) -> None:
    """The overshoot of x is exp(-pi*z/sqrt(1 - z^2)), z = d/2: the least damping with at most 10 %."""
    bounds: dict[str, object] = {"d": (0.2, 1.9, "log")}
    found = best(oscillator, maximize="integral(v^2)", parameters=bounds, subject_to=["min(x) >= -0.1"])
    part = math.log(10) / math.pi
    assert found["d"] == pytest.approx(2 * part / math.sqrt(1 + part**2), rel=2e-3)
    assert found.constraints["min(x) >= -0.1"] == pytest.approx(-0.1, rel=1e-4)


def test_suspension() -> None:
    """The damper that gives the smallest integral of the square of acceleration of a quarter of a car.

    For linear systems from x0 this is x0' P x0 with A'P + PA + c'c = 0; the least value of that over the damper.
    """
    import numpy as np
    from scipy.linalg import solve_continuous_lyapunov
    from scipy.optimize import minimize_scalar

    def cost(c: float) -> float:
        ms, mu, ks, kt = 250.0, 35.0, 16000.0, 160000.0
        row = np.array([-ks / ms, -c / ms, ks / ms, c / ms])
        a = np.array([[0, 1, 0, 0], row, [0, 0, 0, 1], [ks / mu, c / mu, -(ks + kt) / mu, -c / mu]])
        p = solve_continuous_lyapunov(a.T, -np.outer(row, row))
        start = np.array([0, 0.02, 0, 0.1])
        return float(start @ p @ start)

    exact = minimize_scalar(cost, bounds=(100, 5000), method="bounded", options={"xatol": 1e-6})
    found = best(acausal.translate(QUARTER_CAR, cache=False), "integral(a^2)", parameters={"c": (100, 5000)})
    assert found.value == pytest.approx(exact.fun, rel=1e-5)
    assert found["c"] == pytest.approx(exact.x, rel=1e-3)


def test_errors(oscillator: Translation) -> None:
    with pytest.raises(UsageError, match="F010"):
        best(oscillator, "integral(x^2)", parameters={"d": (0.2, 5)}, subject_to=["x > -0.1"])
    with pytest.raises(UsageError, match="F006"):
        best(oscillator, "integral(x^2)")
    with pytest.raises(SimulationError, match="A032"):
        best(oscillator, "integral(x^2)", parameters={"d": (0.2, 5)}, subject_to=["final(x) = 2"], iterations=3)
