"""Impacts in and beside dead centers of all kinds of loops, against energies and closed forms of their branches.

A crank is struck where it passes a place beside its center, up to three times; all speeds change by one factor. Right
is a run on the branch of before with the energy that the impacts leave, or one that ends with an error.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
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
    angles_of_parallelograms,
    energy_folding,
    energy_in_line,
    energy_of_parallelograms,
    parallelograms,
)

Numbers = NDArray[np.float64]
SOLVERS = ("cvode", "adams", "rk45", "dop853", "radau", "bdf", "lsoda")
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
DISTANCES = (0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
FACTORS = (-1.0, -0.8, -0.3, -0.15, -0.05, 0.0, 0.01, 0.05, 0.11, 0.3, 0.7, 0.999)
ENDS = ("R001", "R002", "R003", "R014", "R015", "R016", "E011", "E012")
"""Errors with which a run may end where several states pass a center together; others end with R016."""
DELAYED = "  local late\n  late = delay(c1.q, 0.35)\n"
"""With delays CVODE goes by single steps."""
APART = 30.0
"""Error of the mirror image where two cranks move by themselves, in tolerances."""
ENERGY = 1000.0
"""Errors of energies, in tolerances."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A mechanism with its cranks, the place of its center, its energies and the deviation from its branch."""

    text: str
    cranks: tuple[str, ...]
    center: float
    energy: Callable[[Result], Numbers]
    potential: Callable[[float], float]
    """At an angle of the first crank."""
    apart: Callable[[Result], float]


def chain(count: int) -> Loop:
    """Parallelograms: one pendulum."""

    def apart(r: Result) -> float:
        upright, level = angles_of_parallelograms(r, count)
        return float(max(np.abs(upright - upright[0]).max(), np.abs(np.exp(1j * level) - 1).max()))

    weight = G * ((count + 1) / 2 + count)
    return Loop(
        parallelograms(count, stop=1.5),
        ("r0",),
        -np.pi / 2,
        lambda r: energy_of_parallelograms(r, count),
        lambda angle: weight * float(np.cos(angle)),
        apart,
    )


def direction(angle: Numbers) -> Numbers:
    """Of the link behind the first crank of the five-bar at an angle of it: its cosine is 1 - 2 cos(angle).

    It goes straight through the fold, where it is pi.
    """
    return np.pi - np.sign(angle) * (np.pi - np.arccos(np.clip(1 - 2 * np.cos(angle), -1, 1)))


def from_fold(r: Result) -> float:
    """Deviation of the first knee from its branch, and of the second crank from the mirror image."""
    knee = np.exp(1j * (r["c1.q"] + r["k1.q"])) - np.exp(1j * direction(r["c1.q"]))
    return float(max(np.abs(knee).max(), np.abs(r["c1.q"] + r["c2.q"] - np.pi).max()))


FOLDS = Loop(
    FOLDING.format(library="mbsdir"),
    ("c1", "c2"),
    0.0,
    energy_folding,
    lambda angle: 2 * G * float(1.5 * np.sin(angle) + np.sin(direction(np.array(angle))) / 4),
    from_fold,
)
WITH_DELAY = replace(FOLDS, text=FOLDS.text.replace("  submodel (Inertial)", DELAYED + "  submodel (Inertial)", 1))
LOOPS = {
    "in line": Loop(
        IN_LINE.format(library="mbsdir").replace("stop=10", "stop=1.5"),
        ("crank",),
        -np.pi / 2,
        energy_in_line,
        lambda angle: G * float(np.sin(angle)) / 2,
        lambda r: float(np.abs(np.exp(1j * (2 * r["crank.q"] + r["knee.q"])) - 1).max()),
    ),
    "folding": FOLDS,
    "folding, with a delay": WITH_DELAY,
    **{f"{count} parallelograms": chain(count) for count in (1, 2, 4)},
}


@cache
def struck(name: str) -> Translation:
    """The mechanism, struck at a distance before its center; parameters are neither 0 nor 1, which would be folded."""
    loop = LOOPS[name]
    speeds = "\n".join([f"    init({crank}.w) = factor*{crank}.w" for crank in loop.cranks])
    place = f"{loop.cranks[0]}.q < {loop.center!r} + distance"
    event = f"  when {place} and k < 2.5 then\n    new(k) = k + 1\n{speeds}\n  endwhen\n  experiment"
    head, _, rest = loop.text.partition("model ")
    title, _, body = rest.partition("\n")
    declared = "  parameter distance=0.3, factor=0.9\n  discrete k (start=0)\n"
    text = f"{head}model {title}\n{declared}{body.replace('  experiment', event)}"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(text, encoding="utf-8")
        return translate(file)


def outcome(name: str, distance: float, factor: float, solver: str, tolerance: float, interval: float) -> str:
    """'right', or what is wrong; a code where the run ends."""
    loop, given = LOOPS[name], {"distance": distance, "factor": factor}
    try:
        r = struck(name).simulate(solver=solver, tolerance=tolerance, interval=interval, parameters=given)
    except SimulationError as error:
        return error.report.diagnostics[0].code
    energy, k = loop.energy(r), r["k"]
    apart = loop.apart(r)
    if not apart < 1e-7 + (0 if len(loop.cranks) == 1 else APART * tolerance):
        return f"another branch, {apart:.1e}"
    expected = energy[0]
    place = loop.potential(loop.center + distance)
    most = 0.0
    for count in range(int(k[-1]) + 1):
        if count:
            expected = place + factor**2 * (expected - place)
        rows = energy[k == count]
        if len(rows):
            most = max(most, float(np.abs(rows - expected).max()))
    size = abs(energy[0]) + abs(place)
    if not most < ENERGY * tolerance * size:
        return f"energy off by {most / size / tolerance:.0f} tolerances"
    return "right"


def struck_in_centers(rng: Random) -> None:
    """One impact, and all solvers."""
    name, factor = rng.choice([*LOOPS]), rng.choice(FACTORS)
    distance = rng.choice(DISTANCES) * rng.choice((-1, 1)) * rng.choice((1.0, rng.uniform(0.3, 3)))
    wrong = []
    for solver in SOLVERS:
        tolerance, interval = rng.choice(TOLERANCES), rng.choice((0.01, 0.05, 0.3))
        found = outcome(name, distance, factor, solver, tolerance, interval)
        if found != "right" and found not in ENDS:
            wrong.append(f"{solver} {tolerance} {interval}: {found}")
    assert not wrong, f"{name}, distance {distance!r}, factor {factor}: " + "; ".join(wrong)
