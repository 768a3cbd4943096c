"""Expressions over results."""

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.results.expressions import evaluate
from tests.results.made import made

T = made().time


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3 - 4/8", 6.5),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("pi", np.pi),
        ("x", np.sin(T)),
        ("x + 2*a.y", -np.sin(T)),
        ("der( x )", np.cos(T)),
        ("T[1, 2]", T**2),
        ("sqrt(x^2 + der(x)^2)", np.ones(11)),
        ("max(x)", np.sin(1.0)),
        ("min(a.y)", -np.sin(1.0)),
        ("max(x, 0.5, -x)", np.maximum(np.sin(T), 0.5)),
        ("final(x) - first(x)", np.sin(1.0)),
        ("mean(time)", 0.5),
        ("integral(time)", 0.5),
        ("asin(x)", T),
        ("atan2(x, der(x))", T),
        ("if time < 0.5 then 1 elseif time < 0.75 then 2 else 3", np.where(T < 0.5, 1, np.where(T < 0.75, 2, 3))),
        ("x > 0.5 and not time >= 0.9", (np.sin(T) > 0.5) & ~(T >= 0.9)),
        ("k*g", np.full(11, 0.981)),
    ],
)
def test_values(text: str, value: object) -> None:
    found = evaluate(text, made())
    assert found.shape == np.shape(value)
    assert np.allclose(found, value, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("x +", "P", ""),
        ("xx", "F005", "xx"),
        ("maxx(x)", "F010", "did you mean max?"),
        ("sin(x, x)", "F010", "sin takes 1 argument, not 2"),
        ("mean(x, x)", "F010", "mean takes 1 argument, not 2"),
        ("der(g)", "F005", "der(g)"),
        ("[x, x]", "F010", "cannot be evaluated"),
        ('"text"', "F010", "cannot be evaluated"),
        ("__import__(x)", "F010", "__import__"),
    ],
)
def test_mistakes(text: str, code: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        evaluate(text, made())
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code.startswith(code)
    assert said in f"{diagnostic.message} {diagnostic.help}"


def test_depth_is_no_matter() -> None:
    assert evaluate("-" * 150 + "1", made()) == 1.0
    assert evaluate("+".join(["1"] * 5000), made()) == 5000.0
