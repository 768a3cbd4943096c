"""Loops in closed form beside the same loops closed by cut joints, in both postures, over full turns."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError, SimulationError
from acausal.results.result import Result
from acausal.translation import Translation
from tests.multibody.models import made

LIBRARIES = ["mbsdir_loops", "mbsinv_loops"]
MODEL = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
{parts}
end
"""


@dataclass(frozen=True)
class Loop:
    """One mechanism: its text in closed form, with cut joints, and results that are the same in both.

    In the texts `%` stands for the name of the mechanism, `{p}` for the posture, `{near}` for values of its
    dependent coordinates.
    """

    closed: str
    generic: str
    dependent: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]


FIRST, SECOND = "(m=1, r1=0.5, r2=0.1, I11=0.1, I22=0.2, I33=0.1)", "(m=2, r1=1, r2=0.1, I11=0.2, I22=0.3, I33=0.4)"
CRANK = (
    "submodel (Revolute) %u(n1=1) (ic q=0.3, w=7); submodel (Bar) %tip(r2=0.4);"
    f" submodel (Body) %b1{FIRST}, %b2{SECOND}"
)
PLANE = f"submodel (Body) %b1{FIRST}, %b2{SECOND}, %b3{FIRST}"
FOUR_BAR = Loop(
    PLANE
    + """
  submodel (FourBar) %(ground={g}, crank={a}, coupler={b}, rocker={c}, r1=0.3, posture={p}) (ic q=0.4, w=9)
  connect i to %, %b1 at %:Crank, %b2 at %:Coupler, %b3 at %:B""",
    PLANE
    + """
  submodel (Revolute) %u(n3=1, r1=0.3) (ic q=0.4, w=9)
  submodel (Revolute) %v(n3=1, r1={a}, near={near[0]}), %w(n3=1, r1=0.3 + {g}, near={near[1]})
  submodel (Bar) %x(r1={b}), %y(r1={c})
  submodel (CutPlanar) %pin(n3=1)
  connect i - %u - %v - %x, i - %w - %y, %pin at (%x:B, %y:B), %b1 at %u, %b2 at %v, %b3 at %w""",
    (("%.knee.q", "%v.q"), ("%.last.q", "%w.q")),
    (("%.q", "%u.q"), ("%.w", "%u.w"), ("%.f[1]", "%pin.f[1]"), ("%.f[2]", "%pin.f[2]")),
)
SLIDER = Loop(
    PLANE
    + """
  submodel (CrankSlider) %(crank=1, rod=1.7, offset=0.2, posture={p}) (ic q=0.4, w=9)
  connect i to %, %b1 at %:Crank, %b2 at %:Rod, %b3 at %:B""",
    PLANE
    + """
  submodel (Revolute) %u(n3=1) (ic q=0.4, w=9), %v(n3=1, r1=1, near={near[0]})
  submodel (Prismatic) %w(n1=1, r2=0.2, near={near[1]})
  submodel (Bar) %x(r1=1.7)
  submodel (CutPlanar) %pin(n3=1)
  connect i - %u - %v - %x, i - %w, %pin at (%x:B, %w:B), %b1 at %u, %b2 at %v, %b3 at %w""",
    (("%.knee.q", "%v.q"), ("%.last.q", "%w.q")),
    (("%.q", "%u.q"), ("%.w", "%u.w"), ("%.f[1]", "%pin.f[1]"), ("%.f[2]", "%pin.f[2]")),
)
TELESCOPE = Loop(
    PLANE
    + """
  submodel (FourBarTrans) %(ground=2, arm=1.5, posture={p}) (ic s=1.8, w=1)
  submodel (LineSpringDamper) %c(c=100, s0=1.5)
  connect i to %, %b1 at %:B, %b2 at %:Cylinder, %b3 at %:Piston, %c from %:Cylinder to %:Piston""",
    PLANE
    + """
  submodel (Revolute) %v(n3=1, near={near[0]}), %w(n3=1, r1=2, near={near[1]})
  submodel (Prismatic) %u(n1=1) (ic q=1.8, w=1)
  submodel (Bar) %x(r1=1.5)
  submodel (CutPlanar) %pin(n3=1)
  submodel (LineSpringDamper) %c(c=100, s0=1.5)
  connect i - %v - %x, i - %w - %u, %pin at (%x:B, %u:B), %b1 at %v, %b2 at %w, %b3 at %u, %c from %w:B to %u:B""",
    (("%.q[1]", "%v.q"), ("%.q[2]", "%w.q")),
    (("%.s", "%u.q"), ("%.w", "%u.w"), ("%.f[1]", "%pin.f[1]"), ("%.f[2]", "%pin.f[2]")),
)
REVOLUTE = Loop(
    CRANK
    + """
  submodel (LengthRevolute) %(n3=1, r1=1, r2=0.2, p2=0.9, length=1.3, posture={p}, near=1.5 + 1.5*{p})
  connect i to %u to %tip, i to %, %:C at %tip:B, %b1 at %u, %b2 at %:B""",
    CRANK
    + """
  submodel (Revolute) %v(n3=1, r1=1, r2=0.2, near={near[0]})
  submodel (Bar) %x(r2=0.9)
  submodel (CutRod) %rod(length=1.3)
  connect i to %u to %tip, i to %v to %x, %rod at (%x:B, %tip:B), %b1 at %u, %b2 at %v""",
    (("%.q", "%v.q"),),
    (("%u.q", "%u.q"), ("%u.w", "%u.w"), ("%.f", "%rod.f")),
)
PRISMATIC = Loop(
    CRANK
    + """
  submodel (LengthPrismatic) %(n1=1, r2=0.2, p2=0.1, length=1.3, posture={p})
  connect i to %u to %tip, i to %, %:C at %tip:B, %b1 at %u, %b2 at %:B""",
    CRANK
    + """
  submodel (Prismatic) %v(n1=1, r2=0.2, near={near[0]})
  submodel (Bar) %x(r2=0.1)
  submodel (CutRod) %rod(length=1.3)
  connect i to %u to %tip, i to %v to %x, %rod at (%x:B, %tip:B), %b1 at %u, %b2 at %v""",
    (("%.q", "%v.q"),),
    (("%u.q", "%u.q"), ("%u.w", "%u.w"), ("%.f", "%rod.f")),
)
PARALLEL = Loop(
    CRANK
    + """
  submodel (Fixed) %y(n3=1, angle=0.5)
  submodel (ParallelUniversal) %(n1=0.96, n2=0.28, m2=1, k1=0.8, k3=0.6, posture={p}, near1=1.5 + 1.5*{p}, near2=1)
  connect i to %u to %tip to %y, i to %, %:C at %y:B, %b1 at %u, %b2 at %:B""",
    CRANK
    + """
  submodel (Fixed) %y(n3=1, angle=0.5)
  submodel (Revolute) %v(n1=0.96, n2=0.28, near={near[0]}), %w(n2=1, near={near[1]})
  submodel (CutParallel) %k(n1=0.8, n3=0.6)
  connect i to %u to %tip to %y, i to %v to %w, %k at (%y:B, %w:B), %b1 at %u, %b2 at %w""",
    (("%.q[1]", "%v.q"), ("%.q[2]", "%w.q")),
    (("%u.q", "%u.q"), ("%u.w", "%u.w"), ("%.t[1]", "%k.t[1]"), ("%.t[2]", "%k.t[2]")),
)
LOOPS: dict[str, tuple[Loop, dict[str, float]]] = {
    "rocker": (FOUR_BAR, {"g": 2, "a": 1, "b": 2, "c": 1.5}),  # the crank turns round
    "drag": (FOUR_BAR, {"g": 1, "a": 2, "b": 2, "c": 1.5}),  # crank and rocker turn round
    "slider": (SLIDER, {}),
    "telescope": (TELESCOPE, {}),
    "revolute": (REVOLUTE, {}),
    "prismatic": (PRISMATIC, {}),
    "parallel": (PARALLEL, {}),
}
"""Loops by name, with the lengths of links."""
NAMES = [(f"{name}{number}", name, p) for name in LOOPS for number, p in enumerate((1, -1), 1)]


def closed(tmp_path: Path, library: str) -> Translation:
    """All loops in both postures in closed form, in one model."""
    parts = [LOOPS[kind][0].closed.format(p=p, **LOOPS[kind][1]).replace("%", name) for name, kind, p in NAMES]
    return made(tmp_path, MODEL.format(library=library, parts="\n".join(parts)))


def generic(tmp_path: Path, library: str, first: Result) -> Translation:
    """The same with cut joints; the dependent coordinates are sought 0.1 beside their first values in `first`."""
    parts = []
    for name, kind, _ in NAMES:
        loop, sizes = LOOPS[kind]
        near = [first[ours.replace("%", name)][0] + 0.1 for ours, _ in loop.dependent]
        parts.append(loop.generic.format(near=near, **sizes).replace("%", name))
    return made(tmp_path, MODEL.format(library=library, parts="\n".join(parts)))


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_motion_is_that_of_cut_joints(tmp_path: Path, library: str) -> None:
    """Coordinates, velocities and the forces that close the loops; without nonlinear blocks in closed form."""
    ours = closed(tmp_path, library)
    assert ours.statistics["states"] == 2 * len(NAMES)
    assert ours.statistics["nonlinear_blocks"] == []
    r = ours.simulate(stop=1.5, interval=0.01, tolerance=1e-12, solver="dop853")
    theirs = generic(tmp_path, library, r)
    assert len(theirs.statistics["nonlinear_blocks"]) == len(NAMES)  # type: ignore[arg-type]
    s = theirs.simulate(stop=1.5, interval=0.01, tolerance=1e-12, solver="dop853")
    turned = []
    for name, kind, _ in NAMES:
        for one, other in (*LOOPS[kind][0].dependent, *LOOPS[kind][0].others):
            x, y = r[one.replace("%", name)], s[other.replace("%", name)]
            if ".q" in one and "slider" not in name:  # angles of some pairs lie within half a turn of `near`
                x, y = np.exp(1j * x), np.exp(1j * y)
            np.testing.assert_allclose(x, y, rtol=0, atol=1e-9 * max(1.0, np.abs(y).max()), err_msg=f"{name}: {one}")
        turned.append(np.ptp(r[LOOPS[kind][0].others[0][0].replace("%", name)]))
    full = [name for (name, _, _), angle in zip(NAMES, turned, strict=True) if angle > 2 * np.pi]
    assert [name for name, _, _ in NAMES if name not in full] == ["telescope1", "telescope2", "revolute2"]


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ("ground=2, crank=1.6, coupler=0.5, rocker=1.5", "dead center"),
        ("ground=2, crank=1, coupler=2, rocker=1.5, posture=2", "posture of a loop is 1 or -1"),
        ("ground=2, crank=2, coupler=1, rocker=1", "not of equal length"),
        ("ground=2, crank=1, coupler=2, rocker=1.5, m1=0.8, m3=0.6", "right angles"),
    ],
)
def test_what_does_not_close(tmp_path: Path, sizes: str, said: str) -> None:
    bodies = "submodel (Body) b1(I33=1), b2(m=1, I33=1), b3(I33=1); connect b1 at l:Crank, b2 at l:Coupler, b3 at l:B"
    parts = f"submodel (FourBar) l({sizes}) (ic q=0.5, w=2); connect i to l; {bodies}"
    with pytest.raises((ModelError, SimulationError)) as caught:
        made(tmp_path, MODEL.format(library="mbsdir_loops", parts=parts)).simulate(stop=5)
    assert said in str(caught.value)


@pytest.mark.parametrize("library", LIBRARIES)
def test_transmission(tmp_path: Path, library: str) -> None:
    """A cam v = h*(1 - cos(u)) lifts a mass: (J + m*B^2)*u'' + m*B*D*u'^2 + m*g*B = 0 has the energy as an integral."""
    parts = """
  submodel (Revolute) u(n3=1) (ic q=0, w=20)
  submodel (Prismatic) v(n2=1)
  submodel (Body) wheel(I33=0.5), valve(m=2)
  submodel (Transmission) cam
  connect i to u, i to v, wheel at u, valve at v, cam at (u:Axis, v:Axis)
  cam.H = 0.3*(1 - cos(u.q))
  cam.B = 0.3*sin(u.q)
  cam.D = 0.3*cos(u.q)"""
    t = made(tmp_path, MODEL.format(library=library, parts=parts))
    assert t.statistics["states"] == 2
    assert t.statistics["nonlinear_blocks"] == []
    r = t.simulate(stop=1, interval=0.01, tolerance=1e-11)
    slope = 0.3 * np.sin(r["u.q"])
    energy = (0.5 + 2 * slope**2) * r["u.w"] ** 2 / 2 + 2 * 9.81 * r["v.q"]
    np.testing.assert_allclose(energy, 100, rtol=1e-9)
    np.testing.assert_allclose(r["v.w"], slope * r["u.w"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(r["cam.tb"] * slope, -r["cam.ta"], rtol=0, atol=1e-9)
    assert r["u.q"][-1] > 5 * np.pi
