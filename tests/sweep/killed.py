"""Sweeps whose processes are killed at random: what they leave behind is what an uninterrupted sweep leaves."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from acausal.cli import main
from tests.collection import ROOT

MODEL = """\
model Pendulum
  parameter L (unit="m") = 1, D (unit="1/s", max=2.8) = 0.1
  local phi (start=1, fixed=true), w (start=0, fixed=true)
  der(phi) = w
  der(w) = -9.81/L*sin(phi) - D*w
  experiment (stop=20)
end
"""
RUNS = ["--set", "L=0.5:2:400", "--set", "D=0:3:7", "--max", "w", "--final", "phi"]
"""D = 0 needs another translation, D = 3 fails."""
SHARDS = 3
RUNS_FAIL = 3


def killed_sweep(random: Random, kills: int = 20) -> None:
    """Three shards, their processes killed `kills` times at random, then all to their end."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "pendulum.mdl").write_text(MODEL)
        assert main(_command(place, "whole")) == RUNS_FAIL
        for _ in range(kills):
            _kill(place, _command(place, "parts", "--shard", f"{random.randint(1, SHARDS)}/{SHARDS}"), random)
        for k in range(1, SHARDS + 1):
            assert main(_command(place, "parts", "--shard", f"{k}/{SHARDS}")) == RUNS_FAIL
        assert _files(place / "parts") == _files(place / "whole")


def _kill(place: Path, command: list[str], random: Random) -> None:
    """Kill a process a random time after it has begun with its rows, unless it ends before."""
    environment, nothing = {**os.environ, "PYTHONPATH": str(ROOT)}, subprocess.DEVNULL
    begun = len(list(place.glob("parts/parts/*")))
    process = subprocess.Popen(
        [sys.executable, "-m", "acausal", *command], env=environment, stdout=nothing, stderr=nothing
    )
    while process.poll() is None and len(list(place.glob("parts/parts/*"))) == begun:
        time.sleep(0.002)
    time.sleep(random.uniform(0.0, 0.15))
    process.kill()
    process.wait()


def _command(place: Path, folder: str, *arguments: str) -> list[str]:
    return [
        "sweep",
        str(place / "pendulum.mdl"),
        *RUNS,
        "--folder",
        str(place / folder),
        "--quiet",
        "--json",
        *arguments,
    ]


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
