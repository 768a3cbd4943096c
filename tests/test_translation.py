"""Runs of a translation: values that are part of the equations are translated again, once for a sweep."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from acausal.base.options import TranslateOptions
from acausal.compiled_model import CompiledModel
from acausal.pipeline import run_stages
from acausal.translation import Translation


class FoldingTranslator:
    """x' = -k*x; a k of 1 or 0 goes into the equation."""

    def __init__(self, folder: Path) -> None:
        self.count = 0
        self.file = folder / "m.mdl"
        self.file.write_text("model M\n  parameter k=1, j=2\n  local x (start=1, fixed=true)\n  der(x) = -k*x\nend\n")

    def __call__(self, values: Mapping[str, float]) -> Translation:
        self.count += 1
        options = TranslateOptions(parameters=tuple(values.items()))
        return Translation(CompiledModel(run_stages(self.file, options)), self)


def final(translation: Translation, **parameters: float) -> float:
    return translation.simulate(stop=1.0, tolerance=1e-9, parameters=parameters).final["x"]


def test_a_folded_value_that_changes_is_translated_again_once_for_a_sweep(tmp_path: Path) -> None:
    translator = FoldingTranslator(tmp_path)
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


def test_folded_twice(tmp_path: Path) -> None:
    t = FoldingTranslator(tmp_path)({})
    assert final(t, k=0.0) == 1.0
    assert final(t, k=2.0) == pytest.approx(0.13534, abs=1e-5)
    assert final(t, k=0.0) == 1.0
