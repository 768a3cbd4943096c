"""Data files that are none: devices, pipes, folders, other kinds of files, broken ones. Always an ordinary error."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acausal.cli import main
from tests.results.damaged import KINDS, damaged, good

SECRET = "root:$6$yJ0:18000:0:99999:7:::"
MODEL = "model M\n  parameter k=1\n  local x (start=0)\n  input u\n  der(x) = u - k*x\nend\n"
TABLE = 'model M\n  local y\n  y = table("{}", time)\nend\n'
INCLUDE = "@{}\nmodel M\n  local x\n  der(x) = -x\nend\n"

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The exit code of a command, and all that it says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mdl").write_text(MODEL)

    def command(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        said = capsys.readouterr()
        return code, said.out + said.err

    return command


def _special(folder: Path) -> dict[str, str]:
    os.mkfifo(folder / "pipe.csv")
    (folder / "folder.csv").mkdir()
    (folder / "loop.csv").symlink_to(folder / "loop.csv")
    (folder / "device.csv").symlink_to("/dev/zero")
    (folder / "latin.csv").write_bytes("t,ü\n0,1\n".encode("latin-1"))
    (folder / "nul.csv").write_bytes(b"\0" * 1000)
    (folder / "quote.csv").write_text('t,u\n0,"1\n1,2\n')
    (folder / "wide.csv").write_text("t,u\n0," + "9" * 200_000 + "\n")
    (folder / "words.csv").write_text(SECRET + "\n" + SECRET + "\n")
    (folder / "holes.csv").write_text("t,u\n0,\n,1\n")
    (folder / "inf.csv").write_text("t,u\n0,1\n1,inf\n2,nan\n")
    (folder / "empty.csv").write_text("")
    (folder / "head.csv").write_text("t,u\n")
    names = [path.name for path in sorted(folder.iterdir()) if path.suffix == ".csv"]
    return {name: name for name in names} | {"zero": "/dev/zero", "stdin": "/dev/stdin", "none": "none.csv"}


def _ordinary(code: int, said: str) -> None:
    assert code in (1, 2, 4), said
    assert "error[" in said
    assert "internal error" not in said
    assert "Traceback" not in said
    assert SECRET not in said
    assert max(map(len, said.splitlines())) < 400


def test_tables_of_models(run: Run, tmp_path: Path) -> None:
    for name in _special(tmp_path).values():
        (tmp_path / "m.mdl").write_text(TABLE.format(name))
        code, said = run("check", "m.mdl")
        _ordinary(code, said)
        assert "--> m.mdl:3:" in said, name


def test_inputs(run: Run, tmp_path: Path) -> None:
    for name in [*_special(tmp_path), "/dev/zero", "/dev/full"]:
        code, said = run("simulate", "m.mdl", "--input", f"u={name}", "--stop", "1")
        _ordinary(code, said)


def test_tables_of_runs(run: Run, tmp_path: Path) -> None:
    for name in _special(tmp_path).values():
        code, said = run("sweep", "m.mdl", "--runs", name, "--input", "u=1")
        if name != "words.csv":  # the user's own table is shown
            _ordinary(code, said)


def test_includes_and_models(run: Run, tmp_path: Path) -> None:
    for name in _special(tmp_path).values():
        (tmp_path / "m.mdl").write_text(INCLUDE.format(name))
        code, said = run("check", "m.mdl")
        if name == "empty.csv":
            continue
        _ordinary(code, said)
        assert "--> m.mdl:1:" in said
        if not name.startswith("/"):
            _ordinary(*run("check", name)) if name != "words.csv" else None


def test_text_of_other_files_is_not_quoted(run: Run, tmp_path: Path) -> None:
    texts = (SECRET, f"{SECRET}\n\0", f"# {SECRET}\n" * 5, f"key={SECRET}", f"[a]\nb = {SECRET}", f"{{{SECRET}}} x")
    for text in (*texts, f"model {SECRET}"):
        for content in (text.encode(), text.encode("utf-16"), text.encode() + b"\xff"):
            (tmp_path / "shadow").write_bytes(content)
            for model in (INCLUDE.format("shadow"), INCLUDE.format("shadow as s")):
                (tmp_path / "m.mdl").write_text(model)
                for format_ in ("human", "json", "sarif", "github"):
                    code, said = run("check", "m.mdl", "--format", format_)
                    assert code == 1
                    assert "F016" in said
                    assert not any(word in said for word in ("root", "$6$", "99999"))


def test_damaged_results(run: Run, tmp_path: Path) -> None:
    for kind in KINDS:
        for number in range(12):
            (tmp_path / f"bad.{kind}").write_bytes(damaged(good(kind), Random(f"{kind} {number}")))
            code, said = run("plot", f"bad.{kind}", "x", "--figure", "p.svg")
            if code:
                _ordinary(code, said)


def test_results_that_are_others(run: Run, tmp_path: Path) -> None:
    np.savez(tmp_path / "pickled.npz", names=np.array(["time", {}], dtype=object), values=np.zeros((1, 2)))
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as file:
        head = {"descr": "<f8", "fortran_order": False, "shape": (1 << 40, 1 << 20)}
        with file.open("values.npy", "w") as member:
            np.lib.format.write_array_header_1_0(member, head)  # type: ignore[arg-type]  # says that it is huge
            member.write(b"\0" * 1000)
        with file.open("names.npy", "w") as member:
            np.lib.format.write_array(member, np.array(["time"] * 3))
    (tmp_path / "bomb.mat").write_bytes(np.array([0, 2**30, 2**30, 0, 7], dtype="<i4").tobytes() + b"Aclass\0")
    for kind in ("csv", "npz", "mat", "parquet"):
        for name, content in (("empty", b""), ("text", SECRET.encode() * 9), ("zeros", bytes(10_000))):
            (tmp_path / f"{name}.{kind}").write_bytes(content)
        (tmp_path / f"device.{kind}").symlink_to("/dev/zero")
        (tmp_path / f"folder.{kind}").mkdir()
        os.mkfifo(tmp_path / f"pipe.{kind}")
    for path in sorted(tmp_path.iterdir()):
        if path.suffix != ".mdl":
            code, said = run("plot", path.name, "x", "--figure", "p.svg")
            if code or path.name != "p.svg":
                assert code in (1, 2, 4), (path.name, said)
                assert "internal error" not in said, (path.name, said)


def test_errors_are_json_too(run: Run, tmp_path: Path) -> None:
    _special(tmp_path)
    code, said = run("simulate", "m.mdl", "--input", "u=device.csv", "--json")
    assert json.loads(said)["exit_code"] == code == 2


def test_names_that_no_file_can_have(run: Run, tmp_path: Path) -> None:
    name = "a" * 5000
    for text in (INCLUDE.format(f"{name}.lib"), TABLE.format(name)):
        (tmp_path / "m.mdl").write_text(text)
        _ordinary(*run("check", "m.mdl"))
    (tmp_path / "m.mdl").write_text(MODEL)
    for end in (("-o", f"{name}.csv"), ("-o", f"{name}/a.csv"), ("--input", f"u={name}.csv"), ("-o", "a\0.csv")):
        _ordinary(*run("simulate", "m.mdl", "--stop", "1", "--input", "u=1", *end))
    for arguments in (("plot", f"{name}.csv", "x"), ("check", name), ("check", "a\0"), ("fmt", name)):
        _ordinary(*run(*arguments))
    sweep = ("sweep", "m.mdl", "--set", "k=1,2", "--stop", "1", "--input", "u=1")
    for more in (("--folder", name), ("--folder", f"{name}/b"), ("-o", f"{name}/a.csv"), ("--runs", name)):
        _ordinary(*run(*sweep, *more))
