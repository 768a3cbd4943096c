"""Triac, GTO, two-way and arcing switch, and heat ports of switches.lib against closed forms; each law in one run."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from tests.domains.examples import GROUND, Example, compare, run
from tests.domains.test_switches import PEAK, L, R, conducted

IDEAL = "Ron=1e-9, Goff=1e-9"
FIRED = np.pi / 3


def both_ways(t: np.ndarray) -> np.ndarray:
    """Current of R and L behind a triac: each half wave is that of a thyristor, from firing to firing."""
    half = np.floor((t - 0.02 / 6) / 0.01)
    return np.where(half < 0, 0, (-1) ** half * conducted(t - half * 0.01, FIRED))


TRIAC = f"""
submodel (sinevoltage) U(amplitude={PEAK}, f=50)
submodel (resistor) R(R={R}), Q(R=5)
submodel (inductor) L(L={L})
submodel (idealtriac) T({IDEAL}), S({IDEAL})
{GROUND}
submodel (pulsesignal) p(period=0.01, t0=0.02/6, width=0.01)
connect G - U - join (T - R - L - G, S - Q - G)
T.fire = p.y
S.fire = p.y
local square (unit="V2.s", start=0, fixed=true)
der(square) = (Q.Va - Q.Vb)^2
"""


def test_triac(tmp_path: Path) -> None:
    """Effective voltage of a resistor: U*sqrt(1 - a/pi + sin(2*a)/(2*pi)) for the firing angle a.

    Source: N. Mohan, T. Undeland, W. Robbins, Power Electronics, chapter on AC controllers.
    """
    compare("switches", Example(TRIAC, {"L.i": both_ways}, stop=0.06, within=1e-5), tmp_path)
    effective = np.sqrt(run("switches", TRIAC, tmp_path, 0.06)["square"][-1] / 0.06)
    exact = PEAK / np.sqrt(2) * np.sqrt(1 - FIRED / np.pi + np.sin(2 * FIRED) / (2 * np.pi))
    assert effective == pytest.approx(exact, rel=1e-6)


def arc_current(t: np.ndarray) -> np.ndarray:
    """24 V on 10 Ohm and 0.1 H; opened at 0.05 s; the arc has 30 V + 2000 V/s until its current is zero."""
    closed = 2.4 * -np.expm1(-t / 0.01)
    tau = t - 0.05
    slope = -2000 / 10
    start = (24 - 30 - 0.1 * slope) / 10
    arc = start + slope * tau + (2.4 * -np.expm1(-5.0) - start) * np.exp(-tau / 0.01)
    return np.where(t < 0.05, closed, np.maximum(arc, 0))


def charged(t: np.ndarray) -> np.ndarray:
    """Voltage of R = 1 kOhm, C = 1 uF joined with 10 V for 2 ms, then with the ground."""
    return np.where(t < 2e-3, -10 * np.expm1(-t / 1e-3), -10 * np.expm1(-2.0) * np.exp(-(t - 2e-3) / 1e-3))


def test_two_way_switch_gto_and_arc(tmp_path: Path) -> None:
    """The arc of both directions; the GTO passes only positive current, and only while it is fired."""
    ideal = "Ron=1e-9, Goff=1e-12"
    arc = f"{ideal}, V0=30, Vmax=100, rate=2000"
    body = f"""
submodel (source) U(V=10), A(V=24)
submodel (sinevoltage) W(amplitude=10, f=50)
submodel (twowayswitch) S({ideal})
submodel (idealGTO) O({ideal})
submodel (arcingswitch) X({arc}), Y({arc})
submodel (resistor) R(R=1000), Q(R=10), RX(R=10), RY(R=10)
submodel (capacitor) C(C=1e-6) (ic u=0)
submodel (inductor) LX(L=0.1), LY(L=0.1) (ic i=0)
{GROUND}
node a, c
connect U at (G, a), S at (c, G, a), R - C at (c, G), G - W - O - Q - G
connect G - A - join (X - RX - LX - G, reversed Y - RY - LY - G)
S.on = if time < 2e-3 then 1 else 0
O.fire = if mod(time, 0.02) > 0.002 and mod(time, 0.02) < 0.012 then 1 else 0
X.on = if time < 0.05 then 1 else 0
Y.on = X.on
"""

    def gated(t: np.ndarray) -> np.ndarray:
        phase = np.mod(t, 0.02)
        return np.where((phase > 0.002) & (phase < 0.012), np.maximum(np.sin(100 * np.pi * t), 0), 0)

    expected = {"C.u": charged, "Q.i": gated, "LX.i": arc_current, "LY.i": arc_current}
    compare("switches", Example(body, expected, stop=0.08, within=1e-5), tmp_path)


def test_losses_heat_a_body(tmp_path: Path) -> None:
    """P = Vknee*I + Ron*I^2 warms 2 J/K behind 5 K/W: T = Ta + 5*P*(1 - exp(-t/10))."""
    names = ["heatingidealdiode", "heatingidealthyristor", "heatingidealtriac", "heatingidealGTO", "heatingidealswitch"]
    lines = ["submodel (source) U(V=10)", GROUND, "submodel (fixedtemperature) air(T0=300)"]
    for k, name in enumerate(names):
        knee = 0 if name == "heatingidealswitch" else 0.8
        lines.append(f"submodel ({name}) D{k}(Ron=0.1, Goff=1e-12, Vknee={knee})")
        lines.append(f"submodel (resistor) R{k}(R=3.9)\nsubmodel (heatcapacitor) C{k}(C=2) (ic T=300)")
        lines.append(f"submodel (thermalresistor) W{k}(R=5)\nconnect G - U - D{k} - R{k} - G, D{k}:heat at C{k}")
        lines.append(f"connect C{k} - W{k} - air")
    lines += ["D1.fire = 1", "D2.fire = 1", "D3.fire = 1", "D4.on = 1"]
    current, through = (10 - 0.8) / 4, 10 / 4
    power = [0.8 * current + 0.1 * current**2] * 4 + [0.1 * through**2]
    curves = {f"C{k}.T": lambda t, p=p: 300 + 5 * p * -np.expm1(-t / 10) for k, p in enumerate(power)}
    compare("switches thermal", Example("\n".join(lines), curves, stop=20.0, within=1e-7), tmp_path)


@pytest.mark.parametrize("name", ["idealGTO", "idealthyristor", "idealtriac"])
def test_blocked_half_bridge_at_rest(name: str, tmp_path: Path) -> None:
    """Rounding errors decide on which side of zero the lower voltage is: this is no event, as the device is not fired.

    The upper one leaks 24 V * Goff into the coil; C charges by it through no more than R = 5 Ohm.
    """
    body = f"""
submodel (source) U(V=24)
submodel ({name}) T1, T2
submodel (inductor) L(L=1e-3) (ic i=0)
submodel (capacitor) C(C=1e-4) (ic u=0)
submodel (resistor) R(R=5)
{GROUND}
node p, o
connect U at (G, p), T1 at (p, o), T2 at (o, G), L - (C // R) at (o, G)
T1.fire = 0
T2.fire = 0
"""
    result = run("switches", body, tmp_path, 0.005, 1e-6)
    assert result["L.i"][-1] == pytest.approx(24 * 1e-5, rel=1e-3)
    assert result["C.u"][-1] == pytest.approx(5 * 24 * 1e-5, rel=1e-3)


def test_arc_without_voltage_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(
        "@switches.lib\nmodel M\nsubmodel (source) U(V=1)\nsubmodel (arcingswitch) S(V0=-1)\n"
        f"submodel (resistor) R(R=1)\n{GROUND}\nconnect G - U - S - R - G\nS.on = 1\nend\n"
    )
    with pytest.raises(ModelError, match="Vmax >= V0 > 0"):
        translate(file).simulate(stop=1)
