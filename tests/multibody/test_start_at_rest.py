"""Vehicles without initial conditions: they start at rest, although default states depend on each other there.

Where wheels are parallel, speeds across them are zero: such a speed is no state that starts from zero like the others.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from tests.multibody.models import made
from tests.multibody.test_minimum_norm import cart

PLACES = {
    "axle": [(0, 0.5), (0, -0.5)],
    "three": [(0, 0.5), (0, -0.5), (1, 0)],
    "four": [(0, 0.5), (0, -0.5), (1, 0.5), (1, -0.5)],
}


def unconditioned(library: str, places: list[tuple[float, float]], down: list[float]) -> str:
    """The cart of the tests of reactions without its initial conditions."""
    return "\n".join(line for line in cart(library, places, np.array(down)).split("\n") if "initial" not in line)


@pytest.mark.parametrize(("library", "places"), [("mbsdir", "three"), ("mbsdir", "four"), ("mbsinv", "four")])
def test_a_cart_rolls_down(tmp_path: Path, library: str, places: str) -> None:
    """It begins to roll with a = g1*M/(M + sum of I/r^2): M = 10 + n, I = 0.04 and r = 0.3 for n wheels."""
    count = len(PLACES[places])
    r = made(tmp_path, unconditioned(library, PLACES[places], [0.3, 0.2, -np.sqrt(1 - 0.13)])).simulate(
        stop=1, tolerance=1e-9, interval=0.5
    )
    acceleration = 9.81 * 0.3 * (10 + count) / (10 + count + count * 0.04 / 0.09)
    np.testing.assert_allclose(r["f.x1.q"], acceleration * r.time**2 / 2, rtol=0, atol=1e-6)
    np.testing.assert_allclose(r["f.x2.q"], 0, atol=1e-9)


@pytest.mark.parametrize("solver", ["auto", "dop853"])
def test_an_axle_with_a_balanced_chassis(tmp_path: Path, solver: str) -> None:
    """The chassis (10 kg) has its center on the axle: it does not turn, and the axle rolls down as the cart does."""
    text = unconditioned("mbsdir", PLACES["axle"], [0.3, 0, -np.sqrt(1 - 0.09)])
    text = text.replace("r1=0.4, r2=0.1, r3=0.2,", "")
    r = made(tmp_path, text).simulate(stop=1, tolerance=1e-9, interval=0.5, solver=solver)
    acceleration = 9.81 * 0.3 * 12 / (12 + 2 * 0.04 / 0.09)
    np.testing.assert_allclose(r["f.x1.q"], acceleration * r.time**2 / 2, rtol=0, atol=1e-6)
    np.testing.assert_allclose(r["w0.F[2]"], 0, atol=1e-6)
    np.testing.assert_allclose(r["f.ball.w[2]"], 0, atol=1e-6)


def test_a_start_that_does_not_exist_is_still_an_error(tmp_path: Path) -> None:
    """Other states are tried for the pendulum, and are no better."""
    text = """model M
  local x, y (start=-1), vx, vy, F
  der(x) = vx
  der(y) = vy
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
  initial x = 2
  initial vx = 0
end
"""
    with pytest.raises(SimulationError, match="R001"):
        made(tmp_path, text).simulate(stop=1)
