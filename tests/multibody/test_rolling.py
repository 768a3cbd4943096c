"""Wheels, spheres and knife edges beside closed forms: with given motions, on planes that move, and without drift."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.runs import RunError
from tests.multibody.models import made

LIBRARIES = ["mbsdir", "mbsinv"]
EXACT = {"tolerance": 1e-12, "solver": "dop853"}
HEAD = "@{library}.lib\nmodel M\n  submodel (Inertial) i({gravity})\n"
COIN = (
    HEAD
    + """  submodel (Wheel) coin(radius=0.3, m=2, angle2={lean})
  connect i to coin
  initial coin.free.ball.w = [0, {w2}, {w3}]
end
"""
)
TURNTABLE = (
    HEAD
    + """  submodel (Revolute) turn(n3=1)
  submodel (GivenMotion) motor
  submodel (Free) f
  submodel (Body) table(I33=5)
  submodel (Sphere) ball(radius=0.2, rho=1000)
  submodel (RollingSphere) rolling(radius=0.2)
  connect i to turn, motor at turn:Axis, i to f, ball at f, table at turn, rolling from turn:B to f:B
  motor.q = 3*time
  initial f.x1.q = 1
  initial f.x2.q = 0.5
  initial f.ball.w = [0.4, -0.3, 0.7]
end
"""
)
SKATE = (
    HEAD
    + """  submodel (Planar) p(n3=1, m1=1)
  submodel (Body) body(m=2, I33=0.1)
  submodel (KnifeEdge) blade(n2=1)
  submodel (GivenMotion) steer
  connect i to p, body at p, blade from i:B to p:B, steer at p:Axis
  steer.q = 2*time
  initial p.slide1.w = 0
end
"""
)
TABLE_SKATE = (
    HEAD
    + """  submodel (Revolute) turn(n3=1)
  submodel (Planar) p(n3=1, m1=1)
  submodel (Body) body(m=2, I33=0.1)
  submodel (KnifeEdge) blade(n2=1)
  submodel (GivenMotion) motor, steer
  connect i to turn to p, body at p, blade from turn:B to p:B, steer at p:Axis, motor at turn:Axis
  motor.q = 1.5*time
  steer.q = 2*time
  initial p.slide1.w = 0.5
  initial p.slide1.q = 1
  initial p.slide2.q = 0.2
end
"""
)
CASTER = (
    HEAD
    + """  submodel (Prismatic) way(n1=1)
  submodel (GivenMotion) pull
  submodel (Body) cart(m=5)
  submodel (Caster) c(r3=0.1, trail=0.05, radius=0.1, m=0.3) (ic q=2.5)
  connect i to way to c, cart at way, pull at way:Axis, c:Ground at i
  pull.q = 0.4*time
end
"""
)
PLACES = [(0.5, 0.0), (-0.4, 0.3), (-0.4, -0.3)]
TABLE = (
    HEAD
    + """  submodel (Planar) p(n3=1, m1=1)
  submodel (Body) top(m=20, r1=0.05, I33=3)
  submodel (Caster) c1(r1=0.5, r3=0.1, trail=0.05, radius=0.1, m=0.3)
  submodel (Caster) c2(r1=-0.4, r2=0.3, r3=0.1, trail=0.05, radius=0.1, m=0.3) (ic q=0.2)
  submodel (Caster) c3(r1=-0.4, r2=-0.3, r3=0.1, trail=0.05, radius=0.1, m=0.3) (ic q=-0.2)
  submodel (GivenMotion) steer
  connect i to p, top at p, p to c1, p to c2, p to c3, steer at c1:Swivel
  connect c1:Ground at i, c2:Ground at i, c3:Ground at i
  steer.q = 0.3 + 0.5*sin(2*time)
  initial p.slide1.w = 1
end
"""
)


@pytest.mark.parametrize("library", LIBRARIES)
def test_coin_that_rolls_in_a_circle(tmp_path: Path, library: str) -> None:
    """Steady rolling with the lean b of the axle, the rate W about the vertical and w about the axle.

        w*W*(Ja + m*a^2)*cos(b) = Jc*W^2*cos(b)*sin(b) - m*g*a*sin(b)

    is the theorem of angular momentum about the contact point; the middle has the speed a*w in a circle.
    """
    a, m, lean, rate = 0.3, 2.0, 0.4, 2.5
    axial, across = m / 2 * a**2, m / 4 * a**2
    w = (across * rate**2 * np.cos(lean) - m * 9.81 * a) * np.sin(lean) / ((axial + m * a**2) * rate * np.cos(lean))
    text = COIN.format(library=library, gravity="ng3=-1", lean=lean, w2=w, w3=rate * np.cos(lean))
    r = made(tmp_path, text).simulate(stop=4, interval=0.02, **EXACT)
    radius, angle = a * w / rate, rate * r.time
    np.testing.assert_allclose(r["coin.s[3]"], a * np.cos(lean), rtol=0, atol=1e-10)
    for k, expected in ((1, radius * np.sin(angle)), (2, radius * (1 - np.cos(angle)))):
        np.testing.assert_allclose(r[f"coin.s[{k}]"] - r[f"coin.s[{k}]"][0], expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(r["coin.F[3]"], m * 9.81, rtol=1e-8)
    np.testing.assert_allclose(np.hypot(r["coin.F[1]"], r["coin.F[2]"]), m * rate * abs(a * w), rtol=1e-8)
    slip = [np.abs(r[f"coin.rolling.slip[{k}]"]).max() for k in (1, 2, 3)]
    assert max(slip) < 1e-10


@pytest.mark.parametrize("library", LIBRARIES)
def test_sphere_on_a_turntable(tmp_path: Path, library: str) -> None:
    """It goes round with 2/7 of the table's rate W, whatever its start: r'' = 2/7*W*e3 x r'.

    K. Weckesser, A ball rolling on a freely spinning turntable, American Journal of Physics 65 (1997) 736-738.
    """
    text = TURNTABLE.format(library=library, gravity="ng3=-1")
    t = made(tmp_path, text)
    r = t.simulate(stop=10, interval=0.05, **EXACT)
    place = r["f.s[1]"] + 1j * r["f.s[2]"]
    start = 1 + 0.5j
    speed = 3j * start + 0.2 * (-0.3 - 0.4j)  # of the table there, and of rolling: radius*(w2, -w1)
    rate = 2 / 7 * 3
    np.testing.assert_allclose(place, start + speed * (np.exp(1j * rate * r.time) - 1) / (1j * rate), rtol=0, atol=1e-9)
    np.testing.assert_allclose(r["f.s[3]"], 0.2, rtol=0, atol=1e-12)


@pytest.mark.parametrize("library", LIBRARIES)
def test_skate_on_a_slope(tmp_path: Path, library: str) -> None:
    """Turned at the rate w it does not slide down: x = k*sin(w*t)^2, y = k*(w*t - sin(2*w*t)/2), k = g1/(2*w^2).

    The classical example of Neimark and Fufaev (1972, chapter 2), here with the turning as a rheonomic constraint.
    """
    text = SKATE.format(library=library, gravity="ng1=0.6, ng3=-0.8")
    r = made(tmp_path, text).simulate(stop=8, interval=0.05, **EXACT)
    k, angle = 9.81 * 0.6 / (2 * 2**2), 2 * r.time
    np.testing.assert_allclose(r["p.q[1]"], k * np.sin(angle) ** 2, rtol=0, atol=1e-9)
    np.testing.assert_allclose(r["p.q[2]"], k * (angle - np.sin(2 * angle) / 2), rtol=0, atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_skate_on_a_turntable(tmp_path: Path, library: str) -> None:
    """In axes of the table only the centrifugal acceleration works along the blade: u' = W^2*dot(s, m), s' = u*m."""
    t = made(tmp_path, TABLE_SKATE.format(library=library, gravity="g=0"))
    if library == "mbsinv":
        r = t.simulate(stop=3, interval=0.05, **EXACT)
    else:  # the motion is right; the torque of a drive without inertia behind it is not found
        with pytest.raises(RunError) as caught:
            t.simulate(stop=3, interval=0.05, **EXACT)
        assert "turn.t is not finite" in str(caught.value)
        r = caught.value.result

    def slope(t: float, y: np.ndarray) -> list[float]:
        m = np.array([np.cos(2 * t), np.sin(2 * t)])
        return [*(y[2] * m), 1.5**2 * float(y[:2] @ m)]

    exact = solve_ivp(slope, (0, 3), [1, 0.2, 0.5], "DOP853", r.time, rtol=1e-13, atol=1e-13).y
    for k in (1, 2):
        np.testing.assert_allclose(r[f"p.q[{k}]"], exact[k - 1], rtol=0, atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_caster_behind_a_cart(tmp_path: Path, library: str) -> None:
    """Drawn with the speed v it swings behind: tan(q/2) = tan(q0/2)*exp(-v*t/trail), and rolls r*phi' = v*cos(q)."""
    r = made(tmp_path, CASTER.format(library=library, gravity="ng3=-1")).simulate(stop=1, interval=0.01, **EXACT)
    swung = np.tan(2.5 / 2) * np.exp(-0.4 / 0.05 * r.time)
    np.testing.assert_allclose(np.tan(r["c.q"] / 2), swung, rtol=0, atol=1e-9)
    np.testing.assert_allclose(0.1 * r["c.spin.w"], 0.4 * np.cos(r["c.q"]), rtol=0, atol=1e-10)


@pytest.mark.parametrize("library", LIBRARIES)
def test_table_on_casters(tmp_path: Path, library: str) -> None:
    """With one swivel steered. At the contact point of each wheel the velocities along and across vanish, to 1e-10."""
    t = made(tmp_path, TABLE.format(library=library, gravity="ng3=-1"))
    r = t.simulate(stop=5, interval=0.02, tolerance=1e-9)
    heading, turning = r["p.q[3]"], r["p.turn.w"]
    speed = r["p.slide1.w"] + 1j * r["p.slide2.w"]
    for name, place in zip(("c1", "c2", "c3"), PLACES, strict=True):
        direction = np.exp(1j * (heading + r[f"{name}.q"]))
        swivel = speed + 1j * turning * complex(*place) * np.exp(1j * heading)
        axle = (swivel - 0.05j * (turning + r[f"{name}.swivel.w"]) * direction) / direction
        np.testing.assert_allclose(axle, 0.1 * r[f"{name}.spin.w"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(r["c1.q"], 0.3 + 0.5 * np.sin(2 * r.time), rtol=0, atol=1e-12)
    assert np.hypot(np.ptp(r["p.q[1]"]), np.ptp(r["p.q[2]"])) > 1
