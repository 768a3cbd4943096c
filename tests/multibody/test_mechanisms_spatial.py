"""Spatial four-bars and a suspension of five rods, against closed forms and the rods' lengths solved by SciPy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, root

from acausal.pipeline import translate
from acausal.translation import Translation

EXAMPLE = Path(__file__).parents[2] / "examples" / "five_link.mdl"
LIBRARIES = ("mbsdir", "mbsinv")

FOUR_BAR = """@{library}.lib
model FourBar
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.5, w=20), rocker(n1=1, r1=0.6, r2=0.4)
  submodel (Bar) arm(r1=0.2), lever(r3=0.5)
  submodel (Body) b1(m=2, r1=0.05, I33=0.02), b2(m=1, r3=0.25, I11=0.02)
  connect i - crank - arm, i - rocker - lever, b1 at crank, b2 at rocker
  {coupler}
end
"""
RSSR = "submodel (CutRod) rod(length=sqrt(0.75))\n  connect rod at (arm, lever)"
RSUR = """submodel (Universal) u(n2=1, m3=1)
  submodel (Bar) rod(r1=-sqrt(0.75))
  submodel (Body) b3(m=0.7, r1=-0.4, I11=0.0005, I22=0.04, I33=0.04)
  submodel (CutSpherical) ball
  connect lever - u - rod, b3 at u, ball at (arm, rod)"""


def _translated(folder: Path, text: str, **asked: list[str]) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file, **asked)  # type: ignore[arg-type]


def _largest(made: Translation) -> int:
    blocks = made.statistics["linear_blocks"]
    assert isinstance(blocks, list)
    return max(torn for _, torn in blocks)


def rssr_energy(a: np.ndarray, b: np.ndarray, wa: np.ndarray, wb: np.ndarray) -> np.ndarray:
    """Of crank and rocker at their angles and velocities."""
    kinetic = (2 * 0.05**2 + 0.02) * wa**2 / 2 + (0.25**2 + 0.02) * wb**2 / 2
    return np.asarray(kinetic + 9.81 * 0.25 * np.cos(b) + 0 * a)


def rocker(a: np.ndarray) -> np.ndarray:
    """The rocker's angle b, as sqrt(0.75) lies between 0.2 (cos a, sin a, 0) and (0.6, 0.4 - 0.5 sin b, 0.5 cos b)."""
    x, y = 0.6 - 0.2 * np.cos(a), 0.4 - 0.2 * np.sin(a)
    return np.asarray(np.arcsin((x**2 + y**2 - 0.5) / y))


@pytest.mark.parametrize(("library", "left"), [("mbsdir", 1), ("mbsinv", 1)])
def test_rssr(tmp_path: Path, library: str, left: int) -> None:
    """A rod without mass, which would turn about itself as it likes: one cut force. Twenty turns."""
    made = _translated(tmp_path, FOUR_BAR.format(library=library, coupler=RSSR))
    assert made.statistics["states"] == 2
    assert _largest(made) == left
    r = made.simulate(stop=10, interval=0.02, tolerance=1e-10)
    a, b = r["crank.q"], r["rocker.q"]
    assert a[-1] > 40 * np.pi
    assert b == pytest.approx(rocker(a), abs=1e-9)
    slope = (rocker(a + 1e-6) - rocker(a - 1e-6)) / 2e-6
    assert r["rocker.w"] == pytest.approx(slope * r["crank.w"], abs=1e-7)
    energy = rssr_energy(a, b, r["crank.w"], r["rocker.w"])
    assert np.ptp(energy) < 1e-6 * energy.max()


@pytest.mark.parametrize(("library", "left"), [("mbsdir", 3), ("mbsinv", 5)])
def test_rsur(tmp_path: Path, library: str, left: int) -> None:
    """A coupler with mass between ball and cross joint: three cut forces; with mbsinv.lib accelerations, too."""
    made = _translated(tmp_path, FOUR_BAR.format(library=library, coupler=RSUR))
    assert made.statistics["states"] == 2
    assert _largest(made) == left
    r = made.simulate(stop=5, interval=0.02, tolerance=1e-9)
    a, b, c, d = (r[x] for x in ("crank.q", "rocker.q", "u.first.q", "u.second.q"))
    wa, wb, wc, wd = (r[x] for x in ("crank.w", "rocker.w", "u.first.w", "u.second.w"))
    assert a[-1] > 12 * np.pi
    assert np.exp(1j * b) == pytest.approx(np.exp(1j * rocker(a)), abs=1e-9)
    # axes of cross joint and coupler in the inertial frame: turned by b about 1, by c about 2, by d about 3
    zero = np.zeros_like(a)
    first = np.array([zero, np.cos(b), np.sin(b)])
    second = np.array([np.sin(c), -np.cos(c) * np.sin(b), np.cos(c) * np.cos(b)])
    along = np.cos(d) * np.array([np.cos(c), np.sin(b) * np.sin(c), -np.cos(b) * np.sin(c)]) + np.sin(d) * first
    omega = wb * np.array([[1.0], [0], [0]]) + wc * first + wd * second
    eye = np.array([0.6 + zero, 0.4 - 0.5 * np.sin(b), 0.5 * np.cos(b)])
    ball = np.array([0.2 * np.cos(a), 0.2 * np.sin(a), zero])
    assert np.abs(eye - np.sqrt(0.75) * along - ball).max() < 1e-9
    speed = wb * np.array([zero, -0.5 * np.cos(b), -0.5 * np.sin(b)]) - 0.4 * np.cross(omega.T, along.T).T
    roll = (omega * along).sum(axis=0)
    energy = rssr_energy(a, b, wa, wb) + 0.35 * (speed**2).sum(axis=0) + 9.81 * 0.7 * (eye - 0.4 * along)[2]
    energy += 0.5 * (0.0005 * roll**2 + 0.04 * ((omega**2).sum(axis=0) - roll**2))
    assert np.ptp(energy) < 1e-6 * energy.max()


HINGES = """submodel (Universal) u(n2=1, m3=1)
  submodel (Bar) rod(r1=-sqrt(0.75))
  submodel (Body) b3(m=0.7, r1=-0.4, I11=0.0005, I22=0.04, I33=0.04)
  submodel (Revolute) s1(n1=1), s2(n2=1), s3(n3=1)
  connect lever - u - rod, b3 at u, arm - s1 - s2 - s3, s3:B at rod:B"""
BALL = HINGES.replace("(Revolute) s1(n1=1), s2(n2=1), s3(n3=1)", "(Spherical) s").replace(
    "s1 - s2 - s3, s3:B", "s, s:B"
)


@pytest.mark.parametrize(
    ("coupler", "states", "stop"),
    [(HINGES, 2, 2.0), (BALL, 3, 0.02), (BALL.replace("(Sph", "(LoopSph"), 2, 2.0)],
    ids=["three hinges", "quaternion", "quaternion in a loop"],
)
@pytest.mark.parametrize(("library", "left"), [("mbsdir", 6), ("mbsinv", 5)])
def test_rsur_closed_by_connect(
    tmp_path: Path, coupler: str, states: int, stop: float, library: str, left: int
) -> None:
    """Six cut forces, three of them zero: nothing says so of a ball.

    The length of a quaternion is a state besides, but for a ball that knows it is in a loop.
    """
    made = _translated(tmp_path, FOUR_BAR.format(library=library, coupler=coupler))
    assert made.statistics["states"] == states
    assert _largest(made) == left
    r = made.simulate(stop=stop, interval=stop / 50, tolerance=1e-9)
    assert np.exp(1j * r["rocker.q"]) == pytest.approx(np.exp(1j * rocker(r["crank.q"])), abs=1e-9)
    assert np.abs([r[f"loop1.f[{k}]"] for k in (1, 2, 3)]).max() < 1e-6 * np.abs(r["loop1.f[4]"]).max()
    if "LoopSph" in coupler:
        assert made.statistics["state_names"] == ["crank.q", "der(crank.q)"]
        assert sum(r[f"s.Q[{k}]"] ** 2 for k in range(1, 5)) == pytest.approx(1, abs=1e-9)


BALLS = """submodel ({ball}) s1{second}
  submodel (Bar) rod(r1=sqrt(0.75))
  submodel (Body) b3(m=0.7, r1=0.4, I11=0.0005, I22=0.04, I33=0.04)
  connect arm - s1 - rod, b3 at s1
  {end}"""
FROZEN = {"second": "\n  submodel (CutSpherical) s2", "end": "connect s2 at (rod, lever)"}
CLOSED = {"second": ", s2", "end": "connect rod - s2, s2:B at lever:B"}


@pytest.mark.parametrize(
    ("ball", "closing", "states"),
    [("Spherical", CLOSED, 6), ("Spherical", FROZEN, 5), ("LoopSpherical", FROZEN, 4)],
    ids=["two quaternions", "a quaternion and a cut joint", "a quaternion of length 1 and a cut joint"],
)
def test_a_rod_between_balls(tmp_path: Path, ball: str, closing: dict[str, str], states: int) -> None:
    """It turns about itself as it likes: two degrees of freedom, and the lengths of quaternions as said."""
    made = _translated(tmp_path, FOUR_BAR.format(library="mbsinv", coupler=BALLS.format(ball=ball, **closing)))
    assert made.statistics["states"] == states
    r = made.simulate(stop=0.05, interval=0.005, tolerance=1e-9)
    a, b = r["crank.q"], r["rocker.q"]
    assert np.exp(1j * b) == pytest.approx(np.exp(1j * rocker(a)), abs=1e-9)
    assert np.ptp(a) > 0.9
    turn, v = (np.array([r[f"s1.v[{k}]"] for k in some]) for some in ((1, 2, 3), (4, 5, 6)))
    speed = v + np.cross(turn.T, [0.4, 0, 0]).T
    energy = rssr_energy(a, b, r["crank.w"], r["rocker.w"]) + 0.35 * (speed**2).sum(axis=0)
    energy += [0.00025, 0.02, 0.02] @ turn**2 + 9.81 * 0.7 * (r["s1.r[3]"] + 0.4 * r["s1.T[3,1]"])
    assert np.ptp(energy) < 1e-6 * energy.max()


INNER = np.array([[0.1, 0.4, 0.45], [-0.15, 0.42, 0.44], [0.12, 0.3, 0.2], [-0.18, 0.32, 0.19], [-0.22, 0.38, 0.28]])
OUTER = np.array(
    [[0.03, -0.09, 0.14], [-0.04, -0.09, 0.15], [0.05, -0.07, -0.12], [-0.06, -0.06, -0.13], [-0.14, -0.07, -0.03]]
)
HUB = np.array([0.0, 0.75, 0.3])


def _turned(toe: float, camber: float, spin: float) -> np.ndarray:
    (a, b, c), (d, e, f) = np.cos([toe, camber, spin]), np.sin([toe, camber, spin])
    about = np.array([[a, -d, 0], [d, a, 0], [0, 0, 1]]), np.array([[1, 0, 0], [0, b, -e], [0, e, b]])
    return np.asarray(about[0] @ about[1] @ np.array([[c, 0, f], [0, 1, 0], [-f, 0, c]]))


def _carrier(travel: float) -> np.ndarray:
    """x, y, toe, camber, spin for which the five rods keep their lengths."""

    def errors(p: np.ndarray, z: float) -> np.ndarray:
        ends = HUB + [p[0], p[1], z] + OUTER @ _turned(*p[2:]).T
        return ((ends - INNER) ** 2).sum(axis=1) - ((HUB + OUTER - INNER) ** 2).sum(axis=1)

    found = np.zeros(5)
    for z in np.linspace(0, travel, 5):
        found = root(errors, found, args=(z,), tol=1e-13).x
    assert np.abs(errors(found, travel)).max() < 1e-14
    return np.asarray(found)


def _load(travel: float) -> float:
    """The force of the road by the energy of spring and weight: its derivative by the travel."""

    def energy(z: float) -> float:
        p = _carrier(z)
        seat = HUB + [p[0], p[1], z] + _turned(*p[2:]) @ [0, -0.11, -0.1]
        return float(20000 * (np.linalg.norm(seat - [0, 0.5, 0.75]) - 0.65) ** 2 + 40 * 9.81 * z)

    h = 1e-4
    return (8 * (energy(travel + h) - energy(travel - h)) - energy(travel + 2 * h) + energy(travel - 2 * h)) / (12 * h)


@pytest.mark.parametrize("library", LIBRARIES)
def test_five_link_suspension(tmp_path: Path, library: str) -> None:
    """One degree of freedom, five cut forces; it settles where the energy is least, also with `steady_state`."""
    made = _translated(tmp_path, EXAMPLE.read_text(encoding="utf-8").replace("@mbsdir", f"@{library}"))
    assert made.statistics["states"] == 2
    assert set(made.statistics["state_names"]) == {"travel", "der(travel)"}  # type: ignore[call-overload]
    assert _largest(made) == 5
    r = made.simulate(interval=0.01)
    assert np.ptp(r["travel"]) > 0.02
    names = ("x.q", "y.q", "toe.q", "camber.q", "spin.q")
    for row in range(0, len(r.time), 20):
        assert [r[x][row] for x in names] == pytest.approx(_carrier(r["travel"][row]), abs=1e-9)
    rest = brentq(lambda z: _load(z) - 4500, 0, 0.05, xtol=1e-10)
    assert r["travel"][-1] == pytest.approx(rest, abs=1e-6)
    still = made.steady_state.simulate(stop=0.1, interval=0.05)
    assert still["travel"] == pytest.approx(rest, abs=1e-8)


def test_load_that_belongs_to_a_travel(tmp_path: Path) -> None:
    """Kinematics up and down, and so slowly that only spring and weight count."""
    text = EXAMPLE.read_text(encoding="utf-8").replace("@mbsdir", "@mbsinv")
    made = _translated(tmp_path, text, known=["travel"], unknown=["load"])
    assert made.statistics["states"] == 0
    r = made.simulate(stop=12e4, interval=2e4, inputs={"travel": "1e-6*time - 0.06"})
    for row, travel in enumerate(r["travel"]):
        found = [r[x][row] for x in ("x.q", "y.q", "toe.q", "camber.q", "spin.q")]
        assert found == pytest.approx(_carrier(travel), abs=1e-9)
        assert r["load"][row] == pytest.approx(_load(travel), abs=0.01)
