"""Branches without a value beyond their condition (roots, logarithms, quotients): taken only while it holds."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.results.result import Result
from tests.events.models import model

Array = np.ndarray
FALLING = "  local x (start=1, fixed=true), y (start=0, fixed=true)\n  der(x) = -1\n"
RISING = "  local x (start=0, fixed=true), y (start=0, fixed=true)\n  der(x) = 1\n"


def _left(t: Array) -> Array:
    """x as long as it is positive."""
    return np.maximum(1 - t, 0)


def _behind_one(t: Array) -> Array:
    return np.maximum(t - 1, 0)


CASES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "continuous root": (
        FALLING + "  der(y) = if x > 0 then sqrt(x) else 0",
        lambda t: 2 / 3 * (1 - _left(t) ** 1.5),
    ),
    "root with a jump": (
        FALLING + "  der(y) = if x > 0 then sqrt(x) + 1 else 0",
        lambda t: 2 / 3 * (1 - _left(t) ** 1.5) + np.minimum(t, 1),
    ),
    "power": (FALLING + "  der(y) = if x > 0 then x^1.5 else 0", lambda t: 0.4 * (1 - _left(t) ** 2.5)),
    "negative power": (FALLING + "  der(y) = if x > 0.01 then x^(-0.5) else 0", lambda t: 2 - 2 * np.sqrt(
        np.maximum(1 - t, 0.01))),
    "logarithm": (
        FALLING + "  der(y) = if x > 0.25 then log(x - 0.25) + 3 else 3",
        lambda t: 3 * t + _integral_of_log(0.75) - _integral_of_log(np.maximum(0.75 - t, 0)),
    ),
    "arc sine": (
        RISING + "  der(y) = if x < 1 then asin(x) else pi/2",
        lambda t: np.minimum(t, 1) * np.arcsin(np.minimum(t, 1)) + np.sqrt(np.maximum(1 - t**2, 0)) - 1
        + np.pi / 2 * _behind_one(t),
    ),
    "two sides": (
        FALLING + "  der(y) = if x > 0 then sqrt(x) else 3 + sqrt(-x)",
        lambda t: 2 / 3 * (1 - _left(t) ** 1.5) + 3 * _behind_one(t) + 2 / 3 * _behind_one(t) ** 1.5,
    ),
    "nested": (
        FALLING + "  der(y) = if x > 0.5 then 2 elseif x > 0 then x^0.5 else -(-x)^0.5",
        lambda t: 2 * np.minimum(t, 0.5) + 2 / 3 * (0.5**1.5 - np.minimum(_left(t), 0.5) ** 1.5)
        - 2 / 3 * _behind_one(t) ** 1.5,
    ),
    "both conditions": (
        FALLING + "  der(y) = if x > 0 and 2*x - 1 > 0 then sqrt(x*(2*x - 1)) - sqrt(x*(2*x - 1)) + 1 else 0",
        lambda t: np.minimum(t, 0.5),
    ),
    "argument of a power": (
        FALLING + "  der(y) = min(max(x, 0), 0.5)^1.5",
        lambda t: 0.5**1.5 * np.minimum(t, 0.5) + 0.4 * (0.5**2.5 - np.minimum(_left(t), 0.5) ** 2.5),
    ),
    "root of a magnitude": (
        FALLING + "  der(y) = sqrt(abs(x))",
        lambda t: 2 / 3 * (1 - _left(t) ** 1.5) + 2 / 3 * _behind_one(t) ** 1.5,
    ),
    "unused quotient of a parameter": (
        "  parameter L=0\n" + FALLING + "  der(y) = if L > 0 then 1/L else sqrt(1 - L)",
        lambda t: t,
    ),
    "equations": (
        "  local x (start=1, fixed=true), y (start=0, fixed=true), z\n  der(x) = -1\n  der(y) = z\n"
        "  if x > 0 then\n    z = sqrt(x)\n  else\n    z = 0\n  endif",
        lambda t: 2 / 3 * (1 - _left(t) ** 1.5),
    ),
}  # fmt: skip


def _integral_of_log(a: Array | float) -> Array:
    a = np.asarray(a)
    return np.where(a > 0, a * np.log(np.maximum(a, 1e-300)) - a, 0.0)


@pytest.mark.parametrize("name", CASES)
def test_closed_forms(name: str) -> None:
    body, exact = CASES[name]
    for tolerance in (1e-4, 1e-6, 1e-9):
        result = model(body, stop=1.75, tolerance=tolerance)
        assert np.abs(result["y"] - exact(result.time)).max() < 100 * tolerance


def test_hertz_contact_opens_and_closes() -> None:
    """A ball between two Hertz contacts with damping, against SciPy with the same law written without events."""
    body = """
  local x (start=0), v (start=0.5), push
  der(x) = v
  6*der(v) = push
  push = (if x > 0 then -685.7*x^1.5 - 942.86*x^1.5*v else 0) + (if x < -0.1 then 685.7*(-0.1 - x)^1.5 else 0)"""

    def slope(_t: float, y: Array) -> list[float]:
        x, v = y
        push = -685.7 * max(x, 0) ** 1.5 * (1 + 942.86 / 685.7 * v) + 685.7 * max(-0.1 - x, 0) ** 1.5
        return [v, push / 6]

    result = model(body, stop=5, tolerance=1e-8)
    t, once = np.unique(result.time, return_index=True)
    exact = solve_ivp(slope, (0, 5), [0, 0.5], "DOP853", t, rtol=1e-12, atol=1e-13, max_step=1e-3).y
    assert np.abs(result["x"][once] - exact[0]).max() < 1e-6
    assert _turns(result["v"]) >= 5


def _turns(v: Array) -> int:
    return int((np.diff(np.sign(v[np.abs(v) > 1e-3])) != 0).sum())


def test_a_tank_runs_empty() -> None:
    """Torricelli: h = (1 - 0.4 t)^2 until it is empty, and the level stays there."""
    result = model("  local h (start=1, fixed=true)\n  der(h) = -(if h > 0 then 0.8*sqrt(h) else 0)", stop=5)
    assert np.abs(result["h"] - np.maximum(1 - 0.4 * result.time, 0) ** 2).max() < 1e-5


@pytest.mark.parametrize("switch", ["if y > 0 then sqrt(y) else -sqrt(-y)", "sign(y)*sqrt(abs(y))", "max(y, 0)^1.5"])
def test_newton_iterations_go_beyond_the_crossing(switch: str) -> None:
    """y + f(y) = x with x from 1 to -1: beyond the crossing the other branch has the solution."""
    result = model(f"  local x (start=1, fixed=true), y (start=0.5)\n  der(x) = -1\n  y + ({switch}) = x", stop=2)
    x, y = 1 - result.time, result["y"]
    if switch.startswith("max"):
        assert np.abs(y + np.maximum(y, 0) ** 1.5 - x).max() < 1e-7
    else:
        assert np.abs(y - np.sign(x) * ((np.sqrt(1 + 4 * np.abs(x)) - 1) / 2) ** 2).max() < 1e-7


def test_an_action_takes_its_branch() -> None:
    """`init` and `new` with branches that have no value otherwise."""
    body = """
  local x (start=1, fixed=true), v (start=0, fixed=true)
  discrete n
  der(x) = v
  der(v) = -9.81
  when x < 0 then
    init(v) = if v < 0 then sqrt(-v)*sqrt(-v)*0.8 else log(v)
    new(n) = if n < 1 then n + 1 else n + sqrt(n)
  endwhen"""
    result: Result = model(body, stop=1)
    assert result["n"][-1] >= 1
    impact = np.sqrt(2 / 9.81)
    after = result.time > impact
    flight = result.time[after] - impact
    high = 0.8 * np.sqrt(2 * 9.81) * flight - 9.81 / 2 * flight**2
    first = flight < 0.7
    assert np.abs(result["x"][after][first] - high[first]).max() < 1e-5
