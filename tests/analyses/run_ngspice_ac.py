"""Writes ngspice_ac.json, the response of the netlists by ngspice: python -m tests.analyses.run_ngspice_ac.

`.ac` at 13 frequencies from 10 Hz to 10 MHz, with tight tolerances of the operating point.
"""

import json
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).with_name("netlists")
FILE = Path(__file__).with_name("ngspice_ac.json")
OPTIONS = ".options reltol=1e-9 vntol=1e-15 abstol=1e-18 gmin=1e-12"
OUTPUT = {"mos": "d"}
"""Nodes that are not called `out`."""


def run(netlist: Path) -> dict[str, list[float]]:
    """Frequencies, and the response in real and imaginary part."""
    kept = [x for x in netlist.read_text(encoding="utf-8").splitlines() if not x.startswith((".tran", ".end"))]
    node = OUTPUT.get(netlist.stem, "out")
    control = [".control", "set numdgt=15", "ac dec 2 10 1e7", f"wrdata out.txt v({node})", ".endc", ".end", ""]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "n.cir").write_text("\n".join([*kept, OPTIONS, *control]), encoding="utf-8")
        subprocess.run(["ngspice", "-b", "n.cir"], cwd=folder, capture_output=True, check=False)
        rows = [[float(x) for x in line.split()] for line in Path(folder, "out.txt").read_text().splitlines()]
    return {key: [row[k] for row in rows] for k, key in enumerate(("frequency", "real", "imaginary"))}


if __name__ == "__main__":
    found = {"program": "ngspice-39", "circuits": {f.stem: run(f) for f in sorted(FOLDER.glob("*.cir"))}}
    FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")
