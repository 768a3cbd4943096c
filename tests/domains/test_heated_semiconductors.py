"""Semiconductors with a thermal port: at given temperatures against ngspice, and in equilibrium with their losses."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.domains.examples import GROUND, run

NGSPICE = {
    125: {
        "D": 0.6389559127912, "C": 2.835146206841, "B": 0.5830157255310,
        "M": 4.23042759403, "N": -0.614395757801, "Mp": 4.20934228086,
    },
    85: {
        "D": 0.6974798717959, "C": 3.226807985930, "B": 0.6396026756183,
        "M": 4.132483377567, "N": -0.681256389211, "Mp": 4.11876742108,
    },
}  # fmt: skip
"""Operating points by ngspice-39 with the netlist below, .options temp=..., reltol=1e-10 vntol=1e-12 abstol=1e-15:

VD d0 0 5          VC c0 0 5            VB b0 0 2            VG g 0 3           VN n0 0 -5
RD d0 d 100        RC c0 c 1000         RB b0 b 100k         RM c0 m 1000       RN n0 n 1000
D1 d 0 DM          Q1 c b 0 QM          M1 m g 0 0 MM L=2u W=50u                M2 n 0 0 0 MM L=2u W=50u
.model DM D(IS=1e-12 RS=0.5 N=1.2 XTI=3 EG=1.11)
.model QM NPN(IS=1e-15 BF=100 BR=2 XTB=1.5)
.model MM NMOS(LEVEL=1 VTO=1 KP=2e-5 PHI=0.65 LAMBDA=0.02 GAMMA=0 RD=20 RS=10 IS=1e-14)

Mp: M1 as PMOS with VTO=-1 and all voltages turned round; SPICE does not mirror how the threshold depends on T.
"""
DIODE = "IS=1e-12, RS=0.5, N=1.2"
BIPOLAR = "IS=1e-15, BF=100, BR=2, XTB=1.5"
MOS = "KP=2e-5, PHI=0.65, LAMBDA=0.02, RD=20, RS=10, IS=1e-14, L=2e-6, W=5e-5"


def circuit(degrees: float) -> str:
    """The netlist, and its mirror image with a pnp and a p-channel transistor."""
    text = f"{GROUND}\nsubmodel (fixedtemperature) bath(T0={degrees + 273.15})\n"
    text += (
        f"submodel (source) VD(V=5)\nsubmodel (resistor) RD(R=100)\nsubmodel (heatingdiode) D({DIODE})\n"
        "connect G - VD - RD - D - G, D:heat at bath\n"
    )
    for sign, bipolar, mos, end in ((1, "heatingnpn", "heatingnmos", ""), (-1, "heatingpnp", "heatingpmos", "p")):
        text += f"""
node c0{end}, c{end}, b{end}, g{end}, m{end}, n{end}
submodel (source) VC{end}(V={5 * sign}), VB{end}(V={2 * sign}), VG{end}(V={3 * sign}), VN{end}(V={-5 * sign})
submodel (resistor) RC{end}(R=1000), RB{end}(R=1e5), RM{end}(R=1000), RN{end}(R=1000)
submodel ({bipolar}) Q{end}({BIPOLAR})
submodel ({mos}) M{end}(VTO={sign}, {MOS}), N{end}(VTO={sign}, {MOS})
connect VC{end} at (G, c0{end}), RC{end} at (c0{end}, c{end}), G - VB{end} - RB{end} at b{end}
connect Q{end} at (c{end}, b{end}, G)
connect VG{end} at (G, g{end}), RM{end} at (c0{end}, m{end}), M{end} at (m{end}, g{end}, G)
connect G - VN{end} - RN{end} at n{end}, N{end} at (n{end}, G, G)
connect Q{end}:heat at bath, M{end}:heat at bath, N{end}:heat at bath
"""
    return text


@pytest.mark.parametrize("degrees", NGSPICE)
def test_at_a_temperature(degrees: int, tmp_path: Path) -> None:
    result = run("semiconductors thermal", circuit(degrees), tmp_path, 0.0)
    for end, sign in (("", 1), ("p", -1)):
        expected = {**NGSPICE[degrees], "M": NGSPICE[degrees]["M" + end]}
        found = {"C": f"Q{end}.Vc", "B": f"Q{end}.Vb", "M": f"M{end}.Vd", "N": f"N{end}.Vd"}
        for place, name in found.items():
            assert result[name][0] == pytest.approx(sign * expected[place], rel=2e-5), name
        collector = (5 - expected["C"]) / 1000 * expected["C"] + (2 - expected["B"]) / 1e5 * expected["B"]
        assert result[f"Q{end}.P"][0] == pytest.approx(collector, rel=1e-4)
        assert result[f"M{end}.P"][0] == pytest.approx((5 - expected["M"]) / 1000 * expected["M"], rel=1e-4)
        assert result[f"N{end}.P"][0] == pytest.approx((5 + expected["N"]) / 1000 * -expected["N"], rel=1e-4)
    assert result["D.Va"][0] == pytest.approx(expected["D"], rel=2e-5)
    assert result["D.P"][0] == pytest.approx((5 - expected["D"]) / 100 * expected["D"], rel=1e-4)


def test_equilibrium_and_charges(tmp_path: Path) -> None:
    """D warms itself to the temperature where its voltage and its losses agree; Q gives no heat to what it stores."""
    body = f"""
{GROUND}
submodel (currentsource) J(I=0.5)
submodel (heatingdiode) D({DIODE}, TT=1e-8, gmin=0)
submodel (heatcapacitor) body(C=0.005) (ic T=300)
submodel (thermalresistor) wall(R=80)
submodel (fixedtemperature) air(T0=300)
submodel (sinevoltage) S(amplitude=2, offset=-5, f=1)
submodel (heatingdiode) Q(CJO=1e-3, IS=1e-30, VJ=0.8, RS=10, gmin=0) (ic v=-5)
connect G - J - D - G, D:heat at body, body - wall - air, G - S - Q - G, Q:heat at air
local given (unit="J", start=0, fixed=true), heat (unit="J", start=0, fixed=true)
local square (unit="A2.s", start=0, fixed=true)
der(given) = Q.Va*Q.i
der(heat) = Q.P
der(square) = Q.i^2
"""
    result = run("semiconductors thermal", body, tmp_path, 10.0, 1e-8)

    def surplus(kelvins: float) -> float:
        volts = 1.380649e-23 * kelvins / 1.602176634e-19
        saturation = 1e-12 * np.exp((kelvins / 300.15 - 1) * 1.11 / (1.2 * volts) + 3 / 1.2 * np.log(kelvins / 300.15))
        return 300 + 80 * 0.5 * (0.5 * 0.5 + 1.2 * volts * np.log(0.5 / saturation + 1)) - kelvins

    assert result["D.T"][-1] == pytest.approx(brentq(surplus, 300, 400, xtol=1e-12), rel=1e-7)
    first = np.searchsorted(result.time, 1.0)
    heat, given, square = (np.asarray(result[name])[[first, -1]] for name in ("heat", "given", "square"))
    assert heat[1] - heat[0] == pytest.approx(10 * (square[1] - square[0]), rel=1e-4)
    assert heat[1] - heat[0] == pytest.approx(given[1] - given[0], rel=1e-4)
