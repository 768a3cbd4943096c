"""The commands list, docs, new and examples; `help NAME` in the dialogue."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import acausal
from acausal.base.files.paths import examples_folder
from acausal.cli import main
from acausal.reference.find import find
from acausal.reference.model_examples import model_examples
from acausal.reference.new_model import new_model
from acausal.reference.page import plain
from acausal.repl.interpreter import Interpreter
from tests.collection import ROOT


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_docs_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "docs", "capacitor") == f"{plain(find('capacitor'))}\n"


def test_docs_without_a_name_leads_on(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "docs")
    assert all(f"acausal {word}" in text for word in ("new", "examples", "simulate", "list", "docs"))
    assert "hydraulic.lib" in text
    assert "submodel" in text


def test_docs_of_a_command_is_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "docs", "simulate")
    assert "Usage: acausal simulate" in text
    assert "--tolerance" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["docs", "resitor"], "error[F018]: the reference has no page resitor\n  = help: did you mean resistor?"),
        (["docs", "simulat"], "did you mean simulate?"),
        (["list", "xyzzy"], "error[F018]: no library or class contains xyzzy"),
        (["new", "mass"], "error[F006]: mass is a class of translational.lib"),
        (["new", "2x"], "error[F006]: a model cannot be called `2x`"),
        (["new", "model"], "error[F006]: a model cannot be called `model`"),
    ],
)
def test_mistakes(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_list_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(said(capsys, "list", "resistor", "--json"))
    found = {entry["library"]: entry["classes"] for entry in data["libraries"]}
    assert "resistor" in found["electrical.lib"]
    assert "thermalresistor" in found["thermal.lib"]


def test_colors_only_where_they_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in said(capsys, "docs", "resistor")
    colored = said(capsys, "docs", "resistor", "--color", "always")
    assert "\x1b[1m" in colored


def test_new_model_runs_and_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "Slider"]) == 0
    assert Path("Slider.mdl").read_text(encoding="utf-8") == new_model("Slider")
    assert main(["check", "Slider.mdl"]) == 0
    assert main(["fmt", "--check", "Slider.mdl"]) == 0
    assert main(["simulate", "Slider.mdl", "-o", "r.csv"]) == 0
    result = acausal.read("r.csv")
    assert result["m.s"][-1] == pytest.approx(10 / 50, rel=0.02)  # the force over the stiffness
    capsys.readouterr()
    assert main(["new", "Slider"]) == 2
    assert "error[F019]: Slider.mdl exists already" in capsys.readouterr().err
    assert main(["new", "other.mdl", "--quiet"]) == 0
    assert "model other\n" in Path("other.mdl").read_text(encoding="utf-8")


def test_examples_are_listed_and_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "examples")
    assert [e.place for e in model_examples() if e.place not in text or len(e.summary) < 10] == []
    target = tmp_path / "mine"
    assert main(["examples", "--copy", str(target)]) == 0
    written = sorted(path.relative_to(target).as_posix() for path in target.rglob("*.*"))
    assert {"rc.mdl", "robot/robot.mdl", "robot/R3robot.lib"} <= set(written)
    assert not [name for name in written if name.endswith(".png")]
    assert (target / "rc.mdl").read_bytes() == (examples_folder() / "rc.mdl").read_bytes()
    assert main(["check", str(target / "rc.mdl"), str(target / "robot" / "robot.mdl")]) == 0
    capsys.readouterr()
    assert main(["examples", "--copy", str(target)]) == 2
    assert "error[F019]" in capsys.readouterr().err


def test_help_in_the_dialogue_is_the_same_text() -> None:
    dialogue = Interpreter(lambda file, **_: pytest.fail("nothing is translated"))
    assert dialogue.execute("help resistor").text == plain(find("resistor"))
    assert dialogue.execute("help input").text.startswith("input u=sin(time)")
    assert "signal given from outside" in dialogue.execute("help input").text
    reply = dialogue.execute("help resitor")
    assert reply.failed
    assert "did you mean resistor?" in reply.text


def test_completion_of_names() -> None:
    command = [sys.executable, "-c", "import sys; from acausal.cli import main; sys.exit(main())"]
    completion = {"_ACAUSAL_COMPLETE": "complete_bash", "COMP_WORDS": "acausal docs capac", "COMP_CWORD": "2"}
    environment = {**os.environ, **completion}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert run.stdout.split() == ["capacitor"]
