"""Values of parameter expressions, and expressions that have none."""

import pytest

from acausal.base.diagnostics import InternalError, ModelError
from acausal.base.source import SourceFile, Span
from acausal.elaborate.values.evaluate import evaluate, invert
from acausal.ir.pool import Pool
from tests.elaborate.scope import TextScope

SPAN = Span(SourceFile("t", "1/0"), 0, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1/k", "division by zero"),
        ("log(k)", "log is not defined for 0.0"),
        ("sqrt(k - 1)", "sqrt is not defined for -1.0"),
        ("(k - 2)^0.5", "pow is not defined for -2.0, 0.5"),
        ("exp(k + 1000)", "exp is not defined"),
        ("asin(k + 2)", "asin is not defined for 2.0"),
        ("mod(1, k)", "mod is not defined for 1.0, 0.0"),
        ("inverse([k, 1; 0, 1])", "inverse is not defined"),
        ("(k + 1e200)*(k + 2e200)", "mul is not defined"),
    ],
)
def test_expressions_without_value(text: str, words: str) -> None:
    scope = TextScope(values={"k": 0.0})
    with pytest.raises(ModelError) as caught:
        evaluate(scope(text), {scope.names["k"]: 0.0}, SPAN)
    (found,) = caught.value.report.diagnostics
    assert found.code == "T010"
    assert words in found.message
    assert found.primary is not None
    assert found.primary.span is SPAN


def test_only_the_branch_taken_needs_a_value() -> None:
    scope = TextScope(values={"k": 0.0})
    values = {scope.names["k"]: 0.0}
    assert evaluate(scope("if k == 0 then 5 else 1/k"), values, SPAN) == 5.0
    with pytest.raises(ModelError, match="T010"):
        evaluate(scope("if k <> 0 then 5 else 1/k"), values, SPAN)


def test_kinds_of_values() -> None:
    scope = TextScope(values={"k": 2.0, "b": True, "s": "box", "n": (1.0, 2.0)})
    values = {scope.names[n]: v for n, v in (("k", 2.0), ("b", True), ("s", "box"), ("n", (1.0, 2.0)))}
    assert evaluate(scope("k > 1 and b"), values, SPAN) is True
    assert evaluate(scope("s"), values, SPAN) == "box"
    assert evaluate(scope("k*n"), values, SPAN) == (2.0, 4.0)
    assert isinstance(evaluate(scope("k"), values, SPAN), float)


def test_a_leaf_without_value_is_our_mistake() -> None:
    pool = Pool()
    with pytest.raises(InternalError):
        evaluate(pool.parameter(("k",)), {}, SPAN)


def test_deep_expressions() -> None:
    pool = Pool()
    expr = pool.parameter(("k",))
    for _ in range(20_000):
        expr = pool.call("sin", expr)
    assert abs(float(evaluate(expr, {pool.parameter(("k",)): 1.0}, SPAN))) < 0.1  # type: ignore[arg-type]


def test_inverse_of_a_matrix_that_needs_pivots() -> None:
    assert invert((0.0, 1.0, 2.0, 0.0), 2) == (0.0, 0.5, 1.0, 0.0)
    with pytest.raises(ZeroDivisionError):
        invert((1.0, 2.0, 2.0, 4.0), 2)
