"""Rows that are handed on while the run goes on: the same rows to the bit, in bounded memory, whatever ends the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acausal.cli import main
from acausal.results.read import read
from acausal.simulate.run import row_stream as portions
from tests.collection import ROOT

EXAMPLES = ("rc", "power_supply", "h_bridge", "pendulum", "robot_brakes", "fourbar", "house")
DELAYED = """
model M
  input u
  local x (start=1, fixed=true), late, n (start=0, fixed=true)
  discrete k
  der(x) = -delay(x, 0.3) + u
  late = delay(x, 0.5)
  der(n) = k
  when sample(0, 0.1) then
    new(k) = k + late
  endwhen
  experiment (stop=2)
end
"""
BLOWS_UP = "model Blow\n  local x (start=1, fixed=true)\n  der(x) = x^2\n  experiment (stop=2, interval=0.001)\nend\n"
ENDS = "model M\n  local h (start=1, fixed=true)\n  der(h) = -1\n  {} \n  experiment (stop=3, interval=0.001)\nend\n"


def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> set[tuple[int, bytes]]:
    """Exit code and file with rows handed on at the end, in every call of the solver, and now and then."""
    found = set()
    for size in (1 << 62, 1, 3000):
        monkeypatch.setattr(portions, "PORTION", size)
        path = tmp_path / "r.csv"
        path.unlink(missing_ok=True)
        code = main([*arguments, "-o", str(path), "--all", "--quiet"])
        found.add((code, path.read_bytes() if path.exists() else b""))
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_portions_are_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (found,) = files(tmp_path, monkeypatch, "simulate", str(ROOT / "examples" / f"{name}.mdl"))
    assert found[0] == 0
    assert len(found[1]) > 1000


def test_delays_inputs_and_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.mdl").write_text(DELAYED)
    (found,) = files(tmp_path, monkeypatch, "simulate", str(tmp_path / "m.mdl"), "--input", "u=sin(time)")
    assert found[0] == 0


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        (BLOWS_UP, 3, 1.0),
        (ENDS.format('assert(h > 0.5, "low")'), 3, 0.5),
        (ENDS.format('terminate(h < 0.5, "landed")'), 0, 0.5),
        (ENDS.format('when h < 0.5 then\n    terminate(true, "landed")\n  endwhen'), 0, 0.5),
        (ENDS.format("local y\n  y = log(h)"), 3, 3.0),
    ],
)
def test_a_run_that_ends_before_its_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    code: int,
    last: float,
) -> None:
    path = tmp_path / "m.mdl"
    path.write_text(text)
    (found,) = files(tmp_path, monkeypatch, "simulate", str(path))
    assert found[0] == code
    assert main(["simulate", str(path), "-o", str(tmp_path / "r.csv"), "--json"]) == code
    assert read(tmp_path / "r.csv").time[-1] == pytest.approx(last, abs=2e-2)


def test_plot_and_animation_have_their_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the file has: memory holds what is drawn, whether or not it is written."""
    monkeypatch.chdir(tmp_path)
    crank = str(ROOT / "examples" / "slider_crank.mdl")
    pictures = set()
    for size in (1 << 62, 1):
        monkeypatch.setattr(portions, "PORTION", size)
        drawn = ["--plot", "piston.q,crank.q", "--figure", "p.svg", "--animate", "a.html"]
        assert main(["simulate", crank, "-o", "r.csv", "--write", "crank.q", *drawn, "--quiet"]) == 0
        assert read("r.csv").names == ("crank.q",)
        pictures.add((Path("p.svg").read_bytes(), Path("a.html").read_bytes()))
    assert len(pictures) == 1


LONG = """
model M
  local x[40], y[40]
  initial x = ones(40)
  der(x) = -x
  y = 2*x + sin(time)*ones(40)
end
"""


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """400,000 rows of 120 numbers are 380 MB; the measure is a run of 4,000 rows."""
    (tmp_path / "m.mdl").write_text(LONG)

    def peak(interval: str) -> float:
        code = (
            "import resource, sys; from acausal.cli import main; "
            f"main(['simulate', 'm.mdl', '-o', 'r.npz', '--write', 'x[1*', '--interval', '{interval}', '--stop', '1'"
            "]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, env=environment
        )
        return float(run.stdout)

    few = peak("2.5e-4")
    many = peak("2.5e-6")
    assert read(tmp_path / "r.npz").time.size > 400_000
    assert many - few < 120


def test_a_killed_run_leaves_the_former_file(tmp_path: Path) -> None:
    (tmp_path / "m.mdl").write_text(LONG)
    (tmp_path / "r.csv").write_text("time,x\n0,1\n")
    arguments = ["simulate", "m.mdl", "-o", "r.csv", "--all", "--interval", "1e-6", "--stop", "1"]
    code = f"from acausal.cli import main; main({arguments!r})"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(p.stat().st_size for p in tmp_path.glob(".r-*.csv")):
            time.sleep(0.02)
        assert any(p.stat().st_size for p in tmp_path.glob(".r-*.csv")), "rows are on the disk while the run goes on"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (tmp_path / "r.csv").read_text() == "time,x\n0,1\n"
