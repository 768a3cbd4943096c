"""Linkages whose crank angle is a state that a formula moves, and not another state: rows in and beside dead centers.

Nothing told how the run moves there: in centers velocities were off by 2 and 1e15 rad/s^2, without a message.
"""

from collections.abc import Callable

import numpy as np
import pytest

from acausal.translation import Translation
from tests.branches.test_dead_centers import made
from tests.branches.test_driven_cranks import BOUNDS, CASES
from tests.branches.test_events_near_centers import event_times

DRIVE = """model class Drive
  cut A (phi, w, wd / t)
  parameter a
  terminal rate
  local angle (start=a, fixed=true)
  der(angle) = rate
  phi = angle
end

"""
START = 0.2
RATES = {
    "constant": ("1.5", lambda t, _: 1.5 + 0 * t, lambda t, _: 0 * t),
    "of time": ("1.5 + sin(time)", lambda t, _: 1.5 + np.sin(t), lambda t, _: np.cos(t)),
    "of itself": ("2 - drive.phi/3", lambda _, a: 2 - a / 3, lambda _, a: -(2 - a / 3) / 3),
}
"""Rates of the angle, and their rates, by time and angle."""
CASE = {"in line": "knee", "parallelogram": "rocker"}


def text_of(case: str, rate: str, library: str = "mbsdir", more: str = "") -> str:
    text = CASES[case][0].format(library=library, drive=DRIVE)
    text = text.replace("parameter a, b, c=0, d=0", "parameter k=1.5").replace("(a=a, b=b, c=c, d=d)", f"(a={START})")
    return text.replace("  experiment", f"  drive.rate = {rate}\n{more}  experiment")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Translation]:
    known: dict[tuple[str, ...], Translation] = {}

    def model(*asked: str) -> Translation:
        if asked not in known:
            known[asked] = made(tmp_path_factory.mktemp("driven"), text_of(*asked))
        return known[asked]

    return model


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("case", CASE)
def test_rows_in_and_beside_centers(case: str, rate: str, library: str, models: Callable[..., Translation]) -> None:
    """What the loop determines, by the angle that the solver has found; its center is at pi/2."""
    formula, speed, change = RATES[rate]
    t, closed = models(case, formula, library), CASES[case][1]
    assert len(t.program.state_slots) == len(t.program.driven) == 1
    many = t.simulate(tolerance=1e-10, interval=0.01, stop=1.5)
    center = float(np.interp(np.pi / 2, many["crank.q"], many.time))
    for solver in ("cvode", "dop853", "radau"):
        for interval in (center / 2, center * (1 + 1e-12), center * (1 - 1e-9), center * (1 + 1e-5), center / 40.3):
            r = t.simulate(solver=solver, tolerance=1e-6, interval=interval, stop=3)
            a = r["crank.q"]
            w, e = speed(r.time, a), change(r.time, a)
            for name, value in closed(a, w, e).items():
                error = np.angle(np.exp(1j * (r[name] - value))) if name.endswith(".q") else r[name] - value
                assert np.abs(error).max() < 10 * BOUNDS[name.rpartition(".")[2]], name


def test_rates_that_follow_the_linkage(models: Callable[..., Translation]) -> None:
    """The rate is a formula of an angle of the loop, and of an input; rocker.q is crank.q."""
    t = models("parallelogram", "1.5 + 0.2*sin(rocker.q)")
    assert t.program.driven == (0,)
    for solver in ("cvode", "dop853"):
        center = float(t.simulate(tolerance=1e-10, interval=0.9, stop=0.9, solver=solver)["crank.q"][-1])
        assert 1.4 < center < np.pi / 2 + 0.2
        for interval in (0.01, 0.3):
            r = t.simulate(tolerance=1e-8, interval=interval, stop=3, solver=solver)
            assert np.abs(r["rocker.q"] - r["crank.q"]).max() < 1e-9
            assert np.abs(r["rocker.w"] - 1.5 - 0.2 * np.sin(r["crank.q"])).max() < 1e-7


@pytest.mark.parametrize("solver", ["cvode", "dop853", "lsoda"])
def test_events_in_the_center(solver: str, models: Callable[..., Translation]) -> None:
    """The piston's velocity passes its value in the center, -1.5 m/s, where its acceleration is 0: a count of extremes.

    Beyond, -1.5*sin(a) < -1.49 while |a - pi/2| < arccos(1.49/1.5).
    """
    more = "  discrete n (start=0)\n  when piston.w < -1.49 then\n    new(n) = n + 1\n"
    more += "  elsewhen piston.w > -1.49 then\n    new(n) = n + 1\n  endwhen\n"
    text = text_of("in line", "k", more=more)
    t = models("in line", "k", "mbsdir", more)
    assert "new(n)" in text
    half = np.arccos(1.49 / 1.5)
    for tolerance in (1e-4, 1e-8):
        r = t.simulate(tolerance=tolerance, solver=solver, interval=0.5, stop=3)
        expected = [(np.pi / 2 + side * half - START) / 1.5 for side in (-1, 1)]
        assert event_times(r, "n") == pytest.approx(expected, abs=1e-6)
