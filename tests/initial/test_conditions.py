"""Conditions of the first instant: too many, dependent, or left to start values, with the lines to change."""

from pathlib import Path

import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, ModelError

TOO_MANY = {
    "a capacitor loop": (
        "@electrical.lib\nmodel M\n  submodel (source) V(V=5)\n  submodel (capacitor) C(C=1) (ic u=1)\n"
        "  submodel (ground) G\n  connect G - V - C - G\nend\n",
        "C.u = 1",
        "remove `(ic u=1)` of C",
    ),
    "a derivative and what gives it": (
        "model M\n  local x, v (start=1, fixed=true)\n  der(x) = v\n  der(v) = -x\n"
        "  initial x = 1\n  initial der(v) = -2\nend\n",
        "der(v) = -2",
        "remove `initial der(v) = -2` or `initial x = 1`",
    ),
    "two shafts on a gear": (
        "@rotational.lib\nmodel M\n  submodel (inertia) A(J=1) (ic phi=0, w=1), B(J=2) (ic w=2)\n"
        "  submodel (gear) g(ratio=3)\n  connect A to g to B\nend\n",
        "der(B.phi) = 2",
        "remove `(ic w=2)` of B or `(ic w=1)` of A",
    ),
    "both coordinates of a pendulum": (
        "model M\n  local x (start=1, fixed=true), y (start=2, fixed=true), F\n  der(x, 2) = -F*x\n"
        "  der(y, 2) = -F*y - 9.81\n  x^2 + y^2 = 1\nend\n",
        "y = 2",
        "remove fixed=true of y or x, so that the value is only a guess",
    ),
    "position and both velocities": (
        "model M\n  local x (start=1, fixed=true), y, F\n  der(x, 2) = -F*x\n  der(y, 2) = -F*y - 9.81\n"
        "  x^2 + y^2 = 1\n  initial der(x) = 0.5\n  initial der(y) = 1\nend\n",
        "x = 1",
        "remove `initial der(x) = 0.5` or `initial der(y) = 1`, "
        "or remove fixed=true of x, so that the value is only a guess",
    ),
    "a variable that an input gives": (
        "model M\n  input u\n  local x\n  x = 2*u\n  initial x = 1\nend\n",
        "x = 1",
        "remove `initial x = 1`",
    ),
    "a variable that is given as a function of time": (
        "model M\n  local x, y (start=1, fixed=true)\n  der(x) = -x + y\n  y = 3*time + 2\nend\n",
        "y = 1",
        "remove fixed=true of y, so that the value is only a guess",
    ),
    "three conditions for two states": (
        "model M\n  local x, y\n  der(x) = y\n  der(y) = -x\n  initial x + y = 1\n  initial x - y = 1\n"
        "  initial 2*x = 3\nend\n",
        "x + y = 1",
        "remove `initial x + y = 1`, `initial 2*x = 3` or `initial x - y = 1`",
    ),
}


def mistake(tmp_path: Path, text: str) -> Diagnostic:
    file = tmp_path / "model.mdl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        translate(file)
    (error,) = caught.value.report.diagnostics
    return error


@pytest.mark.parametrize("name", TOO_MANY)
def test_too_many(name: str, tmp_path: Path) -> None:
    text, condition, hint = TOO_MANY[name]
    error = mistake(tmp_path, text)
    assert error.code == "I002"
    assert error.message.startswith(
        f"too many initial conditions: {condition} cannot be satisfied in addition to the others"
    )
    assert error.help == hint
    assert error.primary is not None


def test_a_condition_without_unknown(tmp_path: Path) -> None:
    error = mistake(tmp_path, "model M\n  parameter p=2\n  local x\n  der(x) = -x\n  initial p = 3\nend\n")
    assert error.message == "the initial condition p = 3 contains no unknown of the model"


def test_conditions_that_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "model.mdl"
    text = "model M\n  local x, y\n  der(x) = -x\n  der(y) = -y\n  initial x = y\n  initial 2*y = 2*x\nend\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        translate(file).simulate()
    (error,) = caught.value.report.diagnostics
    assert error.code == "R001"
    assert error.message == "at the start, t = 0: x and y are not determined: only their difference is"
    assert error.help == "make the initial conditions independent, or replace one of them"


def test_too_few_are_filled_and_listed(tmp_path: Path) -> None:
    file = tmp_path / "model.mdl"
    text = (
        "model M\n  parameter p=4\n  local x, y (start=2*p), z (start=1, fixed=true), w\n"
        "  der(x) = -x\n  der(y) = -y\n  der(z) = -z\n  der(w) = -w\n  initial w = 3\nend\n"
    )
    file.write_text(text, encoding="utf-8")
    (note,) = translate(file).report.diagnostics
    assert note.code == "I010"
    assert note.message == "2 states start from their start values: y = 2*p, x = 0"
    assert note.help == "to make it a condition: initial y = 2*p"


def test_start_values_are_preferred_to_zero(tmp_path: Path) -> None:
    file = tmp_path / "model.mdl"
    text = "model M\n  local a, b (start=3), c\n  der(a) = -a\n  b = a + c\n  der(c) = -c\n  initial c = 1\nend\n"
    file.write_text(text.replace("b = a + c", "b = a + c\n  der(b) = -a - c"), encoding="utf-8")
    with pytest.raises(ModelError):
        translate(file)
    file.write_text(text.replace("  der(a) = -a\n", "").replace("b = a + c", "b = a + c\n  der(b) = -1"))
    result = translate(file).simulate()
    assert (result["a"][0], result["b"][0]) == (2.0, 3.0)
