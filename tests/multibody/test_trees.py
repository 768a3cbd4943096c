"""Both libraries on random trees: against each other, against world coordinates, and their structure."""

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acausal.pipeline import translate
from tests.multibody.models import direct, evaluate, inverse, motion
from tests.multibody.trees import KINDS, Joint, all_moves, mass_matrix, power, random_state, random_tree, torques


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

    To 1e-10 of the largest force.
    """
    count = len(all_moves(joints))
    names = range(1, count + 1)
    state = random_state(joints, 1000 + seed)
    a = np.random.default_rng(2000 + seed).uniform(-2, 2, count)
    expected = torques(joints, state, a)
    near = 1e-10 * max(1.0, np.abs(expected).max())

    tau = evaluate(
        inverse(joints, folder, library=f"mbsinv{option}.lib"), motion(joints, state, a), [f"t{i}" for i in names]
    )
    assert np.abs(tau - expected).max() < near
    given = motion(joints, state, a) | {f"t{i}": t for i, t in zip(names, tau, strict=True)}
    found = evaluate(direct(joints, folder, library=f"mbsdir{option}.lib"), given, [f"a{i}" for i in names])
    assert np.abs(found - a).max() < near
    assert np.abs(mass_matrix(joints, state) @ found + torques(joints, state, 0 * a) - tau).max() < near
    assert abs(tau @ state.w - power(joints, state, a)) < count * near


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
