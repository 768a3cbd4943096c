"""FMUs in the C importers of the Modelica Association next to the built-in run: Model Exchange, Co-Simulation, events.

    python -m tests.long.importers CHECKOUT [NAME ...]

CHECKOUT is a working copy of github.com/modelica/Reference-FMUs, whose `examples/*.c` are compiled with gcc for each
FMU as its CMake files do. Co-Simulation is compared with a built-in run of a thousandth of the tolerance, to 10
tolerances and away from events of either run, at the importer's own times. The importers for Model Exchange make steps
of Euler's method, whose error is proportional to the step: states are to come nearer with a tenth of it, or be within
0.1 %.
Exit code 1 if any differs, or fails.
"""

import subprocess
import sys
import zipfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
from scipy.interpolate import CubicSpline

import acausal
from acausal.ir.names import show_derivative
from tests.collection import WITH_LIBRARY
from tests.long.trajectories import SMALL, TIMES
from tests.targets.fmi.models import BALL

TURNS = """model Turns
  local x(start=0), y(start=-1), u(start=2), v, f
  der(x) = u
  der(y) = v
  der(u) = -f*x
  der(v) = -f*y
  x^2 + y^2 = 1
  experiment (stop=10, tolerance=1e-6)
end
"""
"""A point on a circle in Cartesian coordinates: it changes its states four times a turn."""
NAMES = ("ball", "robot", "robot_brakes", "house", "h_bridge", "hydraulic_lift", "power_supply", "friction", "turns")
"""A ball, the robot, models with events, and a point on a circle that changes its states."""
STEPS = 470
"""Of Co-Simulation; the importers with events communicate ten times less often."""
EULER = 20000
"""Steps of Model Exchange, then ten times as many."""
MORE = {"robot": 10, "power_supply": 30, "hydraulic_lift": 10}
"""So many times more where Euler's method is not stable otherwise."""
CLOSE = 1e-3
SLACK = 1.5
"""Where the built-in run itself is beyond 10 tolerances: events come a little earlier or later."""
WITHOUT_INPUT = BALL.replace('input f(unit="N", start=0.5)', 'parameter f(unit="N") = 0.5')
TEXTS = {"ball": WITHOUT_INPUT, "turns": TURNS}
"""Models that are no examples."""
IMPORTERS = {
    2: ("simulate_fmi2_cs", "simulate_fmi2_me"),
    3: ("simulate_fmi3_cs", "simulate_fmi3_me", "cs_early_return", "cs_event_mode"),
}
CONFIG = """\
#define MODEL_IDENTIFIER {identifier}
#define INSTANTIATION_TOKEN "{token}"
#define NX {states}
#define NZ {indicators}
#define FIXED_SOLVER_STEP {step!r}
#define DEFAULT_STOP_TIME {stop!r}
"""
MODEL = """\
#define NO_INPUTS
#include "util.h"
FILE *createOutputFile(const char *filename) {{ (void)filename; return fopen("out.csv", "w"); }}
FMIStatus recordVariables(FMIInstance *S, double time, FILE *file)
{{
    const {reference} references[{count}] = {{{references}}};
    double values[{count}] = {{0}};
    static long calls = 0;
    const FMIStatus status = {call};
    if (calls++ % {every} != 0) return status;
    fprintf(file, "%.17g", time);
    for (int i = 0; i < {count}; i++) fprintf(file, " %.17g", values[i]);
    fprintf(file, "\\n");
    return status;
}}
"""
READ = {2: "FMI2GetReal(S, references, {n}, values)", 3: "FMI3GetFloat64(S, references, {n}, values, {n})"}


@dataclass(frozen=True)
class Case:
    """A model, its FMU in `folder`, and the steps of Euler's method."""

    translation: acausal.Translation
    folder: Path
    version: int
    euler: int

    @property
    def names(self) -> list[str]:
        """The states."""
        return [show_derivative(*slot.symbol) for slot in self.translation.program.state_slots]

    @property
    def stop(self) -> float:
        """The end of the experiment, which begins at 0."""
        stop = self.translation.program.experiment.stop
        assert stop is not None
        return stop

    @property
    def tolerance(self) -> float:
        """That of the experiment."""
        return self.translation.program.experiment.tolerance or 1e-6

    def rows(self, checkout: Path, importer: str, step: float, every: int = 1) -> np.ndarray:
        """Time and states as an importer has recorded them; RuntimeError where it fails."""
        root = ElementTree.parse(self.folder / "m" / "modelDescription.xml").getroot()
        variables = {v.attrib["name"]: v.attrib["valueReference"] for v in root.iterfind("ModelVariables/*")}
        references = [variables[name] for name in self.names]
        token = root.attrib["instantiationToken" if self.version > 2 else "guid"]
        given = {
            "identifier": "m",
            "token": token,
            "states": len(self.names),
            "indicators": int(root.get("numberOfEventIndicators", len(root.findall("ModelStructure/EventIndicator")))),
            "step": step,
            "stop": self.stop,
        }
        (self.folder / "config.h").write_text(CONFIG.format(**given), encoding="utf-8")
        n = len(references)
        text = MODEL.format(
            reference=f"fmi{self.version}ValueReference",
            count=n,
            references=", ".join(references),
            call=READ[self.version].format(n=n),
            every=every,
        )
        (self.folder / "model.c").write_text(text, encoding="utf-8")
        sources = [f"examples/{importer}.c", "src/FMI.c", f"src/FMI{self.version}.c"]
        flags = ["-O1", "-w", f"-DFMI_VERSION={self.version}", "-DDISABLE_PREFIX", f"-I{checkout}/include"]
        flags += [f"-I{checkout}/examples", f"-I{self.folder}"]
        files = [*[str(checkout / name) for name in sources], "model.c"]
        subprocess.run(["gcc", *flags, *files, "-ldl", "-lm", "-o", "run"], cwd=self.folder, check=True)
        done = subprocess.run(["./run"], cwd=self.folder, capture_output=True, text=True, check=False, timeout=900)
        if done.returncode != 0:
            raise RuntimeError(f"status {done.returncode} {done.stdout.strip()[-200:]}")
        found = np.loadtxt(self.folder / "out.csv", ndmin=2)
        if not found[-1, 0] >= self.stop * (1.0 - 11.0 / STEPS):
            raise RuntimeError(f"ends at {found[-1, 0]:g}")
        return found


@dataclass(frozen=True)
class Wanted:
    """A built-in run of a thousandth of the tolerance, and one of the tolerance itself.

    Events of the latter, and of an FMU, come earlier or later by what the tolerance allows: where an importer records
    its row at an event, the former run may be on the other side of an impact.
    """

    run: acausal.Result
    own: acausal.Result

    def is_near_event(self, times: np.ndarray) -> np.ndarray:
        """Whether an event is within three times the largest distance so far between those of the runs.

        Distances above 1e-4 of the experiment belong to events that only one of them has.
        """
        span = self.run.time[-1] - self.run.time[0]
        others = np.array([e.time for e in self.own.events])
        near, apart = np.zeros(len(times), dtype=bool), 0.0
        for event in [e.time for e in self.run.events]:
            distance = np.abs(others - event).min(initial=np.inf)
            apart = max(apart, distance) if distance < 1e-4 * span else apart
            near |= np.abs(times - event) <= max(3.0 * apart, 1e-6 * span)
        return near


def largest_error(rows: np.ndarray, names: list[str], wanted: Wanted) -> float:
    """Largest deviation of a state, as a share of its size, at times that no event is near."""
    run, worst = wanted.run, 0.0
    times = np.asarray(run.time)
    rows = rows[~wanted.is_near_event(rows[:, 0])]
    jumps = np.flatnonzero(np.diff(times) <= 0.0)
    edges = [0, *[int(k) + 1 for k in jumps], len(times)]
    for first, last in pairwise(edges):
        if last - first < 2:
            continue
        inside = (rows[:, 0] >= times[first]) & (rows[:, 0] <= times[last - 1])
        at = rows[inside]
        for i, name in enumerate(names, 1):
            column = np.asarray(run[name])
            known = CubicSpline(times[first:last], column[first:last])(at[:, 0])
            worst = max([worst, *(np.abs(at[:, i] - known) / (np.abs(column).max() + SMALL))])
    return worst


def check(case: Case, checkout: Path, wanted: Wanted, own: float) -> tuple[str, bool]:
    """A line about the FMU in all importers, and whether they agree."""
    line, good = f"FMI {case.version}: simulate {own / case.tolerance:.3g}", True
    for importer in IMPORTERS[case.version]:
        try:
            if importer.endswith("_me"):
                errors = [
                    largest_error(case.rows(checkout, importer, case.stop / n, n // STEPS), case.names, wanted)
                    for n in (case.euler, 10 * case.euler)
                ]
                line += f", {importer} {errors[0]:.2g} then {errors[1]:.2g}"
                good &= errors[1] <= max(CLOSE, 0.2 * errors[0])
                continue
            error = largest_error(case.rows(checkout, importer, case.stop / STEPS), case.names, wanted) / case.tolerance
            line, good = f"{line}, {importer} {error:.3g}", good and error <= max(TIMES, SLACK * own / case.tolerance)
        except (RuntimeError, subprocess.SubprocessError) as failure:
            line, good = f"{line}, {importer} FAILS {failure}", False
    return line, good


def main(checkout: Path, names: list[str]) -> int:
    """These models."""
    paths = {path.stem: path for path in WITH_LIBRARY}
    failed = 0
    for name in names or NAMES:
        translation = acausal.translate(TEXTS.get(name) or paths[name])
        stop, tolerance = translation.program.experiment.stop, translation.program.experiment.tolerance or 1e-6
        assert stop is not None
        fine = stop / (20 * STEPS)
        run = translation.simulate(interval=fine, tolerance=max(1e-3 * tolerance, 1e-12))
        for version in IMPORTERS:
            with TemporaryDirectory() as folder:
                case = Case(translation, Path(folder), version, EULER * MORE.get(name, 1))
                translation.export(f"fmi{version}", case.folder / "m.fmu")
                zipfile.ZipFile(case.folder / "m.fmu").extractall(case.folder / "m")
                own = translation.simulate(interval=stop / STEPS)
                rows = np.array([own.time, *[own[n] for n in case.names]]).T
                wanted = Wanted(run, own)
                line, good = check(case, checkout, wanted, largest_error(rows, case.names, wanted))
            failed += not good
            print(f"{name:16s} {line}" + ("" if good else "   DIFFERS"), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
