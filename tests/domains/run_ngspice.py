"""Writes ngspice.json: what ngspice finds for the circuits of circuits.py.

    python -m tests.domains.run_ngspice        (needs the Debian package ngspice)

Operating point with reltol 1e-10; transient analysis (trapezoidal) with reltol 1e-6 and steps no longer than the
circuit says, at 40 even times.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from tests.domains.circuits import CIRCUITS, Circuit

FILE = Path(__file__).with_name("ngspice.json")
ROWS = 40
OPTIONS = ".options gmin=1e-12 vntol=1e-12 abstol=1e-15 chgtol=1e-20"


def netlist(circuit: Circuit, reltol: float, analysis: str) -> str:
    """A whole file of ngspice that writes the signals."""
    lines = [line.strip() for line in circuit.netlist.strip().splitlines()]
    names = [f"s{k} = {vector}" for k, vector in enumerate(circuit.signals.values())]
    written = " ".join(f"s{k}" for k in range(len(names)))
    control = [".control", "set numdgt=15", "set wr_singlescale", analysis, *(f"let {name}" for name in names)]
    if analysis.startswith("tran"):
        control.append("linearize " + written)
    control += [f"wrdata out.txt {written}", ".endc", ".end", ""]
    return "\n".join([f"* {circuit.name}", *lines, f"{OPTIONS} reltol={reltol}", *control])


def run(circuit: Circuit, reltol: float, analysis: str) -> list[list[float]]:
    """The rows that ngspice writes: time (or whatever leads), then the signals."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "n.cir").write_text(netlist(circuit, reltol, analysis))
        done = subprocess.run(["ngspice", "-b", "n.cir"], cwd=folder, capture_output=True, text=True, check=False)
        out = Path(folder, "out.txt")
        if not out.exists():
            raise SystemExit(f"{circuit.name}: {done.stdout}\n{done.stderr}")
        return [[float(x) for x in line.split()] for line in out.read_text().splitlines()]


def reference(circuit: Circuit) -> dict[str, object]:
    """The operating point by name, and the transient signals, each at the times."""
    found: dict[str, object] = {}
    if circuit.at_rest:
        found["point"] = dict(zip(circuit.signals, run(circuit, 1e-10, "op")[0][1:], strict=True))
    if circuit.stop:
        start = " uic" if "IC=" in circuit.netlist else ""
        rows = run(circuit, 1e-6, f"tran {circuit.stop / ROWS:g} {circuit.stop:g} 0 {circuit.step:g}{start}")
        found["time"] = [row[0] for row in rows]
        found["signals"] = {name: [row[k] for row in rows] for k, name in enumerate(circuit.signals, 1)}
    return found


def main() -> None:
    """Runs all circuits."""
    version = subprocess.run(["ngspice", "--version"], capture_output=True, text=True, check=True).stdout
    program = next(line.strip("* ").split(" : ")[0] for line in version.splitlines() if "ngspice" in line)
    found = {"program": program, "circuits": {c.name: reference(c) for c in CIRCUITS}}
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
