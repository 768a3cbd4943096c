"""Events within a step of a SciPy solver: branch tracking forgets the end of that step, which the run has not reached.

Its last step came twice to the end of the run, and the prediction was divided by the distance of equal times.
"""

from math import exp, sin

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from acausal.runtime.branches import branch_points, branch_results, branch_slopes
from acausal.runtime.branches.branch_record import BranchRecord, points, record_end, strictness
from acausal.runtime.kernel.overlay import overlay
from tests.events.models import event_times, model

LOOP = """
  local x (start=0, fixed=true), y
  discrete n
  der(x) = 1 + 0.1*sin(y)
  y + 0.9*sin(y) = 4*x
  when x > LEVEL then
    new(n) = n + 1
  endwhen"""


def slowness(x: float) -> float:
    """dt/dx."""
    y = brentq(lambda y: y + 0.9 * np.sin(y) - 4 * x, 4 * x - 1, 4 * x + 1, xtol=1e-14)
    return 1 / (1 + 0.1 * np.sin(y))


@pytest.mark.parametrize("solver", ["rk45", "dop853", "radau", "bdf", "lsoda"])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-8])
def test_an_event_shortly_before_the_end(solver: str, tolerance: float) -> None:
    for level in (0.3, 1.3, 1.36, 1.38, 1.4, 1.42, 1.44, 1.46, 1.48):
        at = quad(slowness, 0, level, epsabs=1e-12)[0]
        result = model(LOOP.replace("LEVEL", repr(level)), stop=1.5, interval=1.5, tolerance=tolerance, solver=solver)
        assert result.time[-1] == 1.5
        assert event_times(result, "n") == pytest.approx([at] if at < 1.5 else [], abs=20 * tolerance)
        area = quad(slowness, 0, float(result["x"][-1]), epsabs=1e-12)[0]
        assert area == pytest.approx(1.5, abs=20 * tolerance)


BASE = 3
"""One solution, its rate, and the time between points at which that is given (`set_rates`)."""


def test_a_point_within_rounding_of_the_last_one_is_not_extrapolated() -> None:
    """sin(t), off by 1e-11 at 0.9 - 1e-16: a sample there, behind a step to 0.9, led engines to another branch."""
    m = np.zeros(record_end(BASE, 1))
    record = overlay(BranchRecord, m, BASE)
    record.active = record.by_steps = 1.0
    for t in (0.86, 0.87, 0.88, 0.89, 0.9, 0.8999999999999999):
        branch_slopes.begin_slope(m, BASE, 1, t)
        m[0] = sin(t) if t != 0.8999999999999999 else sin(t) + 1e-11
        branch_slopes.end_slope(m, BASE, 1, t)
        if t != 0.8999999999999999:
            branch_slopes.end_step(m, BASE, 1, t)
    for later in (1.5e-8, 1e-3):
        branch_results.predict(m, BASE, 1, 0.9 + later)
        assert m[0] == pytest.approx(sin(0.9 + later), abs=1e-9)


def test_points_within_rounding_of_each_other_are_one() -> None:
    """sin(t), off by 1e-13 at an event, one rounding error behind the end of a step: differences would be noise."""
    m = np.zeros(record_end(BASE, 1))
    overlay(BranchRecord, m, BASE).active = 1.0
    event = 0.05000000000000004
    for t in (0.03, 0.04, event, 0.050000000000000044, 0.0501, 0.0502):
        branch_slopes.begin_slope(m, BASE, 1, t)
        assert m[0] == pytest.approx(sin(t), abs=1e-5) or t == 0.03 or t == 0.04
        m[0] = sin(t) + (1e-13 if t == event else 0.0)
        branch_slopes.end_slope(m, BASE, 1, t)
    branch_slopes.begin_slope(m, BASE, 1, 0.06)
    assert m[0] == pytest.approx(sin(0.06), abs=1e-4)


def test_points_without_the_newest_ones() -> None:
    """A polynomial of the second degree is predicted exactly by any three points of it."""
    m = np.zeros(record_end(BASE, 1))
    record = overlay(BranchRecord, m, BASE)
    record.active = record.by_steps = 1.0
    for t in (0.0, 0.1, 0.25, 0.3, 0.5):
        branch_slopes.begin_slope(m, BASE, 1, t)
        m[0] = 2 - 3 * t + 5 * t**2
        branch_slopes.end_slope(m, BASE, 1, t)
        branch_slopes.end_step(m, BASE, 1, t)
    branch_points.drop_later(m, BASE, 1, 0.3)
    assert points(m, BASE) == 3
    assert list(record.times[:3]) == [0.25, 0.1, 0.0]
    branch_slopes.begin_slope(m, BASE, 1, 0.4)
    assert m[0] == pytest.approx(2 - 3 * 0.4 + 5 * 0.4**2, abs=1e-14)


def test_an_event_within_a_step_begins_a_new_one() -> None:
    """exp(t) up to 0.4, then exp(0.8 - t): the end of the step at 0.5 tells nothing about what comes."""
    m = np.zeros(record_end(BASE, 1))
    record = overlay(BranchRecord, m, BASE)
    record.active = record.by_steps = 1.0
    for t in (0.1, 0.2, 0.3, 0.5):
        branch_slopes.begin_slope(m, BASE, 1, t)
        m[0] = exp(t)
        branch_slopes.end_slope(m, BASE, 1, t)
        branch_slopes.end_step(m, BASE, 1, t)
    record.after_event = 1.0
    branch_slopes.begin_slope(m, BASE, 1, 0.4)
    assert m[0] == pytest.approx(exp(0.4), abs=1e-4)
    assert strictness(m, BASE, 1) == 0.0
    m[0] = exp(0.4)
    branch_slopes.end_slope(m, BASE, 1, 0.4)
    branch_slopes.begin_steps(m, BASE, 1, 0.4)
    assert list(record.times[:4]) == [0.4, 0.3, 0.2, 0.1]
    for t in (0.4, 0.45, 0.42):
        branch_slopes.begin_slope(m, BASE, 1, t)
        assert strictness(m, BASE, 1) == 1.0
