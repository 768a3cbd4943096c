"""Trajectories of exported programs next to the built-in run: all examples, states and numbers of events.

    python -m tests.long.trajectories TARGET [NAME ...]         c, fortran or python

C and Fortran programs make steps of the Runge-Kutta method of order 4 so short that their error does not count; the
Python module takes a tenth of the tolerance. States are compared at 47 times, but for those beside events, to 10 times
the tolerance of the experiment; the built-in run has a thousandth of it. The number of events is to be one that
built-in runs have, whose tolerances are from once to a thousandth of it. Exit code 1 if any differs.
"""

import csv
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

import acausal
from acausal.base.diagnostics import ModelError
from acausal.ir.names import show_derivative
from tests.collection import WITH_LIBRARY
from tests.targets.test_python_target import loaded

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off"]
ROWS, STEPS = 47, 200
"""Rows, and steps from one to the next."""
MORE_STEPS = {
    "amplifier": 4000,
    "dc_motor": 2000,
    "distillation": 1000,
    "friction": 20000,
    "h_bridge": 1000,
    "hydraulic_lift": 20000,
    "machines": 400,
    "power_supply": 8000,
    "stewart": 400,
    "suspension": 2000,
    "translational": 20000,
}
"""Where equations are stiff, or events follow each other."""
SMALL = 0.01
TIMES = 10.0
MAIN = r"""
#include <stdio.h>
#include "m.h"
static m_t m;
static const int places[] = {%(places)s};
int main(void)
{
    int status = m_init(&m, %(start)r, NULL, NULL, NULL);
    long events = 0;
    m.step = %(step)r;
    for (int row = 0; row <= %(rows)d; row++) {
        printf("%%.17g", m.time);
        if (status == 0) {
            status = m_variables(&m, m.time, m.y, m.stored);
        }
        for (int i = 0; i < M_STATES; i++) {
            printf(" %%.17g", m.stored[places[i]]);
        }
        printf("\n");
        for (int i = 0; i < %(steps)d && row < %(rows)d && status == 0; i++) {
            status = m_step(&m, NULL, NULL);
            events += m.events;
        }
        if (status != 0) {
            fprintf(stderr, "%%ld events\n%%d %%s at %%g\n", events, status, m_explain(&m), m.time);
            return 0;
        }
    }
    fprintf(stderr, "%%ld events\n", events);
    if (m.poles > 0) {
        fprintf(stderr, "%%ld poles\n", (long)m.poles);
    }
    return 0;
}
"""


@dataclass(frozen=True)
class Found:
    """Rows of time and states, the number of events, and what failed."""

    rows: list[list[float]]
    events: int = 0
    failure: str = ""


@dataclass(frozen=True)
class Case:
    """A model, the times of its rows, and a folder."""

    name: str
    translation: acausal.Translation
    folder: Path

    @property
    def span(self) -> float:
        """The length of the experiment."""
        experiment = self.translation.program.experiment
        assert experiment.stop is not None
        return experiment.stop - experiment.start

    @property
    def step(self) -> float:
        """The length of a step."""
        return self.span / (ROWS * MORE_STEPS.get(self.name, STEPS))

    @property
    def tolerance(self) -> float:
        """That of the experiment."""
        return self.translation.program.experiment.tolerance or 1e-6

    @property
    def states(self) -> list[str]:
        """Their names."""
        return [show_derivative(*slot.symbol) for slot in self.translation.program.state_slots]

    @property
    def places(self) -> list[int]:
        """Where their values are stored."""
        program = self.translation.program
        slots = {slot.symbol: slot for slot in program.variable_slots}
        found = [slots[state.symbol] for state in program.state_slots]
        assert all(slot.kind == "stored" and slot.sign == 1.0 for slot in found)
        return [slot.position for slot in found]


def run_c(case: Case) -> Found:
    """A program in C."""
    start = case.translation.program.experiment.start
    case.translation.export("c", case.folder / "m.c", step=case.step)
    steps = MORE_STEPS.get(case.name, STEPS)
    places = ", ".join([str(place) for place in case.places]) or "0"
    text = MAIN % {"start": start, "step": case.step, "rows": ROWS, "steps": steps, "places": places}
    (case.folder / "main.c").write_text(text, encoding="utf-8")
    problem = _built(case, ["gcc", "-std=c99", "-pedantic", *WARNINGS, "m.c", "main.c", "-lm", "-o", "m"])
    if problem:
        return Found([], failure=problem)
    lines, said = _executed(case, ["./m"])
    return _found([[float(x) for x in line.split()] for line in lines], said)


def run_fortran(case: Case) -> Found:
    """A program in Fortran."""
    case.translation.export("fortran", case.folder / "m.f90", step=case.step)
    problem = _built(case, ["gfortran", "-std=f2008", *WARNINGS, "m.f90", "m.main.f90", "-o", "m"])
    if problem:
        return Found([], failure=problem)
    lines, said = _executed(case, ["./m", "--interval", repr(case.span / ROWS)])
    if not lines:
        return _found([], said)
    names = next(csv.reader(lines[:1]))
    places = [0, *[names.index(name) for name in case.states]]
    numbers = [line.split(",") for line in lines[1:]]
    return _found([[float(row[place]) for place in places] for row in numbers], said)


def run_python(case: Case) -> Found:
    """A module of Python."""
    case.translation.export("python", case.folder / "m.py")
    module = loaded(case.folder / "m.py")
    try:
        run = module.simulate(interval=case.span / ROWS, tolerance=0.1 * case.tolerance)
    except Exception as error:  # whatever it is, it is reported
        return Found([], failure=f"{type(error).__name__}: {error}")
    columns = [run.columns["time"], *[run.columns[name] for name in case.states]]
    stop = case.translation.program.experiment.stop
    inside = [t for t, _ in run.events if 0.0 < t <= stop]
    return Found(np.array(columns).T.tolist(), len(inside))


TARGETS: dict[str, Callable[[Case], Found]] = {"c": run_c, "fortran": run_fortran, "python": run_python}


def _built(case: Case, command: list[str]) -> str:
    done = subprocess.run(command, cwd=case.folder, capture_output=True, text=True, check=False)
    return next((line for line in done.stderr.splitlines() if "rror" in line), "") if done.returncode else ""


def _executed(case: Case, command: list[str]) -> tuple[list[str], str]:
    done = subprocess.run(command, cwd=case.folder, capture_output=True, text=True, check=False, timeout=900)
    said = done.stderr if done.returncode >= 0 else f"ended with signal {-done.returncode}"
    return done.stdout.splitlines(), said


def _found(rows: list[list[float]], said: str) -> Found:
    lines = said.splitlines()
    events = next((int(line.split()[0]) for line in lines if line.endswith(" events")), 0)
    failures = [line for line in lines if not line.endswith(" events") and not line.startswith("warning:")]
    return Found(rows, events, "; ".join(failures))


def check(path: Path, folder: Path, target: str) -> tuple[str, bool]:
    """A line about one example, and whether its states agree."""
    case = Case(path.stem, acausal.translate(path), folder)
    begin = perf_counter()
    try:
        found = TARGETS[target](case)
    except ModelError as error:
        return error.report.diagnostics[0].message, False
    seconds = perf_counter() - begin
    start = case.translation.program.experiment.start
    run = case.translation.simulate(interval=case.span / ROWS, tolerance=max(1e-3 * case.tolerance, 1e-12))
    times = np.array([e.time for e in run.events] or [np.inf])
    others = [case.translation.simulate(tolerance=share * case.tolerance) for share in (1.0, 0.1, 0.01)]
    counts = [sum(start < e.time <= start + case.span for e in r.events) for r in (run, *others)]
    least, most = min(counts), max(counts)
    errors = {"": 0.0}
    for i, name in enumerate(case.states, 1):
        column = np.asarray(run[name])
        scale = np.abs(column).max() + SMALL
        for row in found.rows:
            if np.abs(times - row[0]).min() > 1e-6 * case.span:
                at = int(np.abs(np.asarray(run.time) - row[0]).argmin())
                error = float(abs(row[i] - column[at]) / scale / case.tolerance)
                errors[name] = max(errors.get(name, 0.0), error)
    worst = max(errors, key=lambda name: errors[name])
    agrees = errors[worst] <= TIMES and not found.failure and least <= found.events <= most and bool(found.rows)
    shown = f"{errors[worst]:.3g} tolerances in {worst or 'no state'}, {found.events} events for {least} to {most}"
    return f"{shown}, {seconds:.1f} s {found.failure}", agrees


def main(target: str, names: list[str]) -> int:
    """All examples, or these."""
    failed = 0
    for path in [p for p in WITH_LIBRARY if not names or p.stem in names]:
        with TemporaryDirectory() as folder:
            line, agrees = check(path, Path(folder), target)
        failed += not agrees
        print(f"{path.stem:18s} {line}" + ("" if agrees else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
