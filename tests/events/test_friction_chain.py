"""Shafts in a row with springs between them, each with dry friction: modes by events against Moreau's time stepping.

Reference: M. Jean, J. J. Moreau, Unilaterality and dry friction in the dynamics of rigid body collections, Contact
Mechanics International Symposium 1992. A step gives each shaft the impulse of its springs and then takes off as much
momentum as friction can, down to standstill; no modes and no events, error proportional to the step.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from acausal.pipeline import translate

SHAFTS, STOP, STEP = 5, 5.0, 1e-4


def a_chain(random: Random) -> None:
    """Angles of all shafts, in 5 s with some dozens of events."""
    rng = np.random.default_rng(random.getrandbits(32))
    inertia, friction = 10 ** rng.uniform(-0.5, 0.5, SHAFTS), rng.uniform(0.1, 1.2, SHAFTS)
    stiffness, speed = 10 ** rng.uniform(0.5, 1.5, SHAFTS - 1), rng.choice([0, 0, 2], SHAFTS)
    lines = ["@friction.lib", "model Chain", "submodel (sinetorque) drive(amplitude=5, f=0.4)", "connect drive to J0"]
    for k in range(SHAFTS):
        lines.append(f"submodel (inertia) J{k}(J={inertia[k]}) (ic phi=0, w={speed[k]})")
        lines.append(f"submodel (bearingfriction) b{k}(T0={friction[k]})")
        lines.append(f"connect b{k} at J{k}:A")
    for k in range(SHAFTS - 1):
        lines += [f"submodel (spring) c{k}(c={stiffness[k]})", f"connect J{k} to c{k} to J{k + 1}"]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "chain.mdl"
        file.write_text("\n".join([*lines, "end"]), encoding="utf-8")
        result = translate(file).simulate(stop=STOP, tolerance=1e-8)

    phi, w, angles = np.zeros(SHAFTS), speed.astype(float), []
    for step in range(round(STOP / STEP)):
        phi = phi + STEP / 2 * w
        torque = np.zeros(SHAFTS)
        spring = stiffness * np.diff(phi)
        torque[:-1] += spring
        torque[1:] -= spring
        torque[0] += 5 * np.sin(2 * np.pi * 0.4 * (step + 0.5) * STEP)
        free = w + STEP * torque / inertia
        w = np.sign(free) * np.maximum(np.abs(free) - STEP * friction / inertia, 0)
        phi = phi + STEP / 2 * w
        if step % 100 == 99:
            angles.append(phi)
    times = STEP * 100 * np.arange(1, len(angles) + 1)
    for k, exact in enumerate(np.transpose(angles)):
        assert np.abs(np.interp(times, result.time, result[f"J{k}.phi"]) - exact).max() < 2e-3 * max(np.ptp(exact), 0.1)
    modes = np.stack([result[f"b{k}.mode"] for k in range(SHAFTS)])
    assert (modes == 0).any()
    assert result.stats.events < 500


@pytest.mark.parametrize("seed", range(2))
def test_chain(seed: int) -> None:
    a_chain(Random(seed))
