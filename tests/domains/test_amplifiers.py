"""Saturating inductor and detailed operational amplifier of electrical.lib against closed forms; each in one run."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from tests.domains.examples import GROUND, Example, compare, run


def magnetizing(t: np.ndarray) -> np.ndarray:
    """Current at the flux linkage 0.2*(1 - cos(100*t)), by bisection of the law."""

    def law(i: float, psi: float) -> float:
        return 0.01 * i + 0.09 * 2 * np.arctan(i / 2) - psi

    return np.array([brentq(law, -1, 100, (0.2 * (1 - np.cos(100 * at)),), xtol=1e-14) for at in t])


def test_saturating_inductor(tmp_path: Path) -> None:
    body = (
        "submodel (signalvoltage) U\nsubmodel (saturatinginductor) L(L0=0.1, Linf=0.01, Isat=2) (ic i=0)\n"
        f"{GROUND}\nconnect G - U - L - G\nU.e = 20*sin(100*time)"
    )
    compare("electrical", Example(body, {"L.i": magnetizing}, stop=0.15), tmp_path)


W = 2 * np.pi * 1e6
SLEW = 5e5


def settled(t: np.ndarray) -> np.ndarray:
    """Follower, step of 5 V: a slope of SLEW until 2*pi*GB*(5 - v) has fallen to it, then exponential."""
    left = SLEW / W
    ends = (5 - left) / SLEW
    return np.where(t < ends, SLEW * t, 5 - left * np.exp(-W * (t - ends)))


def follower(t: np.ndarray) -> np.ndarray:
    """Step of 10 mV: one pole at 2*pi*GB*(1 + 1/gain)."""
    factor = 1 + 1 / 1000
    return 0.01 / factor * -np.expm1(-W * factor * t)


SUPPLIED = "node p, n\nsubmodel (source) VP(V=15), VN(V=-15)\nconnect VP at (G, p), VN at (G, n)\n"


def test_slew_rate_and_bandwidth(tmp_path: Path) -> None:
    body = (
        f"{GROUND}\n{SUPPLIED}submodel (source) U(V=5), S(V=0.01)\nnode a, b, x, y\n"
        "submodel (OpAmpDetailed) A(gain=1e12, Ri=1e15, Ro=0), B(gain=1000, Ri=1e15, Ro=0) (ic x=0)\n"
        "connect U at (G, a), A at (a, x, x, p, n), S at (G, b), B at (b, y, y, p, n)"
    )
    result = run("electrical", body, tmp_path, 2e-5)
    time = np.asarray(result.time)
    assert np.abs(result["A.Vo"] - settled(time)).max() < 1e-6 * 5
    assert np.abs(result["B.Vo"] - follower(time)).max() < 1e-6 * 0.01


def test_operating_point_and_saturation(tmp_path: Path) -> None:
    """A, at rest, against its nodal equations; B amplifies a slow sine by 10 into its limits and out of them."""
    body = (
        f"{GROUND}\n{SUPPLIED}submodel (source) U(V=1)\nsubmodel (sinevoltage) S(amplitude=2, f=10)\n"
        "node a, b, x, y, e, m\n"
        "submodel (resistor) RS(R=1e5), RL(R=50), R1(R=1e3), R2(R=9e3), RB(R=1e3)\n"
        "submodel (OpAmpDetailed) A(gain=100, offset=5e-3, bias=1e-7, Ri=1e5, Ro=75, Iq=2e-3), "
        "B(gain=1e9, GB=1e9, rise=1e9, Ri=1e15, Ro=0, Iq=1e-3)\n"
        "connect U at (G, a), RS at (a, b), A at (b, x, x, p, n), RL at (x, G)\n"
        "connect S at (G, e), B at (e, m, y, p, n), R1 at (m, G), R2 at (y, m), RB at (y, G)\n"
    )
    file = tmp_path / "m.mdl"
    file.write_text(f"@electrical.lib\nmodel M\n{body}end\n", encoding="utf-8")
    result = translate(file).simulate(stop=0.2, tolerance=1e-8)
    rows = np.array([
        [1 / 1e5 + 1 / 1e5, -1 / 1e5, 0, 0],  # into b from U: (1 - b)/RS = (b - v)/Ri + bias
        [100, -100, -1, 0],  # x = gain*(b - v + offset)
        [0, 1, -1, -75],  # v = x + Ro*io
        [-1 / 1e5, 1 / 1e5 + 1 / 50, 0, 1],  # im + io + v/RL = 0
    ])  # fmt: skip
    exact = np.linalg.solve(rows, [1 / 1e5 - 1e-7, -100 * 5e-3, 0, -1e-7])
    assert result["A.Vp"][-1] == pytest.approx(exact[0], rel=1e-6)
    assert result["A.Vo"][-1] == pytest.approx(exact[1], rel=1e-6)
    assert result["A.is"][-1] == pytest.approx(2e-3 - exact[3], rel=1e-6)
    assert result["A.in"][-1] == pytest.approx(-2e-3 - 2e-7, rel=1e-6)
    time = np.asarray(result.time)[1:]
    assert np.abs(result["B.Vo"][1:] - np.clip(20 * np.sin(20 * np.pi * time), -13.5, 13.5)).max() < 1e-4


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("submodel (saturatinginductor) L(L0=0.01, Linf=0.1)", "L0 >= Linf > 0"),
        ("submodel (saturatinginductor) L(L0=0.01, Linf=0.001, Isat=-1)", "Isat must be positive"),
    ],
)
def test_parameters_out_of_range(line: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=text):
        run("electrical", f"submodel (source) U(V=1)\n{line}\n{GROUND}\nconnect G - U - L - G", tmp_path, 1.0)
