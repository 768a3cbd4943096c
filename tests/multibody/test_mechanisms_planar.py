"""Four-bar and slider-crank of joints of the library, against their geometry and Lagrange's equation by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from acausal.translation import Translation

EXAMPLE = Path(__file__).parents[2] / "examples" / "slider_crank.mdl"
LIBRARIES = ("mbsdir", "mbsinv")
CUT_FORCES = {"mbsdir": 2, "mbsinv": 3}
"""What is left after tearing: with mbsdir.lib the two forces of the pin, with mbsinv.lib an acceleration more."""

FOUR_BAR = """@{library}.lib
model FourBar
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=1.2, w=6), knee(n3=1, r1=1), rocker(n3=1, r1=2)
  submodel (Bar) coupler(r1=2), arm(r1=1.5)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1), b2(m=2, r1=1, I33=0.3), b3(m=1, r1=0.7, I33=0.2)
  submodel (CutPlanar) pin(n3=1)
  connect i - crank - knee - coupler, i - rocker - arm, pin at (coupler:B, arm:B)
  connect b1 at crank, b2 at knee, b3 at rocker
end
"""


def _translated(folder: Path, text: str, **asked: list[str]) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file, **asked)  # type: ignore[arg-type]


def _left(made: Translation) -> list[int]:
    """Sizes of the linear systems left after tearing, the largest last."""
    blocks = made.statistics["linear_blocks"]
    assert isinstance(blocks, list)
    return sorted(torn for _, torn in blocks)


@pytest.mark.parametrize("library", LIBRARIES)
def test_four_bar_through_a_hundred_revolutions(tmp_path: Path, library: str) -> None:
    """As complex numbers exp(ia) + 2 exp(ib) = 2 + 1.5 exp(id), its derivative, and the energy."""
    made = _translated(tmp_path, FOUR_BAR.format(library=library))
    assert made.statistics["states"] == 2
    assert _left(made) == [CUT_FORCES[library]]
    r = made.simulate(stop=92, tolerance=1e-9, interval=0.05)
    a, d, wa, wd = (r[x] for x in ("crank.q", "rocker.q", "crank.w", "rocker.w"))
    b, wb = a + r["knee.q"], wa + r["knee.w"]
    assert a[-1] - a[0] > 200 * np.pi
    ea, eb, ed = (np.exp(1j * x) for x in (a, b, d))
    assert np.abs(ea + 2 * eb - 2 - 1.5 * ed).max() < 1e-9
    assert np.abs(ea * wa + 2 * eb * wb - 1.5 * ed * wd).max() < 1e-9
    vb = ea * wa + eb * wb
    kinetic = (0.5**2 + 0.1) * wa**2 / 2 + np.abs(vb) ** 2 + 0.3 * wb**2 / 2 + (0.7**2 + 0.2) * wd**2 / 2
    height = 0.5 * ea.imag + 2 * (ea + eb).imag + 0.7 * ed.imag
    assert np.ptp(kinetic + 9.81 * height) < 2e-6 * kinetic.max()


class Crank:
    """The example by hand: all places as functions of the crank's angle a, forces by d'Alembert, torque by Lagrange."""

    def __init__(self, a: np.ndarray) -> None:
        r, rod = 0.06, 0.25
        sine = -r / rod * np.sin(a)
        cosine = np.sqrt(1 - sine**2)
        self.b1 = -r / rod * np.cos(a) / cosine
        self.b2 = (r / rod * np.sin(a) + sine * self.b1**2) / cosine
        self.rod = cosine + 1j * sine
        e, rod1, rod2 = np.exp(1j * a), 1j * self.b1 * self.rod, (1j * self.b2 - self.b1**2) * self.rod
        self.mass = (4, 0.8, 1)
        self.place1 = (0.01j * e, r * 1j * e + 0.1 * rod1, r * 1j * e + rod * rod1)
        self.place2 = (-0.01 * e, -r * e + 0.1 * rod2, -r * e + rod * rod2)
        height = 0.02 + r + rod - (r * e + rod * self.rod).real
        self.gas = 200 * (1 - (0.14 / height) ** 1.3)

    def inertia(self) -> np.ndarray:
        """Reduced to the crank, and half its derivative by the angle."""
        m = 0.02 + 0.005 * self.b1**2 + sum(m * np.abs(p) ** 2 for m, p in zip(self.mass, self.place1, strict=True))
        pairs = zip(self.mass, self.place1, self.place2, strict=True)
        return np.array([m, 0.005 * self.b1 * self.b2 + sum(m * (np.conj(p) * q).real for m, p, q in pairs)])

    def torque(self) -> np.ndarray:
        """Of weight and gas, reduced to the crank."""
        weight = sum(m * p.imag for m, p in zip(self.mass, self.place1, strict=True))
        return -9.81 * weight + self.gas * self.place1[2].real

    def pin(self, w: np.ndarray, wd: np.ndarray) -> np.ndarray:
        """Force of the rod on the piston as a complex number, by the piston along and by moments about the knee."""
        along = (self.place1[2] * wd + self.place2[2] * w**2).real - self.gas
        middle = 0.8 * (self.place1[1] * wd + self.place2[1] * w**2 + 9.81j)
        moment = 0.005 * (self.b1 * wd + self.b2 * w**2) + 0.1 * (np.conj(self.rod) * middle).imag
        return along + 1j * (self.rod.imag * along - moment / 0.25) / self.rod.real


@pytest.mark.parametrize("library", LIBRARIES)
def test_slider_crank_through_both_dead_centres(tmp_path: Path, library: str) -> None:
    made = _translated(tmp_path, EXAMPLE.read_text(encoding="utf-8").replace("@mbsdir", f"@{library}"))
    assert made.statistics["states"] == 2
    assert _left(made) == [CUT_FORCES[library]]
    r = made.simulate(tolerance=1e-9)
    a, w, wd = (r[x] for x in ("crank.q", "crank.w", "crank.wd"))
    assert a[-1] > 24 * np.pi
    assert np.abs(0.06 * np.exp(1j * a) + 0.25 * np.exp(1j * (a + r["knee.q"])) - 0.31 - r["piston.q"]).max() < 1e-9
    hand = Crank(a)
    force = hand.pin(w, wd)
    assert r["pin.fb[4]"] == pytest.approx(force.real, abs=1e-6 * np.abs(force).max())
    assert r["side"] == pytest.approx(9.81 - force.imag, abs=1e-6 * np.abs(force).max())

    def slope(_: float, y: np.ndarray) -> list[float]:
        here = Crank(y[0])
        m, half = here.inertia()
        return [y[1], (8 - 0.1 * y[1] + here.torque() - half * y[1] ** 2) / m]

    exact = solve_ivp(slope, (0, 1), [0.5, 60], "DOP853", r.time, rtol=1e-11, atol=1e-11).y
    assert np.abs(w - exact[1]).max() < 1e-6 * w.max()


@pytest.mark.parametrize(("library", "moving"), [("mbsinv", False), ("mbsdir", True)], ids=["trim", "driven"])
def test_torque_that_holds_or_moves_a_slider_crank(tmp_path: Path, library: str, moving: bool) -> None:
    """The same model with the angle known, the torque unknown: what holds it against gas and weight, or drives it."""
    text = EXAMPLE.read_text(encoding="utf-8").replace("@mbsdir", f"@{library}").replace("(ic q=0.5, w=speed)", "")
    text = text.replace("  output side", "  output angle = crank.q\n  output side")
    made = _translated(tmp_path, text, known=["angle"], unknown=["torque"])
    assert made.statistics["states"] == 0
    r = made.simulate(stop=0.3, interval=0.01, inputs={"angle": "1.1 + 40*time - 30*time^2" if moving else "1.1"})
    w, wd = (40 - 60 * r.time, -60.0) if moving else (0.0, 0.0)
    hand = Crank(r["crank.q"])
    m, half = hand.inertia()
    expected = m * wd + half * w**2 + 0.1 * w - hand.torque()
    assert r["torque"] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
