"""The ideal switch, diode and thyristor of switches.lib against solutions from switching to switching."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.domains.examples import GROUND, Example, compare

R, L, W, PEAK = 2.0, 0.01, 100 * np.pi, 10.0
Z, LAG = np.hypot(R, W * L), np.arctan2(W * L, R)


def conducted(t: np.ndarray, fired: float) -> np.ndarray:
    """Current of R and L behind a thyristor fired at this angle of each period, until it falls to zero.

    Source: N. Mohan, T. Undeland, W. Robbins, Power Electronics, chapter on line-frequency rectifiers with L and R.
    """

    def current(angle: np.ndarray) -> np.ndarray:
        return PEAK / Z * (np.sin(angle - LAG) - np.sin(fired - LAG) * np.exp(-(angle - fired) * R / (W * L)))

    ends = brentq(current, np.pi, 2 * np.pi)
    angle = np.mod(W * t, 2 * np.pi)
    return np.where((angle > fired) & (angle < ends), current(angle), 0.0)


EXAMPLES = {
    "idealswitch over a capacitor": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\n{GROUND}\n"
        "submodel (idealswitch) S(Ron=1e-9, Goff=1e-9)\n"
        "submodel (capacitor) C(C=0.25) (ic u=0)\nconnect G - U - R - S - C - G\n"
        "S.on = if time > 0.5 and time < 1 then 1 else 0",
        {"C.u": lambda t: 6 * (1 - np.exp(-2 * np.clip(t - 0.5, 0, 0.5)))},
    ),
    "idealdiode with knee and resistance": Example(
        f"submodel (sinevoltage) U(amplitude=5, f=1)\nsubmodel (resistor) R(R=3)\n{GROUND}\n"
        "submodel (idealdiode) D(Ron=1, Goff=1e-12, Vknee=0.7)\nconnect G - U - R - D - G",
        {"D.i": lambda t: np.maximum(5 * np.sin(2 * np.pi * t) - 0.7, 0) / 4},
    ),
    "idealthyristor with an inductive load": Example(
        f"submodel (sinevoltage) U(amplitude={PEAK}, f=50)\nsubmodel (resistor) R(R={R})\n"
        f"submodel (inductor) L(L={L})\nsubmodel (idealthyristor) T(Ron=1e-9, Goff=1e-9)\n{GROUND}\n"
        "submodel (pulsesignal) p(period=0.02, t0=0.02/6, width=0.01)\nconnect G - U - T - R - L - G\nT.fire = p.y",
        {"L.i": lambda t: conducted(t, np.pi / 3)},
        stop=0.06,
        within=1e-5,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    compare("switches", EXAMPLES[name], tmp_path)
