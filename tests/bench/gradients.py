"""Derivatives by parameters in units of runs: gradients by 1000 parameters, slopes along ten; fits beside differences.

A run is `simulate` as users call it, with its 500 rows. A fit is compared with SciPy's `least_squares` with differences
of such runs, interpolated at the times of the data.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import acausal
from acausal.translation import Translation
from tests.bench.measure import Row, medians
from tests.long.fits import FITS

EXAMPLES = Path(__file__).parents[2] / "examples"
SECTIONS, SMALL = 500, 50
SLOPES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("amplifier", ("R1.R", "R2.R", "RC.R", "RE.R", "RL.R", "C1.C", "C2.C", "CE.C", "Q.IS", "Q.BF"), "exit"),
    ("floating_arm", ("hold", "damp", "base.m", "base.r2", "b1.m"), "turned"),
    ("dc_motor", ("Ra.R", "La.L", "M.k", "arm.m", "arm.d"), "arm.phi"),
)
"""Models, parameters, and the variable that is asked for."""


def rows(rounds: int, quick: bool) -> Iterator[Row]:
    """All rows."""
    yield from _gradients(rounds, SMALL if quick else SECTIONS)
    for name, parameters, variable in SLOPES:
        yield from _slopes(rounds, name, parameters, variable)
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
    runs: dict[str, Callable[[], object]] = {
        "run": t.simulate,
        "one variable": lambda: t.sensitivities(parameters, [variable]),
        "all variables": lambda: t.sensitivities(parameters),
    }
    found = medians(runs, rounds)
    for asked in ("one variable", "all variables"):
        work = f"{name}, slopes of {asked}, p = {len(parameters)}"
        yield Row(work, found[asked] / found["run"], aim=1.0 + len(parameters), number_is="runs")


def _fit(rounds: int, work: str, equations: str, true: dict[str, float], measurement: tuple[str, float]) -> Row:
    measured, sigma = measurement
    names = ", ".join([f"{name} (tunable=true) = {1.2 * value}" for name, value in true.items()])
    t = acausal.translate(f"model M\n parameter {names}\n {equations}\nend\n")
    exact, times = t.simulate(stop=5, parameters=true, tolerance=1e-9, interval=0.0025), np.linspace(0.1, 5, 40)
    values = np.interp(times, exact.time, exact[measured]) + sigma * np.random.default_rng(1).standard_normal(40)
    bounds = {name: (0.1 * value, 10 * value) for name, value in true.items()}

    def residuals(x: np.ndarray) -> np.ndarray:
        run = t.simulate(stop=5, parameters=dict(zip(true, x.tolist(), strict=True)))
        return np.asarray(np.interp(times, run.time, run[measured]) - values)

    start, limits = [1.2 * value for value in true.values()], tuple(zip(*bounds.values(), strict=True))
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: t.fit({"time": times, measured: values}, bounds),
        "scipy": lambda: least_squares(residuals, start, bounds=limits),
    }
    found = medians(runs, rounds)
    return Row(work, found["ours"], "least_squares, differences", found["scipy"], 5.0)
