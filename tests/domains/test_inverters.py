"""Classes of inverters.lib against closed forms of pulse width modulation, six steps and conduction losses."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from tests.domains.examples import GROUND, Example, compare, flat, run

FREQUENCY, DUTY = 1000.0, 0.3
TAU = 1e-3 / 2


def test_pulse_width_modulation(tmp_path: Path) -> None:
    """Constant modulation on R and L: current between its extremes of N. Mohan et al., Power Electronics, chapter 7.

    The lower diode leads while the upper transistor is off, so that the voltage is 20 V or 0.
    """
    body = f"""
{GROUND}
submodel (source) U(V=20)
submodel (halfbridge) H(Ron=1e-6, Goff=1e-9), J(Ron=1e-6, Goff=1e-9)
submodel (pwm) M(f={FREQUENCY}), N(f={FREQUENCY}, sampled=true)
submodel (inductor) L(L=1e-3), K(L=1e-3) (ic i=0)
submodel (resistor) R(R=2), Q(R=2)
node p, o, q
connect U at (G, p), H at (p, G, o), L - R at (o, G), J at (p, G, q), K - Q at (q, G)
M.u = {2 * DUTY - 1}
N.u = {2 * DUTY - 1}
H.up = M.y
H.down = 0
J.up = N.y
J.down = 1 - N.y
"""
    result = run("inverters", body, tmp_path, 0.01, 1e-8)
    time, period = np.asarray(result.time), 1 / FREQUENCY
    late = time > 0.0085
    full = np.exp(-period / TAU)
    high = 10 * (1 - np.exp(-DUTY * period / TAU)) / (1 - full)
    low = high * np.exp(-(1 - DUTY) * period / TAU)
    for name in ("L.i", "K.i"):
        assert result[name][late].max() == pytest.approx(high, rel=1e-4)
        assert result[name][late].min() == pytest.approx(low, rel=1e-4)
    rises = time[1:][(np.diff(result["M.y"]) > 0) & (time[1:] > 0.005)]
    assert rises == pytest.approx([(k + (1 - DUTY) / 2) * period for k in range(5, 10)], abs=1e-8)


def test_six_steps_and_averages(tmp_path: Path) -> None:
    """Square waves give phases of sqrt(2)/3 of the direct voltage; averaged ones the wanted sines, power kept."""
    w = 2 * np.pi * 50
    body = f"""
{GROUND}
submodel (source) U(V=300)
submodel (twolevelinverter) I(Ron=1e-9, Goff=1e-12)
submodel (averagedinverter) A
submodel (modulation) D
submodel (starload) R(R=10), S(R=10, L=0.02)
node p, a, b, c, d, e, f
connect U at (G, p), I at (p, G, a, b, c), R:a at a, R:b at b, R:c at c
connect A at (p, G, d, e, f), S:a at d, S:b at e, S:c at f
I.ga = sin({w}*time)
I.gb = sin({w}*time - 2*pi/3)
I.gc = sin({w}*time - 4*pi/3)
D.ua = 170*sin({w}*time)
D.ub = 170*sin({w}*time - 2*pi/3)
D.uc = 170*sin({w}*time - 4*pi/3)
D.udc = 300
A.ma = D.ma
A.mb = D.mb
A.mc = D.mc
local square (unit="V2.s", start=0, fixed=true)
der(square) = (R.Va - R.Vn)^2
"""
    result = run("inverters", body, tmp_path, 0.1, 1e-8)
    assert np.sqrt(result["square"][-1] / 0.1) == pytest.approx(300 * np.sqrt(2) / 3, rel=1e-6)
    time = np.asarray(result.time)
    settled = time > 0.06
    impedance = 10 + 1j * w * 0.02
    current = 170 / abs(impedance) * np.sin(w * time - np.angle(impedance))
    assert np.abs(result["S.ia"] - current)[settled].max() < 1e-4 * 15
    power = sum(result[f"A.V{x}"] * result[f"A.i{x}"] for x in "abc")
    assert np.abs(power + result["A.Vp"] * result["A.ip"])[settled].max() < 1e-6 * 4000
    assert max(np.abs(result[f"D.m{x}"]).max() for x in "abc") < 1


def test_current_reverses_in_a_transistor_and_its_diode(tmp_path: Path) -> None:
    """A sine around the direct voltage on R and L: the current of the linear circuit; less with knees."""
    body = f"""
{GROUND}
submodel (source) U(V=400)
submodel (halfbridge) H(Ron=1e-3, Goff=1e-6), J(Ron=1e-3, Goff=1e-6, Vt=0.5, Vd=0.7)
submodel (sinevoltage) E(amplitude=10, f=50, offset=400)
submodel (inductor) L(L=1e-3), K(L=1e-3) (ic i=0)
submodel (resistor) R(R=0.099), Q(R=0.099)
node p, o, q
connect U at (G, p), H at (p, G, o), J at (p, G, q), G - E - join (R, Q), R - L at o, Q - K at q
submodel (sinevoltage) S(amplitude=10, f=50)
submodel (resistor) X(R=5)
submodel (idealtransistor) T(Ron=1e-9, Goff=1e-9, Vknee=1, Vd=0.7)
connect G - S - X - T - G
T.fire = 1
H.up = 1
H.down = 0
J.up = 1
J.down = 0
"""
    result = run("inverters", body, tmp_path, 0.1, 1e-8)
    time, w = np.asarray(result.time), 100 * np.pi
    impedance = 0.1 + 1j * w * 1e-3
    lag = np.angle(impedance)
    current = 10 / abs(impedance) * (np.sin(w * time - lag) + np.sin(lag) * np.exp(-time * 100))
    assert np.abs(result["L.i"] - current).max() < 1e-3
    volts = 10 * np.sin(w * time)
    assert np.abs(result["X.i"] - (np.maximum(volts - 1, 0) + np.minimum(volts + 0.7, 0)) / 5).max() < 1e-7
    late = time > 0.06
    assert result["K.i"][late].min() < -20
    assert 20 < result["K.i"][late].max() < result["L.i"][late].max()


def test_rectifier_and_losses(tmp_path: Path) -> None:
    """Blocked, the inverter is a rectifier; each device that conducts loses Vknee*I + Ron*I^2 into a body of 20 J/K."""
    body = f"""
{GROUND}
submodel (source) U(V=10), V(V=10)
submodel (heatinghalfbridge) H(Ron=0.1, Goff=1e-12, Vt=0.6, Vd=0.8)
submodel (heatinginverter) I(Ron=0.1, Goff=1e-12, Vt=0.6, Vd=0.8), B(Ron=0.1, Goff=1e-12, Vd=0.8)
submodel (averagedhalfbridge) A
submodel (resistor) R(R=4), S(R=4), Q(R=4), X(R=5)
submodel (heatcapacitor) CH(C=20) (ic T=300), CI(C=20) (ic T=300), CB(C=20) (ic T=300)
node p, o, a, b, c, q, m, h
connect U at (G, p), H at (p, G, o), R at (o, G), I at (p, G, a, b, c), S at (a, b), A at (p, G, h), X at (h, G)
connect V at (G, m), B at (q, G, m, G, G), Q at (q, G)
connect H:heat at CH, I:heat at CI, B:heat at CB
H.up = 1
H.down = 0
I.ga = 1
I.gb = 0
I.gc = 0
B.ga = 1
B.gb = 1
B.gc = 1
B.on = 0
A.m = 0.5
"""
    one, two, rectified = 9.4 / 4.1, 8.8 / 4.2, 9.2 / 4.1
    losses = {"CH.T": 0.6 * one + 0.1 * one**2, "CI.T": 2 * (0.6 * two + 0.1 * two**2),
              "CB.T": 0.8 * rectified + 0.1 * rectified**2}  # fmt: skip
    curves = {name: lambda t, p=p: 300 + p * t / 20 for name, p in losses.items()}
    expected = {**curves, "A.Vo": flat(7.5), "A.ip": flat(0.75 * 1.5), "Q.i": flat(rectified)}
    compare("inverters thermal", Example(body, expected, stop=10.0, within=1e-7), tmp_path)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("submodel (pwm) M(f=0)\nM.u = 0", "frequency must be positive|sample"),
        ("submodel (modulation) D(centred=false)\nD.ua = 1\nD.ub = 1\nD.uc = 1\nD.udc = -1", "must be positive"),
    ],
)
def test_parameters_out_of_range(body: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=text):
        run("inverters", body, tmp_path, 0.0)
