"""Equations that hold only in the limit of infinite unknowns are errors; those with solutions far away are solved."""

from collections.abc import Sequence
from math import atanh, cosh, expm1, sinh, sqrt, tan

import pytest

from acausal import translate
from acausal.base.diagnostics import SimulationError
from acausal.codegen.numpy.numpy_homotopy import verified
from acausal.runs import RunError

LIMITS = (
    "atan(x) = pi/2",
    "atan(x)^3 = (pi/2)^3",
    "x/(1 + x) = 1",
    "x/(1e6 + x) = 1",
    "x^2/(1 + x^2) = 1",
    "(x + 2)/(x + 1) = 1",
    "x/sqrt(1 + x^2) = 1",
    "tanh(x) = 1",
    "log(x + 1) - log(x) = 0",
    "sqrt(x + 1) - sqrt(x) = 0",
    "sinh(x) = cosh(x)",
    "x*(pi/2 - atan(x)) = 1",
)
"""Their sides tend to each other as x grows, and are equal for no x."""
SATURATION = 1 - 1e-12
SOLVED = {
    "atan(x) = 1.5707": tan(1.5707),
    f"x/(1 + x) = {SATURATION!r}": SATURATION / (1 - SATURATION),
    "tanh(x) = 0.9999999": atanh(0.9999999),
    "x/sqrt(1 + x^2) = 0.999999": 0.999999 / sqrt(1 - 0.999999**2),
    "x*abs(x) = 1e12": 1e6,
    "exp(x) = 1e30": 69.07755278982137,
    "exp(x) + x = 1 + exp(1)": 1.0,
    "3*x + 1e-9*x^2 = 5": (-3 + sqrt(9 + 20e-9)) / 2e-9,
}


def at_end(equations: str, start: float) -> float:
    model = translate(f"model M\n local x (start={start})\n{equations}\nend", cache=False)
    return float(model.simulate(stop=1, interval=1)["x"][-1])


@pytest.mark.parametrize("start", [0.1, 10.0])
@pytest.mark.parametrize("equation", LIMITS)
def test_a_limit_is_no_solution(equation: str, start: float) -> None:
    with pytest.raises(SimulationError) as caught:
        at_end(equation, start)
    assert caught.value.report.diagnostics[0].code == "R001"
    assert caught.value.report.diagnostics[0].primary.span.text == equation


@pytest.mark.parametrize("start", [0.5, 8.0])
@pytest.mark.parametrize("equation", SOLVED)
def test_a_solution_far_away(equation: str, start: float) -> None:
    assert at_end(equation, start) == pytest.approx(SOLVED[equation], rel=1e-3 if "1 + x" in equation else 1e-6)


@pytest.mark.parametrize("share", [0.9999998, 0.9999999, 0.99999991, 0.99999995, 0.99999999])
def test_a_solution_that_rounding_hides(share: float) -> None:
    """Rounding errors of the sides move it by some 1e-16 of its cube: Newton's method goes to and fro there."""
    x = share / sqrt(1 - share**2)
    assert at_end(f"x/sqrt(1 + x^2) = {share!r}", 1.0) == pytest.approx(x, abs=1e-15 * x**3)


@pytest.mark.parametrize("beside", ["", "local z (start=1, fixed=true)\n der(z) = -z\n"])
def test_a_solution_that_grows_without_bound(beside: str) -> None:
    """Rounding errors of the sides move it by some 1e-16 of its square."""
    model = translate(f"model M\n local x (start=0)\n {beside}x/(1 + x) = 1 - exp(-time)\nend", cache=False)
    r = model.simulate(stop=26, interval=1)
    assert r.time[-1] == 26.0
    for t, x in zip(r.time.tolist(), r["x"].tolist(), strict=True):
        assert x == pytest.approx(expm1(t), abs=1e-7 * (1 + t) + 4e-16 * expm1(t) ** 2)


def sinh_less_cosh(x: Sequence[float]) -> list[float]:
    return [sinh(x[0]) - cosh(x[0]), cosh(x[0]) - sinh(x[0])]


def cube(x: Sequence[float]) -> list[float]:
    return [x[0] ** 3, 3 * x[0] ** 2]


@pytest.mark.parametrize("x", [17.5, 18.3, 19.0, 19.3576, 19.5, 40.0])
def test_a_limit_where_rounding_leaves_no_derivative(x: float) -> None:
    """Which x an optimizer comes to is a matter of its version."""
    assert not verified(sinh_less_cosh, [x], [1.0])


def test_a_solution_without_derivative() -> None:
    assert verified(cube, [0.0], [1.0])


def test_a_limit_in_a_system() -> None:
    """The first two equations say z = y = x/(1 + x), as sums of odd powers have one zero each; the third says y = 1."""
    with pytest.raises(SimulationError) as caught:
        at_end(
            " local y, z\n (z - y) + (z - y)^3 = y - x/(1 + x)\n"
            " z - y = x/(1 + x) - y + (x/(1 + x) - y)^3\n y + (z - y)^2 = 1",
            1.0,
        )
    assert caught.value.report.diagnostics[0].code == "R001"


def test_the_message_names_the_limit() -> None:
    with pytest.raises(SimulationError) as caught:
        at_end("x/(1 + x) = 1", 1.0)
    text = str(caught.value)
    assert "satisfied only in the limit of infinite x" in text
    assert "no finite x satisfies the equation" in text


def test_a_solution_that_ceases_during_the_run() -> None:
    model = translate("model M\n local x (start=1)\n tanh(x) = time/10\nend", cache=False)
    with pytest.raises(RunError) as caught:
        model.simulate(stop=20, interval=1)
    assert caught.value.report.diagnostics[0].code == "R003"
    assert caught.value.result["x"][5] == pytest.approx(atanh(0.5), rel=1e-8)
