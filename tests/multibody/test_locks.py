"""Joints that lock: one code for all configurations, and impacts where they are locked while they move.

Reference for impacts: M*dq' = P in world coordinates (trees.py), P zero but for what is locked, whose velocity becomes
zero. Of closed form: the energy that is lost is that of the change of velocities (Carnot's theorem).
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from tests.multibody.models import evaluate
from tests.multibody.trees import (
    ELEMENTS,
    Joint,
    State,
    all_moves,
    mass_matrix,
    parts,
    random_state,
    random_tree,
    text,
    torques,
)  # fmt: skip

Array = np.ndarray
R3 = (Path(__file__).parents[2] / "examples" / "R3mbs.mdl").read_text(encoding="utf-8")
NUMBERS = range(1, 7)


def r3() -> list[Joint]:
    """The robot's axes, places, masses, centres and moments of inertia (as in the file)."""
    first, third = np.eye(3)[0], np.eye(3)[2]
    table = (
        (third, 0, 0, (0, 0, 0), (0, 0, 1.16, 0, 0, 0)),
        (first, 0, 56.5, (0.172, 0, 0.205), (2.58, 2.73, 0.64, 0, -0.46, 0)),
        (first, 0.5, 26.4, (0.064, 0, -0.034), (0.279, 0.413, 0.245, 0, -0.070, 0)),
        (third, 0, 28.7, (0, 0, 0.32), (1.67, 1.67, 0.081, 0, 0, 0)),
        (first, 0.73, 5.2, (0, 0, 0.023), (1.25, 1.53, 0.81, 0, 0, 0)),
        (third, 0, 15, (0.1, 0.05, 0.2), (0.5, 0.4, 0.3, 0.01, 0.02, 0.03)),
    )
    return [
        Joint(k - 1, "Revolute", axis, np.array([0, 0, place]), mass, np.array(centre), _matrix(inertia))
        for k, (axis, place, mass, centre, inertia) in enumerate(table)
    ]


def _matrix(elements: tuple[float, ...]) -> Array:
    found = np.zeros((3, 3))
    for (i, k), value in zip(ELEMENTS, elements, strict=True):
        found[i - 1, k - 1] = found[k - 1, i - 1] = value
    return found


def _lockable(library: str, locks: str = "") -> str:
    """The robot's text with brakes."""
    model = R3.replace("@mbsdir.lib", f"@{library}.lib").replace("\nend", "\n" + locks + "\nend")
    for k in NUMBERS:
        model = model.replace(f" r{k}(", f" r{k}(lockable=true, ")
    return model


@dataclass(frozen=True)
class Configuration:
    """Which joints are locked, a state and torques, and the accelerations and reactions that follow."""

    locked: Array
    q: Array
    w: Array
    t: Array
    a: Array
    reaction: Array


@cache
def _configurations() -> list[Configuration]:
    joints, found = r3(), []
    state, chance = random_state(joints, 1), np.random.default_rng(2)
    matrix = mass_matrix(joints, state)
    for bits in product((False, True), repeat=6):
        locked = np.array(bits)
        now = State(state.q, np.where(locked, 0, state.w), {})
        t, a = chance.uniform(-50, 50, 6), np.zeros(6)
        rest = t - torques(joints, now, a)
        a[~locked] = np.linalg.solve(matrix[~locked][:, ~locked], rest[~locked])
        found.append(Configuration(locked, now.q, now.w, t, a, np.where(locked, matrix @ a - rest, 0)))
    return found


@pytest.mark.parametrize("library", ["mbsdir", "mbsdir_regrouped", "mbsinv"])
def test_all_64_configurations_of_the_robot(tmp_path: Path, library: str) -> None:
    """One translation: accelerations and reactions for any joints locked."""
    locks = "".join(f"  input brake{k}\n  r{k}.lock = brake{k}\n" for k in NUMBERS)
    file = tmp_path / "r3.mdl"
    file.write_text(_lockable(library, locks), encoding="utf-8")
    wanted = [f"qdd{k}" for k in NUMBERS] + [f"r{k}.reaction[1]" for k in NUMBERS]
    made = translate(file, known=[f"t{k}" for k in NUMBERS], outputs=wanted)
    if library != "mbsinv":
        assert made.statistics["linear_blocks"] == made.statistics["nonlinear_blocks"] == []
    for c in _configurations():
        given = {}
        for k, lock, q, w, t in zip(NUMBERS, c.locked, c.q, c.w, c.t, strict=True):
            given |= {f"t{k}": t, f"brake{k}": float(lock), f"q{k}": q, f"r{k}.q": q}
            given |= {f"der(q{k})": w, f"der(r{k}.q)": w, f"qd{k}": w, f"r{k}.w": w}
        found = evaluate(made, given, wanted, [f"r{k}" for k in NUMBERS if c.locked[k - 1]])
        assert found[:6] == pytest.approx(c.a, rel=1e-9, abs=1e-9)
        assert found[6:] == pytest.approx(c.reaction, rel=1e-9, abs=1e-8)


BRAKES = {1: (0.3, 9), 2: (0.1, 0.25), 5: (0.2, 9), 6: (0.2, 0.35)}
"""Joints of the robot with the times at which they are locked and released."""


@pytest.mark.parametrize("library", ["mbsdir_impact", "mbsinv_impact"])
def test_impacts_of_the_robot(tmp_path: Path, library: str) -> None:
    """It falls, and its joints are caught one after the other, two at once, one of them with another held."""
    locks = "".join(
        f"  r{k}.lock = if time >= {on} and time < {off} then 1 else 0\n" for k, (on, off) in BRAKES.items()
    )
    locks += "".join(f"  initial q{k} = 0.{k}\n  initial qd{k} = {7 - k}\n" for k in NUMBERS)
    file = tmp_path / "r3.mdl"
    file.write_text(_lockable(library, locks), encoding="utf-8")
    result = translate(file, model="R3mbs").simulate(stop=0.4, interval=0.01, tolerance=1e-8)
    joints = r3()
    names = [f"r{k}" for k in NUMBERS]
    for time in (0.1, 0.2, 0.3):
        held = [k in BRAKES and BRAKES[k][0] <= time < BRAKES[k][1] for k in NUMBERS]
        _is_impact(result, joints, names, time, np.array(held))
    for k in (3, 4):
        assert np.ptp(result[f"r{k}.w"]) > 1


def test_impact_of_a_tree(tmp_path: Path) -> None:
    """A ball between two hinges is caught; more in the campaign."""
    check_impact(random_tree(31, 3), "mbsdir_impact", tmp_path)


def a_caught_tree(chance: Random) -> None:
    """Up to eight bodies, some joints of which are caught as they fall; campaign."""
    with TemporaryDirectory() as folder:
        joints = random_tree(chance.randrange(1_000_000), chance.randint(2, 8))
        check_impact(joints, chance.choice(["mbsdir_impact", "mbsinv_impact"]), Path(folder))


def check_impact(joints: list[Joint], library: str, folder: Path) -> None:
    """Joints of all kinds, balls too; some are locked while the tree falls."""
    paths = parts(joints)
    locked = tuple(paths[1::3])
    model = text(joints, f"{library}.lib", locked)
    for k in range(1, len(locked) + 1):
        model = model.replace(f"  input lock{k}\n", f"  local lock{k}\n  lock{k} = if time < 0.1 then 0 else 1\n")
    starts = "".join(
        f"  initial {move.path}.w{f'[{n}]' if move.inside else ''} = {n}\n"
        for (_, move), n in zip(all_moves(joints), _places(joints), strict=True)
    )
    file = folder / "tree.mdl"
    file.write_text(model.replace("\nend\n", "\n" + starts + "\nend\n"), encoding="utf-8")
    forces = [f"t{i}" for i in range(1, len(all_moves(joints)) + 1)]
    made = translate(file, known=forces)
    result = made.simulate(stop=0.2, interval=0.01, tolerance=1e-8, inputs=dict.fromkeys(forces, 0.0))
    moves = [move for _, move in all_moves(joints)]
    _is_impact(result, joints, [m.path for m in moves], 0.1, np.array([m.path in locked for m in moves]))


def _is_impact(result: Result, joints: list[Joint], names: list[str], time: float, held: Array) -> None:
    """M*dq' = P between the two rows of an event, P at what is held alone; the energy lost is that of dq'."""
    rows = np.flatnonzero(np.abs(result.time - time) < 1e-12)
    before, after = (_state(result, joints, names, int(row)) for row in (rows[0], rows[-1]))
    assert after.q == pytest.approx(before.q, abs=1e-12)
    matrix, change = mass_matrix(joints, before), after.w - before.w
    assert np.abs(change).max() > 0.1
    assert after.w[held] == pytest.approx(0, abs=1e-10)
    size = np.abs(matrix).max()
    impulse = matrix @ change
    assert impulse[~held] == pytest.approx(0, abs=1e-9 * size)
    found = [result[f"{m}.impulse[{n}]"][rows[-1]] for m, n in zip(names, _places(joints), strict=True)]
    assert found == pytest.approx(impulse, abs=1e-9 * size)
    lost = before.w @ matrix @ before.w - after.w @ matrix @ after.w
    assert lost == pytest.approx(change @ matrix @ change, rel=1e-8)


def _places(joints: list[Joint]) -> list[int]:
    return [1 + int(np.argmax(move.axis)) if move.inside else 1 for _, move in all_moves(joints)]


def _state(result: Result, joints: list[Joint], names: list[str], row: int) -> State:
    q, w, quaternions = [], [], {}
    for (k, move), path, place in zip(all_moves(joints), names, _places(joints), strict=True):
        q.append(0.0 if move.inside else result[f"{path}.q"][row])
        w.append(result[f"{path}.w[{place}]" if move.inside else f"{path}.w"][row])
        if move.inside:
            quaternions[k] = np.array([result[f"{path}.Q[{n}]"][row] for n in range(1, 5)])
    return State(np.array(q), np.array(w), quaternions)


ROTOR = """@{library}.lib
@rotational.lib
model Rotor
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, lockable=true), j2(n2=1, r1=1)
  submodel (Body) b1(m=2, r1=0.5, I22=0.1), b2(m=1, r1=0.3, I22=0.1)
  submodel (gear) g(ratio=-20)
  submodel (inertia) rotor(J=0.01)
  connect i to j1 to j2, b1 at j1, b2 at j2, rotor to g to j2:Axis
  j1.lock = if time < 0.3 then 0 else 1
  initial j1.q = 0.2
end
"""


@pytest.mark.parametrize("library", ["mbsdir_impact", "mbsinv_impact"])
def test_a_rotor_behind_a_gear_takes_part(tmp_path: Path, library: str) -> None:
    """(J + 20^2*Jrotor)*dw2 = (J + m*r*l*cos(q2))*w1, the moments about the axis of the second joint."""
    file = tmp_path / "rotor.mdl"
    file.write_text(ROTOR.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=0.4, interval=0.01, tolerance=1e-8)
    rows = np.flatnonzero(np.abs(result.time - 0.3) < 1e-12)
    w1, q2 = result["j1.w"][rows[0]], result["j2.q"][rows[0]]
    arm = 0.1 + 0.3**2
    change = (arm + 0.3 * np.cos(q2)) * w1 / (arm + 20**2 * 0.01)
    assert result["j2.w"][rows[-1]] - result["j2.w"][rows[0]] == pytest.approx(change, rel=1e-9)
    assert result["rotor.w"][rows[-1]] == pytest.approx(-20 * result["j2.w"][rows[-1]], rel=1e-12)
    assert abs(w1) > 1


LOOP = """@{library}.lib
model Loop
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, lockable=true), j2(n2=1, r1=0.3), p(n2=1, r1=0.5), j4(n2=1, r1=1.1)
  submodel (CutPlanar) c(n2=1)
  submodel (Body) b1(m=2, r1=0.15, I22=0.1), b2(m=1, r1=0.5, I22=0.1), b3(m=1, r1=0.3, I22=0.1)
  submodel (Body) b4(m=1, r1=0.3, I22=0.2)
  submodel (Bar) tip(r1=1), end4(r1=0.7)
  connect i to j1 to j2 to p, j2 to tip, i to j4 to end4, tip:B to c to end4:B
  connect b1 at j1, b2 at j2, b3 at p, b4 at j4
  j1.lock = if time < 0.5 then 0 else 1
  initial j1.q = -1.5
  initial j1.w = 3
end
"""


@pytest.mark.parametrize("library", ["mbsdir_impact", "mbsinv_impact"])
def test_a_loop_is_stopped_with_its_crank(tmp_path: Path, library: str) -> None:
    """A pendulum on the coupler goes on: its moment about its axis, which is stopped, does not change."""
    file = tmp_path / "loop.mdl"
    file.write_text(LOOP.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=0.6, interval=0.01, tolerance=1e-8)
    rows = np.flatnonzero(np.abs(result.time - 0.5) < 1e-12)
    before, after = ({k: result[k][row] for k in result.names} for row in (rows[0], rows[-1]))
    assert [after[f"{j}.w"] for j in ("j1", "j2", "j4")] == pytest.approx([0, 0, 0], abs=1e-10)
    turning = before["j1.w"] + before["j2.w"] + before["p.w"]
    across = before["p.v[6]"]  # velocity of the pivot along -(way in which the pendulum turns), in its axes
    arm = 0.1 + 0.3**2
    assert after["p.w"] == pytest.approx((arm * turning - 0.3 * across) / arm, rel=1e-9)
    assert abs(after["p.w"] - before["p.w"]) > 1


BALL = """@{library}.lib
model Ball
  submodel (Inertial) i(ng3=-1)
  submodel (StoppedPrismatic) j(n3=1, low=0, high=5, ratio=0.6)
  submodel (Body) b(m=2)
  submodel (signaltorque) lift
  connect i to j, b at j, lift to j:Axis
  lift.torque = if time > 2.5 then 30 else 0
  initial j.q = 1
  initial j.w = 0
end
"""


@pytest.mark.parametrize("library", ["mbsdir_impact", "mbsinv_impact"])
def test_a_stop(tmp_path: Path, library: str) -> None:
    """A ball falls in sqrt(2*h/g), flies 2*0.6^k times as long after the k-th impact, and rests until it is lifted."""
    file = tmp_path / "ball.mdl"
    file.write_text("@rotational.lib\n" + BALL.replace("{library}", library), encoding="utf-8")
    model = translate(file)
    result = model.simulate(stop=3, interval=0.01, tolerance=1e-9)
    fall = np.sqrt(2 / 9.81)
    for ratio in (0.3, 0.4, 0.6):  # each flight has two events at its top, where |w| is 1e-9
        impacts = np.ceil(np.log(1e-3 / (9.81 * fall)) / np.log(ratio))
        events = model.simulate(stop=2.4, tolerance=1e-9, parameters={"j.ratio": ratio}).events
        assert len(events) == 1 + impacts + 2 * (impacts - 1)
    jumps = result.time[np.flatnonzero(np.diff(result["j.w"]) > 1) + 1]
    assert jumps[:3] == pytest.approx(fall * np.array([1, 1 + 1.2, 1 + 1.2 + 0.72]), abs=1e-7)
    assert result["j.impulse[1]"][result.time > jumps[0]][0] == pytest.approx(1.6 * 2 * 9.81 * fall, rel=1e-8)
    resting = (result.time > fall * (1 + 1.2 / 0.4)) & (result.time <= 2.5)
    assert np.abs(result["j.q"][resting]).max() < 1e-6
    assert result.at(2.4)["j.reaction[1]"] == pytest.approx(2 * 9.81, rel=1e-9)
    assert result.at(3.0)["j.q"] == pytest.approx((15 - 9.81) * 0.5**2 / 2, abs=1e-6)


ARM = """@{library}.lib
model Arm
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n2=1), r3(n1=1, r1=0.5)
  submodel (StoppedRevolute) r2(n2=1, r1=1, low=-0.5, high=0.4, ratio=0.5)
  submodel (Body) b1(m=2, r1=0.5, I22=0.1), b2(m=1, r1=0.3, I22=0.1), b3(m=1, r2=0.3, I11=0.2, I22=0.2, I33=0.1)
  connect i to r1 to r2 to r3, b1 at r1, b2 at r2, b3 at r3
  initial r1.q = 0
  initial r3.w = 2
end
"""


@pytest.mark.parametrize("library", ["mbsdir_impact", "mbsinv_impact"])
def test_an_arm_that_comes_to_a_stop(tmp_path: Path, library: str) -> None:
    """M*dq' = P at the elbow alone, which goes back with half the speed."""
    file = tmp_path / "arm.mdl"
    file.write_text(ARM.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=1, interval=0.01, tolerance=1e-9)
    data = (
        ((0, 1, 0), 0.0, 2.0, (0.5, 0, 0), (0, 0.1, 0, 0, 0, 0)),
        ((0, 1, 0), 1.0, 1.0, (0.3, 0, 0), (0, 0.1, 0, 0, 0, 0)),
        ((1, 0, 0), 0.5, 1.0, (0, 0.3, 0), (0.2, 0.2, 0.1, 0, 0, 0)),
    )
    joints = [
        Joint(
            k - 1, "Revolute", np.array(axis, float), np.array([place, 0, 0]), mass, np.array(centre), _matrix(inertia)
        )
        for k, (axis, place, mass, centre, inertia) in enumerate(data)
    ]
    row = int(np.flatnonzero(np.abs(np.diff(result["r2.w"])) > 0.5)[0])
    names = ["r1", "r2", "r3"]
    before, after = (_state(result, joints, names, k) for k in (row, row + 1))
    assert before.q[1] == pytest.approx(-0.5 if before.w[1] < 0 else 0.4, abs=1e-6)
    assert after.w[1] == pytest.approx(-0.5 * before.w[1], rel=1e-9)
    impulse = mass_matrix(joints, before) @ (after.w - before.w)
    assert impulse == pytest.approx([0, result["r2.impulse[1]"][row + 1], 0], abs=1e-9)
    assert np.abs(after.w - before.w).min() > 1e-3
    assert result["r2.q"].min() > -0.5 - 1e-6
    assert result["r2.q"].max() < 0.4 + 1e-6
