"""The command `mechanism`: tables, data, pictures, and mistakes."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from acausal.cli import main
from tests.mechanism.linkages import DOOR, SLIDER_CRANK

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def crank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with a slider-crank."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crank.mdl").write_text(SLIDER_CRANK, encoding="utf-8")
    (tmp_path / "door.mdl").write_text(DOOR, encoding="utf-8")
    return "crank.mdl"


def test_data(crank: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanism", crank, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["degrees_of_freedom"] == {"count": -2, "rank": 1}
    assert found["redundancy"] == 3
    assert [body["name"] for body in found["bodies"]] == ["ground", "a", "b", "c"]
    assert [joint["name"] for joint in found["joints"]] == ["crank", "knee", "pin", "piston"]
    assert [(loop["kind"], loop["around"]) for loop in found["loops"]] == [
        ("rigid", ["crank", "knee", "pin", "piston"])
    ]
    unique = {(r["joint"], r["component"]): r["unique"] for r in found["reactions"]}
    assert unique["knee", "f1"]
    assert not unique["knee", "f3"]
    assert found["pose"]["coordinates"]["crank.q"] == 0.5


def test_tables_mark_what_is_not_unique(crank: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanism", crank, "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (knee,) = [line.split() for line in lines if line.startswith("knee ") and "revolute" not in line]
    assert [cell.endswith("?") for cell in knee[1:6]] == [False, False, True, True, True]
    assert any(line.startswith("?: not unique at this pose (redundancy 3)") for line in lines)


def test_a_run_says_what_is_not_unique(crank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In its data, and in the row of units and descriptions of the file."""
    assert main(["simulate", crank, "--stop", "0.01", "--json", "-o", "a.csv", "--write", "knee.f*", "--units"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"knee.f[1]", "knee.f[2]", "knee.f[6]"} <= set(found["not_unique"])
    assert not {"knee.f[3]", "knee.f[4]", "knee.f[5]"} & set(found["not_unique"])
    names, about = [line.split(",") for line in Path("a.csv").read_text(encoding="utf-8").splitlines()[:2]]
    marked = [name for name, text in zip(names, about, strict=True) if text.endswith("not unique (minimum norm)")]
    assert marked == ["knee.f[1]", "knee.f[2]", "knee.f[6]"]


def test_picture(crank: str, tmp_path: Path) -> None:
    """A box for each body, a line for each joint, and the chord dashed; joints lead to their lines."""
    assert main(["mechanism", crank, "--graph", "graph.svg"]) == 0
    root = ET.fromstring((tmp_path / "graph.svg").read_text(encoding="utf-8"))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert {"ground", "a", "b", "c", "1: crank", "2: knee", "3: pin", "piston (prismatic)"} <= set(texts)
    dashed = [node for node in root.iter(f"{SVG}path") if node.get("stroke-dasharray")]
    assert len(dashed) == 1
    assert [node.get("href") for node in root.iter(f"{SVG}a")] == ["crank.mdl#L4"] * 3 + ["crank.mdl#L5"]


def test_balances(crank: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanism", crank, "--check", "energy", "--at", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["energy_check"]
    assert found["holds"]
    assert [cut["frame"] for cut in found["cuts"]] == ["crank", "knee", "pin", "piston"]


def test_elastic_joints(crank: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Hinges of the same compliance share the weight of the door, 49.05 N."""
    flags = ["--compliance", "low=1e-6:1e-6", "--compliance", "high=1e-6:1e-6", "--json"]
    assert main(["mechanism", crank.replace("crank", "door"), *flags]) == 0
    found = json.loads(capsys.readouterr().out)
    values = {(r["joint"], r["component"]): r["value"] for r in found["reactions"]}
    assert values["low", "f3"] == pytest.approx(24.525)
    assert found["elastic"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--check power", "unknown check 'power'"),
        ("--check energy --graph x.svg", "--check and --graph are mutually exclusive"),
        ("--check energy --formulation recursive", "--check and --formulation are mutually exclusive"),
        ("--axes world", "unknown axes 'world'"),
        ("--graph a.png", "a.png is not the name of an SVG file"),
        ("--compliance low", "--compliance low is not of the form JOINT=CF:CT"),
        ("--compliance hinge=1e-8", "unknown joint hinge"),
    ],
)
def test_mistakes(crank: str, flags: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanism", crank, *flags.split(), "--json"]) == 2
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["message"] == message
