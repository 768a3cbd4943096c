"""Linkages whose crank angle is a function of time, beside states that say nothing about how fast they move.

Before, rows alone solved what no rate needs, each from the row before: its branch changed in dead centers without a
message. What a rate hardly depends on had velocities of 1e9 m/s^2 in rows in centers.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acausal.translation import Translation
from tests.branches.test_dead_centers import made
from tests.branches.test_driven_cranks import BOUNDS, CASES, DRIVE, check, of_in_line, values

STATES = {
    "unrelated": "der(z) = -z",
    "without error": "der(z) = 1",
    "hardly related": "der(z) = -z + 1e-9*{angle}",
    "related": "der(z) = -z + 0.1*cos({angle})",
}
ANGLE = {"in line": "knee.q", "parallelogram": "rocker.q", "five bar": "k1.q"}
SOLVERS = ("cvode", "rk45", "dop853", "radau", "bdf", "lsoda")


def text_of(case: str, state: str, given: dict[str, float], more: str = "") -> str:
    text = CASES[case][0].format(library="mbsdir", drive=DRIVE)
    declared = f"parameter {values(given)}, z0=1\n  local z (start=z0, fixed=true)"
    text = text.replace("parameter a, b, c=0, d=0", declared)
    return text.replace("  experiment", f"  {STATES[state].format(angle=ANGLE[case])}\n{more}  experiment")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Translation]:
    known: dict[tuple[str, str], Translation] = {}

    def model(case: str, state: str) -> Translation:
        if (case, state) not in known:
            known[case, state] = made(tmp_path_factory.mktemp("driven"), text_of(case, state, CASES[case][2]))
        return known[case, state]

    return model


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("case", CASES)
def test_rows_in_and_beside_centers(case: str, state: str, models: Callable[[str, str], Translation]) -> None:
    """Near and far rows, by all solvers: steps are as short as predictions need, whatever the states' errors are."""
    t, (_, closed, given, center) = models(case, state), CASES[case]
    assert len(t.program.state_slots) == 1
    for solver in SOLVERS:
        for tolerance in (1e-3, 1e-8) if solver in ("cvode", "radau") else (1e-5,):
            for interval in (center / 2, center / 40.3, 2.0):
                r = t.simulate(solver=solver, tolerance=tolerance, interval=interval)
                check(r, closed, given)
                if state == "unrelated":
                    assert np.abs(r["z"] - np.exp(-r.time)).max() < 20 * tolerance


@pytest.mark.parametrize("state", ["unrelated", "without error"])
def test_cranks_that_turn_back_and_turn_fast(state: str, tmp_path: Path) -> None:
    """Where a crank turns back a step has no way: shares of it would shorten steps for ever. First steps are short."""
    for given in ({"a": 0.2, "c": 1.3}, {"a": 0.2, "b": 40.0}, {"a": np.pi / 2 - 1.301, "c": 1.3}):
        t = made(tmp_path, text_of("in line", state, given))
        for solver in ("cvode", "rk45", "radau"):
            for interval, stop in ((0.00702, 2.0), (20.0, 20.0)):
                r = t.simulate(solver=solver, tolerance=1e-4, interval=interval, stop=stop)
                check(r, of_in_line, given, {**BOUNDS, "wd": 1e-4})
                assert r.stats.steps is not None and r.stats.steps < 10_000


def test_rows_of_sweeps(models: Callable[[str, str], Translation]) -> None:
    """Runs that end in the center, before and behind it."""
    for case, (_, closed, given, center) in CASES.items():
        t, names = models(case, "unrelated"), [*closed(np.zeros(1), np.zeros(1), np.zeros(1))]
        for stop in (center - 1e-6, center, center + 1e-9):
            swept = t.sweep({"z0": [1.0, 2.0]}, final=names, stop=stop, interval=stop / 3, jobs=1)
            r = t.simulate(stop=stop, interval=stop / 3)
            check(r, closed, given)
            for name in names:
                assert swept[f"final({name})"] == pytest.approx(r[name][-1], abs=BOUNDS[name.rpartition(".")[2]])


@pytest.mark.parametrize("solver", ["cvode", "dop853", "lsoda"])
def test_events(solver: str, tmp_path: Path) -> None:
    """The piston passes a place twice in each turn, and a state that has nothing to do with it begins again in between.

    cos(a) = -0.9 and its mirror image; the center is passed at 0.91 s, and at 3.01 s.
    """
    count = "  when piston.q < -1.9 then\n    new(n) = n + 1\n  endwhen\n"
    again = "  when time > {} then\n    init(z) = 1\n  endwhen\n"
    centers = [(np.pi * (k + 0.5) - 0.2) / 1.5 for k in range(2)]
    more = count + "".join([again.format(repr(float(at))) for at in (*centers, 2.5, centers[0] + 1e-7)])
    text = text_of("in line", "unrelated", {"a": 0.2, "b": 1.5}, more)
    t = made(tmp_path, text.replace("local z", "discrete n\n  local z"))
    for interval in (0.5, 0.01):
        r = t.simulate(interval=interval, stop=8, solver=solver)
        check(r, of_in_line, {"a": 0.2, "b": 1.5})
        at = [float(r.time[i]) for i in np.flatnonzero(np.diff(r["n"])) + 1]
        assert at == pytest.approx([(np.arccos(-0.9) - 0.2 + 2 * np.pi * k) / 1.5 for k in range(2)], abs=1e-6)


@pytest.mark.parametrize("state", ["z", ""])
def test_rows_of_inputs(state: str, tmp_path: Path) -> None:
    """Where the angle is an input, too: around a center it moves with its derivatives. Rows in it had 1e15 rad/s^2."""
    _, closed, given, center = CASES["in line"]
    drive = DRIVE.replace("  parameter a, b, c, d\n", "  terminal f\n")
    drive = drive.replace("a + b*time + c*sin(2*time) + d*time^2", "f")
    more = "  local z (start=1, fixed=true)\n" if state else ""
    text = CASES["in line"][0].format(library="mbsdir", drive=drive)
    text = text.replace("  parameter a, b, c=0, d=0\n", f"  input u (start=0.2)\n{more}")
    text = text.replace("(a=a, b=b, c=c, d=d)", "")
    equations = "  drive.f = u\n" + ("  der(z) = -z\n" if state else "")
    t = made(tmp_path, text.replace("  experiment", f"{equations}  experiment"))
    times = np.linspace(0, 4, 401)
    for u in ("0.2 + 1.5*time", (times, 0.2 + 1.5 * times)):
        for solver in ("cvode", "radau") if state else ("auto",):
            for interval in (center, center / 2, 0.05, 0.7):
                check(t.simulate(inputs={"u": u}, solver=solver, interval=interval), closed, given)
