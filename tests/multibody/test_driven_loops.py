"""Drives that agree on joints of one loop are redundant: torques of minimum norm, motion as with one drive."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from tests.multibody.equilibrium import GROUND, Reaction, least_norm
from tests.multibody.models import made, removed
from tests.multibody.test_minimum_norm import CLOSED, DOOR, joint

SOURCES = {
    "speedsource": ("W=0.5", "W=0.6"),
    "sineangle": ("amplitude=0.5, f=0.7", "amplitude=0.6, f=0.7"),
}


def driven_door(kind: str, first: str, second: str, library: str) -> str:
    start = " (ic q=0.3, w=0.5)"
    closed = CLOSED.replace(start, "" if kind == "sineangle" else " (ic q=0.3)")
    drives = f"\n  submodel ({kind}) s1({first}), s2({second})\n  connect s1 at h1:Axis, s2 at h2:Axis"
    return "@rotational.lib\n" + DOOR.format(closed + drives, library=library)


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize("kind", SOURCES)
def test_a_door_driven_on_both_hinges(tmp_path: Path, kind: str, library: str) -> None:
    """Five constraints of the loop and one of the drives are redundant; each drive gives half of the torque."""
    first, _ = SOURCES[kind]
    model = made(tmp_path, driven_door(kind, first, first, library))
    assert removed(model) == 6
    last = [d for d in model.report.diagnostics if d.code == "I040"][-1]
    assert {"s1", "s2"} <= set(last.message.split(" are")[0].split(", "))
    r = model.simulate(stop=1, interval=0.1, tolerance=1e-9)
    for k, t in enumerate(r.time):
        angle = 0.3 + 0.5 * t if kind == "speedsource" else 0.5 * np.sin(1.4 * np.pi * t)
        assert r["h1.q"][k] == pytest.approx(angle, abs=1e-9)
        q, w, wd = r["h1.q"][k], r["h1.w"][k], r["h1.wd"][k]
        door = GROUND.hinge((0, 0, 1), q, w, wd)
        hinges = [Reaction(0, None, f.place, f.turn, (0, 1, 2), (0, 1, 2)) for f in (door, door.at((0, 0, 2)))]
        load = door.needs(3, (0.5, 0, 0.6), (1, 1, 1), np.array([-0.6, 0, -0.8]) * 9.81)
        wanted = least_norm(hinges, [load]).reactions
        for name, drive, reaction in zip(("h1", "h2"), ("s1", "s2"), wanted, strict=True):
            assert joint(r, name, 2, k) == pytest.approx(np.delete(reaction, 2), abs=1e-8)
            assert abs(r[f"{drive}.tau"][k]) == pytest.approx(abs(reaction[2]), abs=1e-8)
        assert r["s1.tau"][k] == pytest.approx(r["s2.tau"][k], abs=1e-8)


@pytest.mark.parametrize("kind", SOURCES)
def test_drives_that_contradict_are_named(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ModelError, match="s1 and s2 over-determine") as raised:
        made(tmp_path, driven_door(kind, *SOURCES[kind], "mbsdir"))
    assert raised.value.report.diagnostics[0].code == "S001"


PARALLELOGRAM = """@mbsdir.lib
@rotational.lib
model M
  submodel (Inertial) i(g=9.81, ng2=-1)
  submodel (Revolute) r1(n3=1) (ic q=0.3), r2(n3=1, r1=1, near=0.3), c(n3=1, near=-0.3)
  submodel (Bar) l1(r2=1), l2(r2=1), x(r1=1)
  submodel (Body) b1(m=1, r2=0.5, I33=1/12), b2(m=1, r2=0.5, I33=1/12), bx(m=1, r1=0.5, I33=1/12)
  submodel (CutPlanar) e(n3=1)
  submodel (speedsource) s1(W=1), s2(W={second})
  submodel (gear) g1(ratio=2), g2(ratio=-3)
  connect i - r1 - l1 - c - x, i - r2 - l2, e at (x:B, l2:B), b1 at r1, b2 at r2, bx at c
  connect s1 - g1, g1:B at r1:Axis, s2 - g2, g2:B at r2:Axis
end
"""


def test_a_parallelogram_driven_through_gears(tmp_path: Path) -> None:
    """Both cranks turn by 0.5 rad/s: the power of both drives is that of the weights, which rise by 2*cos(q)."""
    model = made(tmp_path, PARALLELOGRAM.format(second=-1.5))
    assert removed(model) == 1
    r = model.simulate(stop=2, interval=0.1, tolerance=1e-9)
    np.testing.assert_allclose(r["r1.q"], 0.3 + 0.5 * r.time, atol=1e-9)
    np.testing.assert_allclose(r["r2.q"], r["r1.q"], atol=1e-9)
    power = 1 * r["s1.tau"] - 1.5 * r["s2.tau"]
    np.testing.assert_allclose(np.abs(power), np.abs(2 * 9.81 * np.sin(r["r1.q"]) * 0.5), atol=1e-8)


def test_a_parallelogram_whose_drives_contradict(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="s1 and s2 over-determine"):
        made(tmp_path, PARALLELOGRAM.format(second=1.5))


def test_a_drive_and_an_equation_that_contradict_are_named(tmp_path: Path) -> None:
    """Also where they agree for some time."""
    text = driven_door("speedsource", "W=0.5", "W=0.5", "mbsdir").replace(
        ", s2(W=0.5)", "\n  submodel (signalspeed) s2\n  s2.w = if time < 7 then 0.5 else 0.6"
    )
    with pytest.raises(ModelError, match="s1 and s2 over-determine"):
        made(tmp_path, text)
