"""Comprehensions `[e for k = 1 to N]`, as arguments too, and indices of expressions."""

import pytest

import acausal
from acausal.base.diagnostics import LimitError, ModelError
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.elaborate.values.evaluate import evaluate
from tests.elaborate.scope import TextScope

NOWHERE = Span(SourceFile("t", " "), 0, 1)
FUNCTIONS = """
function geometric(a, n) = sum([a^i for i = 0 to n])
function endless(x) = sum([endless(x) for i = 1 to 2])
function rotated(v) = [v[2], v[3], v[1]]
"""
SHAPES = {"x": (), "A": (2, 2), "v": (3,)}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[k^2 for k = 1 to 3]", "[1, 4, 9]"),
        ("[k*x for k = 0 to 2]", "[0, x, 2*x]"),
        ("[x for k = 1 to 0]", "zeros(0)"),
        ("[[i + 10*j for i = 1 to 2] for j = 1 to 3]", "[11, 21, 31; 12, 22, 32]"),  # columns, as [u, v, w]
        ("[k for k = 2 to 4][2]", "3"),
        ("sum([v[k]*k for k = 1 to 3])", "sum([v[1], 2*v[2], 3*v[3]])"),
        ("rotated(v)[1]", "v[2]"),
        ("(2*v)[2:3]", "(2*v)[2:3]"),
        ("(A*A)[1, 2]", "(A*A)[1, 2]"),
        ("(A*A)[:, 2][1]", "(A*A)[1, 2]"),
        ("[[1, 2; 3, 4], [5; 6]][2, 3]", "6"),
        ("[k > 2 for k = 1 to 3]", "[false, false, true]"),
    ],
)
def test_arrays(text: str, shown: str) -> None:
    assert repr(TextScope(SHAPES, {}, FUNCTIONS)(text)) == shown


def test_value_of_a_function_with_a_comprehension() -> None:
    assert evaluate(TextScope({}, {}, FUNCTIONS)("geometric(0.5, 10)"), {}, NOWHERE) == 2 - 0.5**10


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("[k for k = 1 to x]", "T006", "x"),
        ("[k for k = 0.5 to 2]", "T005", "0.5"),
        ("[nothing*k for k = 1 to 2]", "N001", "nothing"),
        ("[time for time = 1 to 2]", "N021", "[time for time = 1 to 2]"),
        ("(2*x)[1]", "T005", "(2*x)[1]"),
        ("(A*A)[3, 1]", "T005", "3"),
        ("endless(x)", "T007", "endless(x)"),
    ],
)
def test_mistakes_are_located(text: str, code: str, place: str) -> None:
    with pytest.raises(ModelError) as caught:
        TextScope(SHAPES, {}, FUNCTIONS)(text)
    (found,) = caught.value.report.diagnostics
    assert (found.code, found.primary and found.primary.span.text) == (code, place)


@pytest.mark.parametrize(
    "text",
    [
        "[k for k = 1 to 1001]",
        "sum([sum([i*j for i = 1 to 100]) for j = 1 to 100])",
        "sum([geometric(x, 100) for j = 1 to 100])",
    ],
)
def test_rounds_are_limited_with_those_of_the_items(text: str) -> None:
    scope = TextScope({"x": ()}, {}, FUNCTIONS)
    scope.limits = Limits(array_size=1000)
    with pytest.raises(LimitError, match="L013"):
        scope(text)


def test_nesting_is_limited() -> None:
    depth = 3000
    text = "[" * depth + "1" + "".join(f" for k{i} = 1 to 1]" for i in range(depth))
    with pytest.raises(ModelError, match="L0"):
        TextScope()(text)


MODEL = """
model class Coil
  parameter L=1, weight[2]=[1, 1]
  local i, both
  L*der(i) = -i
  both = weight*[i, 2*i]
  output out = i
end
model class Bank
  parameter N=1, scale=1
  submodel (Coil) coil[N](L=scale*k for k = 1 to N, weight=[k, 0] for k = 1 to N) (ic i=1/k for k = 1 to N)
  output total
  total = sum([coil[k].out for k = 1 to N])
end
model M
  submodel (Bank) a(N=2), b(N=3, scale=2), c(N=2, scale=2), d(N=2, scale=4)
end
"""


def test_each_element_of_an_array_of_submodels_has_its_item(tmp_path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(MODEL)
    result = acausal.translate(path).simulate(stop=1.0, tolerance=1e-9)
    from math import exp

    for bank, count, scale in (("a", 2, 1), ("b", 3, 2), ("c", 2, 2), ("d", 2, 4)):
        decayed = {k: exp(-1 / (scale * k)) / k for k in range(1, count + 1)}
        assert result[f"{bank}.total"][-1] == pytest.approx(sum(decayed.values()), rel=1e-7)
        for k, value in decayed.items():
            assert result[f"{bank}.coil[{k}].both"][-1] == pytest.approx(k * value, rel=1e-7)


@pytest.mark.parametrize(
    ("dimensions", "hint"),
    [("[3]", "write k = 1 to 3"), ("[2, 2]", "write an array of the same shape in brackets")],
)
def test_a_comprehension_for_another_number_of_submodels(tmp_path, dimensions: str, hint: str) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(f"model class C\nparameter p\nend\nmodel M\nsubmodel (C) c{dimensions}(p=k for k = 1 to 4)\nend\n")
    with pytest.raises(ModelError) as caught:
        acausal.translate(path)
    (found,) = caught.value.report.diagnostics
    assert (found.code, found.primary and found.primary.span.text, found.help) == ("T001", "k for k = 1 to 4", hint)


def test_comprehensions_in_the_value_of_an_input(tmp_path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text("model M\n  input u\n  output y\n  der(y) = u\nend\n")
    result = acausal.translate(path).simulate(stop=1.0, inputs={"u": "sum([k*time for k = 1 to 4])"})
    assert result["y"][-1] == pytest.approx(5.0)  # the integral of 10 t


def test_delays_in_comprehensions_are_no_inputs(tmp_path) -> None:
    path = tmp_path / "m.mdl"
    path.write_text("model M\n  input u\n  output y\n  der(y) = u\nend\n")
    with pytest.raises(acausal.UsageError, match="R006"):
        acausal.translate(path).simulate(stop=1.0, inputs={"u": "sum([delay(time, k) for k = 1 to 4])"})
