"""The shares of mutants whose message leads to the mistake; `python -m tests.mutation` lists the others."""

from pathlib import Path

import pytest

from acausal.checking import check
from tests.mutation.corpus import MODELS, helpful, score, shares, table


def test_models() -> None:
    assert len(MODELS) >= 40


@pytest.mark.parametrize("model", MODELS, ids=lambda p: p.stem)
def test_the_models_themselves_are_right(model: Path) -> None:
    assert not [d for d in check(model).diagnostics if d.severity in ("error", "warning")]
    assert model.read_text(encoding="utf-8").count("submodel") + model.read_text(encoding="utf-8").count("der(") >= 3


def test_messages_lead_to_the_mistake(tmp_path: Path) -> None:
    """One mutant of each rule and model; `python -m tests.mutation` takes two."""
    judged = score(1, tmp_path)
    found = shares(judged)
    assert len(judged) >= 1036, table(judged)
    for kind in ("lexical", "name", "shape", "unit", "value", "habit", "others"):
        good, count = found[kind]
        assert good >= 0.97 * count, table(judged)
    assert found["structural"][0] >= 0.92 * found["structural"][1], table(judged)
    helping, count = helpful(judged)
    assert helping >= 0.9 * count, table(judged)
