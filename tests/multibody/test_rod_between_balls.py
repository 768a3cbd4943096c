"""A rod with a LoopSpherical at both ends: it can turn about itself, which structure does not see."""

from pathlib import Path

import numpy as np
import pytest

from acausal.results.result import Result
from tests.multibody.models import made

ROD = """@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.3, w=1), rocker(n1=1, near=0.5)
  submodel (Bar) ground(r1=2), ca(r1=0.5), ra(r2=1), rod(r1=1.8)
  submodel (LoopSpherical) s1, s2
  submodel (Body) bc(m=1, r1=0.25, I33=0.1), br(m=1, r2=0.5, I11=0.1), bl(m=1, r1=1, I11=0.1, I22=0.1, I33=0.1)
  connect bc at crank, br at rocker, bl at s1
  connect i - crank - ca - s1 - rod - s2, i - ground - rocker - ra
  connect s2:B at ra:B
end
"""


def _energy(r: Result) -> np.ndarray:
    """Kinetic and potential energy by places and speeds of crank and rocker, and of the rod between their ends.

    The rod's body is 1 m along it, and does not turn about the rod's axis.
    """
    c, s = np.cos(r["crank.q"]), np.sin(r["crank.q"])
    a, b = np.array([0.5 * c, 0.5 * s, 0 * c]), np.array([0 * c + 2, np.cos(r["rocker.q"]), np.sin(r["rocker.q"])])
    va = r["crank.w"] * np.array([-0.5 * s, 0.5 * c, 0 * c])
    vb = r["rocker.w"] * np.array([0 * c, -np.sin(r["rocker.q"]), np.cos(r["rocker.q"])])
    along, share = (b - a) / 1.8, 1 / 1.8
    middle, turning = va + share * (vb - va), np.cross(along, (vb - va) / 1.8, axis=0)
    kinetic = (0.1 + 0.0625) * r["crank.w"] ** 2 + (0.1 + 0.25) * r["rocker.w"] ** 2
    kinetic = kinetic + (middle**2).sum(axis=0) + 0.1 * (turning**2).sum(axis=0)
    energy: np.ndarray = kinetic / 2 + 9.81 * (0.5 * b[2] + a[2] + share * (b - a)[2])
    return energy


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_the_rods_rotation_starts_and_not_the_rocker(tmp_path: Path, library: str) -> None:
    """The crank's angle determines the rocker's, whose start value stays a guess: the closed form of the distance."""
    model = made(tmp_path, ROD.format(library=library))
    assert model.statistics["states"] == 4
    r = model.simulate(stop=1, tolerance=1e-9, interval=0.1)
    # |end of the rocker - end of the crank| = 1.8
    wanted = (1.5**2 - 2 * 0.5 * 2 * (np.cos(0.3) - 1) + 1 - 1.8**2) / np.sin(0.3)
    assert np.cos(r["rocker.q"][0]) == pytest.approx(wanted, abs=1e-9)
    assert r["rocker.q"][0] == pytest.approx(np.arccos(wanted), abs=1e-9)
    assert np.ptp(r["rocker.q"]) > 1
    # w of s1 about the rod's axis, in the rod's own axes, stays zero: nothing turns a rod of equal inertia
    energy = _energy(r)
    assert np.ptp(energy) < 1e-6 * np.abs(energy).max()
