"""Fortran programs of the examples without events next to the built-in run; needs gfortran.

    python -m tests.long.fortran

All states, to 10 times the tolerance of the experiment; the built-in run has a thousandth of it. Exit code 1 if any
differs.
"""

import csv
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import acausal
from acausal.base.diagnostics import ModelError
from acausal.ir.names import show_derivative
from tests.collection import EXAMPLES

FLAGS = ["-std=f2008", "-Wall", "-Werror", "-O1", "-ffp-contract=off"]
SMALL = 0.01
TIMES = 10.0


def check(path: Path, folder: Path) -> tuple[str, bool]:
    """A line about one example, and whether its states agree."""
    translation = acausal.translate(path)
    try:
        translation.export("fortran", folder / "m.f90")
    except ModelError as error:
        return error.report.diagnostics[0].message, True
    for name in ("m.f90", "m.main.f90"):
        subprocess.run(["gfortran", *FLAGS, "-c", name], cwd=folder, check=True)
    subprocess.run(["gfortran", "m.o", "m.main.o", "-o", "m"], cwd=folder, check=True)
    begin = perf_counter()
    done = subprocess.run(["./m"], cwd=folder, capture_output=True, text=True, check=True)
    seconds = perf_counter() - begin
    head, *rows = csv.reader(done.stdout.splitlines())
    found = dict(zip(head, np.array(rows, dtype=float).T, strict=True))
    tolerance = translation.program.experiment.tolerance or 1e-6
    run = translation.simulate(tolerance=1e-3 * tolerance)
    errors = {}
    for slot in translation.program.state_slots:
        expected = np.asarray(run[show_derivative(*slot.symbol)])
        error = np.abs(found[show_derivative(*slot.symbol)] - expected).max()
        errors[show_derivative(*slot.symbol)] = float(error / (np.abs(expected).max() + SMALL) / tolerance)
    worst = max(errors, key=lambda name: errors[name])
    return f"{errors[worst]:.3g} tolerances in {worst}, {seconds:.1f} s", errors[worst] <= TIMES


def main() -> int:
    """All examples."""
    failed = 0
    for path in EXAMPLES:
        with TemporaryDirectory() as folder:
            line, agrees = check(path, Path(folder))
        failed += not agrees
        print(f"{path.name:24s} {line}" + ("" if agrees else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
