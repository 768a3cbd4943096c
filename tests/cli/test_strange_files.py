"""Files that are no model, or far too much of one, as a user meets them: `acausal check FILE` in every format."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from acausal.cli import main

DEEP = 100_000
MODEL = "model M\n  local x\n  x = {}\nend\n"


def _deep(opening: str, inner: str = "1", closing: str = "") -> bytes:
    return MODEL.format(opening * DEEP + inner + closing * DEEP).encode()


FILES: dict[str, tuple[str, int, bytes]] = {
    "parentheses": ("L002", 3, _deep("(", "1", ")")),
    "parentheses unclosed": ("L002", 3, _deep("(")),
    "brackets": ("L002", 3, _deep("[", "1", "]")),
    "signs": ("L002", 3, _deep("-")),
    "powers": ("L002", 3, _deep("2^")),
    "calls": ("L002", 3, _deep("sin(", "1", ")")),
    "conditions": ("L002", 3, MODEL.format("if a then 1 else " * (DEEP // 2) + "1").encode()),
    "closed without opening": ("P007", 3, _deep("", "1", ")")),
    "equations inside ifs": ("L002", 201, b"model M\n" + b"if a then\n" * (DEEP - 1000)),
    "classes": ("L002", 201, b"model M\n" + b"model class A\n" * (DEEP // 2) + b"end\n" * (DEEP // 2)),
    "cuts": ("P001", 2, b"model M\n cut A " + b"[" * DEEP + b"a" + b"]" * DEEP + b"\nend\n"),
    "connections": ("L002", 2, b"model M\n connect " + b"(" * DEEP + b"a" + b")" * DEEP + b"\nend\n"),
    "long file": ("L001", 100_001, b"model M\n" + b"{ hello }\n" * 200_000 + b"end\n"),
    "long line": ("P003", 3, MODEL.format("1" + " " * 900_000 + "§").encode()),
    "long name": ("N002", 3, MODEL.format("a" * 900_000).encode()),
    "NUL": ("F002", 3, MODEL.format("1 \0 2").encode()),
    "Latin-1": ("F002", 3, MODEL.format("1 { größer }").encode("latin-1")),
    "UTF-16": ("F002", 1, MODEL.encode("utf-16")),
    "UTF-16 without mark": ("F002", 1, MODEL.encode("utf-16-be")),
    "UTF-32": ("F002", 1, MODEL.encode("utf-32")),
    "picture": ("F002", 1, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "Simulink": ("F003", 1, b'Model {\n  Name "controller"\n  Version 7.8\n}\n'),
    "Simulink since 2023": ("F003", 1, b"# MathWorks OPC Text Package\nModel {\n  Version  24.1\n}\n"),
    "contains itself": ("N009", 2, b"model class A\n submodel (A) a\nend\nmodel M\n submodel (A) a\nend\n"),
    "inherits itself": ("N007", 1, b"model class (B) A\nend\nmodel class (A) B\nend\nmodel M\n submodel (A) a\nend\n"),
    "carriage returns": ("P003", 1, b"model M\r  local x\r  x = 1\rend\r"),
    "open comment": ("P004", 1, b"{ nothing"),
}


def _written(folder: Path, name: str) -> None:
    (folder / "m.mdl").write_bytes(FILES[name][2])


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], tuple[int, str]]:
    """The exit code and what is said of m.mdl in a format."""
    monkeypatch.chdir(tmp_path)

    def run(format_: str) -> tuple[int, str]:
        code = main(["check", "m.mdl", "--format", format_])
        said = capsys.readouterr()
        return code, said.err if format_ == "human" else said.out

    return run


@pytest.mark.parametrize("name", FILES)
def test_one_located_error_in_every_format(
    name: str, tmp_path: Path, checked: Callable[[str], tuple[int, str]]
) -> None:
    code, line, _ = FILES[name]
    _written(tmp_path, name)
    expected = 4 if code.startswith("L") else 1
    exit_code, human = checked("human")
    assert exit_code == expected
    assert human.startswith(f"error[{code}]: ")
    assert f"--> m.mdl:{line}:" in human
    assert max(map(len, human.splitlines())) < 400
    (found,) = json.loads(checked("json")[1])["diagnostics"]
    (primary,) = [span for span in found["spans"] if span["primary"]]
    assert (found["code"], primary["file"], primary["line"]) == (code, "m.mdl", line)
    assert found["help"]
    (result,) = json.loads(checked("sarif")[1])["runs"][0]["results"]
    assert result["ruleId"] == code
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line
    assert checked("github")[1].startswith(f"::error file=m.mdl,line={line},")


def test_a_circle_of_includes_counts_each_file_once(tmp_path: Path, checked: Callable[[str], tuple[int, str]]) -> None:
    (tmp_path / "a.lib").write_text("@b.lib\nmodel class A\n  submodel (B) b\nend\n", encoding="utf-8")
    (tmp_path / "b.lib").write_text("@a.lib\nmodel class B\n  local x\n  x = 1\nend\n", encoding="utf-8")
    (tmp_path / "m.mdl").write_text("@a.lib\n@m.mdl\nmodel M\n  submodel (A) a\nend\n", encoding="utf-8")
    assert checked("human") == (0, "m.mdl: no errors found\n")
    (tmp_path / "b.lib").write_text("@a.lib\nmodel class B\n  submodel (A) a\nend\n", encoding="utf-8")
    code, said = checked("human")
    assert code == 1
    assert said.startswith("error[N009]: a class contains itself: A contains B contains A\n --> b.lib:3:")


def test_a_chain_of_includes_that_never_ends(tmp_path: Path, checked: Callable[[str], tuple[int, str]]) -> None:
    for i in range(60):
        (tmp_path / f"{i}.lib").write_text(f"@{i + 1}.lib\n", encoding="utf-8")
    (tmp_path / "m.mdl").write_text("@0.lib\nmodel M\nend\n", encoding="utf-8")
    code, said = checked("human")
    assert code == 4
    assert said.startswith("error[L003]: a chain of includes has more than 50 files\n --> 49.lib:1:1\n")


def test_what_is_included_is_told_with_the_place_of_the_include(
    tmp_path: Path, checked: Callable[[str], tuple[int, str]]
) -> None:
    (tmp_path / "odd.lib").write_bytes(b"model class A\n\xff\nend\n")
    (tmp_path / "m.mdl").write_text("@odd.lib\nmodel M\nend\n", encoding="utf-8")
    code, said = checked("human")
    assert code == 1
    assert "--> odd.lib:2:1" in said
    assert "::: m.mdl:1:1" in said
