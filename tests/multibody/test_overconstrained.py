"""Loops that are overconstrained only by the measure of their constraints."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.causalize.loops.redundant_constraints import damped
from acausal.pipeline import translate
from tests.multibody.test_loops import planar_energy

EXAMPLE = Path(__file__).parents[2] / "examples" / "bricard.mdl"
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0)) * 2
LINKS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))


def _energy(q: np.ndarray, w: np.ndarray) -> float:
    """Kinetic energy of rods of mass 1 on the first five links, 0.1 about their middle across them."""
    turn, place, omega, speed, energy = np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), 0.0
    for axis, link, angle, rate in list(zip(AXES, LINKS, q, w, strict=True))[:5]:
        e = np.array(axis, float)
        cross = np.cross(np.eye(3), e)
        omega = omega + turn @ e * rate
        turn = turn @ (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
        along = turn @ np.array(link, float)
        middle = speed + np.cross(omega, along / 2)
        energy += middle @ middle / 2 + 0.1 / 2 * (omega @ omega - (omega @ along) ** 2)
        place, speed = place + along, speed + np.cross(omega, along)
    return float(energy)


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_bricard_moves(library: str, tmp_path: Path) -> None:
    """Angles by the closed form, c1 + c2 + c1*c2 = 0; energy by the geometry alone; closed for a long run."""
    file = tmp_path / "m.mdl"
    file.write_text(EXAMPLE.read_text().replace("mbsdir", library))
    t = translate(file)
    (note,) = t.report.diagnostics
    assert note.code == "I040"
    assert "is overconstrained: 1 redundant constraint removed" in note.message
    assert t.statistics["states"] == 2
    r = t.simulate(stop=30, tolerance=1e-9, interval=0.1)
    q = np.array([r[f"j{k}.q"] for k in range(1, 7)])
    w = np.array([r[f"j{k}.w"] for k in range(1, 7)])
    assert np.ptp(q[0]) > 4
    c1, c2 = np.cos(np.pi / 2 - q[0]), np.cos(np.pi / 2 + q[1])
    assert np.abs(c1 + c2 + c1 * c2).max() < 1e-9
    assert np.abs(np.abs(q) - np.abs(q[[0, 1] * 3])).max() < 1e-9
    energies = [_energy(a, b) for a, b in zip(q.T, w.T, strict=True)]
    assert np.ptp(energies) < 1e-6 * energies[0]


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
@pytest.mark.parametrize("near", [1.4, -1.4])
def test_a_planar_loop_in_a_tilted_plane(library: str, near: float, tmp_path: Path) -> None:
    """Structure sees six closures of four angles, but not which three to leave out; the motion is that in a plane.

    There are two ways to put the links together.
    """
    e, u = np.array([2, 1, 2]) / 3, np.array([1, 2, -2]) / 3
    v = np.cross(e, u)

    def vector(name: str, x: np.ndarray) -> str:
        return ", ".join(f"{name}{k}={c:.17g}" for k, c in enumerate(x, 1))

    axis = vector("n", e)
    file = tmp_path / "m.mdl"
    file.write_text(f"""@{library}.lib
model M
  submodel (Inertial) i({vector("ng", -v)})
  submodel (Revolute) j1({axis}) (ic q=1.2, w=6), j2({axis}), j3({axis}), j4({axis}, near={near})
  submodel (Bar) crank({vector("r", u)}), coupler({vector("r", 2 * u)}), rocker({vector("r", 1.5 * u)})
  submodel (Bar) ground({vector("r", 2 * u)})
  submodel (Body) b1(m=1, {vector("r", 0.5 * u)}, I11=0.1, I22=0.1, I33=0.1)
  submodel (Body) b2(m=2, {vector("r", u)}, I11=0.3, I22=0.3, I33=0.3)
  submodel (Body) b3(m=1, {vector("r", 0.7 * u)}, I11=0.2, I22=0.2, I33=0.2)
  connect b1 at j1, b2 at j2, b3 at j4
  connect i - j1 - crank - j2 - coupler - j3, i - ground - j4 - rocker
  connect rocker:B at j3:B
end
""")
    t = translate(file)
    (note,) = t.report.diagnostics
    assert "is overconstrained: 3 redundant constraints removed" in note.message
    assert t.statistics["states"] == 2
    r = t.simulate(stop=4, tolerance=1e-9, interval=0.05)
    pairs = zip(r["j1.q"], r["j1.w"], r["j2.q"], r["j4.q"], strict=True)
    energies = [planar_energy(*pair) for pair in pairs]
    assert np.ptp(energies) < 1e-6 * energies[0]
    p = np.exp(1j * r["j1.q"]) + 2 * np.exp(1j * (r["j1.q"] + r["j2.q"]))
    assert np.abs(p - 2 - 1.5 * np.exp(1j * r["j4.q"])).max() < 1e-12
    assert r["j1.q"][-1] > 20
    # the rocker's angle at the start, by the triangle of its ends and the crank's end
    crank = np.exp(1.2j) - 2
    angle = np.arccos((abs(crank) ** 2 + 1.5**2 - 2**2) / (2 * 1.5 * abs(crank)))
    wanted = crank / abs(crank) * np.exp(-1j * np.sign(near) * angle)
    assert np.exp(1j * r["j4.q"][0]) == pytest.approx(wanted, abs=1e-9)


def test_six_hinges_of_other_dimensions_do_not_move(tmp_path: Path) -> None:
    """Where nothing is redundant nothing is left out: the two conditions of j1 are too many."""
    file = tmp_path / "m.mdl"
    file.write_text(EXAMPLE.read_text().replace("j2(n3=1)", "j2(n1=0.6, n3=0.8)"))
    with pytest.raises(ModelError, match="I002"):
        translate(file)


def test_damped_steps_are_those_of_the_normal_equations() -> None:
    rng = np.random.default_rng(0)
    for count in range(1, 9):
        a, b = rng.normal(size=(count, count)), rng.normal(size=count)
        wanted = np.linalg.solve(a.T @ a + 0.3 * np.eye(count), a.T @ b)
        assert damped(a.tolist(), b.tolist(), 0.3) == pytest.approx(wanted, rel=1e-8)
    singular = np.ones((2, 2))
    assert damped(singular.tolist(), [1.0, 1.0], 0.0) == pytest.approx([0.5, 0.5])


THREE_CRANKS = """@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) a(n3=1) (ic q=0.4, w=1), b(n3=1, r1=1, near=0.4), c(n3=1, r1=2, near=0.4)
  submodel (Revolute) pa(n3=1, near=-0.4), pb(n3=1), pc(n3=1)
  submodel (Bar) la(r1=1), lb(r1=1), lc(r1=1), half(r1=1), other(r1=1)
  submodel (Body) m(m=1, r1=1, I33=0.1)
  connect i - a - la - pa - half - other, m at pa
  connect i - b - lb - pb, i - c - lc - pc
  connect pb:B at half:B, pc:B at other:B
end
"""


def test_three_parallel_cranks(tmp_path: Path) -> None:
    """One crank more than needed: two loops of which eleven closures say what five do, whatever their order.

    The cranks pass their dead centers, level to the right and to the left.
    """
    file = tmp_path / "m.mdl"
    file.write_text(THREE_CRANKS)
    t = translate(file)
    assert sum(d.code == "I040" for d in t.report.diagnostics) == 2
    assert t.statistics["states"] == 2
    r = t.simulate(stop=5, tolerance=1e-9)
    assert np.abs(r["a.q"] - r["c.q"]).max() < 1e-9
    # the beam does not turn: a mass of 1 at the end of a crank of length 1
    energy = r["a.w"] ** 2 / 2 + 9.81 * np.sin(r["a.q"])
    assert np.ptp(energy) < 1e-6
    assert r["a.q"].min() < -np.pi
    assert r["a.q"].max() > 0.4


@pytest.mark.parametrize("further", range(2, 10))
def test_no_closure_goes_that_is_needed(tmp_path: Path, further: int) -> None:
    """The points at which ranks are judged change with each parameter: the cranks remain closed all the same."""
    file = tmp_path / "m.mdl"
    more = "".join(f"  parameter more{k}={k}\n" for k in range(further))
    file.write_text(THREE_CRANKS.replace("model M\n", "model M\n" + more))
    assert translate(file).statistics["states"] == 2
