"""Friction that is linear in the forces of joints: closed forms, and the equations in world coordinates."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from tests.multibody.models import evaluate, motion
from tests.multibody.trees import Joint, State, mass_matrix, random_state, random_tree, text, torques, wrenches

Array = np.ndarray
PENDULUM = """@{library}.lib
model Pendulum
  submodel (Inertial) i(ng3=-1)
  submodel (RubbingRevolute) j(n2=1, mu=0.3, radius=0.1, fold=0.001)
  submodel (Body) b(m=2, r3=-0.5)
  connect i to j, b at j
  initial j.q = -1
  initial j.w = 3
end
"""


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_pendulum(tmp_path: Path, library: str) -> None:
    """Closed form for a point mass m on a rod of length l, on the way forward.

    The bearing carries m*(l*w^2 + g*cos(q)) along the rod and friction/l across, which turns the rod back. So
    friction = c*l*(force along the rod), c = k/sqrt(1 - k^2), k = mu*radius/l, and y = w^2 obeys
    dy/dq = -2*G*(sin(q) + c*cos(q)) - 2*c*y, G = g/l.
    """
    file = tmp_path / "pendulum.mdl"
    file.write_text(PENDULUM.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=6, interval=0.01, tolerance=1e-9)
    k, gravity = 0.3 * 0.1 / 0.5, 9.81 / 0.5
    c = k / np.sqrt(1 - k**2)
    p, s = 2 * gravity * (1 - 2 * c**2) / (1 + 4 * c**2), -6 * c * gravity / (1 + 4 * c**2)
    q, w = result["j.q"], result["j.w"]
    first = slice(0, int(np.flatnonzero(w < 0)[0]) - 2)
    start = (9 - p * np.cos(1) + s * np.sin(1)) * np.exp(-2 * c)
    exact = start * np.exp(-2 * c * q[first]) + p * np.cos(q[first]) + s * np.sin(q[first])
    assert w[first] ** 2 == pytest.approx(exact, abs=1e-5)
    assert q[first][-1] > 0.5


def _given(joints: list[Joint], chance: np.random.Generator) -> tuple[list[str], Array, Array]:
    """Joints whose friction is drag + z*f, with z across the motion."""
    lines, z, drag = [], chance.uniform(-0.1, 0.1, (len(joints), 6)), chance.uniform(-1, 1, len(joints))
    for k, j in enumerate(joints):
        phi = {"Revolute": [*j.axis, 0, 0, 0], "Prismatic": [0, 0, 0, *j.axis], "Screw": [*j.axis, *(j.pitch * j.axis)]}
        across = np.array(phi[j.kind])
        z[k] -= across * (across @ z[k]) / (across @ across)
        numbers = ", ".join(f"{x!r}" for x in z[k].tolist())
        lines += [
            f"model class ({j.kind}(rubs=true)) Given{k + 1}", f"  z[:, 1] = [{numbers}]",
            f"  drag[1] = {float(drag[k])!r}", "end",
        ]  # fmt: skip
    return lines, z, drag


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_linear_in_the_forces_of_a_tree(tmp_path: Path, library: str) -> None:
    """M*q'' + h = t + drag + Z*f(q''), f affine in q'': one linear system with a matrix that is not symmetric."""
    joints = random_tree(8, 4, ("Revolute", "Prismatic", "Screw"))
    chance, names = np.random.default_rng(3), range(1, 5)
    lines, z, drag = _given(joints, chance)
    model = text(joints, f"{library}.lib")
    for k, j in enumerate(joints, 1):
        model = model.replace(f"({j.kind}) j{k}(", f"(Given{k}) j{k}(")
    file = tmp_path / "tree.mdl"
    file.write_text(model.replace("\nmodel Tree", "\n" + "\n".join([*lines, "model Tree"])), encoding="utf-8")
    made = translate(file, known=[f"t{k}" for k in names], outputs=[f"a{k}" for k in names])
    if library == "mbsdir":
        assert made.statistics["linear_blocks"] == made.statistics["nonlinear_blocks"] == []
    state, t, none = random_state(joints, 4), chance.uniform(-9, 9, 4), np.zeros(4)

    def friction(a: Array) -> Array:
        return np.asarray(np.sum(z * wrenches(joints, state, a), axis=1))

    slope = np.array([friction(unit) - friction(none) for unit in np.eye(4)]).T
    rest = t + drag + friction(none) - torques(joints, state, none)
    expected = np.linalg.solve(mass_matrix(joints, state) - slope, rest)
    given = motion(joints, state, none) | {f"t{k}": t[k - 1] for k in names}
    found = evaluate(made, given, [f"a{k}" for k in names])
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-9)
    assert np.abs(slope).max() > 0.1


HINGE, SHOES = {"radius": 0.05, "collar": 0.03, "span": 0.5}, {"span": 1.5, "width": 1.0}
MU = 0.1


def bearings(e: Array, f: Array, span: float) -> float:
    """The lengths of the forces on two bearings together."""
    radial, couple = f[3:] - e * (e @ f[3:]), np.cross(f[:3], e) / span
    return float(np.linalg.norm(radial / 2 + couple) + np.linalg.norm(radial / 2 - couple))


def _exact(joint: Joint, f: Array) -> float:
    """Friction of sliding."""
    e = joint.axis
    if joint.kind == "Revolute":
        return float(MU * (HINGE["radius"] * bearings(e, f, HINGE["span"]) + HINGE["collar"] * abs(e @ f[3:])))
    return float(MU * (bearings(e, f, SHOES["span"]) + 2 / SHOES["width"] * abs(e @ f[:3])))


def a_rubbing_tree(chance: Random) -> None:
    """Three joints that slide and stick; campaign."""
    with TemporaryDirectory() as folder:
        check_sliding(chance.randrange(1_000_000), chance.choice(["mbsdir", "mbsinv"]), Path(folder))


def check_sliding(seed: int, library: str, folder: Path) -> set[float]:
    """What acts at each moment of a motion, from positions, velocities and accelerations; the modes there were.

    Sliding, it is the friction of the bearings' forces, to 1 - cos(fold); sticking, it is not larger.
    """
    joints = random_tree(seed, 3, ("Revolute", "Prismatic"))
    starts = np.random.default_rng(seed).uniform(-2, 2, 3)
    model = text(joints, f"{library}.lib")
    for k, j in enumerate(joints, 1):
        data = ", ".join(f"{name}={x}" for name, x in (HINGE if j.kind == "Revolute" else SHOES).items())
        model = model.replace(f"({j.kind}) j{k}(", f"(Rubbing{j.kind}) j{k}(mu={MU}, fold=0.05, {data}, ")
        model = model.replace("\nend\n", f"\n  initial j{k}.w = {starts[k - 1]}\nend\n")
    file = folder / "tree.mdl"
    file.write_text(model, encoding="utf-8")
    result = translate(file).simulate(stop=1, interval=0.01, tolerance=1e-8)
    modes: set[float] = set()
    for row in range(0, len(result.time), 9):
        q, w, a = (np.array([result[f"j{k}.{x}"][row] for k in (1, 2, 3)]) for x in ("q", "w", "wd"))
        state = State(q, w, {})
        acting, forces = torques(joints, state, a), wrenches(joints, state, a)
        for k, (joint, found, force) in enumerate(zip(joints, acting, forces, strict=True), 1):
            mode, friction = result[f"j{k}.mode"][row], _exact(joint, force)
            modes.add(float(np.sign(mode)))
            assert abs(found) < friction * (1 + 2e-3) + 1e-6
            if mode:
                assert found == pytest.approx(-np.sign(mode) * friction, rel=2e-3, abs=1e-6)
    return modes


@pytest.mark.parametrize(("library", "seed"), [("mbsdir", 20), ("mbsinv", 20)])
def test_hinges_and_shoes_in_space(tmp_path: Path, library: str, seed: int) -> None:
    assert check_sliding(seed, library, tmp_path) == {-1, 0, 1}


BLOCK = """@{library}.lib
@rotational.lib
model Block
  submodel (Inertial) i(ng1=sin(0.3), ng3=-cos(0.3))
  submodel (RubbingPrismatic) j(n1=1, mu=0.4, peak=1.2)
  submodel (Body) b(m=2)
  submodel (signaltorque) push
  connect i to j, b at j, push to j:Axis
  push.torque = 4*time
  initial j.q = 0
  initial j.w = -3
end
"""


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv", "mbsdir_impact"])
def test_block_on_a_slope(tmp_path: Path, library: str) -> None:
    """It slides up, sticks, and is pushed down: m*q'' = m*g*(sin(0.3) -+ mu*cos(0.3)) + 4*t."""
    file = tmp_path / "block.mdl"
    file.write_text(BLOCK.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=3, interval=0.01, tolerance=1e-9)
    weight, normal = 2 * 9.81 * np.sin(0.3), 2 * 9.81 * np.cos(0.3)
    # -3 + (weight + 0.4*normal)/2*t + t^2 = 0 stops it
    rate = (weight + 0.4 * normal) / 2
    stop = (-rate + np.sqrt(rate**2 + 12)) / 2
    top = -3 * stop + rate / 2 * stop**2 + stop**3 / 3
    go = (1.2 * 0.4 * normal - weight) / 4
    assert stop < 0.6 < go < 1.5
    for time in (0.6, 0.9 * go):
        assert result.at(time)["j.q"] == pytest.approx(top, abs=1e-6)
        assert result.at(time)["j.mode"] == 0
    time, push = 3 - go, (weight - 0.4 * normal + 4 * go) / 2
    assert result.at(3.0)["j.q"] == pytest.approx(top + push * time**2 / 2 + time**3 / 3, abs=1e-5)
    assert result.at(3.0)["j.w"] == pytest.approx(push * time + time**2, abs=1e-5)
    _few_events(result, 6)


BRAKE = """@{library}.lib
model Brake
  submodel (Inertial) i(ng3=-1)
  submodel (RubbingRevolute) j(n3=1, mu=0, radius=0)
  submodel (Body) b(m=1, I33=0.5)
  connect i to j, b at j
  j.press = if time < 1 or time > 4 then 0 else 2
  initial j.w = 8
end
"""


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_brake_stops_a_wheel(tmp_path: Path, library: str) -> None:
    """8 rad/s, braked by 2/0.5 rad/s2 from 1 s on: at rest at 3 s, after 8 + 8 rad, and it stays."""
    file = tmp_path / "brake.mdl"
    file.write_text(BRAKE.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=5, interval=0.1, tolerance=1e-9)
    assert result.at(2.0)["j.w"] == pytest.approx(4, abs=1e-6)
    for time in (3.1, 5.0):
        assert result.at(time)["j.q"] == pytest.approx(16, abs=1e-5)
    _few_events(result, 8)


def _few_events(result: Result, most: int) -> None:
    assert result.stats.events <= most
