"""Circuits and the motor against closed forms and hand-written right-hand sides."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_rc_charging_curve_all_variables() -> None:
    """u = U (1 - exp(-t/RC)), i = U/R exp(-t/RC)."""
    result = translate(EXAMPLES / "rc.mdl").simulate(tolerance=1e-8)
    decay = np.exp(-np.asarray(result.time) / 1e-3)
    u, i, zero = 10 * (1 - decay), 0.01 * decay, 0 * decay
    expected = {
        "C.u": u, "C.Va": u, "R.Vb": u, "R.u": 10 - u, "R.Va": zero + 10, "U.Vb": zero + 10, "U.e": zero + 10,
        "U.u": zero - 10, "U.Va": zero, "G.V": zero, "C.Vb": zero, "U.i": i, "R.i": i, "C.i": i,
        "der(C.u)": i / 1e-6,
    }  # fmt: skip
    for name, values in expected.items():
        span = max(np.ptp(values), np.abs(values).max(), 1e-12)
        assert np.abs(result[name] - values).max() < 1e-6 * span, name


def test_motor_against_a_hand_written_right_hand_side() -> None:
    """States i, phi, w of the arm; rotor and gear reflected to the arm; DOP853 at 1e-12."""
    translation = translate(EXAMPLES / "dc_motor.mdl")
    assert translation.statistics["states"] == 3
    result = translation.simulate(tolerance=1e-10)
    volts, ra, la, k, j, n, m, length, d, g = 12, 0.5, 0.005, 0.05, 1e-4, 40, 2, 0.4, 0.5, 9.81

    def slope(_: float, y: np.ndarray) -> list[float]:
        i, phi, w = y
        inertia = m * length**2 + n**2 * j
        return [(volts - ra * i - k * n * w) / la, w, (n * k * i - m * g * length * np.sin(phi) - d * w) / inertia]

    exact = solve_ivp(slope, (0, 3), [0, 0, 0], "DOP853", np.asarray(result.time), rtol=1e-12, atol=1e-12)
    for name, values in zip(("La.i", "arm.phi", "arm.w"), exact.y, strict=True):
        assert np.abs(result[name] - values).max() < 1e-7 * np.ptp(values), name


def test_pendulum_keeps_length_and_energy() -> None:
    translation = translate(EXAMPLES / "pendulum.mdl")
    assert translation.statistics["states"] == 2
    result = translation.simulate(stop=10, tolerance=1e-8)
    x, y, vx, vy = (result[name] for name in ("x", "y", "vx", "vy"))
    assert np.abs(x**2 + y**2 - 1).max() < 1e-8
    kinetic = (vx**2 + vy**2) / 2
    energy = kinetic + 9.81 * y
    assert np.abs(energy - energy[0]).max() < 1e-6 * kinetic.max()


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.mdl")), ids=lambda p: p.stem)
def test_every_example_runs(example: Path) -> None:
    result = translate(example).simulate()
    assert np.isfinite(np.asarray(result.time)).all()
    assert all(np.isfinite(result[name]).all() for name in result.names)
