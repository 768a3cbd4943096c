"""The bouncing ball against its closed form: heights, times, and what happens where bounces do not end."""

from random import Random

import numpy as np

from tests.events.models import event_times, failed

G = 9.81

BALL = """
  parameter g=9.81, e=0.8
  local h (start={drop}), v
  discrete n
  der(h) = v
  der(v) = -g
  when {guard} then
    init(v) = -e*v
    new(n) = n + 1
  endwhen
"""


def bounces(drop: float, e: float, count: int) -> np.ndarray:
    """t_1 = sqrt(2 h/g), then flights of 2 v/g whose speed falls by e each time."""
    first = np.sqrt(2 * drop / G)
    flights = 2 * first * e ** np.arange(1, count)
    return first + np.concatenate([[0.0], np.cumsum(flights)])


def test_times_of_thirty_bounces_then_a_report() -> None:
    error = failed(BALL.format(drop=1.0, guard="h < 0 and v < 0"), stop=6, tolerance=1e-10)
    times = event_times(error.result, "n")
    assert len(times) > 30
    np.testing.assert_allclose(times[:30], bounces(1.0, 0.8, 30), rtol=0, atol=1e-8)
    (diagnostic,) = error.report.diagnostics
    assert diagnostic.code == "E011"
    assert "h < 0" in diagnostic.message or "v < 0" in diagnostic.message
    assert times[-1] < 2 * bounces(1.0, 0.8, 1)[0] / (1 - 0.8) - bounces(1.0, 0.8, 1)[0] + 1e-6


def never_through_the_floor(chance: Random) -> None:
    """Any drop, tolerance and output interval, with the careful and the careless guard: a campaign of `tests.long`."""
    drop, tolerance = 10 ** chance.uniform(-2, 2), 10 ** chance.uniform(-11, -3)
    interval = drop**0.5 * 10 ** chance.uniform(-2, 0)
    guard = "h < 0" if chance.random() < 1 / 3 else "h < 0 and v < 0"
    stop = 12 * float(np.sqrt(2 * drop / G))
    error = failed(BALL.format(drop=drop, guard=guard), stop=stop, tolerance=tolerance, interval=interval)
    assert error.report.diagnostics[0].code == "E011"
    assert error.result["h"].min() > -1e-9 * drop
    times = event_times(error.result, "n")
    np.testing.assert_allclose(times[:3], bounces(drop, 0.8, 3), rtol=30 * tolerance)
