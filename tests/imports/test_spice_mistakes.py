"""Mistakes of netlists: F031 at their place; and what strangers may try."""

from pathlib import Path

import pytest

import acausal
from acausal.base.options import Limits
from acausal.cli import main

FILTER = ".subckt LOW a b r=1k\nR1 a b {r}\nC1 b 0 1u\n.ends"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("R1 a", 2, "has 1 nodes, not 2"),
        ("R1 a 0", 2, "R1 has no value"),
        ("R1 a 0 1e999", 2, "is too large"),
        ("R1 a 0 {2*1e999}", 2, "is too large"),
        ("R1 a 0 {x}", 2, "unknown parameter x"),
        ("R1 a 0 {1+}", 2, "ends too early"),
        ("R1 a 0 {1 ! 2}", 2, "does not belong"),
        ("R1 a 0 {foo(1)}", 2, "function foo of 1 arguments"),
        ("R1 a 0 {" + "(" * 90 + "1}", 2, "is missing|ends too early"),
        ("R1 a 0 1\nr1 a 0 2", 3, "a second element has the name r1"),
        ("V1 a 0 SIN(1)", 2, "has 1 values"),
        ("V1 a 0 PWL(0 1 2)", 2, "pairs of time and value"),
        ("V1 a 0 PWL(1 1 0 2)", 2, "do not increase"),
        ("V1 a 0 PULSE(0 1)", 2, "depends on .tran"),
        ("V1 a 0 SFFM(0 1)", 2, "has 2 values, at least 5"),
        ("V1 a 0 DC 0 TRNOISE(1m 1u 0 0)", 2, "the shape TRNOISE is not supported"),
        ("D1 a 0 DX", 2, "there is no .model DX"),
        ("D1 a 0 DX\n.model DX NPN", 2, "needs a model of type D"),
        ("M1 a b 0 0 MX\n.model MX NMOS(LEVEL=8)", 3, "level 8"),
        ("D1 a 0 DX\n.model DX D(IS={x})", 3, "is not a number"),
        ("X1 a b LOW", 2, "there is no subcircuit LOW"),
        (f"X1 a LOW\n{FILTER}", 2, "has 1 nodes, LOW has 2 ports"),
        (f"X1 a b LOW c=1\n{FILTER}", 2, "has no parameter c"),
        (f"{FILTER}\n{FILTER}", 6, "a second subcircuit has the name LOW"),
        (".subckt A a\nX1 a B\n.ends\n.subckt B b\nX1 b A\n.ends\nX1 1 A", 6, "contains itself"),
        (".subckt A a\nX1 a A\n.ends\nX1 1 A", 3, "contains itself"),
        (".subckt A a\nR1 a 0 1", 2, "has no .ends"),
        (".ends", 2, ".ends without .subckt"),
        (".control\nrun", 2, ".control has no .endc"),
        (".tran 1m", 2, "a step and a stop time"),
        (".ic v(a)", 2, ".ic has V"),
        ("F1 a 0 V9 1", 2, "no current of v9"),
        ("R1 b 0 1\nB1 a 0 V={v(zz)}", 3, "no element is at the node zz"),
        ("K1 L1 L2 0.9", 2, "L1 is not an inductor"),
        (".if (x)", 2, "is not supported"),
        (".include /etc/passwd", 2, "not in an allowed folder"),
        (".include ../../etc/passwd", 2, "not in an allowed folder"),
        (".lib models.lib tt", 2, "takes one file"),
    ],
)
def test_mistakes(text: str, line: int, message: str) -> None:
    with pytest.raises(acausal.ModelError, match=message) as error:
        acausal.import_model("c.cir", text=f"title\n{text}\n")
    (found,) = error.value.report.diagnostics
    assert found.code == "F031"
    assert found.primary is not None
    assert found.primary.span.line == line


def test_limits() -> None:
    with pytest.raises(acausal.LimitError, match="L002"):
        acausal.import_model("c.cir", text="t\nR1 a 0 {" + "(" * 300 + "1" + ")" * 300 + "}\n")
    with pytest.raises(acausal.ModelError, match="more than 20000 characters"):
        acausal.import_model("c.cir", text="t\nR1 a 0 {" + "1+" * 20000 + "1}\n")
    with pytest.raises(acausal.LimitError, match="L001"):
        acausal.import_model("c.cir", text="t\n" + "R1 a 0 1\n" * 10, limits=Limits(file_length=20))
    chain = "\n".join([f".subckt S{k} a\nX1 a S{k + 1}\n.ends" for k in range(300)])
    text = acausal.import_model("c.cir", text=f"t\nX1 a S0\n{chain}\n.subckt S300 a\nR1 a 0 1\n.ends\n").text
    assert text.count("model class") == 301


def test_included_files(tmp_path: Path) -> None:
    """Files of the folder and below, or of a folder that is given; a link to elsewhere does not count."""
    inner, other = tmp_path / "n" / "parts", tmp_path / "other"
    inner.mkdir(parents=True)
    other.mkdir()
    main_file = tmp_path / "n" / "c.cir"
    (inner / "a.inc").write_text("R1 a 0 1\n.include b.inc\n", encoding="utf-8")
    (inner / "b.inc").write_text("V1 a 0 {x}\n", encoding="utf-8")
    (other / "p.inc").write_text(".param x=1\n", encoding="utf-8")
    main_file.write_text("t\n.include 'parts/a.inc'\n.include ../other/p.inc\n.tran 1u 1m\n", encoding="utf-8")
    with pytest.raises(acausal.ModelError, match="not in an allowed folder"):
        acausal.import_model(main_file)
    assert "{ parts/a.inc line 1 }" in acausal.import_model(main_file, path=[other]).text
    (inner / "p.inc").symlink_to(other / "p.inc")
    (inner / "b.inc").write_text(".include p.inc\n", encoding="utf-8")
    main_file.write_text("t\n.include parts/a.inc\n", encoding="utf-8")
    with pytest.raises(acausal.ModelError, match="not in an allowed folder"):
        acausal.import_model(main_file)
    (inner / "b.inc").write_text(".include a.inc\n", encoding="utf-8")
    with pytest.raises(acausal.LimitError, match="L003"):
        acausal.import_model(main_file)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("amp.cir").write_text("Divider\nV1 a 0 2\nR1 a b 1k\nR2 b 0 1k\n.tran 1u 1m\n.noise x\n", encoding="utf-8")
    assert main(["import", "amp.cir", "-o", "amp.mdl"]) == 0
    assert "note[F032]: .noise is not translated" in capsys.readouterr().err
    assert main(["check", "amp.mdl"]) == 0
    assert main(["fmt", "--check", "amp.mdl"]) == 0
    Path("amp.cir").write_text("Divider\nV1 a 0\n.param x\n", encoding="utf-8")
    assert main(["import", "amp.cir"]) == 1
    assert "error[F031]: x is not NAME=VALUE" in capsys.readouterr().err
