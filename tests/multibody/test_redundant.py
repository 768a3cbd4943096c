"""Redundant constraints outside of closing classes: the motion is the unique one, reactions have minimum norm.

Ranks are those of the constraints' Jacobians, written down here by hand; shares of reactions are the pseudoinverse's.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError, SimulationError
from acausal.checking import check
from tests.multibody.models import made, removed

GEARS = """@rotational.lib
model M
  submodel (inertia) J1(J=1) (ic phi=0, w=0), J2(J=2)
  submodel (gear) {}
  submodel (torquesource) T(T=1)
  connect T - J1 - ({}) - J2
end
"""
KNIVES = """@mbsdir.lib
model M
  submodel (Inertial) i
  submodel (Prismatic) px(n1=1) (ic q=0), py(n2=1) (ic q=0)
  submodel (Revolute) pz(n3=1) (ic q=0.3, w=0.5)
  submodel (Body) plate(m=2, I33=1)
  submodel (Bar) {}
  submodel (KnifeEdge) {}
  connect i - px - py - pz, plate at pz
  connect {}
  initial px.w = 2*cos(0.3)
end
"""


@pytest.mark.parametrize("count", [2, 3, 5])
def test_gears_of_one_ratio_in_parallel(tmp_path: Path, count: int) -> None:
    """`count` constraints phi1 = 2*phi2 of rank 1: a = T/(J1 + J2/4), and each gear carries the same torque."""
    constraints = np.array([[1.0, -2.0]] * count)
    surplus = count - np.linalg.matrix_rank(constraints)
    gears = [f"G{k}(ratio=2)" for k in range(count)]
    model = made(tmp_path, GEARS.format(", ".join(gears), " // ".join(g.split("(")[0] for g in gears)))
    (note,) = [d for d in model.report.diagnostics if d.code == "I040"]
    assert note.message.startswith("G0, G1")
    assert removed(model) == surplus
    r = model.simulate(stop=3, tolerance=1e-9)
    acceleration = 1 / (1 + 2 / 4)
    np.testing.assert_allclose(r["J1.w"], acceleration * r.time, atol=1e-7)
    carried = np.linalg.pinv(constraints.T) @ np.array([1 - acceleration, -2 * acceleration / 2])
    for k in range(count):
        np.testing.assert_allclose(r[f"G{k}.ta"], carried[k], atol=1e-9)


def test_another_ratio_locks_the_shafts_again(tmp_path: Path) -> None:
    """The ratios are folded: with ratios 2 and 3 nothing moves."""
    model = made(tmp_path, GEARS.format("G1(ratio=2), G2(ratio=2)", "G1 // G2"))
    r = model.simulate(stop=1, parameters={"G2.ratio": 3})
    np.testing.assert_allclose(r["J1.w"], 0, atol=1e-12)


@pytest.mark.parametrize("count", [2, 3])
def test_knife_edges_in_one_line(tmp_path: Path, count: int) -> None:
    """Knife edges on the line across their edges say the same: a sleigh that turns at 0.5 rad/s with 2 m/s.

    m*v*w = 2 N hold it on its circle, shared equally.
    """
    places = ", ".join(f"b{k}(r2={k})" for k in range(count))
    edges = ", ".join(f"k{k}(n2=1)" for k in range(count))
    joined = ", ".join(f"pz - b{k}, k{k} from i to b{k}:B" for k in range(count))
    rows = np.array([[0.0, 1.0, 0.0]] * count)  # lateral velocity of each in the plate's axes, by (v1, v2, w)
    surplus = count - np.linalg.matrix_rank(rows)
    model = made(tmp_path, KNIVES.format(places, edges, joined))
    assert removed(model) == surplus
    r = model.simulate(stop=2, tolerance=1e-9)
    for k in range(count):
        np.testing.assert_allclose(r[f"k{k}.f"], 2 / count, atol=1e-6)
    heading = 0.3 + 0.5 * r.time
    np.testing.assert_allclose(r["px.q"], 4 * (np.sin(heading) - np.sin(0.3)), atol=1e-6)
    np.testing.assert_allclose(r["py.q"], -4 * (np.cos(heading) - np.cos(0.3)), atol=1e-6)


def test_what_moves_is_never_given_a_value(tmp_path: Path) -> None:
    """A loop of gains leaves signals open, not reactions: that stays an error."""
    file = tmp_path / "m.mdl"
    file.write_text("@blocks.lib\nmodel M\nsubmodel (gain) k1(k=2), k2(k=0.5)\nconnect k1 - k2 - k1\nend\n")
    (error,) = check(file).errors
    assert error.code == "S006"


def test_constraints_that_contradict_each_other_stay_errors(tmp_path: Path) -> None:
    text = "@rotational.lib\nmodel M\nsubmodel (inertia) J(J=1)\nsubmodel (speedsource) S1(W=1), S2(W={})\n"
    text += "connect S1 at J:A, S2 at J:A\nend\n"
    with pytest.raises(ModelError, match="over-determine"):
        made(tmp_path, text.format(2))
    r = made(tmp_path, text.format(1)).simulate(stop=1)
    np.testing.assert_allclose(r["S1.tau"], r["S2.tau"], atol=1e-12)


def test_a_loop_that_cannot_be_assembled(tmp_path: Path) -> None:
    """The ends of the bars are 1 m apart across the only axis that moves; the loop has no other freedom."""
    text = """@mbsdir.lib
model M
  submodel (Inertial) i
  submodel (Prismatic) p(n1=1)
  submodel (Bar) a(r1=1), b(r1=1, r2={})
  submodel (Body) m(m=2, I33=1)
  connect i - p - a, m at a
  connect i - b
  close b:B at a:B
end
"""
    assert made(tmp_path, text.format(0)).simulate(stop=0.1).final["p.q"] == pytest.approx(0, abs=1e-9)
    with pytest.raises(SimulationError) as raised:
        made(tmp_path, text.format(1)).simulate(stop=0.1)
    (found,) = raised.value.report.diagnostics
    assert found.code == "R010"
    assert found.message.startswith("at t = 0 the constraints in loop1 are inconsistent: a removed constraint")
    assert found.help is not None and "cannot be assembled" in found.help


def _weighted(matrix: np.ndarray, right: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """x of matrix*x = right with the least sum of squares*x^2."""
    scale = np.sqrt(squares)
    found: np.ndarray = np.linalg.lstsq(matrix / scale, right, rcond=None)[0] / scale
    return found


def test_transformers_round_a_loop_share_the_current(tmp_path: Path) -> None:
    """Ratios 2 and 3 in a row beside one of 6, at -10 V: each has the currents i1 and i2 = -ratio*i1."""
    text = """@electrical.lib
model M
  submodel (source) U(V=10)
  submodel (transformer) T1(ratio=2), T2(ratio=3), T3(ratio=6)
  submodel (resistor) R(R=5)
  submodel (ground) G
  node a, b, c
  connect U at (a, G), T1 at (a, G, b, G), T2 at (b, G, c, G), T3 at (a, G, c, G), R at (c, G)
end
"""
    model = made(tmp_path, text)
    assert removed(model) == 1
    load = -10 / 6 / 5
    balances = np.array([[0, -3, -6], [-2, 1, 0]])  # at nodes c and b
    wanted = _weighted(balances, np.array([-load, 0]), 1 + np.array([2, 3, 6]) ** 2)
    r = model.simulate(stop=1)
    np.testing.assert_allclose([r[f"T{k}.i1"][-1] for k in (1, 2, 3)], wanted, rtol=1e-9)


def test_transformers_in_a_network_that_stores_nothing(tmp_path: Path) -> None:
    """Nothing is differentiated: potentials are the coordinates. R = 5 is 20 on the other side, behind 1."""
    text = """@electrical.lib
model M
  submodel (source) U(V=10)
  submodel (transformer) T1(ratio=2), T2(ratio=2), T3(ratio=2)
  submodel (resistor) R(R=5), Ri(R=1)
  submodel (ground) G
  node a, b, d
  connect U at (G, d), Ri at (d, a), R at (b, G)
  connect T1 at (a, G, b, G), T2 at (a, G, b, G), T3 at (a, G, b, G)
end
"""
    model = made(tmp_path, text)
    assert removed(model) == 2
    r = model.simulate(stop=1)
    np.testing.assert_allclose(r["R.i"], 20 / 21, rtol=1e-12)
    for k in (1, 2, 3):
        np.testing.assert_allclose(r[f"T{k}.i1"], 10 / 21 / 3, rtol=1e-12)


SHARED = {
    "sources": (
        """submodel (sinevoltage) a(amplitude=10, f=1), b(amplitude=10, f=1)
  submodel (resistor) R(R=5)
  submodel (ground) G
  node n
  connect a at (G, n), b at (G, n), R at (n, G)""",
        "i",
        lambda t: 2 * np.sin(2 * np.pi * t),
    ),
    "motors": (
        """submodel (source) U(V=-10)
  submodel (resistor) R(R=1)
  submodel (emf) a(k=1), b(k=1)
  submodel (inertia) J(J=1)
  submodel (ground) G
  node n, m
  connect U at (m, G), R at (m, n), a at (n, G), b at (n, G), a:mech at J:A, b:mech at J:A""",
        "i",
        lambda t: 10 * np.exp(-t),
    ),
    "drives": (
        """submodel (sinespeed) a(amplitude=2, f=1), b(amplitude=2, f=1)
  submodel (inertia) J(J=1)
  connect a - J - b""",
        "tau",
        lambda t: -4 * np.pi * np.cos(2 * np.pi * t),
    ),
}


@pytest.mark.parametrize("kind", SHARED)
def test_elements_of_which_one_is_a_formula(tmp_path: Path, kind: str) -> None:
    """Each counts that holds what it is connected to, also where its constraint only gives a variable its value."""
    text, reaction, total = SHARED[kind]
    model = made(tmp_path, f"@electrical.lib\n@rotational.lib\nmodel M\n  {text}\nend\n")
    (note,) = [d for d in model.report.diagnostics if d.code == "I040"]
    assert note.message.startswith("a, b are overconstrained: 1 redundant constraint removed")
    r = model.simulate(stop=1, tolerance=1e-8, interval=0.05)
    for name in "ab":
        np.testing.assert_allclose(np.abs(r[f"{name}.{reaction}"]), np.abs(total(r.time)) / 2, atol=1e-6)
