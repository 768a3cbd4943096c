"""Netlists as models beside ngspice, and the text that is made of them.

The numbers of ngspice 39 are in ngspice.json (`run_ngspice.py`); they differ from ours by its steps and its constants
(CODATA 2014 in place of the SI of 2019).
"""

import json
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.report import Severity
from tests.imports.circuits import NETLISTS, Netlist

NUMBERS = json.loads(Path(__file__).with_name("ngspice.json").read_text(encoding="utf-8"))["netlists"]


@pytest.mark.parametrize("netlist", NETLISTS, ids=lambda netlist: netlist.name)
def test_netlist(netlist: Netlist) -> None:
    imported = acausal.import_model(netlist.file)
    assert acausal.check(imported.text).errors == ()
    model = acausal.translate(imported.text, model=netlist.name)
    result = model.simulate(stop=netlist.stop, interval=netlist.stop / 60, tolerance=1e-7)
    numbers = NUMBERS[netlist.name]
    for name, values in numbers["signals"].items():
        ours = np.interp(numbers["time"], result.time, result[name])
        assert np.abs(ours - values).max() < netlist.bound * np.ptp(values), name


def lines_of(netlist: str, **options: object) -> list[str]:
    """The lines of the model, without indents."""
    text = acausal.import_model("c.cir", text=f"a title\n{netlist}\n.end\n", **options).text  # type: ignore[arg-type]
    return [line.split("  {")[0].strip() for line in text.splitlines()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("R1 a 0 1k", "submodel (resistor) R1(R=1k)"),
        ("r1 a 0 4.7MEGohm", "submodel (resistor) r1(R=4.7M)"),
        ("R1 a 0 5mil", "submodel (resistor) R1(R=0.000127)"),
        ("R1 a 0 r=1.5E3", "submodel (resistor) R1(R=1.5e3)"),
        ("R1 a 0 {2*x} ", "submodel (resistor) R1(R=2*x)"),
        ("R1 a 0 'X+1' ", "submodel (resistor) R1(R=x + 1)"),
        ("C1 a 0 10uF", "submodel (capacitor) C1(C=10u)"),
        ("L1 0 a 1m", "submodel (inductor) L1(L=1m)"),
        ("V1 a 0 DC 5 AC 1", "submodel (source) V1(V=5)"),
        ("V1 a 0 12", "submodel (source) V1(V=12)"),
        ("I1 0 a 2m", "submodel (currentsource) I1(I=2m)"),
        (
            "V1 a 0 SIN(1 2 50 0 3 90)",
            "submodel (dampedsinevoltage) V1(amplitude=2, f=50, damping=3, offset=1, phase=90*pi/180)",
        ),
        ("I1 a 0 sin 0 2 1k 1m", "submodel (sinecurrent) I1(amplitude=2, f=1k, t0=1m)"),
        (
            "V1 a 0 PULSE(1 5 2m 0 0)",
            "submodel (trapezoidvoltage) V1(height=4, offset=1, t0=2m, rise=1u, fall=1u, width=3m, period=3m)",
        ),
        ("V1 a 0 PWL(0 0 1m 5)", "V1.e = (if time < 0.001 then 5*time/0.001"),
        (
            "V1 a 0 0.5 (PULSE 0 5 2m 1u 1u 1m 2m)",
            "submodel (trapezoidvoltage) V1(height=5, t0=2m, rise=1u, fall=1u, width=1m, period=2m)",
        ),
        ("V1 a 0 SINE(0 2 50) AC 1 DC 3", "submodel (sinevoltage) V1(amplitude=2, f=50)"),
        (
            "V1 a 0 PULSE(0 5 2m 1u 1u 1m 2m) AC 1",
            "submodel (trapezoidvoltage) V1(height=5, t0=2m, rise=1u, fall=1u, width=1m, period=2m)",
        ),
        ("V1 a 0 AM(1 2 100 20k)", "V1.e = 1*(2 + sin(2*pi*100*time))*sin(2*pi*2e4*time)"),
        ("I1 a 0 SFFM(1 2 10k 3 100)", "I1.j = 1 + 2*sin(2*pi*1e4*time + 3*sin(2*pi*100*time))"),
        ("B1 a 0 V={1m*ddt(v(b))}", "B1.e = 0.001*der(Vb.Vb)"),
        ("R1 a 0 rx 1k", "submodel (resistor) R1(R=1k)"),
        ("V1 a 0 EXP(0 2 1m 2m 5m 3m)", "V1.e = (if time < 0.001 then 0 else 2*(1 - exp(-(time - 0.001)/0.002))) +"),
        ("T1 a 0 b 0 Z0=50 TD=10n", "submodel (transmissionline) T1(Z=50, T=10n)"),
        ("E1 a 0 b 0 10", "submodel (VCVS) E1(k=10)"),
        ("G1 a 0 b 0 1m", "submodel (VCCS) G1(g=1m)"),
        ("F1 a 0 Vb 10", "F1.j = -10*Vb.i"),
        ("H1 a 0 Vb {x}", "H1.e = -x*Vb.i"),
        ("H1 a 0 POLY(1) Vb 1 0 2", "H1.e = 1 + 2*(-Vb.i)*(-Vb.i)"),
        ("E1 a 0 TABLE {v(b)} = (0,0) (1,5)", "E1.e = interp(Vb.Vb, [0, 1], [0, 5])"),
        ("B1 a 0 V=2*v(b,0)**2", "B1.e = 2*Vb.Vb^2"),
        (
            "B1 a 0 I={v(a)>1 && v(b)<2 ? 1m : -v(a)/1k}",
            "B1.j = if B1.Va > 1 and Vb.Vb < 2 then 0.001 else -B1.Va/1000",
        ),
        ("B1 a 0 V={max(v(b),0)}", "B1.e = noevent(max(Vb.Vb, 0))"),
        ("B1 a 0 V={-(v(b)-1)**2*i(Vb)}", "B1.e = -(Vb.Vb - 1)^2*(-Vb.i)"),
        ("B1 a 0 V={ln(x)+log10(x)-sgn(x)*u(x)}", "B1.e = log(x) + log10(x) - sign(x)*(if x > 0 then 1 else 0)"),
        ("B1 a 0 V={(v(b)>1)*temper}", "B1.e = (if Vb.Vb > 1 then 1 else 0)*27"),
        ("B1 a 0 V={rise(x)*pi}", "B1.e = rise_function(X)*pi"),
        ("V1 a 0 PWL(0 0 {x<1 ? 1 : 2} 5)", "else 5)"),
        ("E1 a 0 POLY(1) b 0 {x > 1 ? 1 : 2} {x+1}", "E1.e = (if x > 1 then 1 else 2) + (x + 1)*Vb.Vb"),
        ("D1 a 0 DX 2", "submodel (DX) D1(AREA=2)"),
        ("D1 a 0 DX 2", "model class (diode(IS=1n, VJ=0.7)) DX"),
        ("Q1 a b 0 sub QX", "submodel (QX) Q1"),
        ("J1 a b 0 JX", "submodel (JX) J1"),
        ("M1 a b 0 0 MX L=1u W=5u", "submodel (MX) M1(L=1u, W=5u)"),
        ("S1 a 0 b 0 SX", "S1.on = Vb.Vb - 2"),
        ("W1 a 0 Vb WX", "W1.on = -Vb.i"),
        ("X1 a 1 b HALF p={x*2}", "submodel (HALF) X1(p=x*2, X=X)"),
        ("Rend end 0 1", "connect Vb at (ground, b), Rend at (end_, ground)"),
    ],
)
def test_lines(line: str, expected: str) -> None:
    netlist = f"""
    .param X=3
    Vb b 0 1
    {line}
    .func rise(y) {{y^2}}
    .subckt half in 1 out p=2
    R1 in 1 {{p}}
    R2 1 out {{p*x}}
    .ends
    .model dx D(IS=1n PB=0.7)
    .model qx NPN(BF=50)
    .model jx NJF(VTO=-2)
    .model mx NMOS(VTO=1)
    .model sx SW(VT=2)
    .model wx CSW(RON=2)
    .model rx RES(TC1=1m)
    .tran 1u 3m"""
    found = [text.lower() for text in lines_of(netlist)]
    assert expected.lower() in found


def test_names_keep_their_letters() -> None:
    """As first written; a name that differs in case is the same."""
    found = lines_of(".PARAM Rx=2\nr1 IN 0 {RX}\nV1 in 0 1\n.TRAN 1u 1m uic")
    assert "parameter Rx=2" in found
    assert "submodel (resistor) r1(R=Rx)" in found
    assert "connect r1 at (IN, ground), V1 at (ground, IN)" in found
    assert "experiment (stop=1m, interval=1u)" in found


def test_lines_that_go_on_and_comments() -> None:
    found = lines_of("* comment\nR1 a ; the rest\n+ 0 $ here too\n* between\n+ 1k\nV1 a 0 1")
    assert "submodel (resistor) R1(R=1k)" in found


def test_start() -> None:
    """Without UIC from the operating point, with it from initial values, as those of .ic and IC=."""
    netlist = "V1 a 0 2\nR1 a b 1k\nC1 b 0 1u IC=0.5\nC2 b c 1u\nR2 c 0 1k\nL1 c 0 1m\n.ic v(b)=1.5\n.tran 1u 1m"
    assert "submodel (capacitor) C1(C=1u)" in lines_of(netlist)
    assert "initial R1.Vb = 1.5" in lines_of(netlist)
    assert "experiment (stop=1m, interval=1u, steady=true)" in lines_of(netlist)
    uic = lines_of(f"{netlist} uic")
    assert "submodel (capacitor) C1(C=1u) (ic u=0.5)" in uic
    assert "submodel (capacitor) C2(C=1u) (ic u=1.5)" in uic
    assert "submodel (inductor) L1(L=1m) (ic i=0)" in uic
    text = acausal.import_model("c.cir", text="t\nV1 a 0 2\nR1 a b 1k\nC1 b 0 1u\nR2 b 0 3k\n.tran 1u 1m").text
    assert acausal.translate(text).simulate()["C1.u"][[0, -1]] == pytest.approx([1.5, 1.5])


def test_repeated_pwl() -> None:
    """After 4 ms (and the delay of 2 ms) what follows 1 ms begins again: a period of 3 ms."""
    netlist = "t\nV1 a 0 PWL(0 0 1m 1 3m -1 4m 0) r=1m td=2m\nR1 a 0 1k\n.tran 10u 20m\n.end"
    result = acausal.translate(acausal.import_model("c.cir", text=netlist).text).simulate()
    since = result.time - 2e-3
    within = np.where(since < 4e-3, since, 1e-3 + (since - 1e-3) % 3e-3)
    expected = np.interp(within, [0, 1e-3, 3e-3, 4e-3], [0, 1, -1, 0])
    jump = (np.abs(within - 1e-3) < 1e-9) | (np.abs(within - 4e-3) < 1e-9)  # 0 or 1
    assert np.abs(result["V1.Vb"] - expected)[~jump].max() < 1e-9
    for wrong, message in (("r=2m", "r=2m is not one of the times"), ("r=4m", "r=4m is the last time")):
        with pytest.raises(acausal.ModelError, match=message):
            acausal.import_model("c.cir", text=netlist.replace("r=1m", wrong))


def test_temperature_coefficients() -> None:
    """R*(1 + TC1*dT + TC2*dT^2); ngspice 39 gives the same potentials to 1e-15."""
    netlist = """t
.temp 75
.options tnom=25
V1 a 0 5
R1 a b 1k tc1=3.9m tc2=-0.5u
R2 b 0 rm 2k
R3 b 0 100 temp=100 tc=1m,2u
.model rm r(tc1=-1m)
.tran 1u 1m
.end"""
    imported = acausal.import_model("c.cir", text=netlist)
    assert all(d.severity is Severity.NOTE for d in imported.report.diagnostics)
    result = acausal.translate(imported.text).simulate(stop=1e-6)
    first, second, third = 1e3 * (1 + 3.9e-3 * 50 - 0.5e-6 * 2500), 2e3 * 0.95, 100 * (1 + 0.075 + 2e-6 * 75**2)
    below = 1 / (1 / second + 1 / third)
    assert result["R1.Vb"][0] == pytest.approx(5 * below / (first + below), rel=1e-12)


def test_coupled_inductors() -> None:
    """A transformer whose secondary is open: u2 = M/L1*u1."""
    netlist = "t\nV1 a 0 SIN(0 1 50)\nR1 a p 1m\nL1 p 0 4\nL2 s 0 1\nR2 s 0 1g\nK1 L1 L2 0.5\n.tran 0.1m 20m"
    result = acausal.translate(acausal.import_model("c.cir", text=netlist).text).simulate(tolerance=1e-8)
    assert np.abs(result["L2.Va"] - 0.25 * result["L1.Va"]).max() < 1e-6


def test_not_translated_is_listed() -> None:
    text = """t
V1 a 0 DC 1 AC 1
R1 a 0 1k m=2
D1 a 0 DX off
.model DX D(IS=1n KF=1e-16 BV=1000 IBV=1n)
U1 a 0 something
E1 b 0 LAPLACE {v(a)} {1/(1+s)}
R2 b 0 1
.noise v(a) V1 dec 10 1 1k
.meas tran x max v(a)
.options reltol=1e-4 temp=50
.control
plot v(a)
.endc
.tran 1u 1m
"""
    imported = acausal.import_model("c.cir", text=text)
    found = {
        (d.primary.span.line, d.severity is Severity.WARNING): d.message
        for d in imported.report.diagnostics
        if d.primary is not None
    }
    assert set(found) == {
        *{(2, False), (3, True), (5, True), (5, False), (6, True), (7, True), (9, False), (10, False), (11, False)},
        (12, False),
    }
    assert found[5, True] == "the parameter KF of DX is not translated: the class zener has none"
    assert "line 6: elements U are not translated" in imported.text
    assert "{ line 7, E1: not translated }" in imported.text
    assert "TEMP=50" in imported.text
    assert all(d.code == "F032" for d in imported.report.diagnostics)


def test_names_that_are_taken() -> None:
    """A subcircuit with the name of a library's class, a node with that of an element, digits, keywords."""
    text = """t
V1 1 0 1
Rin in 0 1
X1 1 Rin diode
.subckt diode time pi
Rtime time pi 1
.ends
.tran 1u 1m
"""
    imported = acausal.import_model("c.cir", text=text)
    assert acausal.check(imported.text).errors == ()
    for part in (
        "model class diode_circuit",
        "node n1, in, Rin_node",
        "submodel (diode_circuit) X1",
        "cut time_ (v_time",
    ):
        assert part in imported.text
