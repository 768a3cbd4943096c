"""Parameters that minimize objectives of runs, against closed forms."""

import math

import pytest
from scipy.optimize import brentq

import acausal
from acausal.analyses.optimize.parameter_optimum import ParameterOptimum
from acausal.base.diagnostics import ModelError, SimulationError, UsageError
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


def test_a_maximum_is_no_minimum() -> None:
    """p^4 - 2*p^2 is stationary at 0, where the search begins; with a constraint, p*q on p = q at 0."""
    text = "model M\n parameter p = 0, q = 0\n local x (start=0), y (start=0)\n der(x) = p\n der(y) = q\nend\n"
    model = acausal.translate(text, cache=False)
    with pytest.raises(SimulationError, match="decreases with p on both sides"):
        best(model, "final(x)^4 - 2*final(x)^2", parameters={"p": (-2, 2)}, stop=1)
    found = best(model, "final(x)^4 - 2*final(x)^2", parameters={"p": (-2, 2)}, values={"p": 0.3}, stop=1)
    assert found["p"] == pytest.approx(1, abs=1e-4)
    both: dict[str, object] = {"p": (-2, 2), "q": (-2, 2)}
    with pytest.raises(SimulationError, match="on both sides"):
        best(model, "-final(x)*final(y)", parameters=both, subject_to=["final(x) - final(y) = 0"], stop=1)
    least = best(model, "final(x)*final(y)", parameters=both, subject_to=["final(x) - final(y) = 0"], stop=1)
    assert least["p"] == pytest.approx(0, abs=1e-6)


def test_a_parameter_without_influence(oscillator: Translation) -> None:
    with pytest.raises(ModelError, match="A041") as caught:
        oscillator.optimize("final(time)", parameters={"d": (0.2, 5), "k": (0.5, 2)})
    assert "d, k have no influence on the objective" in str(caught.value)


@pytest.mark.parametrize("name", ["guess", "intervals", "interpolation", "method"])
def test_arguments_for_controls_are_refused(oscillator: Translation, name: str) -> None:
    given: dict[str, object] = {"guess": {"x": 1}, "intervals": 10, "interpolation": "constant", "method": "ipopt"}
    with pytest.raises(UsageError, match=f"{name} applies to controls, not to parameters"):
        best(oscillator, "integral(x^2)", parameters={"d": (0.2, 5)}, **{name: given[name]})


THROW = """model Throw
  parameter a = 1.1
  local x (start=0), y (start=0), v
  discrete reached, height
  initial v = 5*sin(a)
  der(x) = 5*cos(a)
  der(y) = v
  der(v) = -9.81
  when x > 1 then
    new(reached) = time
    new(height) = y
  endwhen
  experiment (stop=2)
end
"""


def test_time_of_an_event() -> None:
    """A throw reaches a wall 1 m away at 1/(5 cos a), at the height tan a - 9.81/(50 cos^2 a).

    It is there first, at a height of at least 0.5 m, with the smallest angle for which that is the height.
    """
    angle = brentq(lambda a: math.tan(a) - 9.81 / (50 * math.cos(a) ** 2) - 0.5, 0.2, 1)
    found = best(
        acausal.translate(THROW, cache=False),
        "final(reached)",
        parameters={"a": (0.2, 1.3)},
        subject_to=["final(height) >= 0.5"],
    )
    assert found["a"] == pytest.approx(angle, rel=1e-6)
    assert found.value == pytest.approx(1 / (5 * math.cos(angle)), rel=1e-6)


SWITCHED = """model Switched
  parameter k = 3
  local x (start=1), f
  der(x) = -k*x
  f = if x > 0.5 then 4 + k^2 else 5*k
  experiment (stop=2, interval=0.01)
end
"""


def test_integrand_that_jumps_at_an_event() -> None:
    """f is 4 + k^2 until t = log(2)/k, then 5 k: that of f - 5 k is (4 + k^2 - 5 k)*log(2)/k, least for k = 2."""
    found = best(acausal.translate(SWITCHED, cache=False), "integral(f - 5*k)", parameters={"k": (0.6, 5)})
    assert found["k"] == pytest.approx(2.0, abs=2e-3)
    assert found.value == pytest.approx(-math.log(2), rel=1e-5)


def test_extreme_value_at_an_event_that_moves() -> None:
    """A ramp that ends at the event."""
    model = acausal.translate(SWITCHED.replace("4 + k^2", "time"), cache=False)
    with pytest.raises(SimulationError, match="A023"):
        best(model, "max(f - 5*k)", parameters={"k": (0.1, 0.2)}, values={"k": 0.15}, stop=8)
