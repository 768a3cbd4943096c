"""Scalar expressions, functions, types and derivatives from text."""

import math

import pytest

from acausal.base.diagnostics import ModelError
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.elaborate.expressions.expressions import equation
from acausal.elaborate.values.evaluate import evaluate
from tests.elaborate.scope import TextScope, written

NOWHERE = Span(SourceFile("t", " "), 0, 1)
FUNCTIONS = """
function square(x) = x*x
function both(x, y) = square(x) + square(y)
function endless(x) = again(x) + 1
function again(x) = endless(x)
function length(v) = sqrt(v*v)
function total(v) = sum(v)
function blind(x) = k*x
function turned(v) = sum(cross(v, v))
function f0(x) = x + 1
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3 - 4/5", 1 + 2 * 3 - 4 / 5),
        ("-2^2", -4),
        ("2^3^2", 512),
        ("7/49*x", 7 / 49 * 0.3),
        ("pi", math.pi),
        ("sin(x)^2 + cos(x)^2", 1),
        ("atan2(y, x)", math.atan2(0.7, 0.3)),
        ("mod(7.5, 2)", 1.5),
        ("floor(-1.5) + ceil(1.2) + sign(-3) + abs(-2)", -2 + 2 - 1 + 2),
        ("min(x, y, 0.5) + max(x, y)", 0.3 + 0.7),
        ("if x < y then 1 elseif x > 2 then 2 else 3", 1),
        ("if x > y then 1 elseif not (x > 2) then 2 else 3", 2),
        ("noevent(if x > y and b or x <> y then 5 else 6)", 5),
        ('if s == "box" then 1 else 2', 1),
        ('if s <> "box" then 1 else 2', 2),
        ("if b == true then 1 else 2", 1),
        ("if b == (x > y) then 1 else 2", 2),
        ("both(x, 2*y)", 0.09 + 1.96),
        ("length([3, 0, 4]) + total([1, 2])", 8),
        ("1e300*1e-300/2", 0.5),
    ],
)
def test_values(text: str, value: float) -> None:
    scope = TextScope({"x": (), "y": ()}, {"b": True, "s": "box"}, FUNCTIONS)
    values = {scope.names["x"]: 0.3, scope.names["y"]: 0.7, scope.names["b"]: True}
    assert evaluate(scope(text), values, NOWHERE) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("der(x)", "der(x)"),
        ("der(x, 2)", "der(x, 2)"),
        ("der(x*y)", "y*der(x) + x*der(y)"),
        ("der(sin(time))", "cos(time)"),
        ("der(x, 0)", "x"),
        ("der(v[2])", "der(v[2])"),
        ("der(v)", "der(v)"),
        ("x - x", "0"),
        ("x/x", "1"),
        ("0*x", "0"),
        ("time", "time"),
    ],
)
def test_derivatives_and_simplification(text: str, shown: str) -> None:
    assert repr(TextScope({"x": (), "y": (), "v": (3,)}, {"k": 2.0})(text)) == shown


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("x + b", "T002", "b"),
        ("-(x < 1)", "T002", "x < 1"),
        ("x and b", "T002", "x"),
        ("not x", "T002", "x"),
        ("if x then 1 else 2", "T002", "x"),
        ("if b then 1 else x < 2", "T002", "x < 2"),
        ("sin(b)", "T002", "b"),
        ("b < b", "T002", "b"),
        ("b == x", "T002", "x"),
        ('x + "box"', "T002", '"box"'),
        ("sin(x, y)", "T003", "sin(x, y)"),
        ("square(x, y)", "T003", "square(x, y)"),
        ("sine(x)", "T004", "sine(x)"),
        ("nothing + 1", "N001", "nothing"),
        ("endless(x)", "T007", "endless(x)"),
        ("blind(x)", "T009", "k"),
        ("turned(x)", "T001", "v"),
        ("sample(0, x)", "E002", "x"),
        ("interp(x, x, x)", "T006", "x"),
        ("der(x, 1.5)", "T005", "1.5"),
        ("der(x, 99)", "T005", "99"),
        ("der(b)", "T002", "b"),
    ],
)
def test_mistakes_are_located(text: str, code: str, place: str) -> None:
    with pytest.raises(ModelError) as caught:
        TextScope({"x": (), "y": ()}, {"b": True}, FUNCTIONS)(text)
    (found,) = caught.value.report.diagnostics
    assert found.code == code
    assert found.primary is not None
    assert found.primary.span.text == place


def test_unknown_function_is_guessed() -> None:
    with pytest.raises(ModelError) as caught:
        TextScope({"x": ()})("Sin(x)")
    assert caught.value.report.diagnostics[0].help == "did you mean sin?"


def test_functions_that_double_each_other_stay_small() -> None:
    lines = ["function f0(x) = x + 1", *(f"function f{i}(x) = f{i - 1}(x)*f{i - 1}(x)" for i in range(1, 60))]
    assert repr(TextScope({"x": ()}, {}, "\n".join(lines) + "\n")("f3(x) - f3(x)")) == "0"
    TextScope({"x": ()}, {}, "\n".join(lines) + "\n")("f59(x)")


def test_functions_that_grow_meet_the_limit() -> None:
    lines = ["function f0(x) = x", *(f"function f{i}(x) = f{i - 1}(2*x) + f{i - 1}(x + 1)" for i in range(1, 25))]
    scope = TextScope({"x": ()}, {}, "\n".join(lines) + "\n")
    scope.limits = Limits(array_size=1000)
    with pytest.raises(ModelError, match="L010"):
        scope("f24(x)")


def test_sides_of_an_equation_fit() -> None:
    scope = TextScope({"q": (1,), "x": (), "Phi": (3, 1), "v": (3,), "u": (2,)}, {"b": True})
    assert [e.shape for e in equation(written("q"), written("x"), scope)] == [(), ()]
    assert [e.shape for e in equation(written("Phi"), written("v"), scope)] == [(3,), (3,)]
    for left, right, code in (("v", "u", "T001"), ("x", "b", "T002"), ("b", "1", "T002")):
        with pytest.raises(ModelError, match=code):
            equation(written(left), written(right), scope)


def test_deep_nesting_does_not_recurse() -> None:
    text = "x"
    for _ in range(40):
        text = f"sin(-(x + 2*({text})^2))"
    TextScope({"x": ()})(text)
