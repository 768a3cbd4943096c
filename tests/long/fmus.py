"""FMUs in FMPy next to the built-in run: all examples, Model Exchange and Co-Simulation.

    python -m tests.long.fmus 2|3 [NAME ...]

One FMU with both interfaces is built for each example and validated. Co-Simulation runs with the tolerance of the
experiment, Model Exchange with a thousandth of it in FMPy's CVODE, whose errors then do not count. States are
compared at 47 times but for those beside events, in units of the tolerance, with a built-in run of a thousandth of
it; the error of a built-in run with the tolerance itself stands beside. Exit code 1 if the validation finds problems,
or if an error is above 10 tolerances and above that of the built-in run.
"""

import re
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import acausal
from acausal.ir.names import show_derivative
from tests.collection import WITH_LIBRARY
from tests.long.trajectories import ROWS, SMALL, TIMES

KINDS = {"ModelExchange": 1e-3, "CoSimulation": 1.0}
"""By type of FMI the share of the tolerance."""


def largest_error(found: Any, wanted: acausal.Result, names: list[str], tolerance: float) -> float:
    """The largest difference of these variables in tolerances, away from events."""
    times = np.asarray(wanted.time)
    events = np.array([e.time for e in wanted.events] or [np.inf])
    span = times[-1] - times[0]
    rows = [(k, int(np.abs(times - t).argmin()), t) for k, t in enumerate(np.asarray(found["time"]))]
    near = [(k, i) for k, i, t in rows if abs(times[i] - t) < 1e-9 * span and np.abs(events - t).min() > 1e-6 * span]
    worst = 0.0
    for name in names:
        column, values = np.asarray(wanted[name]), column_of(found, name)
        scale = np.abs(column).max() + SMALL
        worst = max([worst, *[abs(float(values[k]) - column[i]) / scale / tolerance for k, i in near]])
    return worst


def column_of(found: Any, name: str) -> Any:
    """A scalar, or an element of an array of FMI 3."""
    names = getattr(found, "dtype", None) and found.dtype.names
    if not names or name in names:
        return found[name]
    array, indices = without_indices(name)
    return found[array][(slice(None), *[i - 1 for i in indices])]


def without_indices(name: str) -> tuple[str, tuple[int, ...]]:
    """x, (2,) for x[2], der(x), (2,) for der(x[2]); indices within stay."""
    at = re.fullmatch(r"(.*?)\[([\d,]+)\](\)*)", name)
    return (at[1] + at[3], tuple([int(i) for i in at[2].split(",")])) if at else (name, ())


def check(path: Path, version: int, folder: Path) -> tuple[str, bool]:
    """A line about one example, and whether it agrees."""
    import fmpy
    from fmpy.validation import validate_fmu

    translation = acausal.translate(path)
    experiment = translation.program.experiment
    assert experiment.stop is not None
    span, tolerance = experiment.stop - experiment.start, experiment.tolerance or 1e-6
    file = str(translation.export(f"fmi{version}", folder / f"{path.stem}.fmu")[0])
    problems = validate_fmu(file)
    names = [show_derivative(*slot.symbol) for slot in translation.program.state_slots]
    tight = translation.simulate(interval=span / ROWS, tolerance=max(1e-3 * tolerance, 1e-12))
    own = translation.simulate(interval=span / ROWS)
    error = largest_error(own, tight, names, tolerance)
    line, good = f"{len(problems)} problems, simulate {error:.3g}", not problems
    has = fmpy.read_model_description(file)
    known = {v.name for v in has.modelVariables}
    outputs = list(dict.fromkeys([name if name in known else without_indices(name)[0] for name in names]))
    for kind, share in KINDS.items():
        if (has.modelExchange if kind == "ModelExchange" else has.coSimulation) is None:
            line += f", no {kind}"
            continue
        try:
            run = fmpy.simulate_fmu(
                file,
                validate=False,
                fmi_type=kind,
                start_time=experiment.start,
                stop_time=experiment.stop,
                output_interval=span / ROWS,
                relative_tolerance=share * tolerance,
                output=outputs,
                timeout=300,
            )
        except Exception as failure:  # whatever it is, it is reported
            line, good = f"{line}, {kind} {type(failure).__name__}: {failure}", False
            continue
        off = largest_error(run, tight, names, tolerance)
        line, good = f"{line}, {kind} {off:.3g}", good and off <= max(TIMES, error)
    return line, good


def main(version: int, names: list[str]) -> int:
    """All examples, or these."""
    warnings.simplefilter("ignore")
    failed = 0
    for path in [p for p in WITH_LIBRARY if not names or p.stem in names]:
        with TemporaryDirectory() as folder:
            try:
                line, good = check(path, version, Path(folder))
            except acausal.ModelError as error:
                line, good = error.report.diagnostics[0].message, False
        failed += not good
        print(f"{path.stem:18s} {line}" + ("" if good else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
