"""Derivatives by parameters in units of runs: gradients by 1000 parameters, slopes along ten; fits beside differences.

A run is `simulate` as users call it, with its 500 rows. A fit is compared with SciPy's `least_squares` with differences
of runs of the same tolerance, with the same bounds and start; their rows are at the times of the data.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import acausal
from acausal.translation import Translation
from acausal.translation.fitting import FIT_TOLERANCE
from tests.bench.measure import Row, medians
from tests.long.fits import FITS

EXAMPLES = Path(__file__).parents[2] / "examples"
SECTIONS, SMALL = 500, 50
WARM = 3
"""Fits before those that are measured: the first one compiles."""
COUNTS = 1, 3, 10
"""So many of the parameters are directions."""
SLOPES: tuple[tuple[str, str, str], ...] = (
    ("amplifier", "R1.R R2.R RC.R RE.R RL.R C1.C C2.C CE.C Q.IS Q.BF", "exit"),
    ("floating_arm", "hold damp base.m base.r2 b1.m", "turned"),
    ("dc_motor", "U.V Ra.R La.L M.k rotor.J n.ratio arm.m arm.l arm.d arm.g", "arm.phi"),
    ("double_pendulum", "m i.g j2.r1 b1.m b1.r1 b1.I33 b2.m b2.r1 b2.I33 d.d", "j1.q"),
    ("slider_crank", "torque speed r l area p0 wheel.m wheel.I33 b.m b.I33", "height"),
    ("power_supply", "mains.amplitude mains.f winding.R Rz.R R1.R R2.R D1.IS D1.N D2.IS D2.N", "regulated"),
    ("suspension", "v height length body.m wheel.m spring.c tyre.c damper.d stop.low stop.c", "body.s"),
    (
        "electric_drive",
        "battery.Q battery.R0 battery.R[1] battery.C[1] motor.J motor.Rs motor.Ld motor.Lq motor.alpha motor.Lszero",
        "battery.soc",
    ),
    ("cart_pole", "ground.g rod.m rod.r3 rod.I11 rod.I22", "x"),
    (
        "house",
        "wanted air.C walls.C inside.G through.G windows.G outside.amplitude outside.f outside.phase outside.offset",
        "air.T",
    ),
    ("h_bridge", "U.V S1.Ron S1.Goff S2.Ron S2.Goff D1.Ron D1.Goff R.R D2.Ron D2.Goff", "current"),
    ("hydraulic_lift", "motor.W pump.D pump.G supply.V supply.E relief.p0 relief.G valve.cd load.m load.g", "supply.p"),
)
"""Models, parameters, and the variable that is asked for."""


def rows(rounds: int, quick: bool) -> Iterator[Row]:
    """All rows."""
    yield from _gradients(rounds, SMALL if quick else SECTIONS)
    for name, parameters, variable in SLOPES:
        yield from _slopes(rounds, name, tuple(parameters.split()), variable)
    for number, (equations, true, measured, sigma) in enumerate(FITS, 1):
        yield _fit(rounds, f"fit {number}, two parameters", equations, true, (measured, sigma))


def _gradients(rounds: int, sections: int) -> Iterator[Row]:
    t = acausal.translate(_ladder(sections))
    names = [f"{kind}[{k}].{kind}" for kind in "RC" for k in range(1, sections + 1)]
    runs: dict[str, Callable[[], object]] = {"run": lambda: t.simulate(stop=0.1)}
    for kind in ("final", "integral"):
        runs[kind] = lambda kind=kind: t.gradient(f"{kind}(C[10].u)", names, stop=0.1)
    found = medians(runs, rounds)
    for kind in ("final", "integral"):
        work = f"ladder, gradient of {kind}(u) by {len(names)} parameters"
        yield Row(work, found[kind] / found["run"], aim=5.0, number_is="runs")


def _ladder(sections: int) -> str:
    return f"""@electrical.lib
model Ladder
  submodel (source) U(V=1)
  submodel (ground) G
  submodel (resistor) R[{sections}](R=100)
  submodel (capacitor) C[{sections}](C=1e-6) (ic u=0)
  connect U:A at G, R[1]:A at U:B
  for k = 1 to {sections}
    connect C[k] at (R[k]:B, G)
  endfor
  for k = 2 to {sections}
    connect R[k]:A at R[k - 1]:B
  endfor
end
"""


def _slopes(rounds: int, name: str, parameters: tuple[str, ...], variable: str) -> Iterator[Row]:
    t: Translation = acausal.translate(EXAMPLES / f"{name}.mdl")
    counts = [count for count in COUNTS if count <= len(parameters)]
    runs: dict[str, Callable[[], object]] = {"run": t.simulate}
    for count in counts:
        first = parameters[:count]
        runs[f"one variable, p = {count}"] = lambda first=first: t.sensitivities(first, [variable])
        runs[f"all variables, p = {count}"] = lambda first=first: t.sensitivities(first)
    found = medians(runs, rounds)
    for asked, seconds in found.items():
        if asked != "run":
            aim = 1.0 + int(asked.rpartition(" ")[2])
            yield Row(f"{name}, slopes of {asked}", seconds / found["run"], aim=aim, number_is="runs")


def _fit(rounds: int, work: str, equations: str, true: dict[str, float], measurement: tuple[str, float]) -> Row:
    measured, sigma = measurement
    names = ", ".join([f"{name} (tunable=true) = {1.2 * value}" for name, value in true.items()])
    t = acausal.translate(f"model M\n parameter {names}\n {equations}\nend\n")
    exact, times = t.simulate(stop=5, parameters=true, tolerance=1e-9, interval=0.0025), np.linspace(0.125, 5, 40)
    values = np.interp(times, exact.time, exact[measured]) + sigma * np.random.default_rng(1).standard_normal(40)
    bounds = {name: (0.1 * value, 10 * value) for name, value in true.items()}

    def residuals(x: np.ndarray) -> np.ndarray:
        given = dict(zip(true, x.tolist(), strict=True))
        run = t.simulate(stop=5, interval=0.125, tolerance=FIT_TOLERANCE, parameters=given)
        return np.asarray(np.interp(times, run.time, run[measured]) - values)

    start, limits = [1.2 * value for value in true.values()], tuple(zip(*bounds.values(), strict=True))
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: t.fit({"time": times, measured: values}, bounds),
        "scipy": lambda: least_squares(residuals, start, bounds=limits),
    }
    found = medians(runs, rounds, WARM)
    return Row(work, found["ours"], "least_squares, differences", found["scipy"], 5.0)
