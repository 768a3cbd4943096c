"""Accelerations as relations, beside their extremes, which are those of a mechanism in its dead centers.

An in-line slider-crank without forces: with the position x(phi) of the piston and J = 1 + x'^2/2, and J*w^2 constant,
the acceleration is x''*w^2 + x'*dw/dt, dw/dt = -x'*x''*w^2/(2*J). It comes from a linear block.
"""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from acausal.translation import Translation

TEXT = """model M
  local phi (start=0, fixed=true), w (start=1, fixed=true), x, psi (start=0), v, a, g
  parameter level=0
  discrete n
  der(phi) = w
  x = cos(phi) + 3*cos(psi)
  0 = sin(phi) - 3*sin(psi)
  v = der(x)
  a = der(v)
  g = -sin(phi) - sin(psi)*cos(phi)/cos(psi)
  der(w) = -0.5*a*g
  when a > level then
    new(n) = n + 1
  endwhen
end
"""
STOP = 20.0
EXTREMES = -4 / 3, 2 / 3
"""In both dead centers x' = 0, x'' = -1 -+ 1/3, and w = 1."""


def rates(phi: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """dw/dt and the acceleration of the piston."""
    s, c = np.sin(phi), np.cos(phi)
    q = np.sqrt(9.0 - s * s)
    first = -s - s * c / q
    second = -c - (c * c - s * s) / q - (s * c) ** 2 / q**3
    change = -0.5 * first * second * w**2 / (1.0 + 0.5 * first * first)
    return change, second * w**2 + first * change


@cache
def acceleration() -> tuple[np.ndarray, np.ndarray]:
    """At many times."""
    found = solve_ivp(
        lambda _, y: [y[1], rates(*y)[0]],
        (0.0, STOP),
        [0.0, 1.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        max_step=0.1,
        dense_output=True,
    )
    times = np.linspace(0.0, STOP, 400_001)
    return times, rates(*found.sol(times))[1]


def passages(level: float) -> list[float]:
    """When the acceleration passes a level."""
    times, a = acceleration()
    found = ((a[1:] - level) * (a[:-1] - level) < 0.0).nonzero()[0]
    return [float(times[i] + (times[i + 1] - times[i]) * (level - a[i]) / (a[i + 1] - a[i])) for i in found]


@pytest.fixture(scope="module")
def translation(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    file = tmp_path_factory.mktemp("model") / "m.mdl"
    file.write_text(TEXT, encoding="utf-8")
    found = translate(file)
    table = found.executable.program.table
    assert len(table.hidden) - table.jumps == 1
    return found


TOLERANCES = {"auto": (1e-4, 1e-6, 1e-8), "dop853": (1e-6, 1e-8), "lsoda": (1e-4, 1e-6, 1e-8)}


@pytest.mark.parametrize("solver", TOLERANCES)
def test_accelerations_beside_their_extremes(translation: Translation, solver: str) -> None:
    """All passages are there where the distance is more than what the tolerance allows the extreme to be wrong."""
    for distance in (1e-2, 1e-4):
        for level in [extreme + side * distance for extreme in EXTREMES for side in (1.0, -1.0)]:
            for tolerance in [tolerance for tolerance in TOLERANCES[solver] if 100 * tolerance <= distance]:
                options = {"stop": STOP, "interval": STOP, "tolerance": tolerance, "solver": solver}
                found = [event.time for event in translation.simulate(parameters={"level": level}, **options).events]
                assert found == pytest.approx(passages(level), abs=(1000 * tolerance) ** 0.5), (level, tolerance)
