"""Derivatives by a parameter where others, which are bound to it, were given values of their own."""

from math import exp

import pytest

import acausal
from acausal.translation import Translation

TEXT = """model Decay
  parameter a=2, b=3*a, x0=5*a
  local x (start=x0), y
  der(x) = -b*x + 2*a
  y = b*x + a
  experiment (stop=0.5)
end
"""


@pytest.fixture(scope="module")
def decay() -> Translation:
    return acausal.translate(TEXT)


@pytest.mark.parametrize(("given", "rate", "output"), [({}, 2 - 3 * 10, 1 + 3 * 10), ({"b": 6}, 2, 1)])
def test_linearization(decay: Translation, given: dict[str, float], rate: float, output: float) -> None:
    """At x = 10, with equal values: b follows a, or has a value of its own."""
    linear = decay.linearize(["a"], ["y"], parameters=given)
    assert linear.B[0, 0] == pytest.approx(rate) and linear.D[0, 0] == pytest.approx(output)


def test_trim(decay: Translation) -> None:
    """The state 2 a/b rests where y = 3 a is 12."""
    point = decay.trim({"y": 12}, ["a"], parameters={"b": 5})
    assert point["a"] == pytest.approx(4) and point["x"] == pytest.approx(8 / 5)


@pytest.mark.parametrize("method", ["adjoint", "forward"])
def test_gradient(decay: Translation, method: str) -> None:
    """x = x0 exp(-b t) + 2 a/b (1 - exp(-b t)) with b = 6 and x0 = 10 of their own."""
    found = decay.gradient("final(x)", ["a"], values={"b": 6, "x0": 10}, method=method, tolerance=1e-9)[1]
    assert found == pytest.approx([(1 - exp(-3)) / 3], rel=1e-6)
    found = decay.gradient("final(x)", ["a"], values={"b": 6}, method=method, tolerance=1e-9)[1]
    assert found == pytest.approx([(1 - exp(-3)) / 3 + 5 * exp(-3)], rel=1e-6)


def test_state_of_a_trim(decay: Translation) -> None:
    """It has the parameters of its translation; initial values of the search are none of them."""
    point = acausal.translate(TEXT, parameters={"a": 3}).trim({"x": 2}, ["b"], initial={"x": 7})
    run = decay.simulate(start_from=point)
    assert run["y"] == pytest.approx(9) and point.state.parameters == {"a": 3, "b": pytest.approx(point["b"])}


def test_inputs_of_a_trim_as_text() -> None:
    """A number in a text, as `--input u=2`, is where the search begins, and an input of the state."""
    model = acausal.translate("model M\n input u, w\n local x (start=1)\n der(x) = u^2 + w - x\nend\n")
    point = model.trim({"x": 4}, ["u"], input_values={"u": "-1", "w": "3"})
    assert point["u"] == pytest.approx(-1) and point.inputs["w"] == 3
    assert model.simulate(start_from=point)["x"] == pytest.approx(4)


def test_a_zero_after_another_value() -> None:
    """The translation for a = 2, where a is a symbol that the first instant divides by, does not serve a = 0."""
    text = "model M\n parameter k=2, d=0.2, a=1\n input w\n local e, m, y (start=0), x (start=0)\n e = w - x\n"
    text += " m = k*e + k*d\n 0.5*der(y) = m - y*a\n der(x) = y - d*x\nend\n"
    model = acausal.translate(text)
    for a in (2, 0, 2):
        rest = model.linearize(["w"], ["x"], "steady", input_values={"w": 1}, parameters={"a": a}).y
        assert rest == pytest.approx([2.4 / (2 + 0.2 * a)])


def test_failed_start_with_slopes() -> None:
    """Nothing determines z at rest, where k is 0: the explanation passes over the slopes."""
    text = "model M\n parameter g=3\n local x (start=1), z (start=1)\n discrete k (start=0)\n der(x) = -g*x\n"
    text += " der(z) = x - z*k\n when x < 0.5 then\n new(k) = 1\n endwhen\nend\n"
    with pytest.raises(acausal.ModelError, match="z is not determined"):
        acausal.translate(text).sensitivities(["g"], ["x"], steady=True)
