"""Known, unknown and steady from the command line."""

from pathlib import Path

import pytest

from acausal.cli import main
from acausal.results.read import read

TANK = "model Tank\n  parameter k=2, q=3\n  local h (start=1)\n  der(h) = q - k*sqrt(h)\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tank.mdl").write_text(TANK, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_steady() -> None:
    assert main(["simulate", "tank.mdl", "--steady", "--stop", "0.1", "-o", "r.csv"]) == 0
    assert read("r.csv")["h"] == pytest.approx(2.25)
    assert main(["simulate", "tank.mdl", "--steady", "--set", "q=4", "--stop", "0.1", "-o", "r.csv"]) == 0
    assert read("r.csv")["h"] == pytest.approx(4.0)


@pytest.mark.usefixtures("folder")
def test_sizing(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--known", "h", "--unknown", "k", "--input", "h=4+time^2", "--stop", "1", "-o", "r.csv"]
    assert main(["simulate", "tank.mdl", *arguments]) == 0
    result = read("r.csv")
    assert result["k"] == pytest.approx((3 - 2 * result.time) / (4 + result.time**2) ** 0.5)
    assert main(["simulate", "tank.mdl", "--known", "h", "--unknown", "k"]) == 2
    assert "error[R005]: the input h has no value" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "tank.mdl", "--known", "hh", "--unknown", "k"]) == 2
    assert "did you mean h?" in capsys.readouterr().err
    assert main(["translate", "tank.mdl", "--known", "h"]) == 1
    assert "--unknown k or --unknown q" in capsys.readouterr().err
    assert main(["translate", "tank.mdl", "--unknown", "k"]) == 1
    assert "make the prescribed variable known: --known h" in capsys.readouterr().err
    assert main(["translate", "tank.mdl", "--known", "k"]) == 2
    assert "k is a parameter, not a variable" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_derivatives_of_a_known_variable_are_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "tank.mdl", "--known", "h", "--unknown", "k", "--show", "code"]) == 0
    text = capsys.readouterr().out
    assert "# u[0] h\n# u[1] der(h)\n" in text
