"""Rotors, masses, springs with mass, frames and angles at the start, wheels and cut joints, in both libraries.

Beside closed forms, SciPy and the same mechanism as a tree of joints.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from acausal.base.diagnostics import ModelError, SimulationError
from acausal.pipeline import translate
from acausal.results.result import Result

PARTS = """
  submodel (Revolute) turn(n3=1) (ic q=0, w=1.962), tilt(n2=1) (ic q=0, w=0)
  submodel (PointMass) weight(m=2, r1=0.2)
  submodel (Rotor1D) top(J=0.02, n1=1) (ic phi=0, w=100)
  connect i - turn - tilt, weight at tilt, top at tilt

  submodel (Free) f1(angle1=0.3, angle2=0.2), f2(angle1=0.3, angle2=0.2)
  submodel (Body) b1(m=1, I11=0.1, I22=0.2, I33=0.3, r1=0.1), b2(m=1, I11=0.1, I22=0.2, I33=0.3, r1=0.1), disc(I33=0.05)
  submodel (Revolute) axle(n3=1) (ic q=0, w=20)
  submodel (Rotor1D) rotor(J=0.05, n3=1) (ic phi=0, w=20)
  submodel (steptorque) T1(height=0.5, t0=0.5), T2(height=0.5, t0=0.5)
  connect i - f1, i - f2 - axle, b1 at f1, b2 at f2, disc at axle, rotor at f1, T1 - rotor, T2 at axle:Axis
  initial f1.ball.w = [1, 2, 3]
  initial f2.ball.w = [1, 2, 3]

  submodel (Prismatic) p1(n3=1) (ic q=-1, w=0), p2(n3=1) (ic q=-1, w=0)
  submodel (Body) load(m=2)
  submodel (LineSpringMass) s1(c=300, s0=0.5, m=1.5), s2(c=300, s0=0.5, m=1.5)
  connect i - p1, i - p2, load at p1, s1 at (i:B, p1:B), s2 at (i:B, p2:B)
  submodel (Revolute) round(n3=1) (ic q=0, w=3)
  submodel (Prismatic) arm(n1=1) (ic q=1, w=0)
  submodel (PointMass) ball(m=0.5)
  submodel (LineSpringMass) s3(c=100, s0=0.8, m=0.6)
  connect i - round - arm, ball at arm, s3 at (i:B, arm:B)

  submodel (FreePoint) point (ic s=[1, 2, 3])
  submodel (PointMass) thrown(m=0.1)
  connect i - point, thrown at point
  initial point.x1.w = 2

  submodel (FixedAxes) axes(n1=1, n2=2, n3=3, m1=-1, m2=0.5, m3=2)
  submodel (Spherical) a2(angle1=0.3, angle2=-1.1, angle3=2.2)
  submodel (Spherical) a3(angle1=0.3, angle2=-1.1, angle3=2.2, sequence=[3, 1, 3])
  submodel (Body) c1(m=1), c2(m=1, I11=1, I22=1, I33=1), c3(m=1, I11=1, I22=1, I33=1)
  connect i - axes, c1 at axes, i - a2, c2 at a2, i - a3, c3 at a3
"""
WHEELS = """
  submodel (WheelSet) set(radius=0.3, track=1, m=2), led(radius=0.3, track=1, m=2)
  submodel (Body) cart(m=10, r1=0.2, I33=0.5)
  submodel (sinetorque) T1(amplitude=3, f=0.7), T2(amplitude=2, f=0.5)
  submodel (speedsource) W1(W=4) (ic phi=0), W2(W=6) (ic phi=0)
  connect i - set, cart at set, T1 at set:Axis1, T2 at set:Axis2, i - led, W1 at led:Axis1, W2 at led:Axis2
  initial set.left.w = 3
  initial set.right.w = 5

  parameter lean=0.3
  parameter turns=sqrt(9.81*2*0.2*sin(lean)/(2*0.2*cos(lean) + cos(lean)*(0.04/0.2 + 0.02*sin(lean))))
  submodel (Wheel) coin(radius=0.2, m=2, Ja=0.04, Jc=0.02, angle2=lean)
  connect i - coin
  initial coin.s[1:2] = [0, 1]
  initial coin.free.ball.w = turns*[0, sin(lean) - (1 + 0.2*sin(lean))/0.2, cos(lean)]
"""
CUTS = """
  submodel (Free) f1(angle1=0.4, angle2=0.7), f2, f3
  submodel (Universal) u1(n1=1, m2=1) (ic q=[0.4, 0.7]), u2(n1=1, m1=0.6, m2=0.8) (ic q=[0, 0])
  submodel (Body) b[4](m=2, r3=-0.5, r1=0.2, I11=0.1, I22=0.2, I33=0.3, I21=0.02)
  submodel (CutUniversal) c1(n1=1, m2=1), c2(n1=1, m1=0.6, m2=0.8)
  connect i - f1, b[1] at f1, c1 at (i:B, f1:B), i - f2, b[2] at f2, c2 at (i:B, f2:B)
  connect i - u1, b[3] at u1, i - u2, b[4] at u2
  initial f1.ball.w[1:2] = [0, 1.5]
  initial f2.ball.w[1:2] = [0.9, 1.2]
  initial [u1.first.w, u1.second.w, u2.first.w, u2.second.w] = [0, 1.5, 0, 1.5]

  submodel (Revolute) r3(n2=1) (ic q=0, w=2), r4(n2=1) (ic q=0, w=2)
  submodel (Prismatic) p4(n1=0.6, n3=0.8) (ic q=0.5, w=0.5)
  submodel (Body) arm[2](m=1, r1=0.5, I22=0.1), sledge[2](m=2, r1=0.1, I11=1, I22=0.3, I33=1)
  submodel (CutPrismatic) slot(n1=0.6, n3=0.8)
  connect i - r3, i - f3, slot at (r3:B, f3:B), i - r4 - p4
  connect arm[1] at r3, sledge[1] at f3, arm[2] at r4, sledge[2] at p4
  initial f3.s[1] = 0.3
  initial f3.x1.w = 0.8 + 0.6*0.5
"""
LIBRARIES = ["mbsdir", "mbsinv"]


def simulated(body: str, library: str, folder: Path, stop: float = 2.0) -> Result:
    file = folder / "m.mdl"
    text = f"@{library}.lib\n@rotational.lib\nmodel M\n  submodel (Inertial) i(ng3=-1)\n{body}end\n"
    file.write_text(text, encoding="utf-8")
    return translate(file).simulate(stop=stop, interval=0.01, tolerance=1e-9)


@pytest.fixture(scope="module", params=LIBRARIES)
def parts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return simulated(PARTS, request.param, tmp_path_factory.mktemp("parts"))


@pytest.fixture(scope="module", params=LIBRARIES)
def wheels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return simulated(WHEELS, request.param, tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module", params=LIBRARIES)
def cuts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return simulated(CUTS, request.param, tmp_path_factory.mktemp("cuts"), 0.6)


def at_start(result: Result, frame: str) -> np.ndarray:
    """The rotation matrix of a frame."""
    return np.array([[result[f"{frame}.T[{i},{j}]"][0] for j in (1, 2, 3)] for i in (1, 2, 3)])


def frames_differ(result: Result, first: str, second: str) -> float:
    """The largest difference of two frames' rotations and places over all rows."""
    turns = [f"T[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
    names = [*turns, *[f"r[{i}]" for i in (1, 2, 3)]]
    return max(float(np.abs(result[f"{first}.{x}"] - result[f"{second}.{x}"]).max()) for x in names)


def test_level_gyroscope_precesses_steadily(parts: Result) -> None:
    """At m*g*l/(J*w) = 2*9.81*0.2/(0.02*100): the moment of the weight turns the momentum of the rotor."""
    np.testing.assert_allclose(parts["turn.q"], 1.962 * np.asarray(parts.time), atol=1e-7)
    np.testing.assert_allclose(parts["tilt.q"], 0, atol=1e-8)


def test_rotor_on_a_tumbling_body_is_a_disc_on_a_hinge(parts: Result) -> None:
    """Also with a torque between the body and the rotor, which turns the body back."""
    assert frames_differ(parts, "f1.ball", "f2.ball") < 1e-9
    np.testing.assert_allclose(parts["rotor.phi"], parts["axle.q"], atol=1e-9)
    assert np.ptp(parts["f1.ball.w[3]"]) > 1


def test_energy_of_a_rotor_and_its_body(parts: Result) -> None:
    """Before the torque acts, the kinetic energy of the body and that of the rotor at w + w3 have a constant sum."""
    rows = np.asarray(parts.time) < 0.5
    w = np.array([parts[f"f1.ball.w[{k}]"][rows] for k in (1, 2, 3)])
    spin = parts["rotor.w"][rows] + w[2]
    # about the center of mass, which the joint is not: its velocity is that of the throw, without horizontal force
    v = np.array([parts[f"f1.ball.v[{k}]"][rows] for k in (4, 5, 6)]) + 0.1 * np.array([0 * w[0], w[2], -w[1]])
    height = parts["f1.ball.r[3]"][rows] + 0.1 * parts["f1.ball.T[3,1]"][rows]
    energy = (np.array([0.1, 0.2, 0.3]) @ w**2 + 0.05 * spin**2 + (v**2).sum(axis=0)) / 2 + 9.81 * height
    assert np.ptp(energy) < 1e-7 * energy[0]


@pytest.mark.parametrize(("name", "mass"), [("p1", 2.0), ("p2", 0.0)])
def test_spring_with_mass_swings_with_a_third_of_it(parts: Result, name: str, mass: float) -> None:
    """About the place where it hangs at rest, to which half of its weight contributes."""
    w, middle = np.sqrt(300 / (mass + 0.5)), -0.5 - (mass + 0.75) * 9.81 / 300
    exact = middle + (-1 - middle) * np.cos(w * np.asarray(parts.time))
    np.testing.assert_allclose(parts[f"{name}.q"], exact, atol=1e-6)


def test_spring_with_mass_that_goes_round_has_the_momentum_of_a_rod(parts: Result) -> None:
    momentum = (0.5 + 0.6 / 3) * parts["arm.q"] ** 2 * parts["round.w"]
    assert np.ptp(parts["arm.q"]) > 0.1
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-7)


def test_thrown_point(parts: Result) -> None:
    t = np.asarray(parts.time)
    np.testing.assert_allclose(parts["point.s[1]"], 1 + 2 * t, atol=1e-9)
    np.testing.assert_allclose(parts["point.s[3]"], 3 - 9.81 * t**2 / 2, atol=1e-8)


def test_angles_at_the_start_are_rotations_in_turn(parts: Result) -> None:
    """SciPy's capital letters turn about axes of the turned frame, too."""
    for name, letters in (("a2", "XYZ"), ("a3", "ZXZ")):
        expected = Rotation.from_euler(letters, [0.3, -1.1, 2.2]).as_matrix()
        np.testing.assert_allclose(at_start(parts, name), expected, atol=1e-14)
    np.testing.assert_allclose(
        at_start(parts, "f1.ball"), Rotation.from_euler("XY", [0.3, 0.2]).as_matrix(), atol=1e-14
    )


def test_frame_from_two_vectors(parts: Result) -> None:
    first, second = np.array([1.0, 2, 3]), np.array([-1, 0.5, 2])
    q, r = np.linalg.qr(np.column_stack([first, second]))  # Gram and Schmidt, up to signs
    columns = q * np.sign(np.diag(r))
    expected = np.column_stack([columns, np.cross(columns[:, 0], columns[:, 1])])
    np.testing.assert_allclose(at_start(parts, "axes"), expected, atol=1e-14)


def test_wheel_set_at_constant_speeds_goes_in_a_circle(wheels: Result) -> None:
    """Of the radius track/2*(w1 + w2)/(w2 - w1) = 2.5."""
    t = np.asarray(wheels.time)
    rate = 0.3 * (6 - 4) / 1
    np.testing.assert_allclose(wheels["led.heading"], rate * t, atol=1e-8)
    np.testing.assert_allclose(wheels["led.s[1]"], 2.5 * np.sin(rate * t), atol=1e-7)
    np.testing.assert_allclose(wheels["led.s[2]"], 2.5 * (1 - np.cos(rate * t)), atol=1e-7)


def test_wheel_set_with_a_cart_beside_its_two_equations(wheels: Result) -> None:
    """Speed ahead and rate of heading by the equations of Lagrange; the center of mass lies 0.2 m ahead of the axle."""
    m, a, inertia, wheel, track, radius = 10, 0.2, 0.5, 2, 1, 0.3
    about, across = wheel / 2 * radius**2, wheel / 4 * radius**2
    ahead = m + 2 * wheel + 2 * about / radius**2
    around = inertia + m * a**2 + (wheel + about / radius**2) * track**2 / 2 + 2 * across

    def slope(t: float, y: np.ndarray) -> list[float]:
        _, _, heading, v, w = y
        left, right = 3 * np.sin(1.4 * np.pi * t), 2 * np.sin(np.pi * t)
        turning = (right - left) * track / 2 / radius
        forward = (m * a * w**2 + (left + right) / radius) / ahead
        return [v * np.cos(heading), v * np.sin(heading), w, forward, (turning - m * a * v * w) / around]

    found = solve_ivp(slope, (0, 2), [0, 0, 0, 1.2, 0.6], rtol=1e-11, atol=1e-12, t_eval=wheels.time).y
    for name, exact in zip(("set.s[1]", "set.s[2]", "set.heading"), found, strict=False):
        np.testing.assert_allclose(wheels[name], exact, atol=1e-7)
    np.testing.assert_allclose(radius * (wheels["set.left.w"] + wheels["set.right.w"]) / 2, found[3], atol=1e-7)


def test_coin_that_leans_rolls_in_a_circle(wheels: Result) -> None:
    """Steady precession: moment of momentum about the middle, whose circle has the radius 1.

    turns^2*cos(lean)*(m*r*rho + Ja*rho/r + Jc*sin(lean)) = m*g*r*sin(lean), for rolling without slipping.
    """
    t, lean = np.asarray(wheels.time), 0.3
    turns = np.sqrt(9.81 * 0.4 * np.sin(lean) / (np.cos(lean) * (0.4 + 0.2 + 0.02 * np.sin(lean))))
    np.testing.assert_allclose(wheels["coin.s[1]"], -np.sin(turns * t), atol=1e-6)
    np.testing.assert_allclose(wheels["coin.s[2]"], np.cos(turns * t), atol=1e-6)
    np.testing.assert_allclose(wheels["coin.s[3]"], 0.2 * np.cos(lean), atol=1e-7)
    np.testing.assert_allclose(wheels["coin.F[3]"], 2 * 9.81, atol=1e-5)


@pytest.mark.parametrize(("loop", "tree"), [("f1.ball", "u1.second"), ("f2.ball", "u2.second"), ("f3.ball", "p4")])
def test_cut_joint_moves_as_the_joint_in_a_tree(cuts: Result, loop: str, tree: str) -> None:
    assert frames_differ(cuts, loop, tree) < 1e-6
    assert np.ptp(cuts[f"{tree}.T[1,1]"]) > 0.05


BOX = "submodel (Box) box(a1=1, a2=1, a3=1)\nconnect i - x, box at x\n"
WRONG = {
    "submodel (Wheel) x(radius=0, m=1)\nconnect i - x\n": "the radius of a wheel is positive",
    "submodel (Wheel) x(radius=1, m=1, n2=2)\nconnect i - x\n": "the axle n1, n2, n3 of a wheel is a unit vector",
    "submodel (WheelSet) x(radius=1, m=1, track=0)\nconnect i - x\n": "the distance of the wheels of a set is positive",
    f"submodel (Free) x(sequence=[1, 4, 2])\n{BOX}": "the axes of a sequence of rotations have the numbers 1, 2, 3",
    f"submodel (FixedAxes) y(n1=1, m1=2, m2=0)\nsubmodel (Revolute) x(n1=1)\n{BOX}connect x - y\n": "not parallel",
    f"submodel (Free) x\nsubmodel (CutUniversal) c(n1=1, m1=1)\n{BOX}connect c at (i:B, x:B)\n": "are not parallel",
    "submodel (Rotor1D) x(n1=2, J=1)\nconnect x at i\n": "the axis n1, n2, n3 of a rotor is a unit vector",
}


@pytest.mark.parametrize("body", WRONG, ids=lambda body: body.split()[1] + body.split("(")[2].split(")")[0])
def test_wrong_parameter(body: str, tmp_path: Path) -> None:
    with pytest.raises((ModelError, SimulationError), match=WRONG[body]):
        simulated(body, "mbsinv", tmp_path)
