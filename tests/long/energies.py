"""Energy drift of mechanisms that pass dead centers, by tolerance: largest change as a share of the potential's range.

    python -m tests.long.energies [PART OF A NAME]

Beside each mechanism the number of its passages and of events (there should be none), and whether each loop stays on
its branch; `!` marks a failure. Exit code 1 if any drift exceeds 100 times the tolerance, an event occurs, a loop
leaves its branch or a run ends with an error, whose code is shown.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from acausal.base.diagnostics import SimulationError
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation
from tests.branches.mechanisms import (
    FOLDING,
    IN_LINE,
    G,
    energy_folding,
    energy_in_line,
    energy_of_parallelograms,
    parallelograms,
)

TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
SOLVERS = ("cvode", "dop853")
MOST = 100.0
"""Drift that counts as failure, in tolerances."""
Numbers = NDArray[np.float64]
Case = tuple[str, Callable[[Result], Numbers], float, Callable[[Result], float], str]


def cases() -> Iterator[tuple[str, Case]]:
    """Model, energy, its scale, deviation from the branch, and the angle whose cosine changes sign in centers."""
    for count in (1, 4, 40):
        weight = G * ((count + 1) / 2 + count)

        def apart(r: Result, count: int = count) -> float:
            return max(float(np.abs(r[f"r{k}.q"] - r["r0.q"]).max()) for k in range(1, count + 1))

        def energy(r: Result, count: int = count) -> Numbers:
            return energy_of_parallelograms(r, count)

        yield f"{count} four-bars", (parallelograms(count), energy, 2 * weight, apart, "r0.q")
    mirrored = (IN_LINE.format(library="mbsdir"), energy_in_line, 3 * G, _of_rod, "crank.q")
    yield "in-line slider-crank", mirrored
    yield "folding five-bar", (FOLDING.format(library="mbsdir"), energy_folding, 3 * G, _of_cranks, "k1.q")


def _of_rod(r: Result) -> float:
    return float(np.abs(np.exp(1j * (2 * r["crank.q"] + r["knee.q"])) - 1).max())


def _of_cranks(r: Result) -> float:
    """The solver's states, so that asymmetry is an error of the solver and grows in the fold."""
    return float(np.abs(r["c1.q"] + r["c2.q"] - np.pi).max())


def measured(model: Translation, case: Case, solver: str, tolerance: float) -> tuple[str, int, int, bool]:
    """The drift as text, marked where it fails; passages, events, and whether the loops stay on their branch."""
    _, energy, scale, apart, angle = case
    try:
        r = model.simulate(solver=solver, tolerance=tolerance)
    except SimulationError as error:
        return f"!{error.report.diagnostics[0].code}", 0, 0, True
    drift = float(np.ptp(energy(r))) / scale
    passed = int(np.sum(np.diff(np.sign(np.cos(r[angle]))) != 0))
    shown = f"{'!' * (drift > MOST * tolerance)}{drift:.1e}"
    return shown, passed, len(r.events), apart(r) <= max(1e-9, MOST * tolerance)


def main() -> int:
    """Print a line for each mechanism and solver."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    heads = "".join([f"{tolerance:>10.0e}" for tolerance in TOLERANCES])
    print(f"{'':22}{'solver':8}{'centers':>8}{'events':>7}{'branch':>8}{heads}")
    for name, case in cases():
        if wanted not in name:
            continue
        with TemporaryDirectory() as folder:
            file = Path(folder) / "m.mdl"
            file.write_text(case[0], encoding="utf-8")
            model = translate(file)
            for solver in SOLVERS:
                runs = [measured(model, case, solver, tolerance) for tolerance in TOLERANCES]
                events, kept = sum([run[2] for run in runs]), all(run[3] for run in runs)
                failed += events or not kept or any("!" in run[0] for run in runs)
                columns = f"{name:22}{solver:8}{runs[0][1]:8}{events:7}{'kept' if kept else 'left':>8}"
                print(columns + "".join([f"{run[0]:>10}" for run in runs]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
