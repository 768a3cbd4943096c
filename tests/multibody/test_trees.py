"""Both libraries on random trees: against each other, against world coordinates, and their structure."""

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acausal.pipeline import translate
from tests.multibody.models import direct, evaluate, inverse, motion
from tests.multibody.trees import (
    KINDS,
    Joint,
    State,
    all_moves,
    mass_matrix,
    parts,
    power,
    random_state,
    random_tree,
    text,
    torques,
)  # fmt: skip


def a_random_tree(chance: Random) -> None:
    """A branched tree of 2 to 15 bodies on joints of all kinds; a share of the campaign runs with pytest."""
    with tempfile.TemporaryDirectory() as folder:
        seed = chance.randrange(1_000_000)
        check_tree(random_tree(seed, chance.randint(2, 15)), seed, Path(folder))


@pytest.mark.parametrize("kind", KINDS)
def test_each_joint(tmp_path: Path, kind: str) -> None:
    check_tree(random_tree(100 + len(kind), 2, (kind,)), 3, tmp_path)


def test_regrouped_parameters(tmp_path: Path) -> None:
    """Masses counted further inward: the same motion and the same torques."""
    check_tree(random_tree(4, 4, ("Revolute", "Prismatic", "Universal")), 4, tmp_path, "_regrouped")


def check_tree(joints: list[Joint], seed: int, folder: Path, option: str = "") -> None:
    """Direct of inverse gives the acceleration back; both agree with the equations in world coordinates, the power too.

    Some parts are locked: their accelerations are zero, and the inverse gives what acts and the reaction together.
    To 1e-10 of the largest force.
    """
    count = len(all_moves(joints))
    names = range(1, count + 1)
    state = random_state(joints, 1000 + seed)
    chance = np.random.default_rng(2000 + seed)
    a = chance.uniform(-2, 2, count)
    locked = tuple([path for path in parts(joints) if chance.random() < 0.3])
    rests = np.array([move.path in locked for _, move in all_moves(joints)])
    state = replace(state, w=np.where(rests, 0, state.w))
    a = np.where(rests, 0, a)
    expected = torques(joints, state, a)
    near = 1e-10 * max(1.0, np.abs(expected).max())

    tau = evaluate(
        inverse(joints, folder, library=f"mbsinv{option}.lib"), motion(joints, state, a), [f"t{i}" for i in names]
    )
    assert np.abs(tau - expected).max() < near
    reaction = np.where(rests, chance.uniform(-10, 10, count), 0)
    given = motion(joints, state, a) | {f"t{i}": t for i, t in zip(names, tau - reaction, strict=True)}
    given |= {f"lock{i}": 1.0 for i in range(1, len(locked) + 1)}
    wanted = [f"a{i}" for i in names] + [f"{path}.reaction[{n}]" for path, n in _numbered(joints)]
    model = direct(joints, folder, wanted, f"mbsdir{option}.lib", locked)
    found, held = np.split(evaluate(model, given, wanted, locked), 2)
    assert np.abs(found - a).max() < near
    assert np.abs(held - reaction).max() < near
    assert np.abs(mass_matrix(joints, state) @ found + torques(joints, state, 0 * a) - tau).max() < near
    assert abs(tau @ state.w - power(joints, state, a)) < count * near


def _numbered(joints: list[Joint]) -> list[tuple[str, int]]:
    """The part of each motion, and its number in that part."""
    return [(move.path, 1 + int(np.argmax(move.axis)) if move.inside else 1) for _, move in all_moves(joints)]


def test_power_and_forces_at_every_cut(tmp_path: Path) -> None:
    """What flows into a joint at A and by its axis leaves it at B; both libraries give the same reactions."""
    joints = random_tree(5, 4, ("Revolute", "Prismatic", "Screw"))
    numbers = range(1, 5)
    state, a = random_state(joints, 1), np.array([0.5, -1.0, 2.0, 0.3])
    six = [f"[{i}]" for i in range(1, 7)]
    cuts = [f"j{k}.{name}{i}" for k in numbers for name in ("fr", "vr", "f", "v") for i in six]
    values = motion(joints, state, a)
    tau = [f"t{k}" for k in numbers]
    found = evaluate(inverse(joints, tmp_path, [*tau, *cuts]), values, [*tau, *cuts])
    for k, (fr, vr, f, v) in enumerate(found[4:].reshape(4, 4, 6)):
        assert fr @ vr + found[k] * state.w[k] == pytest.approx(f @ v, rel=1e-12)
    forces = [f"j{k}.f{i}" for k in numbers for i in six]
    given = values | dict(zip(tau, found[:4], strict=True))
    again = evaluate(direct(joints, tmp_path, [*tau, *forces]), given, forces)
    assert again.reshape(4, 6) == pytest.approx(found[4:].reshape(4, 4, 6)[:, 2], rel=1e-10, abs=1e-10)


def test_a_tree_is_explicit_and_each_body_costs_the_same(tmp_path: Path) -> None:
    """No block larger than a joint's own; operations grow evenly with the number of bodies."""
    one = random_tree(7, 1)[0]
    costs = []
    for count in (3, 5, 7):
        axes = [np.eye(3)[2 * (k % 2)] for k in range(count)]
        chain = [replace(one, parent=k - 1, kind="Revolute", axis=axes[k]) for k in range(count)]
        model = direct(chain, tmp_path)
        assert model.statistics["linear_blocks"] == model.statistics["nonlinear_blocks"] == []
        assert model.statistics["states"] == 2 * count
        operations = model.program.derivatives.operations
        costs.append(operations.mul + operations.div + operations.add)
    assert costs[2] - costs[1] == costs[1] - costs[0]
    given = inverse(chain, tmp_path)
    assert given.statistics["linear_blocks"] == given.statistics["nonlinear_blocks"] == []


DRIVEN = """@{library}
model class Drive
  main cut A (phi, der(phi), der(phi, 2) / t)
  phi = 0.5*sin(3*time)
end
model Driven
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1), j2(n2=1, r1=0.5), j3(n1=1, r1=0.3)
  submodel (Body) b1(m=1, r1=0.2, I22=0.1, I11=0.1, I33=0.1), b2(m=2, r1=0.3, I22=0.2, I11=0.1, I33=0.1)
  submodel (Body) b3(m=2, r2=0.3, I22=0.2, I11=0.1, I33=0.1)
  submodel (Drive) drive
  connect i to j1 to j2 to j3, b1 at j1, b2 at j2, b3 at j3, drive at j2:Axis
  initial j1.q = 0.3
  initial j3.q = 0.2
end
"""


def test_a_driven_joint_among_free_ones(tmp_path: Path) -> None:
    """One class for known and unknown motion: q of j2 is given, its torque follows; all libraries agree."""
    found = []
    for library in ("mbsdir.lib", "mbsinv.lib", "mbsdir_regrouped.lib"):
        file = tmp_path / "driven.mdl"
        file.write_text(DRIVEN.replace("{library}", library), encoding="utf-8")
        made = translate(file)
        assert made.statistics["states"] == 4
        result = made.simulate(stop=1, interval=0.1, tolerance=1e-10)
        found.append([result[name] for name in ("j1.q", "j3.q", "j2.t")])
    assert found[1] == pytest.approx(np.array(found[0]), abs=1e-7)
    assert found[2] == pytest.approx(np.array(found[0]), abs=1e-7)


def test_locked_joints(tmp_path: Path) -> None:
    """Locked joints rest, the others move by their part of the mass matrix; the locks take the rest of the forces."""
    joints = random_tree(12, 6, ("Revolute", "Prismatic"))
    locked = np.array([False, True, False, True, True, False])
    state = random_state(joints, 5)
    state = replace(state, w=np.where(locked, 0.0, state.w))
    t = np.array([3.0, -2.0, 1.0, 4.0, -1.0, 2.0])
    matrix = mass_matrix(joints, state)
    rest = t - torques(joints, state, np.zeros(6))
    a = np.zeros(6)
    a[~locked] = np.linalg.solve(matrix[~locked][:, ~locked], rest[~locked])
    lines = [
        f"  initial q{k} = {q!r}\n  initial w{k} = {w!r}"
        for k, (q, w) in enumerate(zip(*_plain(state), strict=True), 1)
    ]
    lines += [f"  j{k + 1}.lock = if time < 1 then 1 else 0" for k in np.flatnonzero(locked)]
    for library in ("mbsdir.lib", "mbsinv.lib"):
        model = text(joints, library).replace("\nend\n", "\n" + "\n".join(lines) + "\nend\n")
        for k in np.flatnonzero(locked):
            model = model.replace(f" j{k + 1}(", f" j{k + 1}(lockable=true, ")
        file = tmp_path / "locked.mdl"
        file.write_text(model, encoding="utf-8")
        made = translate(file, known=[f"t{k}" for k in range(1, 7)])
        result = made.simulate(stop=0.001, tolerance=1e-9, inputs={f"t{k}": x for k, x in enumerate(t.tolist(), 1)})
        assert [result[f"a{k}"][0] for k in range(1, 7)] == pytest.approx(a.tolist(), rel=1e-9, abs=1e-9)
        reactions = [result[f"j{k}.reaction[1]"][0] for k in range(1, 7)]
        assert reactions == pytest.approx((matrix @ a - rest).tolist(), rel=1e-8, abs=1e-8)


def _plain(state: State) -> tuple[list[float], list[float]]:
    return state.q.tolist(), state.w.tolist()


BRAKE = """@mbsdir.lib
model Brake
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n2=1, lockable=true)
  submodel (Revolute) tip(n2=1, r1=1)
  submodel (Body) b(m=2, r1=0.5, I22=0.1), light(m=0.1, r1=0.3, I22=0.01)
  discrete held (start=1)
  connect i to j to tip, b at j, light at tip
  j.lock = held
  when sample(0.5, 10) then
    new(held) = 0
  elsewhen j.w < 0 then
    new(held) = 1
    init(j.w) = 0
  endwhen
end
"""


def test_a_joint_is_released_and_held_again_by_events(tmp_path: Path) -> None:
    """Held level until 0.5 s, then it swings down and through; where it would turn back, it is held again."""
    file = tmp_path / "brake.mdl"
    file.write_text(BRAKE, encoding="utf-8")
    result = translate(file).simulate(stop=3, interval=0.01, tolerance=1e-9)
    angle, moving = result["j.q"], np.abs(result["j.w"]) > 1e-9
    assert np.abs(angle[result.time < 0.5]).max() < 1e-12
    turned = result.time[moving].max()
    assert 1.3 < turned < 1.5
    after = angle[result.time > turned + 0.02]
    assert np.ptp(after) < 1e-9
    assert after[0] > 2.5
    assert np.ptp(result["tip.q"][result.time > turned + 0.02]) > 0.1
