"""Devices against their own formulas, and against their mirror images."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.domains.examples import GROUND, run

VT = 1.380649e-23 * 300.15 / 1.602176634e-19


@pytest.mark.parametrize("volts", [-20.0, -0.3, 0.0, 0.4, 0.9, 30.0])
def test_diode_behind_a_resistor(volts: float, tmp_path: Path) -> None:
    """One scalar equation, solved by bisection; from far below to far beyond conduction, without a start value."""
    body = (
        f"submodel (source) U(V={volts})\nsubmodel (resistor) R(R=100)\nsubmodel (diode) D(IS=1e-12, N=1.2)\n{GROUND}\n"
    )
    result = run("semiconductors", body + "connect G - U - R - D - G", tmp_path, 0.0)

    def balance(v: float) -> float:
        return (volts - v) / 100 - 1e-12 * np.expm1(v / (1.2 * VT)) - 1e-12 * v

    exact = brentq(balance, min(volts, 0) - 1e-3, min(max(volts, 0) + 1e-3, 1.5), xtol=1e-15)
    assert result["D.u"][0] == pytest.approx(exact, rel=1e-9, abs=1e-12)


def test_zener_carries_its_current_at_its_voltage(tmp_path: Path) -> None:
    """At -BV the reverse current is IBV, saturation current and gmin included."""
    body = (
        f"submodel (source) U(V=6.2)\nsubmodel (zener) D(BV=6.2, IBV=2e-3, gmin=0)\n{GROUND}\nconnect G - U - \\D - G"
    )
    result = run("semiconductors", body, tmp_path, 0.0)
    assert result["U.i"][0] == pytest.approx(2e-3, rel=1e-6)


def test_transport_form_of_ebers_and_moll(tmp_path: Path) -> None:
    """ic = IS*((e - c) - c/BR), ib = IS*(e/BF + c/BR) with e, c the exponentials less 1, at given voltages."""
    body = (
        "submodel (source) B(V=0.65), C(V=0.2)\nsubmodel (npnEM) Q(IS=1e-15, BF=80, BR=3, gmin=0)\n"
        f"{GROUND}\nnode b, c\nconnect B at (G, b), C at (G, c), Q at (c, b, G)"
    )
    result = run("semiconductors", body, tmp_path, 0.0)
    e, c = 1e-15 * np.expm1(0.65 / VT), 1e-15 * np.expm1(0.45 / VT)
    assert result["Q.ic"][0] == pytest.approx(e - c - c / 3, rel=1e-9)
    assert result["Q.ib"][0] == pytest.approx(e / 80 + c / 3, rel=1e-9)


STAGE = """
submodel (source) VS(V={sign}*12), VB(V={sign}*{bias})
submodel (resistor) RB(R=1e4), RL(R=2e3), RE(R=200)
submodel ({name}) Q({values})
submodel (ground) G
node p, b, c, d, e
connect VS at (G, p), VB at (G, b), RB at (b, d), RL at (p, c), RE at (e, G), Q at (c, d, e)
"""


@pytest.mark.parametrize(
    ("names", "values", "bias"),
    [
        (("npn", "pnp"), "IS=1e-15, VAF=60, IKF=0.05, RB=20, RC=3, CJE=1e-12, CJC=1e-12, TF=1e-9, XCJC=0.5", 2.0),
        (("npnEM", "pnpEM"), "IS=1e-15, CJE=1e-12, CJC=1e-12, TF=1e-9", 5.0),
        (("njf", "pjf"), "BETA=1e-3, LAMBDA=0.01, RD=20, RS=20, CGS=2e-12, CGD=1e-12", -0.5),
    ],
)
def test_mirror_image(names: tuple[str, str], values: str, bias: float, tmp_path: Path) -> None:
    """The other polarity with all voltages turned round has the same run with the other sign."""
    text = [STAGE.format(sign=s, bias=bias, name=n, values=values) for s, n in zip((1, -1), names, strict=True)]
    first, second = (run("semiconductors", t, tmp_path, 1e-7, 1e-8) for t in text)
    for name in ("RL.i", "RB.i", "RE.i"):
        assert np.ptp(first[name]) > 1e-5
        np.testing.assert_allclose(np.asarray(first[name]), -np.asarray(second[name]), atol=1e-9)


def test_gummel_and_poon_without_their_effects_are_ebers_and_moll(tmp_path: Path) -> None:
    values = "IS=1e-15, BF=70, BR=3, CJE=1e-12, CJC=2e-12, TF=1e-9, TR=5e-9"
    first, second = (
        run("semiconductors", STAGE.format(sign=1, bias=6.0, name=n, values=values), tmp_path, 1e-7, 1e-8)
        for n in ("npn", "npnEM")
    )
    np.testing.assert_allclose(np.asarray(first["RL.i"]), np.asarray(second["RL.i"]), atol=1e-9)


def test_saturation_current_doubles_with_temperature(tmp_path: Path) -> None:
    """IS(T)/IS(Tn) = (T/Tn)^(XTI/N)*exp((T/Tn - 1)*EG/(N*k*T/q))."""
    body = f"submodel (source) U(V=0.6)\nsubmodel (diode) D(N=1.5, TEMP=80, gmin=0)\n{GROUND}\nconnect G - U - D - G"
    result = run("semiconductors", body, tmp_path, 0.0)
    hot = VT * 353.15 / 300.15
    ratio = 353.15 / 300.15
    saturation = 1e-14 * ratio ** (3 / 1.5) * np.exp((ratio - 1) * 1.11 / (1.5 * hot))
    assert result["D.i"][0] == pytest.approx(saturation * np.expm1(0.6 / (1.5 * hot)), rel=1e-9)
