"""Flags, exit codes and where output goes; the translator itself is replaced by one that fails as told."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from types import ModuleType

import pytest

from acausal.base.diagnostics import (
    Diagnostic,
    InternalError,
    LimitError,
    ModelError,
    Report,
    Severity,
    SimulationError,
    UsageError,
)
from acausal.base.options import SimulateOptions, TranslateOptions, help_of
from acausal.cli import main
from acausal.cli.flags.values import limits, names, numbers, pairs

MISTAKE = Diagnostic("N001", "unknown name q", help="did you mean p")
ODD = Diagnostic("U001", "odd unit", severity=Severity.WARNING)


@pytest.fixture
def checking(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], list[dict[str, object]]]:
    """Make `checking.check` return a report or raise an exception; the list holds what it was called with."""
    calls: list[dict[str, object]] = []

    def prepare(outcome: object) -> list[dict[str, object]]:
        def check(file: object, **options: object) -> object:
            calls.append({"file": str(file), **options})
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        checking = ModuleType("acausal.checking")
        checking.check = check  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "acausal.checking", checking)
        return calls

    return prepare


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Report(), 0),
        (Report((ODD,)), 0),
        (ModelError(MISTAKE), 1),
        (UsageError(MISTAKE), 2),
        (SimulationError(MISTAKE), 3),
        (LimitError(MISTAKE), 4),
        (InternalError("sort", "lost an equation"), 70),
        (ZeroDivisionError("oops"), 70),
        (RecursionError(), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_exit_code_of_each_outcome(
    checking: Callable[[object], object], capsys: pytest.CaptureFixture[str], outcome: object, code: int
) -> None:
    checking(outcome)
    assert main(["check", "a.mdl"]) == code
    assert "Traceback" not in capsys.readouterr().err
    assert main(["check", "a.mdl", "--json"]) == code
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["exit_code"]) == (code == 0, code)


def test_a_report_with_errors_fails(checking: Callable[[object], object]) -> None:
    checking(Report((ODD, MISTAKE)))
    assert main(["check", "a.mdl"]) == 1


def test_people_read_standard_error(checking: Callable[[object], object], capsys: pytest.CaptureFixture[str]) -> None:
    checking(ModelError(MISTAKE))
    main(["check", "a.mdl"])
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "error[N001]: unknown name q\n  = help: did you mean p\n"


@pytest.mark.parametrize(("format_", "start"), [("json", "{"), ("sarif", "{"), ("github", "::error title=N001::")])
def test_programs_read_standard_output(
    checking: Callable[[object], object], capsys: pytest.CaptureFixture[str], format_: str, start: str
) -> None:
    checking(ModelError(MISTAKE))
    assert main(["check", "a.mdl", "--format", format_]) == 1
    said = capsys.readouterr()
    assert said.out.startswith(start)
    assert said.err == ""


def test_colour_is_for_terminals_or_on_demand(
    checking: Callable[[object], object], capsys: pytest.CaptureFixture[str]
) -> None:
    checking(ModelError(MISTAKE))
    main(["check", "a.mdl", "--color", "auto"])
    assert "\x1b" not in capsys.readouterr().err
    main(["check", "a.mdl", "--color", "always"])
    assert "\x1b[1;31merror" in capsys.readouterr().err


def test_quiet_says_nothing_of_a_good_model(
    checking: Callable[[object], object], capsys: pytest.CaptureFixture[str]
) -> None:
    checking(Report())
    main(["check", "a.mdl"])
    assert capsys.readouterr().err == "a.mdl: no errors found\n"
    main(["check", "a.mdl", "--quiet"])
    assert capsys.readouterr() == ("", "")


def test_flags_reach_the_translator(checking: Callable[[object], list[dict[str, object]]]) -> None:
    calls = checking(Report())
    main(["check", "a.mdl", "--model", "M", "--path", "x", "--path", "y", "--limit", "scalars=5"])
    assert calls[0]["file"] == "a.mdl"
    assert calls[0]["model"] == "M"
    assert [str(path) for path in calls[0]["path"]] == ["x", "y"]  # type: ignore[attr-defined]
    assert calls[0]["limits"] == limits(["scalars=5"])


def test_debugging_shows_where(checking: Callable[[object], object], monkeypatch: pytest.MonkeyPatch) -> None:
    checking(ZeroDivisionError("oops"))
    monkeypatch.setenv("ACAUSAL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["check", "a.mdl"])


@pytest.mark.parametrize("arguments", [["chek"], ["check"], ["check", "a.mdl", "--format", "xml"], ["--nonsense"]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_explain_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "f001"]) == 0
    assert capsys.readouterr().out.startswith("F001: ")
    assert main(["explain", "F0"]) == 2
    assert main(["--help"]) == 0
    commands = capsys.readouterr().out
    for command in ("check", "translate", "simulate", "plot", "fmt", "repl", "explain", "doctor"):
        assert f"  {command} " in commands
        assert main([command, "--help"]) == 0
        flags = capsys.readouterr().out
        assert all(flag in flags for flag in ("--json", "--format", "--path", "--color", "--quiet"))


@pytest.mark.parametrize("options", [TranslateOptions, SimulateOptions])
def test_every_option_is_a_flag(
    capsys: pytest.CaptureFixture[str], options: type[TranslateOptions] | type[SimulateOptions]
) -> None:
    for command in ("simulate", "linearize"):  # the loops that are opened are options of the other
        main([command, "--help"])
    flags = "".join(capsys.readouterr().out.split())
    names = {field.name for field in fields(options)} - {"tunable"}  # which sensitivities set, not users
    for name in sorted(names):
        assert "".join(help_of(options, name).split()) in flags


def test_the_command_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "acausal", "explain", "nothing"], capture_output=True, check=False)
    assert done.returncode == 2


def test_values_of_flags() -> None:
    assert names(" a, b.c ,") == ("a", "b.c")
    assert names(None) == ()
    assert pairs("--input", ["u = sin(time)", "v=a=b"]) == {"u": "sin(time)", "v": "a=b"}
    assert numbers("--set", ["m.k=1e-3", "m.k=2"]) == {"m.k": 2.0}
    assert limits(["nesting=7"]).nesting == 7


@pytest.mark.parametrize("text", ["x", "x=", "=1", "x=one", "nonsense=1", "scalars=0", "scalars=1.5", "scalars=inf"])
def test_values_that_are_not_understood(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        limits([text])
    assert caught.value.report.diagnostics[0].code == "F006"
