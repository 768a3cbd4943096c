"""Every code: raised somewhere, shown by a text case or a test with a name, explained by an example that earns it."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from acausal.cli import main
from acausal.codes import all_codes
from tests.case import expectations, read_case
from tests.collection import ROOT
from tests.fmu.archives import archive, binary_place, description

CODES = all_codes()
NAMED = {
    "M020": "tests/mechanism/test_tree.py",
    "F001": "tests/syntax/test_read.py",
    "F002": "tests/syntax/test_read.py",
    "F005": "tests/simulate/test_inputs.py",
    "F006": "tests/cli/test_commands.py",
    "F007": "tests/results/test_plot.py",
    "F008": "tests/cli/test_runs.py",
    "F009": "tests/render/test_machine.py",
    "F010": "tests/repl/test_dialogue.py",
    "F011": "tests/test_codes.py",
    "F013": "tests/domains/test_spice_cards.py",
    "F014": "tests/cache/test_cached.py",
    "F015": "tests/results/animation/test_page.py",
    "F023": "tests/results/animation/test_meshes.py",
    "F017": "tests/results/test_plot.py",
    "F018": "tests/reference/test_commands.py",
    "F019": "tests/reference/test_commands.py",
    "F022": "tests/results/test_quantities.py",
    "F030": "tests/imports/test_urdf.py",
    "F031": "tests/imports/test_spice_mistakes.py",
    "F040": "tests/targets/test_export.py",
    "F046": "tests/targets/fmi/test_archives.py",
    "F032": "tests/imports/test_urdf.py",
    "F050": "tests/fmu/test_hostile.py",
    "L020": "tests/fmu/test_hostile.py",
    "R040": "tests/fmu/test_failures.py",
    "R041": "tests/fmu/test_import.py",
    "S008": "tests/causalize/test_by_hand.py",
    "R006": "tests/simulate/test_inputs.py",
    "R007": "tests/simulate/test_inputs.py",
    "R008": "tests/simulate/test_inputs.py",
    "R012": "tests/test_translation.py",
    "L018": "tests/causalize/test_long_texts.py",
    "L015": "tests/cli/test_streams.py",
    "L012": "tests/elaborate/test_tables.py",
    "A001": "tests/analyses/test_linearize.py",
    "A002": "tests/analyses/test_linearize.py",
    "A003": "tests/analyses/test_linearize.py",
    "A004": "tests/analyses/test_linearize.py",
    "A010": "tests/simulate/test_state.py",
    "A011": "tests/simulate/test_state.py",
    "A012": "tests/simulate/test_state.py",
    "A013": "tests/simulate/test_checkpoint.py",
    "A014": "tests/analyses/test_trim.py",
    "A015": "tests/analyses/test_trim.py",
    "A016": "tests/analyses/test_trim.py",
    "A020": "tests/analyses/test_sensitivities.py",
    "A021": "tests/analyses/test_sensitivities.py",
    "A022": "tests/analyses/test_sensitivities.py",
    "A023": "tests/analyses/test_sensitivities.py",
    "A024": "tests/analyses/test_sensitivities.py",
    "A030": "tests/analyses/test_optimal_control.py",
    "A031": "tests/analyses/test_optimal_control.py",
    "A032": "tests/analyses/test_optimal_control.py",
    "A033": "tests/analyses/test_optimal_control.py",
    "A040": "tests/analyses/test_fit.py",
    "A041": "tests/analyses/test_fit.py",
    "A042": "tests/analyses/test_fit.py",
    "A043": "tests/analyses/test_fit.py",
    "M001": "tests/mechanism/test_extract.py",
    "L019": "tests/analyses/test_linearize.py",
    "L021": "tests/analyses/test_sparse_systems.py",
    "W001": "tests/sweep/test_points.py",
    "W002": "tests/sweep/test_points.py",
    "W003": "tests/sweep/test_points.py",
    "R018": "tests/sweep/test_shards.py",
    "R019": "tests/events/test_poles_of_derivatives.py",
    "W004": "tests/sweep/test_folder.py",
    "W005": "tests/analyses/test_uncertainty.py",
}
"""What no text of a model shows by itself: a test that does."""

BESIDE = {
    "picture.png": b"\x89PNG\r\n",
    "measured.csv": b"".join(b"%d,1\n" % i for i in range(5000)),
    "engine.fmu": bytes(2000),
    "ball.fmu": archive({"modelDescription.xml": description(2), binary_place(2): b"no library"}),
}
"""Files that examples speak of without showing them."""


def test_every_code_has_a_case_or_a_named_test() -> None:
    shown = {e.code for path in (ROOT / "tests/cases").rglob("*.case") for e in expectations(read_case(path))}
    assert sorted(set(CODES) - shown - set(NAMED)) == []
    for code, test in NAMED.items():
        assert code in (ROOT / test).read_text(encoding="utf-8")


def test_codes_that_are_raised_and_codes_that_are_explained_are_the_same() -> None:
    sources = [p for p in (ROOT / "acausal").rglob("*.py") if p.parent.name != "codes"]
    raised = {c for p in sources for c in re.findall(r'"([A-Z]\d{3})"', p.read_text(encoding="utf-8"))}
    assert raised == set(CODES)


@pytest.mark.parametrize("code", [code for code, entry in CODES.items() if entry.command and code != "F010"])
def test_example_gives_its_code(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told by the command that the entry names, and nothing else is wrong with it."""
    if code == "F007":
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    if code == "F011":
        pytest.importorskip("matplotlib").use("agg")
    if code == "F046":
        monkeypatch.setenv("CC", "false")
    monkeypatch.chdir(tmp_path)
    head, *rest = CODES[code].example.split("\n--- ")
    files = {"example.mdl": f"{head}\n"} | dict(part.split("\n", 1) for part in rest)
    for name, content in ({name: text.encode() for name, text in files.items()} | BESIDE).items():
        (tmp_path / name).write_bytes(content)
    arguments = shlex.split(CODES[code].command, comments=True)[1:]
    exit_code = main([*arguments, "--format", "json"])
    output = capsys.readouterr().out
    found = json.loads(output[output.index('{\n  "diagnostics"') :])["diagnostics"]
    (told,) = [d for d in found if d["code"] == code]
    errors = [d["code"] for d in found if d["severity"] == "error"]
    assert errors == ([code] if told["severity"] == "error" else [])
    assert (exit_code == 0) == (not errors)
