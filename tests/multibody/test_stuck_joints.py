"""Two joints with friction on one axis: where both stick they are one, as two bearings of a shaft."""

from pathlib import Path

import numpy as np
import pytest

from acausal.results.result import Result
from tests.multibody.equilibrium import GROUND, Reaction, least_norm
from tests.multibody.models import made

DOOR = """@rotational.lib
@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (RubbingRevolute) h1(n3=1, mu=0.3, radius=0.1) (ic q=0.3){second}
  submodel (Body) d(m=1, r1=0.02, r3={middle}, I11=1, I22=1, I33=1)
  submodel (sinetorque) T(amplitude=0.25, f=0.5)
  connect i - h1, d at h1, T at h1:Axis{closed}
end
"""
SECOND = ", h2(n3=1, mu=0.3, radius=0.1)\n  submodel (Bar) x(r3=1), y(r3=1)"
RAILS = """@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (RubbingPrismatic) g1(n1=1, mu=0.2) (ic q=0, w=1), g2(n1=1, r2=1, mu=0.2)
  submodel (Bar) across(r2=1)
  submodel (Body) d(m=3, r2=0.5, I11=1, I22=1, I33=1)
  connect i - g1 - across, d at g1, i - g2, across:B at g2:B
end
"""


def door(tmp_path: Path, library: str, hinges: int) -> Result:
    two = hinges == 2
    closed = ", h1 - x, i - y - h2, x:B at h2:B" if two else ""
    text = DOOR.format(library=library, second=SECOND if two else "", middle=0.5 if two else 0, closed=closed)
    model = made(tmp_path, text)
    notes = [d.message for d in model.report.diagnostics if d.code == "I041"]
    assert len(notes) == (1 if two else 0)
    assert all(note.endswith(": 1 redundant constraint") for note in notes)
    return model.simulate(stop=3, tolerance=1e-8, interval=0.1)


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_door_on_two_hinges_with_friction(tmp_path: Path, library: str) -> None:
    """Each carries half of the weight, whose friction is 0.3 N.m in all: it sticks, slides back and sticks again."""
    r, one = door(tmp_path, library, 2), door(tmp_path, library, 1)
    for time in (0.1, 0.5, 1, 1.5, 2, 3):
        assert r.at(time)["h1.q"] == pytest.approx(one.at(time)["h1.q"], abs=1e-6)
    assert np.ptp(one["h1.q"]) > 0.01
    load = 9.81 * 0.02 * np.cos(0.3)  # at the start: what is carried by the friction of both
    assert r["h1.f[3]"][0] + r["h2.f[3]"][0] == pytest.approx(load, abs=1e-9)
    assert r["h1.reaction[1]"][0] == pytest.approx(load / 2, abs=1e-9)
    end = r.time == 2.5  # at rest again, the motor at its peak
    for name in ("h1", "h2"):
        assert r[f"{name}.mode"][end] == [0]
        held = (9.81 * 0.02 * np.cos(one["h1.q"][-1]) - 0.25) / 2
        assert r[f"{name}.reaction[1]"][end] == pytest.approx([held], abs=1e-6)


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_table_on_two_rails_with_friction(tmp_path: Path, library: str) -> None:
    """It stops after v^2/(2*mu*g), at rest on both."""
    r = made(tmp_path, RAILS.format(library=library)).simulate(stop=1, tolerance=1e-9, interval=0.1)
    assert r["g1.q"][-1] == pytest.approx(1 / (2 * 0.2 * 9.81), abs=1e-6)
    assert r["g1.w"][-1] == pytest.approx(0, abs=1e-9)


TABLE = """@translational.lib
@{library}.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (RubbingPrismatic) {rails}
  submodel (Bar) {bars}
  submodel (Body) d(m=3, r2=0.3, r3=0.2, I11=1, I22=1, I33=1)
  submodel (sineforce) F(amplitude=2, f=0.5)
  connect d at g1, F at g1:Axis, {joined}
end
"""


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize("places", [(0.0, 1.0), (0.0, 1.0, -0.5)], ids=["two", "three"])
def test_a_table_that_sticks_on_rails(tmp_path: Path, library: str, places: tuple[float, ...]) -> None:
    """All reactions together have minimum norm: friction along the rails turns the table, other forces hold it."""
    rails = [f"g{k + 1}(n1=1, r2={y}, mu=0.2)" for k, y in enumerate(places)]
    bars = [f"b{k + 1}(r2={y})" for k, y in enumerate(places)][1:]
    joined = ["i - g1", *[f"i - g{k}, g1 - b{k}, b{k}:B at g{k}:B" for k in range(2, len(places) + 1)]]
    rails[0] += " (ic q=0, w=0)"
    text = TABLE.format(library=library, rails=", ".join(rails), bars=", ".join(bars), joined=", ".join(joined))
    r = made(tmp_path, text).simulate(stop=0.9, interval=0.1)
    assert np.abs(r["g1.q"]).max() < 1e-12
    frames = [GROUND.at((0, y, 0)) for y in places]
    reactions = [Reaction(0, None, f.place, f.turn, (0, 1, 2), (0, 1, 2)) for f in frames]
    weight = GROUND.needs(3, (0, 0.3, 0.2), (1, 1, 1), np.array([0, 0, -9.81]))
    for k, force in enumerate(r["F.force"]):
        held = np.concatenate([np.zeros(3), [-force, 0, 0]])  # the drive acts along the first rail
        wanted = least_norm(reactions, [weight + held])
        for n, reaction in enumerate(wanted.reactions, 1):
            across = [r[f"g{n}.f[{j}]"][k] for j in (1, 2, 3, 5, 6)]
            assert across == pytest.approx(list(np.delete(reaction, 3)), abs=1e-9)
            assert r[f"g{n}.reaction[1]"][k] == pytest.approx(reaction[3], abs=1e-9)
