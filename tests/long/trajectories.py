"""Trajectories of exported programs next to the built-in run: all examples, states and numbers of events.

    python -m tests.long.trajectories [NAME ...]

The C programs make steps of the Runge-Kutta method of order 4 so short that their error does not count. States are
compared at 47 times, but for those beside events, to 10 times the tolerance of the experiment; the built-in run has a
thousandth of it. Exit code 1 if any differs.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import acausal
from acausal.base.diagnostics import ModelError
from acausal.ir.names import show_derivative
from tests.collection import EXAMPLES, ROOT

FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-ffp-contract=off"]
ROWS, STEPS = 47, 200
"""Rows, and steps from one to the next."""
MORE_STEPS = {
    "R3mbs": 200,
    "amplifier": 4000,
    "dc_motor": 2000,
    "distillation": 1000,
    "friction": 20000,
    "h_bridge": 1000,
    "hydraulic_lift": 20000,
    "power_supply": 8000,
    "stewart": 400,
    "suspension": 2000,
}
"""Where equations are stiff, or events follow each other."""
SMALL = 0.01
TIMES = 10.0
MAIN = r"""
#include <stdio.h>
#include "m.h"
static m_t m;
int main(void)
{
    int status = m_init(&m, %(start)r, NULL, NULL, NULL);
    long events = 0;
    m.step = %(step)r;
    for (int row = 0; row <= %(rows)d; row++) {
        printf("%%.17g %%ld", m.time, events);
        for (int i = 0; i < M_STATES; i++) {
            printf(" %%.17g", m.y[i]);
        }
        printf("\n");
        for (int i = 0; i < %(steps)d && row < %(rows)d && status == 0; i++) {
            status = m_step(&m, NULL, NULL);
            events += m.events;
        }
        if (status != 0) {
            printf("# %%d %%s at %%g\n", status, m_explain(&m), m.time);
            return 0;
        }
    }
    return 0;
}
"""


def check(path: Path, folder: Path) -> tuple[str, bool]:
    """A line about one example, and whether its states agree."""
    translation = acausal.translate(path)
    experiment = translation.program.experiment
    start, stop = experiment.start, experiment.stop
    assert stop is not None
    steps = MORE_STEPS.get(path.stem, STEPS)
    step = (stop - start) / (ROWS * steps)
    try:
        translation.export("c", folder / "m.c", step=step, method="rk4")
    except ModelError as error:
        return error.report.diagnostics[0].message, True
    (folder / "main.c").write_text(MAIN % {"start": start, "step": step, "rows": ROWS, "steps": steps})
    built = subprocess.run(
        ["gcc", *FLAGS, "m.c", "main.c", "-lm", "-o", "m"], cwd=folder, capture_output=True, text=True, check=False
    )
    if built.returncode:
        return built.stderr.partition("\n")[0], False
    begin = perf_counter()
    done = subprocess.run(["./m"], cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    seconds = perf_counter() - begin
    if done.returncode != 0:
        return f"ended with signal {-done.returncode}", False
    *lines, last = done.stdout.splitlines()
    failure = last if last.startswith("#") else ""
    found = np.array([[float(x) for x in line.split()] for line in [*lines, *([] if failure else [last])]])
    tolerance = experiment.tolerance or 1e-6
    run = translation.simulate(interval=(stop - start) / ROWS, tolerance=max(1e-3 * tolerance, 1e-12))
    times = np.array([e.time for e in run.events] or [np.inf])
    inside = int(sum(start < e.time <= stop for e in run.events))
    errors = {"": 0.0}
    for i, slot in enumerate(translation.program.state_slots):
        name = show_derivative(*slot.symbol)
        column = np.asarray(run[name])
        scale = np.abs(column).max() + SMALL
        for row in found:
            if np.abs(times - row[0]).min() > 1e-6 * (stop - start):
                at = int(np.abs(np.asarray(run.time) - row[0]).argmin())
                errors[name] = max(errors.get(name, 0.0), float(abs(row[2 + i] - column[at]) / scale / tolerance))
    worst = max(errors, key=lambda name: errors[name])
    agrees = errors[worst] <= TIMES and not failure and int(found[-1][1]) == inside
    return (
        f"{errors[worst]:.3g} tolerances in {worst or 'no state'}, {int(found[-1][1])} events for {inside}, "
        f"{seconds:.1f} s {failure}",
        agrees,
    )


def main(names: list[str]) -> int:
    """All examples, or these."""
    failed = 0
    library = sorted((ROOT / "stdlib" / "examples").glob("*.mdl"))
    for path in [p for p in (*EXAMPLES, *library) if not names or p.stem in names]:
        with TemporaryDirectory() as folder:
            line, agrees = check(path, Path(folder))
        failed += not agrees
        print(f"{path.stem:18s} {line}" + ("" if agrees else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
