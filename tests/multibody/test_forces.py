"""Forces and sensors against closed forms; shaped bodies against the formulas of mechanics."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result

THRUST = "model class Thrust\n  parameter f\n  main cut A (s, der(s), der(s, 2) / t)\n  t = -f\nend\n"
HEAD = "@{library}\n" + THRUST + "model M\n  submodel (Inertial) i(g=0)\n"
LIBRARIES = ["mbsdir.lib", "mbsinv.lib"]


def run(folder: Path, library: str, lines: str, stop: float = 2.0) -> Result:
    """The model of these lines."""
    file = folder / "m.mdl"
    file.write_text(HEAD.replace("{library}", library) + lines + "end\n", encoding="utf-8")
    return translate(file).simulate(stop=stop, interval=0.01, tolerance=1e-10)


@pytest.mark.parametrize("library", LIBRARIES)
def test_spring_and_damper_along_a_line(tmp_path: Path, library: str) -> None:
    """Two masses on a line: the reduced mass 2*3/(2 + 3) swings with c = 30, d = 1.2 about the length 1."""
    found = run(tmp_path, library, """
  submodel (Prismatic) a(n1=1), b(n1=1)
  submodel (Body) ma(m=2), mb(m=3)
  submodel (LineSpringDamper) s(c=30, d=1.2, s0=1)
  connect i to a, i to b, ma at a, mb at b, a to s to b:B
  initial a.q = 0
  initial b.q = 1.5
""")  # fmt: skip
    damping, frequency = 1.2 / (2 * 1.2), np.sqrt(30 / 1.2 - 0.25)
    t = found.time
    shape = np.cos(frequency * t) + damping / frequency * np.sin(frequency * t)
    assert found["s.s"] == pytest.approx(1 + 0.5 * np.exp(-damping * t) * shape, abs=1e-7)
    assert 2 * found["a.q"] + 3 * found["b.q"] == pytest.approx(4.5 + 0 * t, abs=1e-7)


@pytest.mark.parametrize("library", LIBRARIES)
def test_torsional_spring_and_world_torque(tmp_path: Path, library: str) -> None:
    """J*q'' = -c*(q - q0) + t from rest: q = (q0 + t/c)*(1 - cos(w*time))."""
    found = run(tmp_path, library, """
  submodel (Revolute) a(n2=1)
  submodel (Body) m(I22=0.5)
  submodel (Torsional) s(n2=1, c=8, angle0=0.1)
  submodel (WorldTorque) push
  connect i to a, m at a, push at a, i to s to a:B
  push.t = [0, 1.6, 0]
""")  # fmt: skip
    assert found["a.q"] == pytest.approx((0.1 + 0.2) * (1 - np.cos(4 * found.time)), abs=1e-7)


def test_bushing_and_world_force(tmp_path: Path) -> None:
    """Six masses on springs of their own; a constant force along 1 moves the middle about F/c."""
    found = run(tmp_path, "mbsdir.lib", """
  submodel (Free) free
  submodel (Body) m(m=2, I11=0.5, I22=0.6, I33=0.7)
  submodel (Bushing) s(c1=50, c2=60, c3=70, ct1=20, ct2=25, ct3=30, d2=2)
  submodel (WorldForce) push
  connect i to free, m at free, push at free, i to s to free:B
  push.F = [5, 0, 0]
  initial free.x2.q = 0.2
  initial free.ball.w = [0, 0, 1e-4]
""")  # fmt: skip
    t = found.time
    assert found["free.s[1]"] == pytest.approx(0.1 * (1 - np.cos(5 * t)), abs=1e-7)
    frequency = np.sqrt(30 - 0.25)
    shape = np.cos(frequency * t) + 0.5 / frequency * np.sin(frequency * t)
    assert found["free.s[2]"] == pytest.approx(0.2 * np.exp(-0.5 * t) * shape, abs=1e-7)
    frequency = np.sqrt(30 / 0.7)
    assert found["free.ball.T[2,1]"] == pytest.approx(1e-4 / frequency * np.sin(frequency * t), abs=1e-9)


def test_orbit_in_a_field_of_gravity(tmp_path: Path) -> None:
    """A circle about the middle with w^2*r^3 = mu; two masses that attract each other fall together likewise."""
    found = run(tmp_path, "mbsdir.lib", """
  submodel (Free) free
  submodel (Sphere) m(radius=0.1)
  submodel (GravityField) field(mu=4, m=m.m)
  connect i to free, m at free, field at free
  initial free.x1.q = 1
  initial free.x2.w = 2
""")  # fmt: skip
    assert found["free.s[1]"] == pytest.approx(np.cos(2 * found.time), abs=1e-6)
    assert found["free.s[2]"] == pytest.approx(np.sin(2 * found.time), abs=1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_actuator_and_sensor(tmp_path: Path, library: str) -> None:
    """A thrust of 6 N moves 3 kg apart from the wall; the sensor sees the slider from a turntable."""
    found = run(tmp_path, library, """
  submodel (Prismatic) a(n1=1)
  submodel (Revolute) table(n3=1)
  submodel (Body) m(m=3), disc(I33=1)
  submodel (Actuator) drive
  submodel (Sensor) eye
  submodel (Thrust) motor(f=6)
  connect i to a, m at a, i to drive to a:B, motor at drive:Drive, i to table, disc at table, table to eye to a:B
  initial a.q = 1
  initial table.w = 0.5
""")  # fmt: skip
    t, q, w = found.time, 1 + found.time**2, 2 * found.time
    assert found["a.q"] == pytest.approx(q, abs=1e-7)
    c, s = np.cos(0.5 * t), np.sin(0.5 * t)
    assert found["eye.s[2]"] == pytest.approx(-q * s, abs=1e-7)
    assert found["eye.sd[1]"] == pytest.approx(w * c - 0.5 * q * s, abs=1e-7)
    assert found["eye.w[3]"] == pytest.approx(-0.5 + 0 * t, abs=1e-7)


def test_shapes(tmp_path: Path) -> None:
    """Masses and moments of inertia of a box, a ball and a tube across its axis."""
    file = tmp_path / "m.mdl"
    text = """
  submodel (Box) box(a1=0.1, a2=0.2, a3=0.3, rho=1000)
  submodel (Sphere) ball(radius=0.1, rho=3000/pi)
  submodel (Cylinder) tube(radius=0.2, hole=0.1, length=0.6, n1=0.6, n3=0.8, rho=1000/pi)
  submodel (Revolute) j(n3=1)
  connect i to j, box at j, ball at j, tube at j
"""
    file.write_text(HEAD.replace("{library}", "mbsdir.lib") + text + "end\n", encoding="utf-8")
    result = translate(file).simulate(stop=0.1)
    expected = {
        "box.m": 6.0, "box.I11": 0.065, "box.I22": 0.05, "box.I33": 0.025, "ball.m": 4.0, "ball.I22": 0.016,
        "tube.m": 18.0,
    }  # fmt: skip
    # tube: m/2*(R^2 + r^2) = 0.45 about the axis, m/12*(3*(R^2 + r^2) + l^2) = 0.765 across
    expected |= {"tube.I11": 0.765 - 0.315 * 0.36, "tube.I22": 0.765, "tube.I31": -0.315 * 0.48}
    assert {name: result[name][0] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("library", LIBRARIES)
def test_shapes_of_a_picture_move_with_their_frame(tmp_path: Path, library: str) -> None:
    """A rod along 2 at the end of an arm that turns about 3 by t; it bears no force: the arm turns evenly."""
    found = run(tmp_path, library, """
  submodel (Revolute) arm(n3=1)
  submodel (Body) b(m=2, r1=1, I33=0.1)
  submodel (Shape) rod(kind="cylinder", length=2, r1=1, r3=0.5, n1=0, n2=1, m1=1, m3=0)
  submodel (Shape) post(n1=0, n3=1)
  connect i to arm, b at arm, rod at arm, post at arm
  initial arm.w = 1
""")  # fmt: skip
    t, one = found.time, np.ones_like(found.time)
    c, s = np.cos(t), np.sin(t)
    assert np.array([found[f"rod.s[{k}]"] for k in (1, 2, 3)]) == pytest.approx(np.array([c, s, 0.5 * one]), abs=1e-7)
    columns = np.array([[found[f"rod.R[{k},{n}]"] for k in (1, 2, 3)] for n in (1, 2, 3)])
    zero = 0 * one  # of length, width and height: 2, 1 x 2 = 3 and 1, turned
    wanted = np.array([[-s, c, zero], [zero, zero, one], [c, s, zero]])
    assert columns == pytest.approx(wanted, abs=1e-7)
    post = np.array([[found[f"post.R[{k},{n}]"][7] for n in (1, 2, 3)] for k in (1, 2, 3)])
    assert post.T @ post == pytest.approx(np.eye(3), abs=1e-12)
    assert post[:, 0] == pytest.approx([0, 0, 1])
