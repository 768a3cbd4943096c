"""Semiconductor circuits, each as a model and as a netlist of ngspice.

Both hold the same elements under the same names. `K` gives the models the constants of ngspice 39 (CODATA 2014)
in place of those of the SI of 2019: k/q differs by 3e-7. Numbers of ngspice: ngspice.json, written by
`python -m tests.domains.run_ngspice`.
"""

from dataclasses import dataclass

K = "kB=1.38064852e-23, qe=1.6021766208e-19"


@dataclass(frozen=True, slots=True)
class Circuit:
    """`signals`: name in the model -> vector of ngspice. `stop` 0: operating point only.

    `at_rest`: begins in the operating point, else from the initial values written in both texts.
    `step`: the greatest step of ngspice in the transient analysis.
    """

    name: str
    netlist: str
    model: str
    signals: dict[str, str]
    stop: float = 0.0
    step: float = 0.0
    at_rest: bool = True

    @property
    def text(self) -> str:
        """The file of the model."""
        lines = [line.strip() for line in self.model.strip().splitlines()]
        return "\n".join(["@semiconductors.lib", "model M", *lines, "submodel (ground) G", "end", ""])


RECTIFIER = Circuit(
    "rectifier",
    """
    V1 1 0 SIN(2 5 1MEG)
    D1 1 2 DM
    R1 2 0 1k
    C1 2 0 1n
    .model DM D(IS=2.52n RS=0.568 N=1.752 CJO=4p VJ=0.7 M=0.4 TT=20n)
    """,
    f"""
    submodel (sinevoltage) V1(amplitude=5, f=1e6, offset=2)
    submodel (diode) D1(IS=2.52e-9, RS=0.568, N=1.752, CJO=4e-12, VJ=0.7, M=0.4, TT=20e-9, {K})
    submodel (resistor) R1(R=1000)
    submodel (capacitor) C1(C=1e-9)
    node n1, n2
    connect V1 at (G, n1), D1 at (n1, n2), R1 at (n2, G), C1 at (n2, G)
    """,
    {"C1.u": "v(2)", "V1.i": "-v1#branch"},
    4e-6,
    4e-10,
)

RTL = Circuit(
    "RTL inverter",
    """
    VCC 1 0 5
    VIN 2 0 PULSE(5 0 20n 5n 5n 100n 1)
    RB 2 3 10k
    RC 1 4 1k
    Q1 4 3 0 QM
    .model QM NPN(IS=1e-15 BF=80 BR=2 VAF=70 IKF=0.1 RB=50 RC=5 RE=0.5
    + CJE=2p MJE=0.35 CJC=1.5p MJC=0.4 TF=0.4n TR=20n XCJC=0.6)
    """,
    f"""
    submodel (source) VCC(V=5)
    submodel (trapezoidvoltage) VIN(height=-5, offset=5, period=1, rise=5e-9, width=100e-9, fall=5e-9, t0=20e-9)
    submodel (resistor) RB(R=1e4), RC(R=1e3)
    submodel (npn) Q1(IS=1e-15, BF=80, BR=2, VAF=70, IKF=0.1, RB=50, RC=5, RE=0.5, CJE=2e-12, MJE=0.35, {K},
      CJC=1.5e-12, MJC=0.4, TF=0.4e-9, TR=20e-9, XCJC=0.6)
    node n1, n2, n3, n4
    connect VCC at (G, n1), VIN at (G, n2), RB at (n2, n3), RC at (n1, n4), Q1 at (n4, n3, G)
    """,
    {"Q1.Vc": "v(4)", "Q1.Vb": "v(3)"},
    3e-7,
    3e-11,
)

MOS_CARDS = """
    .model NM NMOS(VTO=0.8 KP=110u GAMMA=0.4 PHI=0.7 LAMBDA=0.04 TOX=15n CGSO=0.2n CGDO=0.2n CGBO=0.3n
    + CJ=0.5m MJ=0.5 CJSW=0.4n MJSW=0.33 PB=0.9 IS=1e-15)
    .model PM PMOS(VTO=-0.9 KP=38u GAMMA=0.5 PHI=0.7 LAMBDA=0.05 TOX=15n CGSO=0.2n CGDO=0.2n CGBO=0.3n
    + CJ=0.6m MJ=0.5 CJSW=0.4n MJSW=0.33 PB=0.9 IS=1e-15)
"""
NM = f"""L=1e-6, W=2e-6, AD=4e-12, AS=4e-12, PD=6e-6, PS=6e-6, VTO=0.8, KP=110e-6, GAMMA=0.4, PHI=0.7, LAMBDA=0.04,
      TOX=15e-9, CGSO=0.2e-9, CGDO=0.2e-9, CGBO=0.3e-9, CJ=0.5e-3, MJ=0.5, CJSW=0.4e-9, MJSW=0.33, PB=0.9, IS=1e-15,
      {K}"""
PM = f"""L=1e-6, W=5e-6, AD=10e-12, AS=10e-12, PD=9e-6, PS=9e-6, VTO=-0.9, KP=38e-6, GAMMA=0.5, PHI=0.7, LAMBDA=0.05,
      TOX=15e-9, CGSO=0.2e-9, CGDO=0.2e-9, CGBO=0.3e-9, CJ=0.6e-3, MJ=0.5, CJSW=0.4e-9, MJSW=0.33, PB=0.9, IS=1e-15,
      {K}"""
N_SIZE = "L=1u W=2u AD=4p AS=4p PD=6u PS=6u"
P_SIZE = "L=1u W=5u AD=10p AS=10p PD=9u PS=9u"

CMOS = Circuit(
    "CMOS inverter",
    f"""
    VDD 1 0 5
    VIN 2 0 PULSE(2 5 1n 0.5n 0.5n 4n 1)
    M1 3 2 0 0 NM {N_SIZE}
    M2 3 2 1 1 PM {P_SIZE}
    CL 3 0 50f
    {MOS_CARDS}
    """,
    f"""
    submodel (source) VDD(V=5)
    submodel (trapezoidvoltage) VIN(height=3, offset=2, period=1, rise=0.5e-9, width=4e-9, fall=0.5e-9, t0=1e-9)
    submodel (nmos) M1({NM})
    submodel (pmos) M2({PM})
    submodel (capacitor) CL(C=50e-15)
    node n1, n2, n3
    connect VDD at (G, n1), VIN at (G, n2), M1 at (n3, n2, G, G), M2 at (n3, n2, n1, n1), CL at (n3, G)
    """,
    {"CL.u": "v(3)", "VDD.i": "-vdd#branch"},
    1e-8,
    1e-12,
)

DIFFERENTIAL = Circuit(
    "differential pair",
    """
    VCC 1 0 12
    VEE 0 2 12
    V1 3 0 SIN(0 20m 100k)
    RS1 3 4 1k
    RS2 0 5 1k
    RC1 1 6 10k
    RC2 1 7 10k
    RE 8 2 11k
    Q1 6 4 8 QM
    Q2 7 5 8 QM
    .model QM NPN(IS=5e-16 BF=120 VAF=80 CJE=1p CJC=0.6p TF=0.3n RB=100 ISE=1e-14 NE=1.6)
    """,
    f"""
    submodel (source) VCC(V=12), VEE(V=12)
    submodel (sinevoltage) V1(amplitude=20e-3, f=1e5)
    submodel (resistor) RS1(R=1e3), RS2(R=1e3), RC1(R=1e4), RC2(R=1e4), RE(R=11e3)
    submodel (npn) Q1(IS=5e-16, BF=120, VAF=80, CJE=1e-12, CJC=0.6e-12, TF=0.3e-9, RB=100, ISE=1e-14, NE=1.6, {K}),
      Q2(IS=5e-16, BF=120, VAF=80, CJE=1e-12, CJC=0.6e-12, TF=0.3e-9, RB=100, ISE=1e-14, NE=1.6, {K})
    node n1, n2, n3, n4, n5, n6, n7, n8
    connect VCC at (G, n1), VEE at (n2, G), V1 at (G, n3), RS1 at (n3, n4), RS2 at (G, n5), RC1 at (n1, n6),
      RC2 at (n1, n7), RE at (n8, n2), Q1 at (n6, n4, n8), Q2 at (n7, n5, n8)
    """,
    {"Q1.Vc": "v(6)", "Q2.Vc": "v(7)", "Q1.Ve": "v(8)", "Q1.ib": "(v(3)-v(4))/1k"},
    3e-5,
    6e-9,
)

BIPOLAR = Circuit(
    "bipolar amplifier",
    """
    VCC 1 0 12
    V1 2 0 SIN(0 50m 10k)
    R1 1 3 47k
    R2 3 0 10k
    RC 1 4 3.3k
    RE 5 0 1k
    RL 6 0 10k
    C1 2 3 1u
    C2 4 6 1u
    CE 7 0 10u
    RG 5 7 100
    Q1 4 3 5 QM
    .model QM NPN(IS=1.8e-14 BF=400 NF=1 VAF=80 IKF=0.14 ISE=5e-14 NE=1.46 BR=35 VAR=12.5 IKR=0.03 ISC=1.7e-13 NC=1.27
    + RB=0.56 RE=0.6 RC=0.25 CJE=13p TF=0.64n CJC=4p VJC=0.54 TR=51n XTF=3 VTF=2 ITF=0.1)
    .temp 50
    """,
    f"""
    submodel (source) VCC(V=12)
    submodel (sinevoltage) V1(amplitude=50e-3, f=1e4)
    submodel (resistor) R1(R=47e3), R2(R=1e4), RC(R=3.3e3), RE(R=1e3), RL(R=1e4), RG(R=100)
    submodel (capacitor) C1(C=1e-6), C2(C=1e-6), CE(C=1e-5)
    submodel (npn) Q1(IS=1.8e-14, BF=400, NF=1, VAF=80, IKF=0.14, ISE=5e-14, NE=1.46, BR=35, VAR=12.5, IKR=0.03,
      ISC=1.7e-13, NC=1.27, RB=0.56, RE=0.6, RC=0.25, CJE=13e-12, TF=0.64e-9, CJC=4e-12, VJC=0.54, TR=51e-9, XTF=3,
      VTF=2, ITF=0.1, TEMP=50, {K})
    node n1, n2, n3, n4, n5, n6, n7
    connect VCC at (G, n1), V1 at (G, n2), R1 at (n1, n3), R2 at (n3, G), RC at (n1, n4), RE at (n5, G),
      RL at (n6, G), C1 at (n2, n3), C2 at (n4, n6), CE at (n7, G), RG at (n5, n7), Q1 at (n4, n3, n5)
    """,
    {"Q1.Vc": "v(4)", "Q1.Vb": "v(3)", "Q1.Ve": "v(5)", "RL.u": "v(6)"},
    3e-4,
    6e-8,
)

MOS = Circuit(
    "MOS amplifier",
    """
    VDD 1 0 10
    V1 2 0 SIN(3 0.1 1MEG)
    RG 2 3 10k
    RD 1 4 10k
    RS 5 0 1k
    M1 4 3 5 0 NM L=2u W=40u AD=100p AS=100p
    CL 4 0 1p
    .model NM NMOS(VTO=1 KP=50u GAMMA=0.6 PHI=0.65 LAMBDA=0.02 TOX=40n CGSO=0.3n CGDO=0.3n
    + CBD=0.2p CBS=0.2p RD=20 RS=20)
    .temp 60
    """,
    f"""
    submodel (source) VDD(V=10)
    submodel (sinevoltage) V1(amplitude=0.1, f=1e6, offset=3)
    submodel (resistor) RG(R=1e4), RD(R=1e4), RS(R=1e3)
    submodel (nmos) M1(L=2e-6, W=40e-6, AD=100e-12, AS=100e-12, VTO=1, KP=50e-6, GAMMA=0.6, PHI=0.65, LAMBDA=0.02,
      TOX=40e-9, CGSO=0.3e-9, CGDO=0.3e-9, CBD=0.2e-12, CBS=0.2e-12, RD=20, RS=20, TEMP=60, {K})
    submodel (capacitor) CL(C=1e-12)
    node n1, n2, n3, n4, n5
    connect VDD at (G, n1), V1 at (G, n2), RG at (n2, n3), RD at (n1, n4), RS at (n5, G), M1 at (n4, n3, n5, G),
      CL at (n4, G)
    """,
    {"M1.Vd": "v(4)", "M1.Vg": "v(3)", "M1.Vs": "v(5)"},
    3e-6,
    6e-10,
)


def _ring(stages: int) -> Circuit:
    nodes = range(1, stages + 1)
    before = {k: k - 1 or stages for k in nodes}
    netlist = ["VDD 100 0 5", MOS_CARDS]
    netlist += [f"MN{k} {k} {before[k]} 0 0 NM {N_SIZE}\nMP{k} {k} {before[k]} 100 100 PM {P_SIZE}" for k in nodes]
    netlist += [f"C{k} {k} 0 20f\n.ic v({k})={5 * (k % 2)}" for k in nodes]
    model = ["submodel (source) VDD(V=5)", f"node vdd, n[{stages}]", "connect VDD at (G, vdd)"]
    for k in nodes:
        model += [f"submodel (nmos) MN{k}({NM})", f"submodel (pmos) MP{k}({PM})"]
        model += [f"submodel (capacitor) C{k}(C=20e-15) (ic u={5 * (k % 2)})"]
        gate = f"n[{before[k]}]"
        model += [f"connect MN{k} at (n[{k}], {gate}, G, G), MP{k} at (n[{k}], {gate}, vdd, vdd), C{k} at (n[{k}], G)"]
    return Circuit("ring oscillator", "\n".join(netlist), "\n".join(model), {"C1.u": "v(1)"}, 2e-8, 2e-12, False)


RING = _ring(5)

ZENER = Circuit(
    "Zener regulator",
    """
    V1 1 0 SIN(12 2 1k)
    R1 1 2 220
    D1 0 2 DZ
    RL 2 0 1k
    CL 2 0 100n
    .model DZ D(IS=1e-14 BV=5.1 IBV=5m RS=2 CJO=100p NBV=1.3 N=1.1)
    """,
    f"""
    submodel (sinevoltage) V1(amplitude=2, f=1e3, offset=12)
    submodel (resistor) R1(R=220), RL(R=1000)
    submodel (zener) D1(IS=1e-14, BV=5.1, IBV=5e-3, RS=2, CJO=100e-12, NBV=1.3, N=1.1, {K})
    submodel (capacitor) CL(C=1e-7)
    node n1, n2
    connect V1 at (G, n1), R1 at (n1, n2), D1 at (G, n2), RL at (n2, G), CL at (n2, G)
    """,
    {"CL.u": "v(2)", "V1.i": "-v1#branch"},
    3e-3,
    6e-7,
)

JFET = Circuit(
    "JFET follower",
    """
    VDD 1 0 15
    V1 2 0 SIN(0 2 1MEG)
    RG 2 3 50k
    J1 1 3 4 JM
    RS 4 0 2.2k
    CL 4 0 20p
    .model JM NJF(VTO=-2.5 BETA=1.2m LAMBDA=0.01 RD=10 RS=10 CGS=4p CGD=3p PB=0.8 IS=1e-14)
    """,
    f"""
    submodel (source) VDD(V=15)
    submodel (sinevoltage) V1(amplitude=2, f=1e6)
    submodel (resistor) RG(R=50e3), RS(R=2.2e3)
    submodel (njf) J1(VTO=-2.5, BETA=1.2e-3, LAMBDA=0.01, RD=10, RS=10, CGS=4e-12, CGD=3e-12, PB=0.8, IS=1e-14, {K})
    submodel (capacitor) CL(C=20e-12)
    node n1, n2, n3, n4
    connect VDD at (G, n1), V1 at (G, n2), RG at (n2, n3), J1 at (n1, n3, n4), RS at (n4, G), CL at (n4, G)
    """,
    {"J1.Vs": "v(4)", "J1.Vg": "v(3)"},
    3e-6,
    6e-10,
)

TUNNEL = Circuit(
    "tunnel-diode oscillator",
    """
    V1 1 0 0.25
    R1 1 2 10
    L1 2 3 5u IC=0
    C1 3 0 20p IC=0
    B1 3 0 I=1e-3*v(3)/0.065*exp(1-(v(3)>0 ? v(3) : 0)/0.065)+1e-4*exp(10*(v(3)-0.35))+1e-12*(exp(v(3)/0.025)-1)
    """,
    """
    submodel (source) V1(V=0.25)
    submodel (resistor) R1(R=10)
    submodel (inductor) L1(L=5e-6) (ic i=0)
    submodel (tunneldiode) D1(CJO=20e-12, VT=0.025) (ic v=0)
    node n1, n2, n3
    connect V1 at (G, n1), R1 at (n1, n2), L1 at (n2, n3), D1 at (n3, G)
    """,
    {"D1.v": "v(3)", "L1.i": "i(l1)"},
    6e-7,
    6e-11,
    False,
)


def _mesfet() -> Circuit:
    """The drain current at nine points of bias, and with the source grounded through the gate junction."""
    netlist, model, signals = [], [], {}
    points = [(g, d) for g in (-1.5, -0.5, 0.6) for d in (-0.5, 0.3, 3)]
    for k, (g, d) in enumerate(points, 1):
        gs, gd = f"v(g{k})", f"(v(g{k})-v(d{k}))"
        netlist += [f"VG{k} h{k} 0 {g}", f"RG{k} h{k} g{k} 1k", f"VD{k} d{k} 0 {d}"]
        over = f"({d}>0 ? {gs} : {gd})+1.8"
        current = f"0.06*(({over})>0 ? ({over})^2 : 0)*(1+0.05*abs(v(d{k})))*tanh(2.3*v(d{k}))"
        netlist += [f"B{k} d{k} 0 I={current}", f"DS{k} g{k} 0 DG", f"DD{k} g{k} d{k} DG"]
        model += [f"submodel (source) VG{k}(V={g}), VD{k}(V={d})", f"submodel (resistor) RG{k}(R=1e3)"]
        model += [f"submodel (mesfet) J{k}(VTO=-1.8, BETA=0.06, LAMBDA=0.05, ALPHA=2.3, {K})", f"node g{k}, d{k}, h{k}"]
        model += [f"connect VG{k} at (G, h{k}), RG{k} at (h{k}, g{k}), VD{k} at (G, d{k}), J{k} at (d{k}, g{k}, G)"]
        signals |= {f"J{k}.id": f"-vd{k}#branch", f"J{k}.Vg": f"v(g{k})"}
    netlist.append(".model DG D(IS=1e-14)")
    return Circuit("MESFET curve", "\n".join(netlist), "\n".join(model), signals)


MESFET = _mesfet()

_TRANSISTORS = {
    "n": "1:a,2,e1 2:a,out,e2 5:b,d,f 6:c,d,g 7:vcc,b,d 10:bb,h,i 11:h,h,vee 16:vcc,c,l 17:n,l,o 18:q,r,n 14:vcc,q,s",
    "p": "3:b,bb,e1 4:c,bb,e2 8:a,a,vcc 9:bb,a,vcc 12:j,j,vcc 13:q,j,vcc 20:vee,n,t",
}
_RESISTORS = (
    "1:f,vee,1e3 2:g,vee,1e3 3:d,vee,5e4 4:i,vee,5e3 5:j,h,39e3 9:l,vee,5e4 8:o,vee,100 6:q,r,4500 7:r,n,7500 "
    "10:s,out,27 11:t,out,22 12:out,0,2000"
)


def _operational_amplifier() -> Circuit:
    """The transistors of the operational amplifier 741 as a follower: A. Sedra, K. Smith, Microelectronic Circuits."""
    netlist = ["VCC vcc 0 15", "VEE 0 vee 15", "V1 2 0 PULSE(1 3 1u 10n 10n 10u 1)", "CC c n 30p"]
    nodes = "n2 a b bb c d e1 e2 f g h i j l n o q r s t out vcc vee".split()
    model = ["submodel (source) VCC(V=15), VEE(V=15)", f"node {', '.join(nodes)}"]
    model += ["submodel (trapezoidvoltage) V1(height=2, offset=1, period=1, rise=1e-8, width=1e-5, fall=1e-8, t0=1e-6)"]
    model += [
        "submodel (capacitor) CC(C=30e-12)",
        "connect VCC at (G, vcc), VEE at (vee, G), V1 at (G, n2), CC at (c, n)",
    ]
    values = {"n": "IS=1e-14, BF=200, VAF=125, CJE=1e-12, CJC=1e-12, TF=1e-9", "p": "IS=1e-14, BF=50, VAF=50, TF=5e-9"}
    for kind, class_name in (("n", "npn"), ("p", "pnp")):
        for item in _TRANSISTORS[kind].split():
            number, pins = item.split(":")
            netlist.append(f"Q{number} {pins.replace(',', ' ')} Q{kind}")
            model.append(f"submodel ({class_name}) Q{number}({values[kind]}, {K})")
            model.append(f"connect Q{number} at ({pins.replace(',', ', ').replace('2, e1', 'n2, e1')})")
        netlist.append(f".model Q{kind} {class_name.upper()}({values[kind].replace(',', '')})")
    for item in _RESISTORS.split():
        number, pins = item.split(":")
        first, second, ohms = pins.split(",")
        netlist.append(f"R{number} {first} {second} {ohms}")
        other = "G" if second == "0" else second
        model.append(f"submodel (resistor) R{number}(R={ohms})\nconnect R{number} at ({first}, {other})")
    signals = {"Q2.Vb": "v(out)", "Q16.Vb": "v(c)", "Q14.Vb": "v(q)", "Q9.Vc": "v(bb)"}
    return Circuit("operational amplifier", "\n".join(netlist), "\n".join(model), signals, 8e-6, 2e-9)


AMPLIFIER = _operational_amplifier()

CIRCUITS = (RECTIFIER, RTL, CMOS, DIFFERENTIAL, BIPOLAR, MOS, RING, ZENER, JFET, TUNNEL, MESFET, AMPLIFIER)
