"""Bodies in space beside closed forms: free rotation, gyrostats, libration in orbit, momentum of a floating arm."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from acausal.results.result import Result
from tests.multibody.models import made

LIBRARIES = ["mbsdir", "mbsinv"]
EXACT = {"tolerance": 1e-12, "solver": "dop853"}
HEAD = "@{library}.lib\n@rotational.lib\nmodel M\n  submodel (Inertial) i(g=0)\n"
FREE = (
    HEAD
    + """  submodel (Spherical) ball
  submodel (Body) b(m=2, I11=3, I22=2, I33=1)
  connect i to ball, b at ball
  initial ball.w = [{w1}, 0, {w3}]
end
"""
)
GYROSTAT = (
    HEAD
    + """  submodel (Spherical) ball
  submodel (Gyrostat) b(m=2, I11=1.5, I22=1.5, I33=2, J=0.4, n3=1)
  submodel ({drive})
  connect i to ball, b at ball, motor at b:Axis
  initial ball.w = [0.3, 0, 0.5]
  {start}
end
"""
)
ORBIT = (
    HEAD
    + """  submodel (CircularOrbit) orbit(mu=32, radius=2)
  submodel ({joint}) j{start}
  submodel (Body) b(m=3, I11={I[0]}, I22={I[1]}, I33={I[2]})
  submodel (CentralGravity) field(mu=32, m=3, I11={I[0]}, I22={I[1]}, I33={I[2]})
  connect i to orbit to j, b at j, field at j
end
"""
)
DUMBBELL = (
    HEAD
    + """  submodel (Planar) p(n3=1, m1=1) (ic q=[7e6, 0, 0.01])
  submodel (Bar) tip1(r1=50), tip2(r1=-50)
  submodel (PointMass) m1(m=100), m2(m=100)
  submodel (GravityField) f1(mu=3.986e14, m=100), f2(mu=3.986e14, m=100)
  connect i to p, p to tip1, p to tip2, m1 at tip1, m2 at tip2, f1 at tip1, f2 at tip2
  initial p.slide1.w = 0
  initial p.slide2.w = sqrt(3.986e14/7e6)
  initial p.turn.w = sqrt(3.986e14/7e6^3)
end
"""
)
ARM = (Path(__file__).parents[2] / "examples" / "floating_arm.mdl").read_text(encoding="utf-8")
MOVING = "  initial float.ball.w = [0.1, 0.2, -0.3]\n  initial float.x1.w = 0.5\n  initial base.rotor.w = 3\nend\n"


@pytest.mark.parametrize("library", LIBRARIES)
def test_free_body_with_three_moments_of_inertia(tmp_path: Path, library: str) -> None:
    """Euler 1758: the components of the velocity are Jacobi's functions (Landau, Lifshitz, Mechanics, section 37).

    With I1 > I2 > I3, 2E = I1 w1^2 + I3 w3^2 and M^2 = I1^2 w1^2 + I3^2 w3^2 > 2E I2 at first the axis 1 is the one
    about which it turns: w1 = a dn(k t), w2 = b sn(k t), w3 = c cn(k t).
    """
    inertia, w1, w3 = (3.0, 2.0, 1.0), 1.1, 0.8
    r = made(tmp_path, FREE.format(library=library, w1=w1, w3=w3)).simulate(stop=20, interval=0.05, **EXACT)
    i1, i2, i3 = inertia
    energy, square = i1 * w1**2 + i3 * w3**2, i1**2 * w1**2 + i3**2 * w3**2
    assert square > energy * i2
    rate = np.sqrt((i1 - i2) * (square - energy * i3) / (i1 * i2 * i3))
    part = (i2 - i3) * (energy * i1 - square) / ((i1 - i2) * (square - energy * i3))
    middle = np.sqrt((energy * i1 - square) / (i2 * (i1 - i2)))
    sn, cn, dn, _ = ellipj(rate * r.time, part)
    for k, expected in enumerate((w1 * dn, -middle * sn, w3 * cn), 1):
        np.testing.assert_allclose(r[f"ball.w[{k}]"], expected, rtol=0, atol=1e-9)
    turned = np.array([[r[f"ball.T[{i},{k}]"] for k in (1, 2, 3)] for i in (1, 2, 3)])
    momentum = np.einsum("ikt,kt->it", turned, [j * r[f"ball.w[{k}]"] for k, j in enumerate(inertia, 1)])
    np.testing.assert_allclose(momentum, np.array([[i1 * w1], [0], [i3 * w3]]) + 0 * r.time, rtol=0, atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("driven", ["torque", "speed"])
def test_gyrostat_with_two_equal_moments_of_inertia(tmp_path: Path, library: str, driven: str) -> None:
    """The velocity goes round the rotor's axis with the angle H3/A*t - integral of w3, H3 = C*w3 + J*s being constant.

    A torque T on the rotor: w3 = w30 - T*t/(C - J); a constant speed s: w3 is constant (Wittenburg 1977, chapter 4).
    """
    torque, speed = (0.3, 4.0) if driven == "torque" else (0.0, 4.0)
    drive = f"torquesource) motor(T={torque}" if driven == "torque" else f"speedsource) motor(W={speed}"
    start = "initial b.rotor.w = 4" if driven == "torque" else ""
    t = made(tmp_path, GYROSTAT.format(library=library, drive=drive, start=start))
    r = t.simulate(stop=5, interval=0.05, **EXACT)
    across, along, wheel, w3 = 1.5, 2.0, 0.4, 0.5
    momentum = along * w3 + wheel * speed
    angle = (momentum / across - w3) * r.time + torque / (2 * (along - wheel)) * r.time**2
    expected = [0.3 * np.cos(angle), 0.3 * np.sin(angle), w3 - torque / (along - wheel) * r.time]
    for k, value in enumerate(expected, 1):
        np.testing.assert_allclose(r[f"ball.w[{k}]"], value, rtol=0, atol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_libration_of_a_dumbbell(tmp_path: Path, library: str) -> None:
    """A rod in circular orbit swings by th'' = -3/2*W^2*sin(2*th): sin(th) = k*sn(sqrt(3)*W*t + K), k = sin(th0)."""
    text = ORBIT.format(library=library, joint="Revolute", start="(n3=1) (ic q=0.5, w=0)", I=(0, 0.7, 0.7))
    t = made(tmp_path, text)
    r = t.simulate(stop=6, interval=0.05, **EXACT)
    k = np.sin(0.5)
    sn, _, _, _ = ellipj(np.sqrt(3) * 2 * r.time + ellipk(k**2), k**2)
    np.testing.assert_allclose(np.sin(r["j.q"]), k * sn, rtol=0, atol=1e-9)


def test_libration_of_two_masses_that_orbit_freely(tmp_path: Path) -> None:
    """Small swings have sqrt(3) times the rate of the orbit, to the squares of swing and size by distance."""
    rate = np.sqrt(3.986e14 / 7e6**3)
    r = made(tmp_path, DUMBBELL.format(library="mbsdir")).simulate(stop=2 * 2 * np.pi / rate, interval=20, **EXACT)
    swing = r["p.q[3]"] - np.arctan2(r["p.q[2]"], r["p.q[1]"]) - 2 * np.pi * np.round(rate * r.time / (2 * np.pi))
    swing = (swing + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(swing, 0.01 * np.cos(np.sqrt(3) * rate * r.time), rtol=0, atol=1e-5)


def test_relative_equilibrium(tmp_path: Path) -> None:
    """At rest in the orbit's frame, and its modes (Hughes 1986, section 9.2, with roll ahead, pitch across, yaw up)."""
    yaw, roll, pitch = inertia = (1.0, 2.0, 2.5)
    text = ORBIT.format(library="mbsdir", joint="Universal", start="(n3=1, m1=1)", I=inertia)
    text = text.replace("connect i to orbit to j", "submodel (Revolute) k(n2=1)\n  connect i to orbit to j to k")
    text = text.replace("b at j, field at j", "b at k, field at k")
    t = made(tmp_path, text.replace("end\n", "  output a = j.first.q\nend\n"))
    found = np.sort(np.abs(np.linalg.eigvals(t.linearize().A).imag))[::2]
    k1, k3, w = (pitch - yaw) / roll, (pitch - roll) / yaw, 2.0
    squares = -np.roots([1, 1 + 3 * k1 + k1 * k3, 4 * k1 * k3])
    expected = np.sort([np.sqrt(3 * (roll - yaw) / pitch), *np.sqrt(squares)]) * w
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
def test_steady_start_in_orbit(tmp_path: Path, library: str) -> None:
    """The principal axes of a body turn into the axes of the orbit."""
    text = ORBIT.format(library=library, joint="Revolute", start="(n3=1, near=0.1)", I=(1.0, 4.0, 5.0))
    t = made(tmp_path, text.replace("I33=5.0", "I33=5.0, I21=0.2"))
    r = t.steady_state.simulate(stop=5, interval=0.5)
    np.testing.assert_allclose(r["j.q"], np.arctan2(2 * 0.2, 4.0 - 1.0) / 2 + 0 * r.time, rtol=1e-9)


def momentum(r: Result, frames: dict[str, tuple[float, list[float], list[list[float]]]]) -> np.ndarray:
    """Momentum and angular momentum about the origin, shape (6, times), of bodies at frames: m, center, inertia."""
    total = np.zeros((6, len(r.time)))
    for frame, (mass, center, inertia) in frames.items():
        turned = np.array([[r[f"{frame}.T[{i},{k}]"] for k in (1, 2, 3)] for i in (1, 2, 3)])
        w, v = (np.array([r[f"{frame}.v[{k}]"] for k in some]) for some in ((1, 2, 3), (4, 5, 6)))
        place = np.array([r[f"{frame}.r[{k}]"] for k in (1, 2, 3)])
        p = mass * np.einsum("ikt,kt->it", turned, v + np.cross(w.T, center).T)
        middle = place + np.einsum("ikt,k->it", turned, center)
        spin = np.einsum("ikt,kt->it", turned, np.array(inertia) @ w)
        total += np.vstack([p, spin + np.cross(middle.T, p.T).T])
    return total


@pytest.mark.parametrize("library", LIBRARIES)
def test_momentum_of_a_floating_arm(tmp_path: Path, library: str) -> None:
    """The torques of its motors are internal: momentum and angular momentum stay, to 1e-12 of their first values.

    That of the wheel is J*w3 of the base, which the whole has, and J times its speed against the base.
    """
    text = ARM.replace("@mbsdir", f"@{library}").replace("end\n", MOVING)
    r = made(tmp_path, text).simulate(stop=3, interval=0.05, tolerance=1e-14, solver="dop853")
    frames: dict[str, tuple[float, list[float], list[list[float]]]] = {
        "float.ball": (50, [0, 0.1, 0], [[5, 0.3, 0], [0.3, 6, 0], [0, 0, 7]]),
        "j1": (5, [0.5, 0, 0], [[0.1, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]),
        "j2": (4, [0.4, 0.1, 0], [[0.1, 0, 0], [0, 0.4, 0], [0, 0, 0.4]]),
    }
    found = momentum(r, frames)
    found[3:] += 0.2 * r["base.w"] * np.array([r[f"float.ball.T[{k},3]"] for k in (1, 2, 3)])
    size = np.repeat([np.linalg.norm(found[:3, 0]), np.linalg.norm(found[3:, 0])], 3)[:, None]
    assert np.abs((found - found[:, :1]) / size).max() < 1e-12
    assert np.ptp(r["j1.q"]) > 0.3
