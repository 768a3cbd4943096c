"""`simulate`, `plot`, `fmt` on real models: files, partial results, interruption, closed pipes."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acausal.cli import main, runs
from acausal.render import progress
from acausal.results.read import read
from tests.collection import ROOT

RC = str(ROOT / "examples" / "rc.mdl")
BLOWS_UP = "model Blow\n  local x (start=1, fixed=true)\n  der(x) = x^2\n  experiment (stop=2)\nend\n"
WILD = "model   M\nlocal x\n  x=1\nend\n"
REGULAR = "model M\n  local x\n  x = 1\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_a_failed_run_keeps_what_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("blow.mdl").write_text(BLOWS_UP)
    assert main(["simulate", "blow.mdl", "-o", "r.csv"]) == 3
    text = said(capsys)
    kept = read("r.csv")
    assert 0.9 < kept.time[-1] < 1.0
    assert abs(kept["x"][-1] * (1 - kept.time[-1]) - 1) < 1e-2
    assert f"the {len(kept.time)} rows up to t = {kept.time[-1]:g} are written: r.csv\n" in text
    assert "error[R002]" in text
    assert main(["simulate", "blow.mdl", "--json", "-o", "r.csv"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["ok"], data["exit_code"], data["written"]) == (False, 3, ["r.csv"])


def test_an_interrupted_run_keeps_what_there_is(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def stopping(*_: object) -> Iterator[Callable[[float], None]]:
        def reached(t: float) -> None:
            if t > 0.002:
                raise KeyboardInterrupt

        yield reached

    monkeypatch.setattr(runs, "running", stopping)
    assert main(["simulate", RC, "-o", "r.csv", "--interval", "1e-7"]) == 130
    text, last = said(capsys), read("r.csv").time[-1]
    assert 0.002 < last < 0.005
    assert f"interrupted at t = {last:g}" in text
    assert "Traceback" not in text


def test_without_a_screen_a_plot_is_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless standard output is for programs: they need a file."""
    assert main(["simulate", RC, "--plot", "C.u", "-o", "r.csv", "--json"]) == 2
    assert "--figure FILE.png" in capsys.readouterr().out
    assert not Path("r.csv").exists()
    assert main(["simulate", RC, "--plot", "C.u", "-o", "r.csv"]) == 0
    assert "C.u [V]" in capsys.readouterr().out
    assert main(["simulate", RC, "--plot", ""]) == 0
    assert "a: C.u   b: R.u" in capsys.readouterr().out
    assert main(["simulate", RC, "-o", "r.csv", "--plot", "C.u", "--figure", "p.png"]) == 0
    assert main(["plot", "r.csv", "C.u", "R.*"]) == 0
    assert main(["plot", "r.csv", "C.u", "R.*", "--figure", "q.svg"]) == 0
    assert Path("p.png").stat().st_size > 3000
    assert "written: q.svg" in said(capsys)


def test_a_misspelled_name_is_told_before_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "run", lambda *_: pytest.fail("it ran"))
    assert main(["simulate", RC, "--plot", "C.u,C.uu", "--figure", "p.png"]) == 2
    assert "did you mean C.u?" in said(capsys)


def curves(svg: str) -> set[str]:
    """The names of the curves: matplotlib leaves the text of a figure as comments."""
    text = Path(svg).read_text(encoding="utf-8")
    return {name for name in ("C.u", "R.u", "R.i") if f"<!-- {name}" in text}


def test_the_experiment_says_what_is_plotted(folder: Path) -> None:
    assert main(["simulate", RC, "--figure", "p.svg"]) == 0
    assert curves("p.svg") == {"C.u", "R.u"}
    assert main(["simulate", RC, "--figure", "q.svg", "--outputs", "C.u,R.i"]) == 0
    assert curves("q.svg") == {"C.u"}
    assert main(["simulate", RC, "--figure", "r.svg", "--plot", "R.i"]) == 0
    assert curves("r.svg") == {"R.i"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", RC, "-o", "nowhere/r.csv"],
        ["simulate", RC, "--figure", "nowhere/r.png"],
        ["simulate", RC, "-o", "r.xyz"],
        ["simulate", RC, "--figure", "r.xyz"],
        ["simulate", RC, "-o", "folder.csv"],
        ["translate", RC, "-o", "nowhere/x.txt"],
        ["translate", RC, "-o", "folder.csv"],
    ],
)
def test_a_file_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    Path("folder.csv").mkdir()
    assert main(arguments) == 2
    text = said(capsys)
    assert text.startswith("error[F008]: ")
    assert arguments[-1] in text
    assert "\n  = help: " in text


def test_progress_is_for_terminals(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert main(["simulate", RC]) == 0
    assert "simulating" not in said(capsys)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["simulate", RC, "--color", "never"]) == 0
    assert "simulating RC: t = " in said(capsys)
    assert main(["simulate", RC, "--quiet"]) == 0
    assert said(capsys) == ""


def test_format_in_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.mdl").write_text(WILD)
    assert main(["fmt", "--check", "m.mdl"]) == 1
    assert said(capsys) == "m.mdl: would change\n"
    assert main(["fmt", "--stdout", "m.mdl"]) == 0
    assert capsys.readouterr().out == REGULAR
    assert Path("m.mdl").read_text() == WILD
    assert main(["fmt", "m.mdl"]) == 0
    assert said(capsys) == "m.mdl: formatted\n"
    assert Path("m.mdl").read_text() == REGULAR
    assert main(["fmt", "--check", "m.mdl"]) == 0


def test_format_goes_on_after_a_faulty_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.mdl").write_text("model M\n  x = (1\nend\n")
    Path("m.mdl").write_text(WILD)
    assert main(["fmt", "bad.mdl", "missing.mdl", "m.mdl"]) == 1
    text = said(capsys)
    assert "bad.mdl:2:" in text
    assert "error[F001]: missing.mdl" in text
    assert Path("m.mdl").read_text() == REGULAR


def test_our_own_files_are_in_regular_form() -> None:
    files = [*sorted((ROOT / "examples").glob("*.mdl")), *sorted((ROOT / "stdlib").glob("*.lib"))]
    assert main(["fmt", "--check", *map(str, files)]) == 0


def test_a_reader_that_stops_reading_is_no_mistake() -> None:
    command = [sys.executable, "-m", "acausal", "translate", RC, "--show", "code"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_notes_of_the_run_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.mdl").write_text(
        'model M\n  local h (start=1, fixed=true)\n  der(h) = -1\n  terminate(h < 0, "landed")\n'
        "  experiment (stop=3)\nend\n"
    )
    assert main(["simulate", "m.mdl"]) == 0
    assert "note[R011]" in said(capsys)


@pytest.mark.parametrize("flag", [[], ["--quiet"], ["--json"]])
@pytest.mark.parametrize(
    ("equation", "row"), [("y = 1/(time - 0.5)", 251), ("y = log(0.7 - time)", 351), ("y = log(0)", 0)]
)
def test_a_result_that_is_not_finite_is_a_failure(
    folder: Path, capsys: pytest.CaptureFixture[str], equation: str, row: int, flag: list[str]
) -> None:
    """All rows are there, also those that are not finite, and the command says that some are not."""
    text = f"model M\n  local y, x (start=1, fixed=true)\n  {equation}\n  der(x) = -x\nend\n"
    Path("m.mdl").write_text(text, encoding="utf-8")
    assert main(["simulate", "m.mdl", "-o", "r.csv", "--interval", "0.002", *flag]) == 3
    output = capsys.readouterr()
    told = json.loads(output.out)["diagnostics"][-1]["code"] if flag == ["--json"] else output.err
    assert "R004" in told
    kept = read("r.csv")
    assert (len(kept.time), kept.time[-1]) == (501, 1.0)
    finite = [math.isfinite(x) for x in kept["y"]]
    assert finite.index(False) == row - bool(row)


def test_list_of_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    listed = capsys.readouterr().out
    assert "F001  a file cannot be read\n" in listed
    assert "\nR001  " in listed
