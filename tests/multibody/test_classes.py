"""Every class of the libraries in one model: names, shapes, balance and units, whichever library is included."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import SimulationError
from acausal.checking import check
from acausal.pipeline import translate

ALL = """@{library}.lib
model All
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) rev(n3=1)
  submodel (Prismatic) pri(n2=1)
  submodel (Screw) scr(n1=1, pitch=0.1)
  submodel (Universal) uni(n1=1, m2=1)
  submodel (Cylindrical) cyl(n3=1)
  submodel (Planar) pla(n3=1, m1=1)
  submodel (Spherical) sph(r1=1)
  submodel (LoopSpherical) lsp(r1=1)
  submodel (Free) fre
  submodel (Bar) bar(r1=1)
  submodel (Fixed) fix(n1=1, angle=0.2, r2=1)
  submodel (Body) b(m=1, I11=1, I22=1, I33=1), b5(m=1, I11=1, I22=1, I33=1)
  submodel (Box) b1(a1=1, a2=1, a3=1), b2(a1=1, a2=1, a3=1), b3(a1=1, a2=1, a3=1)
  submodel (Sphere) s1(radius=1, r1=0.5), s2(radius=2), s3(radius=1)
  submodel (Cylinder) c1(radius=1, length=1, n1=1)
  submodel (LineSpring) ls(c=1)
  submodel (LineDamper) ld(d=1)
  submodel (LineSpringDamper) lsd(c=1, d=2)
  submodel (Actuator) act
  submodel (Attraction) att(m1=1, m2=2)
  submodel (Torsional) tor(n1=1, c=2, d=1)
  submodel (Bushing) bus(c1=1, d1=1, ct1=1, dt1=1)
  submodel (WorldForce) wf
  submodel (WorldTorque) wt
  submodel (GravityField) gf(mu=1, m=1)
  submodel (Sensor) se
  submodel (Shape) look(kind="cylinder", n1=0, n2=1, m1=1, m3=0)
  submodel (KnifeEdge) ke(n2=1)
  submodel (Free) hub
  submodel (RollingWheel) wheel(n2=1, radius=0.3)
  connect i to rev to pri to scr to uni to bar, i to cyl to fix, i to pla, i to sph, i to lsp, i to fre, i to hub
  connect b at rev, b5 at lsp, b1 at pri, b2 at scr, b3 at bar, s2 at fix, s3 at pla, s1 at sph, c1 at fre
  submodel (Body) disc(m=2, I11=0.02, I22=0.04, I33=0.02)
  connect disc at hub, i to wheel to hub:B
  connect i to ls to bar:B, i to ld to bar:B, i to lsd to bar:B, i to act to fix:B, i to att to fre:B, i to tor to sph:B
  connect i to bus to fre:B, wf at fre, wt at fre, gf at fre, look at bar, bar:B to se to fix:B, i to ke to pla:B
  submodel (FreePoint) fp
  submodel (PointMass) pm(m=1)
  submodel (FixedAxes) fx(n1=1, n2=1, m1=0, m3=1)
  submodel (LineSpringMass) lsm(c=1, m=0.3)
  submodel (MassBetween) mb(m=0.3)
  submodel (Rotor1D) rot(J=0.1, n1=1), rot2(J=0.1, n1=1)
  submodel (Wheel) coin(radius=0.2, m=1)
  submodel (WheelSet) set(radius=0.2, track=1, m=1)
  submodel (Free) hung1, hung2
  submodel (Sphere) s4(radius=1), s5(radius=1)
  submodel (CentralGravity) cg(mu=1, m=1, I11=1, I22=1, I33=1)
  submodel (CircularOrbit) orb(mu=1, radius=1)
  submodel (Gyrostat) gy(m=1, I11=1, I22=1, I33=1, J=0.1, n1=1)
  submodel (Spherical) inorbit
  connect i to orb to inorbit, gy at inorbit, cg at inorbit
  submodel (RollingSphere) rs(radius=1)
  submodel (Sphere) s6(radius=1)
  submodel (Free) onplane
  submodel (Planar) cart(n3=1, m1=1)
  submodel (Body) b6(m=1, I33=1)
  submodel (Caster) cas(radius=0.1, trail=0.1, m=1)
  connect i to onplane, s6 at onplane, rs from i:B to onplane:B, i to cart to cas, b6 at cart, cas:Ground at i
  submodel (CutUniversal) cu(n1=1, m2=1)
  submodel (CutPrismatic) cp(n2=1)
  connect i to fp, pm at fp, pla to fx, i to lsm to fp:B, mb from i:B to fp:B, rot to rot2, rot at fre, rot2 at fre
  connect i to coin, i to set
  connect i to hung1, i to hung2, s4 at hung1, s5 at hung2, i to cu to hung1:B, pri:B to cp to hung2:B
  wf.F = [1, 2, 3]
  wt.t = [1, 2, 3]
end
"""
RUBBING = """
  submodel (RubbingRevolute) rre(n3=1, mu=0.1, radius=0.1, span=0.2, collar=0.1)
  submodel (RubbingPrismatic) rpr(n3=1, mu=0.1, span=0.2, width=0.1)
  submodel (Body) b4(m=1, I11=1, I22=1, I33=1)
  connect fre to rre to rpr, b4 at rpr
end
"""


@pytest.mark.parametrize(
    "library", [f"mbs{q}{option}" for q in ("dir", "inv") for option in ("", "_regrouped", "_impact")]
)
def test_all_classes(tmp_path: Path, library: str) -> None:
    file = tmp_path / "all.mdl"
    model = ALL if "regrouped" in library else ALL.replace("\nend\n", RUBBING)
    file.write_text(model.replace("{library}", library), encoding="utf-8")
    told = check(file).diagnostics
    assert [(d.code, d.message) for d in told if d.severity.value != "note"] == []


@pytest.mark.parametrize(
    ("gravity", "axis", "said"),
    [(-9.81, 1, "in i is violated: the direction ng1, ng2, ng3 of gravity"), (-1, 2, "in j is violated: the axis")],
)
@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_whose_assertion_does_not_hold(tmp_path: Path, library: str, gravity: float, axis: float, said: str) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(f"""@{library}.lib
model M
  submodel (Inertial) i(ng3={gravity})
  submodel (Revolute) j(n1={axis})
  submodel (Body) b(m=1, r3=-1)
  connect i - j, b at j
end
""")
    with pytest.raises(SimulationError, match=said):
        translate(file).simulate(stop=0.1)
