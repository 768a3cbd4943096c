"""Every listing of the manual runs as it stands; results are compared with closed forms where there are any."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import Severity
from acausal.base.source import SourceFile
from acausal.codes.origins import ORIGINS
from acausal.manual.word_pages import word_pages
from acausal.syntax.format import fmt
from tests.manual.closed_forms import CLOSED_FORMS, FINAL, NO_CLOSED_FORM
from tests.manual.listings import BLOCKS, LISTINGS, PAGES, Block, files_of

KINDS = {"mdl", "sh", "text", "xml", "python", "cell", "", "modelica", "matlab", "julia", "c"}
INPUTS = {
    "Cart": {"F": 1.0},
    "Crane": {"F": 10.0},
    "Upright": {"F": 0.0},
    "Cistern": {"q": 0.5},
    "Heater": {"power": 10.0},
    "Plant": {"u": 1.0},
    "Tank": {"inflow": 0.2},
    "Driven": {"u": "5*sin(200*pi*time)"},
}
WRONG = {"Contradiction", "Unsolvable"}
"""Models that show a message; test_commands compares it."""


RIGHT = [block for block in {block.text: block for block in LISTINGS}.values() if block.models[-1] not in WRONG]


@pytest.mark.parametrize("listing", RIGHT, ids=[block.models[-1] for block in RIGHT])
def test_listing_runs(listing: Block, tmp_path: Path) -> None:
    for name, text in files_of(listing.page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = tmp_path / "listing.mdl"
    path.write_text(listing.text, encoding="utf-8")
    assert fmt(SourceFile("listing.mdl", listing.text)) == listing.text
    model = acausal.translate(path)
    assert [d.message for d in model.report.diagnostics if d.severity is not Severity.NOTE] == []
    name = listing.models[-1]
    result = model.simulate(tolerance=1e-9, inputs=INPUTS.get(name))
    assert name in CLOSED_FORMS or name in NO_CLOSED_FORM
    for variable, formula in CLOSED_FORMS.get(name, {}).items():
        expected = formula(result.time)
        error = np.abs(result[variable] - expected)
        assert error.max() < 1e-6 * max(1, np.abs(expected).max()), (variable, error.max())
    for variable, value in FINAL.get(name, {}).items():
        assert result.final[variable] == pytest.approx(value, rel=0.01, abs=1e-6)
    assert all(np.isfinite(result[variable]).all() for variable in result.names)


def test_names_of_models_are_unique() -> None:
    texts = {(block.models[-1], block.text) for block in LISTINGS}
    names = [name for name, _ in texts]
    assert sorted(set(names)) == sorted(names)
    assert set(CLOSED_FORMS) | set(NO_CLOSED_FORM) <= set(names)


def test_kinds_of_blocks() -> None:
    assert {block.kind for block in BLOCKS} <= KINDS
    for page, text in PAGES.items():
        ours = [block for block in BLOCKS if block.page == page]
        assert text.count("```") == 2 * len(ours) + 2 * text.count("```{toctree}"), page


def test_every_word_has_a_runnable_example() -> None:
    entries = word_pages(PAGES)["language/words.md"].split("\n### ")[1:]
    assert len(entries) == len(ORIGINS)
    assert [entry.split("\n")[0] for entry in entries if "Runnable example: " not in entry] == []
