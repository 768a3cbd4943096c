"""Sensitivities and linear systems where equations are redundant: a door whose two hinges stick."""

import math

import numpy as np
import pytest

import acausal
from acausal.translation import Translation

DOOR = """@rotational.lib
@mbsdir.lib
model Door
  parameter load = 1, mu = 0.3, amplitude = 0.25, far = 0.02
  submodel (Inertial) i(ng2=-1)
  submodel (RubbingRevolute) h1(n3=1, mu=mu, radius=0.1) (ic q=0.3), h2(n3=1, mu=mu, radius=0.1)
  submodel (Bar) x(r3=1), y(r3=1)
  submodel (Body) d(m=load, r1=far, r3=0.4, I11=1, I22=1, I33=1)
  submodel (sinetorque) T(amplitude=amplitude, f=0.5)
  connect i - h1, d at h1, T at h1:Axis, h1 - x, i - y - h2, x:B at h2:B
end
"""
NAMES = ("load", "mu", "amplitude", "far")


@pytest.fixture(scope="module")
def door() -> Translation:
    return acausal.translate(DOOR, cache=False)


def test_friction_that_two_hinges_share(door: Translation) -> None:
    """While both stick, each holds half of what weight and drive leave."""
    s = door.sensitivities(NAMES, ["h1.reaction[1]", "h2.reaction[1]"], times=[0.1, 0.6], stop=0.6, tolerance=1e-9)
    weight = 9.81 * math.cos(0.3) / 2
    for k, t in enumerate((0.1, 0.6)):
        expected = [0.02 * weight, 0, -math.sin(math.pi * t) / 2, weight]
        for n in (0, 1):
            assert s.derivatives[k, n] == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_after_it_has_slid(door: Translation) -> None:
    """At rest again: against extrapolated differences."""
    values = dict(zip(NAMES, (1.0, 0.3, 0.25, 0.02), strict=True))
    s = door.sensitivities(["far"], ["h1.q", "h2.reaction[1]"], times=[2.6], values=values, tolerance=1e-10)

    def at(far: float) -> list[float]:
        r = door.simulate(parameters={**values, "far": far}, stop=2.6, interval=2.6, tolerance=1e-11)
        return [r.final["h1.q"], r.final["h2.reaction[1]"]]

    near, wide = [(np.array(at(0.02 + h)) - at(0.02 - h)) / (2 * h) for h in (2e-5, 4e-5)]
    assert s.derivatives[0, :, 0] == pytest.approx((4 * near - wide) / 3, rel=1e-5)


def test_linear_system(door: Translation) -> None:
    linear = door.linearize(["amplitude", "far"], ["h1.reaction[1]"], at=0.5)
    assert linear.D[0] == pytest.approx([-0.5, 9.81 * math.cos(0.3) / 2], rel=1e-9)
