"""The campaign of hybrid models is what it says: settings cover each other, references agree with integrations."""

from itertools import combinations
from math import asin, cos, sin
from random import Random

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from tests.hybrid.engine import CRANK, ROD, ROD_INERTIA, ROD_MASS, Engine, inertia, place
from tests.hybrid.model import STOP
from tests.hybrid.settings import LEVELS, covering, settings_of
from tests.hybrid.swing import Swing


def test_each_pair_of_settings_is_covered_in_each_model() -> None:
    rows = covering()
    for a, b in combinations(range(len(LEVELS)), 2):
        assert len({(row[a], row[b]) for row in rows}) == LEVELS[a] * LEVELS[b]


def test_models_together_cover_all_combinations() -> None:
    found = {
        (s.interval, s.tolerance, s.order, s.observer, {"dop853": "rk45", "bdf": "radau"}.get(s.solver, s.solver))
        for k in range(600)
        for s in settings_of(Random(k))
    }
    assert len(found) == np.prod(LEVELS)


def _integrated(swing: Swing, q: float, w: float) -> tuple[list[float], list[float], list[float]]:
    """Times of impacts, and times with positions between them, by DOP853 from stop to stop."""
    stop = 2 * asin(swing.stop) if swing.is_pendulum else swing.stop

    def slope(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -(swing.omega**2) * (sin(y[0]) if swing.is_pendulum else y[0])]

    def meets(_: float, y: np.ndarray) -> float:
        return abs(y[0]) - stop

    meets.terminal, meets.direction = True, 1  # type: ignore[attr-defined]
    t, y, hits = 0.0, [q, w], []
    times: list[float] = []
    found: list[float] = []
    while t < STOP:
        part = solve_ivp(slope, (t, STOP), y, "DOP853", rtol=1e-12, atol=1e-13, events=meets, dense_output=True)
        t = float(part.t[-1])
        inside = np.linspace(part.t[0], t, 7)[1:-1].tolist()
        times += inside
        found += [float(part.sol(at)[0]) for at in inside]
        y = [part.y[0, -1], -swing.restitution * part.y[1, -1]]
        hits += [t] if part.status else []
    return hits, times, found


def _swing(is_pendulum: bool) -> Swing:
    stop = 0.7 if is_pendulum else 0.2
    return Swing(is_pendulum, sin(stop / 2) if is_pendulum else stop, 0.6 if is_pendulum else 0.3, 0.9, 0.3, 0.7)


@pytest.mark.parametrize("is_pendulum", [True, False])
def test_a_swing_between_stops(is_pendulum: bool) -> None:
    swing = _swing(is_pendulum)
    hits, times, found = _integrated(swing, swing(0.0), swing.velocity)
    assert hits == pytest.approx(swing.hits, abs=1e-10)
    assert found == pytest.approx([swing(t) for t in times], abs=1e-10)


@pytest.mark.parametrize("is_pendulum", [True, False])
def test_the_condition_of_a_swing(is_pendulum: bool) -> None:
    """A start that is off by 1e-6 of the ranges moves impacts and positions by what it says, and reaches half of it."""
    swing = _swing(is_pendulum)
    q, w = swing(0.0), swing.velocity
    position, speed = (0.7, 2 * swing.omega * 0.6) if is_pendulum else (0.2, swing.omega * 0.3)
    starts = [(q + 1e-6 * i * position, w + 1e-6 * j * speed) for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    exact, *others = [_integrated(swing, *start) for start in ((q, w), *starts)]
    assert len(exact[0]) == 3
    for number in range(3):
        moved = max([abs(other[0][number] - exact[0][number]) for other in others]) / 1e-6
        assert 0.5 * swing.slowness(number) < moved < swing.slowness(number)
    share = [abs(swing(t) - x) / 1e-6 / swing.size(t) for other in others for t, x in zip(*other[1:], strict=True)]
    assert 0.5 < max(share) < 1.01


def test_the_inertia_of_a_cylinder() -> None:
    """Half of it is the kinetic energy at a speed of 1: velocities by differences of places."""
    for theta in (0.3, 1.9, 4.0):
        rod = [np.array([(CRANK * cos(a) + place(a)) / 2, CRANK * sin(a) / 2]) for a in (theta - 1e-5, theta + 1e-5)]
        turn = [np.arcsin(CRANK * sin(a) / ROD) for a in (theta - 1e-5, theta + 1e-5)]
        piston = [place(a) for a in (theta - 1e-5, theta + 1e-5)]
        speed, spin, fall = [(b - a) / 2e-5 for a, b in (rod, turn, piston)]
        expected = ROD_MASS * speed @ speed + ROD_INERTIA * spin**2 + 6.0 * fall**2
        assert inertia(theta) == pytest.approx(expected, rel=1e-8)


def test_the_time_of_an_engine_is_the_integral_of_its_speed() -> None:
    engine = Engine(1.1, (0.0, np.pi), 600.0, 500.0, 0.3, np.pi, 12.0)
    for t in (0.0, 0.1, 0.31, 1.0, 1.49):
        points = [k * np.pi for k in range(12)]
        area = quad(lambda a: 1 / engine.w(a), np.pi, engine.phi(t), points=points, epsabs=1e-13, epsrel=1e-12)[0]
        assert area == pytest.approx(t - 0.3, abs=1e-11)
    assert 0.3 in engine.dead_centers(0.0, False)
    assert engine.dead_centers(0.0, False) == engine.dead_centers(np.pi, True)
