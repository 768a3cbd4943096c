"""Linkages driven by time beside states: random drives, all solvers, rows in and beside centers and far apart."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from scipy.optimize import brentq

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.branches.test_driven_beside_states import STATES, text_of
from tests.branches.test_driven_cranks import BOUNDS, CASES, check

SOLVERS = ("cvode", "adams", "rk45", "dop853", "radau", "bdf", "lsoda")
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-8)


@cache
def linkage(case: str, state: str) -> Translation:
    """The model, whose drive has parameters, none of them 0 or 1, which would be folded."""
    text = text_of(case, state, dict.fromkeys("abcd", 0.3))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(text, encoding="utf-8")
        return translate(file)


def random_drive(rng: Random, case: str) -> tuple[dict[str, float], float]:
    """Parameters of a drive that does not turn back, and the time of its first center."""
    if case == "five bar":
        given = {"a": 1.0, "b": rng.uniform(-3.0, -1.5), "c": 0.0, "d": -1.0}
    else:
        speed = rng.uniform(0.5, 4.0)
        swing = rng.choice((0.0, rng.uniform(-0.4, 0.4) * speed))
        given = {"a": rng.uniform(0.1, 0.6), "b": speed, "c": swing, "d": 0.0}
    aim = 0.0 if case == "five bar" else np.pi / 2

    def left(t: float) -> float:
        a, b, c, d = given.values()
        return a + b * t + c * np.sin(2 * t) + d * t**2 - aim

    return given, float(brentq(left, 0, 20, xtol=1e-16))


def driven_beside_states(rng: Random) -> None:
    """One drive and all solvers, each with a tolerance and an interval; all that is wrong is told at once."""
    case, state = rng.choice([*CASES]), rng.choice([*STATES])
    given, center = random_drive(rng, case)
    closed, t, wrong = CASES[case][1], linkage(case, state), []
    stop = 1.4 * center if case == "five bar" else 4.0
    for solver in SOLVERS:
        tolerance = rng.choice(TOLERANCES)
        interval = rng.choice((center / 2, center / 40.3, center * (1 + rng.choice((1e-12, -1e-9, 1e-5))), 0.05, stop))
        try:
            r = t.simulate(solver=solver, tolerance=tolerance, interval=interval, parameters=given, stop=stop)
            check(r, closed, given, {**BOUNDS, "wd": 1e-6})
            if state == "unrelated":
                assert np.abs(r["z"] - np.exp(-r.time)).max() < 20 * tolerance, "z"
        except Exception as error:  # whatever it is, it is a finding
            wrong.append(f"{solver} {tolerance} {interval!r}: {str(error) or type(error).__name__}"[:200])
    assert not wrong, f"{case}, {state}, {given}: " + "; ".join(wrong)
