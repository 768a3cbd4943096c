"""The shares of mutants whose message leads to the mistake; `python -m tests.mutation` lists the others."""

from pathlib import Path

import pytest

from acausal.pipeline import check
from tests.mutation.corpus import MODELS, score, shares, table


def test_models() -> None:
    assert len(MODELS) >= 30


@pytest.mark.parametrize("model", MODELS, ids=lambda p: p.stem)
def test_the_models_themselves_are_right(model: Path) -> None:
    assert not [d for d in check(model).diagnostics if d.severity in ("error", "warning")]
    assert model.read_text(encoding="utf-8").count("submodel") + model.read_text(encoding="utf-8").count("der(") >= 3


def test_messages_lead_to_the_mistake(tmp_path: Path) -> None:
    judged = score(2, tmp_path)
    found = shares(judged)
    assert len(judged) >= 300, table(judged)
    for kind in ("lexical", "name", "shape", "unit", "others"):
        good, count = found[kind]
        assert good >= 0.97 * count, table(judged)
    assert found["structural"][0] >= 0.75 * found["structural"][1], table(judged)
    assert found["all"][0] >= 0.88 * found["all"][1], table(judged)
