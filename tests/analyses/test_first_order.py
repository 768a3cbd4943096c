"""First-order conditions of what SLSQP returns."""

import numpy as np
import pytest
import scipy.optimize
from scipy.optimize import OptimizeResult

import acausal
from acausal.analyses.optimize.first_order import missed_descent

NONE = np.zeros((0, 2))
FAR = np.full(2, 1.0)
TEXT = """model M
  parameter a=1, b=1
  local x (start=0, fixed=true), y
  der(x) = 0
  y = (a - 0.7)^2 + (b - 2)^2 + x
  experiment (stop=0.1)
end
"""
"""The least y is 0, at a = 0.7 and b = 2."""


def test_what_constraints_do_not_explain() -> None:
    """The gradient (1, 2) alone, held by an equation, an inequality from the right and the wrong side, and bounds."""
    g = np.array([1.0, 2.0])
    assert missed_descent(g, NONE, NONE, FAR, FAR) == pytest.approx(g)
    assert missed_descent(g, np.array([[0.0, -3.0]]), NONE, FAR, FAR) == pytest.approx([1, 0])
    assert missed_descent(g, NONE, np.array([[1.0, 2.0]]), FAR, FAR) == pytest.approx([0, 0])
    assert missed_descent(g, NONE, np.array([[-1.0, -2.0]]), FAR, FAR) == pytest.approx(g)
    assert missed_descent(g, NONE, NONE, np.zeros(2), FAR) == pytest.approx([0, 0])
    assert missed_descent(g, NONE, NONE, FAR, np.zeros(2)) == pytest.approx(g)


def test_a_success_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the line search gives up: at the start."""

    def gives_up(_: object, start: np.ndarray, **options: object) -> OptimizeResult:
        return OptimizeResult(x=start, fun=1.0, success=True, message="Optimization terminated successfully", nit=1)

    t = acausal.translate(TEXT)
    found = t.optimize(minimize="final(y)", parameters={"a": (0, 3), "b": (0, 3)})
    assert found.values == pytest.approx({"a": 0.7, "b": 2.0}, abs=1e-4)
    monkeypatch.setattr(scipy.optimize, "minimize", gives_up)
    with pytest.raises(acausal.ModelError, match="A032") as caught:
        t.optimize(minimize="final(y)", parameters={"a": (0, 3), "b": (0, 3)})
    assert "still decreases with b" in str(caught.value)


def test_a_minimum_at_a_kink() -> None:
    """The gradient does not vanish there; the objective grows on both sides."""
    t = acausal.translate(TEXT.replace("(a - 0.7)^2", "abs(a - 1)"))
    found = t.optimize(minimize="final(y)", parameters={"a": (0, 3), "b": (0, 3)})
    assert found.values == pytest.approx({"a": 1.0, "b": 2.0}, abs=1e-4)
