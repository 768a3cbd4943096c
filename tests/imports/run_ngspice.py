"""Writes ngspice.json, the signals of the netlists by ngspice: python -m tests.imports.run_ngspice.

Transient analysis (trapezoidal) with reltol 1e-6 and steps no longer than the table says, at 60 even times.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.imports.circuits import FOLDER, NETLISTS, Netlist

FILE = Path(__file__).with_name("ngspice.json")
ROWS = 60
OPTIONS = ".options gmin=1e-12 vntol=1e-9 abstol=1e-12 chgtol=1e-18 reltol=1e-6"


def text_of(netlist: Netlist) -> str:
    """The netlist with our commands in place of its own."""
    lines = netlist.file.read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not re.match(r"\.(tran|print|end)\b(?!s)", line, re.IGNORECASE)]
    vectors = " ".join(netlist.signals.values())
    saved = ".save all " + " ".join([v for v in netlist.signals.values() if v.startswith("@")])
    step = netlist.stop / ROWS
    start = " uic" if ".ic" in "\n".join(lines) else ""
    analysis = f"tran {step:g} {netlist.stop:g} 0 {netlist.step:g}{start}"
    control = [".control", "set numdgt=15", "set wr_singlescale", analysis]
    names = [f"let s{k} = {vector}" for k, vector in enumerate(netlist.signals.values())]
    written = " ".join([f"s{k}" for k in range(len(names))])
    control += [*names, f"linearize {written}", f"wrdata out.txt {written}", ".endc", ".end", ""]
    assert vectors
    return "\n".join([*lines, OPTIONS, saved, *control])


def run(netlist: Netlist) -> dict[str, object]:
    """The times and signals."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        Path(folder, "n.cir").write_text(text_of(netlist), encoding="utf-8")
        done = subprocess.run(["ngspice", "-b", "n.cir"], cwd=folder, capture_output=True, text=True, check=False)
        out = Path(folder, "out.txt")
        if not out.exists():
            raise SystemExit(f"{netlist.name}: {done.stdout}\n{done.stderr}")
        rows = [[float(x) for x in line.split()] for line in out.read_text().splitlines()]
    signals = {name: [row[k] for row in rows] for k, name in enumerate(netlist.signals, 1)}
    return {"time": [row[0] for row in rows], "signals": signals}


if __name__ == "__main__":
    found = {"program": "ngspice-39", "netlists": {netlist.name: run(netlist) for netlist in NETLISTS}}
    FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")
