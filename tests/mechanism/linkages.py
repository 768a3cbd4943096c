"""Texts of closed linkages with published mobility and redundancy."""

BODY = "I11=0.1, I22=0.2, I33=0.3"

SLIDER_CRANK = f"""@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.5, w=2), knee(n3=1, r1=1), pin(n3=1, r1=2)
  submodel (Prismatic) piston(n1=1, r1=3)
  submodel (Body) a(m=1, r1=0.5, {BODY}), b(m=2, r1=1, {BODY}), c(m=3, {BODY})
  connect i - crank - knee - pin, i - piston
  connect pin:B at piston:B
  connect a at crank, b at knee, c at piston
end
"""
"""A planar slider-crank of spatial hinges and a slide: p = 3."""

ISOSTATIC_SLIDER_CRANK = SLIDER_CRANK.replace(
    ", knee(n3=1, r1=1), pin(n3=1, r1=2)",
    "\n  submodel (LoopSpherical) knee(r1=1)\n  submodel (Cylindrical) pin(n3=1, r1=2)",
)
"""The same with a ball and a cylindrical joint in place of two hinges: p = 0."""

RSSR = f"""@mbsdir.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n1=1) (ic q=0.3, w=1), j2(n2=1, r1=3, near=0.4)
  submodel (Bar) crank(r2=1), rocker(r3=2), rod(r1=2.5)
  submodel (LoopSpherical) s1, s2
  submodel (Body) a(m=1, r2=0.5, {BODY}), b(m=1, r1=1, {BODY}), c(m=1, r3=1, {BODY})
  connect i - j1 - crank - s1 - rod - s2, i - j2 - rocker
  connect s2:B at rocker:B
  connect a at j1, b at s1, c at j2
end
"""
"""Two hinges and two balls: p = 0, and the rod between the balls turns idly."""

FIVE_BARS = f"""@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) a1(n3=1) (ic q=0.5, w=1), a2(n3=1, r1=1), a3(n3=1, r1=2), b1(n3=1), b2(n3=1), b3(n3=1)
  submodel (Bar) c1(r2=1), c2(r2=1), c3(r2=1), k2(r1=1), k3(r1=2)
  submodel (Body) m1(m=1, r2=0.5, {BODY}), m2(m=1, r2=0.5, {BODY}), m3(m=1, r2=0.5, {BODY}), mc(m=2, r1=1, {BODY})
  connect i - a1 - c1 - b1, i - a2 - c2, i - a3 - c3, b1 - k2 - b2, b1 - k3 - b3
  connect b2:B at c2:B, b3:B at c3:B
  connect m1 at a1, m2 at a2, m3 at a3, mc at b1
end
"""
"""A parallelogram with a fifth bar, of six spatial hinges: p = 7."""

DOOR = """@mbsdir.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) low(n3=1), high(n3=1, r3=2)
  submodel (Bar) frame(r3=2)
  submodel (Body) leaf(m=5, r1=0.4, r3=1, I11=1, I22=1, I33=1)
  connect i - low - frame, i - high
  connect high:B at frame:B, leaf at low
end
"""
"""A door on two hinges, 2 m apart, that carry its weight of 49.05 N in shares that only compliances decide."""
