"""Every block of the README does what the README says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.cli import main
from acausal.pipeline import translate
from acausal.results.read import read
from tests.collection import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [(match[1], match[2]) for match in re.finditer(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)]
LISTINGS = [text for kind, text in BLOCKS if kind == "mdl"]
TEXTS = [text for kind, text in BLOCKS if kind == "text"]
SHELL = [text.strip() for kind, text in BLOCKS if kind == "sh"]

CIRCUIT = """
model class resistor
  parameter R
  cut A (Va / i), B (Vb / -i)
  main path <A - B>
  Va - Vb = R*i
end
model class battery
  cut A (Va / i), B (Vb / -i)
  main path <A - B>
  Vb - Va = 10
end
model class ground
  main cut A (V / .)
  V = 0
end
model Use
  submodel (battery) U
  submodel (resistor) R(R=1000)
  submodel (capacitor) C(C=1e-6) (ic u=0)
  submodel (ground) G
  connect G - U - R - C - G
  experiment (stop=0.005)
end
"""


def names(listing: str) -> str:
    return re.findall(r"^model (?:class )?(?:\(\w+\) )?(\w+)", listing, re.MULTILINE)[-1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the repository's examples and the first model, as a user has them who stands in the checkout."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "circuit.mdl").write_text(LISTINGS[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("MPLBACKEND", "agg")
    return tmp_path


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert {kind for kind, _ in BLOCKS} == {"text", "sh", "mdl", "python"}
    assert len(LISTINGS) >= 7
    assert len(TEXTS) == 2
    assert README.count("```") == 2 * len(BLOCKS)


@pytest.mark.parametrize("listing", [x for x in LISTINGS if "\nmodel class capacitor" not in f"\n{x}"], ids=names)
def test_model(listing: str, tmp_path: Path) -> None:
    path = tmp_path / "listing.mdl"
    path.write_text(listing, encoding="utf-8")
    assert main(["fmt", "--check", str(path)]) == 0
    result = translate(path).simulate()
    assert result.name == names(listing)
    assert all(np.isfinite(result[name]).all() for name in result.names)
    assert any(np.ptp(result[name]) > 0 for name in result.names) or "Bridge" in listing


def test_bridge_by_nodal_analysis(tmp_path: Path) -> None:
    (listing,) = [text for text in LISTINGS if "model Bridge" in text]
    path = tmp_path / "bridge.mdl"
    path.write_text(listing, encoding="utf-8")
    conductance = np.array([[1 / 100 + 1 / 200 + 1 / 50, -1 / 50], [-1 / 50, 1 / 300 + 1 / 150 + 1 / 50]])
    left, right = np.linalg.solve(conductance, [10 / 100, 10 / 300])
    assert translate(path).simulate().final["Rm.i"] == pytest.approx((left - right) / 50, rel=1e-9)


def test_the_capacitor_is_usable(tmp_path: Path) -> None:
    """u = U (1 - exp(-t/RC))."""
    (listing,) = [text for text in LISTINGS if text.startswith("model class capacitor")]
    path = tmp_path / "use.mdl"
    path.write_text(listing + CIRCUIT, encoding="utf-8")
    result = translate(path).simulate(tolerance=1e-8)
    assert np.abs(result["C.u"] - 10 * (1 - np.exp(-result.time / 1e-3))).max() < 1e-6 * 10


@pytest.mark.parametrize("number", range(len(SHELL)))
def test_commands(number: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What follows the set-up of each block; pytest runs already, and benchmarks are only looked for."""
    for part in re.split(r"&&|\n", SHELL[number]):
        program, *arguments = shlex.split(part)
        if program.endswith("pip") or arguments[:2] == ["-m", "venv"]:
            continue
        if program.endswith("python"):
            assert arguments[0] == "-m"
            assert find_spec(arguments[1]) is not None
            continue
        assert program.removeprefix(".venv/bin/") == "acausal"
        assert main(arguments) == 0
        CHECKS[arguments[0]](folder, arguments, capsys.readouterr().out)


def _searched(folder: Path, arguments: list[str], shown: str) -> None:
    assert "linearspring" in shown


def _swept(folder: Path, arguments: list[str], shown: str) -> None:
    rows = (folder / arguments[arguments.index("-o") + 1]).read_text().splitlines()
    assert rows[0] == "run,arm.m,La.L,max(La.i),status"
    assert len(rows) == 1 + 8 * 5


def _simulated(folder: Path, arguments: list[str], shown: str) -> None:
    """Without a figure the plot is printed, as the README shows it."""
    if arguments[1] == "examples/dc_motor.mdl":
        _moved(folder, arguments)
        return
    if "--figure" not in arguments:
        assert [line.rstrip() for line in shown.splitlines()] == TEXTS[0].splitlines()
        return
    assert (folder / arguments[arguments.index("--figure") + 1]).stat().st_size > 3000
    result = read(folder / arguments[arguments.index("-o") + 1])
    assert result.time[-1] == {"examples/slider_crank.mdl": 1.0, "examples/robot/robot.mdl": 1.8}[arguments[1]]
    plotted = arguments[arguments.index("--plot") + 1].split(",") if "--plot" in arguments else ["crank.w", "piston.q"]
    assert set(plotted) <= set(result.names)
    if "--animate" in arguments:
        page = (folder / arguments[arguments.index("--animate") + 1]).read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>")


def _moved(folder: Path, arguments: list[str]) -> None:
    """The arm goes on from where another run or the operating point left it, whatever moves it then."""
    if "lift.npz@1.5" in arguments:
        whole, rest = read(folder / "lift.npz"), read(folder / "heavier.npz")
        assert rest["arm.w"][0] == pytest.approx(whole.at(1.5)["arm.w"], abs=1e-6)
        assert abs(rest["arm.w"][-1] - whole["arm.w"][-1]) > 0.1


def _found(folder: Path, arguments: list[str], shown: str) -> None:
    """The arm is level at m g l = ratio k U/R."""
    assert f"U.V  {2 * 9.81 * 0.4 / (40 * 0.05) * 0.5:.10g} V" in shown


def _plotted(folder: Path, arguments: list[str], shown: str) -> None:
    assert (folder / arguments[arguments.index("--figure") + 1]).stat().st_size > 3000


def _analyzed(folder: Path, arguments: list[str], shown: str) -> None:
    """A figure, and what the command is for: the measured motor has 2.3 kg, 0.42 N.m.s/rad and 0.56 Ohm, with noise."""
    flag = "--bode" if arguments[0] == "linearize" else "--figure"
    assert (folder / arguments[arguments.index(flag) + 1]).stat().st_size > 3000
    if arguments[0] == "fit":
        found = [float(x) for x in re.findall(r"^  \w+\.\w+ +([\d.]+)", shown, re.MULTILINE)]
        assert found == pytest.approx([2.3, 0.42, 0.56], rel=0.02)
    words = {"linearize": "78.40", "sensitivity": "d/d(arm.m)", "fit": "95 %", "uncertainty": "1024 runs"}
    assert words.get(arguments[0], "integral(jolt^2) = 10.453") in shown


ANALYSES = dict.fromkeys(("linearize", "sensitivity", "fit", "uncertainty", "optimize"), _analyzed)
RUNS = {"simulate": _simulated, "trim": _found, "plot": _plotted, "sweep": _swept}
CHECKS = {"list": _searched, "docs": _searched, **RUNS, **ANALYSES}


def test_a_mistake_in_the_first_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "circuit.mdl"
    path.write_text(LISTINGS[0].replace("(resistor)", "(resitor)"), encoding="utf-8")
    assert main(["check", "circuit.mdl"]) == 1
    assert capsys.readouterr().err == TEXTS[1]


def test_low_pass_by_its_closed_form(folder: Path) -> None:
    """C.u = U (1 - exp(-t/RC)), R = 4700, C = 220e-9."""
    result = translate(folder / "circuit.mdl").simulate(tolerance=1e-9)
    assert result.time[-1] == 0.005
    assert result["C.u"] == pytest.approx(10 - 10 * np.exp(-result.time / (4700 * 220e-9)), abs=1e-6)


def test_filament_by_its_steady_state() -> None:
    """In the end P = u^2/R(P), with R = R0 (1 + 9 P/5)."""
    (listing,) = [text for text in LISTINGS if "model class (twopin) Lamp" in text]
    result = acausal.translate(listing).simulate(stop=3)
    for lamp, cold in (("lamp", 12), ("spare", 10)):
        power = (-1 + (1 + 4 * 9 / 5 * 24**2 / cold) ** 0.5) / (2 * 9 / 5)
        assert result[f"{lamp}.i"][0] == pytest.approx(24 / cold)
        assert result.final[f"{lamp}.i"] == pytest.approx(power / 24, rel=1e-4)


def test_wiper_by_its_geometry() -> None:
    """The rod of 25 cm leads from the end of the crank (5 cm) to the lever (10 cm), 25 cm beside it; the motor idles.

    At 12 V and without friction the crank turns on average with nearly U/(k*ratio) = 4 rad/s.
    """
    (listing,) = [text for text in LISTINGS if "model Wiper" in text]
    result = acausal.translate(listing).simulate(tolerance=1e-8)
    crank, rocker = result["crank.q"], result["rocker.q"]
    x = 0.25 + 0.1 * np.cos(rocker) - 0.05 * np.cos(crank)
    y = 0.1 * np.sin(rocker) - 0.05 * np.sin(crank)
    assert np.hypot(x, y) == pytest.approx(0.25, abs=1e-8)
    assert (crank[-1] - np.interp(1, result.time, crank)) == pytest.approx(12 / 0.05 / 60, rel=0.01)


def test_python(folder: Path) -> None:
    (script,) = [text for kind, text in BLOCKS if kind == "python"]
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, cwd=folder, env=dict(os.environ), check=True, capture_output=True, text=True)
    states, phi, current = map(float, done.stdout.split())
    assert states == 3
    assert phi > 5
    assert current > 0
    assert read(folder / "lighter_arm.csv").time[-1] == 2.0


def test_commands_of_the_table_exist(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    listed = re.findall(r"^  (\w+)  ", capsys.readouterr().out, re.MULTILINE)
    rows = re.findall(r"^\| `acausal (\w+)", README, re.MULTILINE)
    assert set(rows) == set(listed)
    for command in rows:
        main([command, "--help"])
        flags = capsys.readouterr().out
        row = re.search(rf"^\| `acausal {command} [^`]*`", README, re.MULTILINE)
        assert row is None or all(flag in flags for flag in re.findall(r"(?<= )--?\w+", row[0]))


def test_modules_and_files_that_it_names_exist() -> None:
    for module in re.findall(r"python -m (tests[\w.]+)", README):
        assert find_spec(module) is not None, module
    for path in re.findall(r"(?:tests|examples)/[\w/]+\.\w+", README):
        assert (ROOT / path).is_file(), path
