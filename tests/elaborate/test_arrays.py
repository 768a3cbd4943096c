"""Array expressions against NumPy; the rules of section 6 of the language page one by one."""

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile, Span
from acausal.elaborate.values.evaluate import evaluate
from tests.elaborate.random_arrays import SHAPES, Sampler
from tests.elaborate.scope import TextScope

NOWHERE = Span(SourceFile("t", " "), 0, 1)


@pytest.mark.parametrize("seed", range(300))
def test_random_expressions_agree_with_numpy(seed: int) -> None:
    sampler = Sampler(seed)
    scope = TextScope({name: x.shape for name, x in sampler.values.items()})
    values = {scope.names[n]: tuple(x.ravel()) if x.shape else float(x) for n, x in sampler.values.items()}
    text, expected = sampler.draw(SHAPES[seed % len(SHAPES)], 4)
    expr = scope(text)
    assert expr.shape == expected.shape
    assert np.reshape(evaluate(expr, values, NOWHERE), expected.shape) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "shape", "value"),
    [
        ("[1, 2, 3]", (3,), [1, 2, 3]),
        ("[1; 2; 3]", (3,), [1, 2, 3]),
        ("[[1, 2]; [3, 4]]", (4,), [1, 2, 3, 4]),
        ("[[1, 2], [3, 4]]", (2, 2), [1, 3, 2, 4]),
        ("[1, 2; 3, 4]", (2, 2), [1, 2, 3, 4]),
        ("[[1, 2]]", (2,), [1, 2]),
        ("[identity(2), [5, 6]; 7, 8, 9]", (3, 3), [1, 0, 5, 0, 1, 6, 7, 8, 9]),
        ("[1, 2; 3, 4]*[5, 6]", (2,), [17, 39]),
        ("[5, 6]*[1, 2; 3, 4]", (2,), [23, 34]),
        ("[1, 2]*[3, 4]", (), 11),
        ("2*[1, 2]/4", (2,), [0.5, 1]),
        ("size([1, 2, 3; 4, 5, 6])", (2,), [2, 3]),
        ("size([1, 2, 3; 4, 5, 6], 2)", (), 3),
        ("trace([1, 2; 3, 4])", (), 5),
        ("product([2, 3, 4])", (), 24),
        ("sum(zeros(0))", (), 0),
        ("product(zeros(0))", (), 1),
        ("zeros(2, 0)*zeros(0)", (2,), [0, 0]),
        ("[1] + 2", (), 3),
        ("sin([0])", (), 0),
        ("[2]*[1, 2, 3]", (3,), [2, 4, 6]),
        ("[[1], [2]] + 0*[[1], [2]]", (1, 2), [1, 2]),
        ("min(3, [1], 2)", (), 1),
        ("inverse([2, 1; 1, 1])", (2, 2), [1, -1, -1, 2]),
        ("inverse([2, 1; 1, 1])*[1, 3]", (2,), [-2, 5]),
        ("if 1 < 2 then [1, 2] else [1, 2, 3]", (2,), [1, 2]),
    ],
)
def test_rules(text: str, shape: tuple[int, ...], value: object) -> None:
    expr = TextScope()(text)
    assert expr.shape == shape
    assert evaluate(expr, {}, NOWHERE) == pytest.approx(value)


def test_slices() -> None:
    scope = TextScope({"v": (6,), "A": (2, 3), "e": (0,), "q": (1,)}, {"N": 2.0})
    values = {scope.names["v"]: (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), scope.names["A"]: (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)}

    def of(text: str) -> object:
        return evaluate(scope(text), values, NOWHERE)

    assert of("v[N]") == 2
    assert of("v[2*N:6]") == (4, 5, 6)
    assert of("v[3:2]") == ()
    assert of("A[:, 2]") == (2, 5)
    assert of("A[2, :]") == (4, 5, 6)
    assert of("A[1:2, 2:3]") == (2, 3, 5, 6)
    assert scope("v[:]") is scope("v")
    assert scope("v[2:5]").shape == (4,)
    assert scope("e[:]").shape == (0,)
    assert scope.asked == [scope.names["N"]] * 2


def test_a_column_is_a_vector_where_only_that_fits() -> None:
    scope = TextScope({"Phi": (3, 1), "v": (3,)})
    assert scope("Phi + v").shape == (3,)


def test_matrices_are_applied_to_a_vector_one_by_one() -> None:
    scope = TextScope({"A": (3, 3), "v": (3,), "x": ()})
    assert repr(scope("2*A*A*v/x")) == "(2/x)*(A*(A*v))"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("v + A", "T001", ("a vector of 3", "a 3 by 3 matrix")),
        ("v + u", "T001", ("a vector of 3", "a vector of 2")),
        ("A*u", "T001", ("a 3 by 3 matrix", "a vector of 2")),
        ("v + x", "T001", ("a vector of 3", "a scalar")),
        ("v .* u", "T001", ("a vector of 3", "a vector of 2")),
        ("x/v", "T001", ("a scalar", "a vector of 3")),
        ("A^2", "T001", ("a scalar", "a 3 by 3 matrix")),
        ("sin(v)", "T001", ("a scalar", "a vector of 3")),
        ("v < x", "T001", ("a scalar", "a vector of 3")),
        ("cross(u, v)", "T001", ("a vector of 3", "a vector of 2")),
        ("dot(u, v)", "T001", ("a vector of 2", "a vector of 3")),
        ("skew(u)", "T001", ("a vector of 3", "a vector of 2")),
        ("trace(v)", "T001", ("a square matrix", "a vector of 3")),
        ("transpose(v)", "T001", ("a matrix", "a vector of 3")),
        ("if b then v else u", "T001", ("a vector of 3", "a vector of 2")),
        ("[1, 2; 3]", "T001", ("1 items", "2")),
        ("[x, v]", "T001", ("a vector of 3", "rows")),
        ("[A; A, A]", "T001", ("6 columns", "3")),
        ("min(zeros(0))", "T001", ("empty array",)),
        ("v[4]", "T005", ("no element 4", "1 to 3")),
        ("v[0]", "T005", ("no element 0",)),
        ("v[2:4]", "T005", ("no elements 2:4",)),
        ("v[1.5]", "T005", ("integer", "1.5")),
        ("A[1]", "T005", ("3 by 3 matrix", "1 index")),
        ("x[1]", "T005", ("a scalar",)),
        ("v[x]", "T006", ("translation",)),
        ("zeros(x)", "T006", ("translation",)),
        ("zeros(-1)", "T005", ("negative",)),
        ("zeros(1000, 1000)", "L011", ("1000000", "100000")),
        ("size(v, 2)", "T001", ("2 dimensions", "a vector of 3")),
    ],
)
def test_mistakes_show_both_shapes(text: str, code: str, words: tuple[str, ...]) -> None:
    scope = TextScope({"x": (), "v": (3,), "u": (2,), "A": (3, 3)}, {"b": True})
    with pytest.raises(ModelError) as caught:
        scope(text)
    (found,) = caught.value.report.diagnostics
    assert found.code == code
    assert found.primary is not None
    told = " ".join([found.message, found.primary.text, *(label.text for label in found.secondary), found.help or ""])
    for word in words:
        assert word in told
