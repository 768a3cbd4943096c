"""Runs of a translation: values that are part of the equations are translated again, once for a sweep."""

from collections.abc import Mapping

import pytest

from acausal.diagnostics import Report
from acausal.ir.plan import SolvePlan
from acausal.translation import Stages, Translation
from tests.simulate.models import Model


class FoldingTranslator:
    """x' = -k*x; a k of 1 or 0 goes into the equation."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, values: Mapping[str, float]) -> Translation:
        self.count += 1
        return Translation(_stages(values.get("k", 1.0), values.get("j", 2.0)), self)


def _stages(k: float, j: float) -> Stages:
    model = Model()
    q = model.pool
    symbol = model.parameter("k", k)
    model.parameter("j", j)
    x = model.state("x", start=1.0)
    model.slope(x, q.neg(q.mul(q.const(k) if k in (0.0, 1.0) else symbol, x)))
    folded = (symbol,) if k in (0.0, 1.0) else ()
    plan = model.plan()
    plan = SolvePlan(**{name: getattr(plan, name) for name in plan.__slots__} | {"folded": folded})
    return Stages(None, None, None, None, plan, Report(), {})  # type: ignore[arg-type]  # a run needs the plan alone


def final(translation: Translation, **parameters: float) -> float:
    return translation.simulate(stop=1.0, tolerance=1e-9, parameters=parameters).final["x"]


def test_a_folded_value_that_changes_is_translated_again_once_for_a_sweep() -> None:
    translator = FoldingTranslator()
    t = translator({})
    assert final(t) == pytest.approx(0.36788, abs=1e-5)
    assert final(t, j=5.0, k=1.0) == pytest.approx(0.36788, abs=1e-5)
    assert translator.count == 1
    for k, value in ((2.0, 0.13534), (3.0, 0.04979), (0.5, 0.60653)):
        assert final(t, k=k) == pytest.approx(value, abs=1e-5)
    assert translator.count == 2
    assert final(t) == pytest.approx(0.36788, abs=1e-5)
    result = t.simulate(parameters={"k": 2.0, "j": 7.0})
    assert [note.code for note in result.notes] == ["R012"]
    assert (result["k"][0], result["j"][0]) == (2.0, 7.0)
    assert t.simulate(parameters={"k": 2.0})["j"][0] == 2.0


def test_folded_twice() -> None:
    t = FoldingTranslator()({})
    assert final(t, k=0.0) == 1.0
    assert final(t, k=2.0) == pytest.approx(0.13534, abs=1e-5)
    assert final(t, k=0.0) == 1.0
