"""The campaign of hybrid models is what it says: settings cover each other, references agree with integrations."""

from itertools import combinations
from math import cos, sin
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


@pytest.mark.parametrize("is_pendulum", [True, False])
def test_a_swing_between_stops(is_pendulum: bool) -> None:
    """DOP853 from stop to stop."""
    stop = 0.7 if is_pendulum else 0.2
    swing = Swing(is_pendulum, sin(stop / 2) if is_pendulum else stop, 0.6 if is_pendulum else 0.3, 0.9, 0.5, 0.7)

    def slope(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -(swing.omega**2) * (sin(y[0]) if is_pendulum else y[0])]

    def meets(_: float, y: np.ndarray) -> float:
        return abs(y[0]) - stop

    meets.terminal, meets.direction = True, 1  # type: ignore[attr-defined]
    t, y, hits = 0.0, [swing(0.0), swing.velocity], []
    while t < STOP:
        part = solve_ivp(slope, (t, STOP), y, "DOP853", rtol=1e-12, atol=1e-13, events=meets, dense_output=True)
        t = float(part.t[-1])
        for at in np.linspace(part.t[0], t, 7)[1:-1].tolist():
            assert swing(at) == pytest.approx(part.sol(at)[0], abs=1e-10)
        y = [part.y[0, -1], -0.9 * part.y[1, -1]]
        hits += [t] if part.status else []
    assert hits == pytest.approx(swing.hits, abs=1e-10)


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
