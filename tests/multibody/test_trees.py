"""Both libraries on random trees: against each other, against world coordinates, and their structure."""

from pathlib import Path

import numpy as np
import pytest

from acausal.ir.names import show_derivative
from acausal.pipeline import translate
from acausal.simulate.parameters import parameter_values
from acausal.translation import Translation
from tests.multibody.trees import Joint, random_tree, text, torques

Array = np.ndarray


def evaluate(translation: Translation, values: dict[str, float], wanted: list[str]) -> Array:
    """Variables of a model for given states and inputs."""
    program, executable = translation.program, translation.executable
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    y = np.array([values[show_derivative(*s.symbol)] for s in program.state_slots])
    u = np.array([values[show_derivative(*s)] for s in program.input_slots])
    out = np.zeros(program.stored_size)
    assert executable.variables(0.0, y, u, p, np.zeros(program.memory_size), out) == 0
    slots = {show_derivative(*s.symbol): s for s in program.variable_slots}
    return np.array([slots[n].sign * out[slots[n].position] for n in wanted])


def both(joints: list[Joint], folder: Path) -> tuple[Translation, Translation]:
    """The direct and the inverse model of a tree."""
    names = range(1, len(joints) + 1)
    made = []
    for library, known, outputs in (("mbsdir.lib", "t", "a"), ("mbsinv.lib", "q", "t")):
        file = folder / "tree.mdl"
        file.write_text(text(joints, library), encoding="utf-8")
        made.append(translate(file, known=[f"{known}{k}" for k in names], outputs=[f"{outputs}{k}" for k in names]))
    return made[0], made[1]


def motion(names: range, q: Array, w: Array, a: Array) -> dict[str, float]:
    """Angles, their derivatives, under the names that states and inputs may have."""
    values: dict[str, float] = {}
    for i, k in enumerate(names):
        for name, value in ((f"q{k}", q[i]), (f"der(q{k})", w[i]), (f"w{k}", w[i]), (f"der(q{k}, 2)", a[i])):
            values[name] = values[f"j{k}." + name.replace(f"{k}", "")] = value
    return values


@pytest.mark.parametrize("seed", range(12))
def test_random_trees(tmp_path: Path, seed: int) -> None:
    """Direct of inverse gives the acceleration back; both agree with the equations in world coordinates."""
    count = 2 + seed % 7
    joints = random_tree(seed, count)
    direct, inverse = both(joints, tmp_path)
    chance = np.random.default_rng(1000 + seed)
    q, w, a = chance.uniform(-2, 2, (3, count))
    names = range(1, count + 1)
    tau = evaluate(inverse, motion(names, q, w, a), [f"t{k}" for k in names])
    expected = torques(joints, q, w, a)
    assert np.abs(tau - expected).max() < 1e-10 * max(1.0, np.abs(expected).max())
    given = motion(names, q, w, a) | {f"t{k}": t for k, t in zip(names, tau, strict=True)}
    found = evaluate(direct, given, [f"a{k}" for k in names])
    assert np.abs(found - a).max() < 1e-10 * max(1.0, np.abs(expected).max())


def test_a_tree_is_explicit_and_each_body_costs_the_same(tmp_path: Path) -> None:
    """No block larger than a joint's own; operations grow evenly with the number of bodies."""
    costs = []
    for count in (4, 6, 8):
        chain = [Joint(k - 1, False, *_shape(k)) for k in range(count)]
        direct, inverse = both(chain, tmp_path)
        for model in (direct, inverse):
            assert model.statistics["linear_blocks"] == []
            assert model.statistics["nonlinear_blocks"] == []
        assert direct.statistics["states"] == 2 * count
        operations = direct.program.derivatives.operations
        costs.append(operations.mul + operations.div + operations.add)
    assert costs[2] - costs[1] == costs[1] - costs[0]


def _shape(seed: int) -> tuple[Array, Array, float, Array, Array]:
    """Axes 1 and 3 in turn, behind a general place; a general body."""
    one = random_tree(7, 1)[0]
    axis = np.array([0.0, 0.0, 1.0]) if seed % 2 else np.array([1.0, 0.0, 0.0])
    return axis, one.place, one.mass, one.centre, one.inertia
