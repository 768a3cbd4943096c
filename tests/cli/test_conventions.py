"""What people expect of any command: --version, completion, standard input, several files, documented exit codes."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import acausal
from acausal.cli import main
from acausal.cli.app import root_context
from acausal.cli.command_table import COMMANDS
from acausal.results.read import read
from tests.collection import ROOT

RC = ROOT / "examples" / "rc.mdl"
WRONG = "model M\n  local x\n  x = 1\n  x = 2\nend\n"


def given(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"acausal {acausal.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (["simulate", "rc.mdl", "--plot"], "--plot X,Y (variables, patterns"),
        (["examples", "--copy"], "--copy DIR (copy the examples"),
        (["sweep", "rc.mdl", "--set"], "--set P=VALUES (values of a parameter"),
    ],
)
def test_an_option_without_its_value_shows_its_form(
    arguments: list[str], form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert form in capsys.readouterr().err


def test_help_names_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for error in (acausal.ModelError, acausal.UsageError, acausal.SimulationError, acausal.LimitError):
        assert f" {error.exit_code} " in said
    assert "70 internal error" in said
    assert "130 interrupted" in said
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "70 for an internal error" in readme


def test_table_of_commands_agrees_with_the_commands() -> None:
    commands = root_context().command.load_all()
    assert {name: command.help for name, command in commands.items()} == {n: e.summary for n, e in COMMANDS.items()}


@pytest.mark.parametrize(
    ("shell", "variables"),
    [
        ("bash", {"COMP_WORDS": "acausal simulate --st", "COMP_CWORD": "2"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "acausal simulate --st"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "acausal simulate --st", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_completion(shell: str, variables: dict[str, str]) -> None:
    def completed(mode: str) -> str:
        environment = {**os.environ, **variables, "_ACAUSAL_COMPLETE": f"{mode}_{shell}"}
        command = [sys.executable, "-c", "import sys; from acausal.cli import main; sys.exit(main())"]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
        return run.stdout

    assert "_ACAUSAL_COMPLETE" in completed("source")
    assert {"--stop", "--steady"} <= set(completed("complete").replace('"', " ").replace(":", " ").split())


def test_model_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch, RC.read_bytes())
    assert main(["simulate", "-", "-o", str(tmp_path / "r.csv"), "--set", "R.R=2000"]) == 0
    direct = acausal.translate(RC, parameters={"R.R": 2000}).simulate()
    assert read(tmp_path / "r.csv")["C.u"].tolist() == direct["C.u"].tolist()
    given(monkeypatch, RC.read_bytes())
    assert main(["translate", "-", "--show", "flat"]) == 0
    given(monkeypatch, RC.read_bytes())
    assert main(["sweep", "-", "--set", "R.R=1,1000"]) == 0
    capsys.readouterr()
    given(monkeypatch, WRONG)
    assert main(["check", "-"]) == 1
    assert "--> <stdin>:4:3" in capsys.readouterr().err
    given(monkeypatch, "model   M\nlocal x\n  x=1\nend\n")
    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "model M\n  local x\n  x = 1\nend\n"


@pytest.mark.parametrize(("content", "code"), [(b"\xff\xfe", "F002"), (b"x" * 101, "L001"), (b"", "N0")])
def test_what_is_no_model_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes, code: str
) -> None:
    given(monkeypatch, content)
    assert main(["check", "-", "--limit", "file_length=100"]) in (1, 2, 4)
    assert f"[{code}" in capsys.readouterr().err


def test_text_in_place_of_a_file() -> None:
    text = RC.read_text(encoding="utf-8")
    assert acausal.translate("rc", text=text).simulate(parameters={"R.R": 1.0})["C.u"][-1] == pytest.approx(10.0)
    assert acausal.check("wrong", text=WRONG).errors[0].code == "S001"


def test_check_of_several_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.mdl").write_text(WRONG)
    assert main(["check", str(RC), "wrong.mdl", str(ROOT / "examples" / "dc_motor.mdl")]) == 1
    said = capsys.readouterr().err
    assert said.count("no errors found") == 2
    assert said.count("error[") == 1
    assert main(["check", "wrong.mdl", "missing.mdl", "wrong.mdl"]) == 2
    assert capsys.readouterr().err.count("error[") == 3


def test_license_is_named_and_there() -> None:
    package = Path(acausal.__file__).parent
    assert "BSD 3-Clause" in (package / "LICENSE").read_text(encoding="utf-8")
