"""Every class of the standard library in a small model with a known solution.

References are formulas: linear circuits and shafts by their differential equations' closed forms,
shapes of sources by their definitions, transfer functions by the inverse Laplace transform.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate

LIBRARIES = Path(__file__).parents[2] / "stdlib"
Curve = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, slots=True)
class Example:
    """The items of a model, and what its variables must be over time, by name."""

    body: str
    expected: dict[str, Curve]
    stop: float = 2.0
    library: str = "electrical"
    tags: tuple[str, ...] = field(default=())


def flat(value: float) -> Curve:
    return lambda t: np.full_like(t, value)


def step(t: np.ndarray) -> np.ndarray:
    return 1 + 3 * (t >= 0.5)


def ramp(t: np.ndarray) -> np.ndarray:
    return 1 + 3 * np.clip((t - 0.5) / 0.8, 0, 1)


def sine(t: np.ndarray) -> np.ndarray:
    return np.where(t < 0.5, 1, 1 + 3 * np.sin(2 * np.pi * 2 * (t - 0.5) + 0.3))


def damped(t: np.ndarray) -> np.ndarray:
    return np.where(t < 0.5, 1, 1 + 3 * np.exp(-1.5 * (t - 0.5)) * np.sin(2 * np.pi * 2 * (t - 0.5) + 0.3))


def exponential(t: np.ndarray) -> np.ndarray:
    up = 3 * (1 - np.exp(-np.maximum(t - 0.5, 0) / 0.2))
    down = 3 * (1 - np.exp(-0.7 / 0.2)) * np.exp(-(t - 1.2) / 0.1)
    return 1 + np.where(t < 1.2, up, down)


def share(t: np.ndarray, period: float = 0.6) -> np.ndarray:
    """How far the period has gone, from 0 to 1."""
    return np.modf((t - 0.5) / period)[0]


def pulse(t: np.ndarray) -> np.ndarray:
    return 1 + 3 * ((t >= 0.5) & (share(t) < 0.4))


def sawtooth(t: np.ndarray) -> np.ndarray:
    return 1 + np.where(t < 0.5, 0, 3 * share(t))


def trapezoid(t: np.ndarray) -> np.ndarray:
    corners, heights = [0, 0.1, 0.3, 0.45, 0.6], [0, 3, 3, 0, 0]
    return 1 + np.where(t < 0.5, 0, np.interp(0.6 * share(t), corners, heights))


SHAPES: dict[str, tuple[str, Curve]] = {
    "step": ("height=3", step),
    "ramp": ("height=3, duration=0.8", ramp),
    "sine": ("amplitude=3, f=2, phase=0.3", sine),
    "dampedsine": ("amplitude=3, f=2, phase=0.3, damping=1.5", damped),
    "exponential": ("height=3, width=0.7, rise=0.2, fall=0.1", exponential),
    "pulse": ("height=3, period=0.6, width=0.4", pulse),
    "sawtooth": ("height=3, period=0.6", sawtooth),
    "trapezoid": ("height=3, period=0.6, rise=0.1, width=0.2, fall=0.15", trapezoid),
}


def shaped() -> dict[str, Example]:
    """Sources of all shapes, offset 1, from 0.5 on, on a resistor of 2 Ohm, a shaft, or a wall."""
    found = {}
    for shape, (values, curve) in SHAPES.items():
        given = f"{values}, offset=1, t0=0.5"
        for kind, name in (("voltage", "R.u"), ("current", "R.i")):
            body = f"submodel ({shape}{kind}) S({given})\nsubmodel (resistor) R(R=2)\n{GROUND}\nconnect G - S - R - G"
            scaled = {"R.u": curve, "R.i": lambda t, c=curve: c(t) / 2}
            if kind == "current":
                scaled = {"R.i": curve, "R.u": lambda t, c=curve: c(t) * 2}
            found[f"{shape}{kind}"] = Example(body, {name: scaled[name], **scaled})
        found[f"{shape}signal"] = Example(f"submodel ({shape}signal) S({given})", {"S.y": curve}, library="signals")
    for kind in ("step", "ramp", "sine", "pulse"):
        values, curve = SHAPES[kind]
        body = f"submodel ({kind}torque) S({values}, offset=1, t0=0.5)\nsubmodel (fixed) F\nsubmodel (torquesensor) m\n"
        body += "connect S to m to F"
        found[f"{kind}torque"] = Example(body, {"m.t": curve}, library="rotational")
    for kind in ("step", "ramp", "sine"):
        values, curve = SHAPES[kind]
        body = f"submodel ({kind}speed) S({values}, offset=1, t0=0.5) (ic phi=0)\nsubmodel (bearing) b(d=2)\n"
        body += "connect S to b"
        found[f"{kind}speed"] = Example(
            body, {"b.w": curve, "S.tau": lambda t, c=curve: -2 * c(t)}, library="rotational"
        )
    for kind in ("step", "sine"):
        values, curve = SHAPES[kind]
        body = f"submodel ({kind}temperature) S({values}, offset=1, t0=0.5)\nsubmodel (temperaturesensor) m\n"
        body += "connect S at m"
        found[f"{kind}temperature"] = Example(body, {"m.T": curve}, library="thermal")
    for kind in ("step", "sine", "pulse"):
        values, curve = SHAPES[kind]
        body = f"submodel ({kind}heatflow) S({values}, offset=1, t0=0.5)\nsubmodel (fixedtemperature) r\n"
        body += "submodel (heatflowsensor) m\nconnect S to m to r"
        found[f"{kind}heatflow"] = Example(body, {"m.Q": curve}, library="thermal")
    return found


GROUND = "submodel (ground) G"
OSCILLATION = np.sqrt(4 / 0.5 - (0.3 / (2 * 0.5)) ** 2)
"""Angular frequency of J = 0.5, c = 4, d = 0.3."""


def swing(t: np.ndarray) -> np.ndarray:
    """Free motion of J, c, d from 1 rad at rest."""
    return np.exp(-0.3 * t) * (np.cos(OSCILLATION * t) + 0.3 / OSCILLATION * np.sin(OSCILLATION * t))


def second_order(t: np.ndarray) -> np.ndarray:
    """Step response of 4/(s^2 + 2*s + 4)."""
    w = np.sqrt(3)
    return 1 - np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)


def travelled(t: np.ndarray) -> np.ndarray:
    """From 0 to 1 with acceleration 1 for 0.5 s, speed 0.5 for 1.5 s, and deceleration 1."""
    begun, ended = np.clip(t, 0, 0.5), np.clip(2.5 - t, 0, 0.5)
    return begun**2 / 2 + 0.5 * np.clip(t - 0.5, 0, 1.5) + np.where(t > 2, 0.125 - ended**2 / 2, 0)


ELECTRICAL = {
    "resistor source ground": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=3)\n{GROUND}\nconnect G - U - R - G",
        {"R.i": flat(2), "U.i": flat(2), "R.Va": flat(6)},
    ),
    "conductor currentsource Common": Example(
        "submodel (currentsource) J(I=6)\nsubmodel (conductor) g(G=3)\nsubmodel (Common) Common\n"
        "connect Common - J - g - Common",
        {"g.u": flat(2), "J.i": flat(6)},
    ),
    "capacitor": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\nsubmodel (capacitor) C(C=0.25) (ic u=1)\n{GROUND}\n"
        "connect G - U - R - C - G",
        {"C.u": lambda t: 6 - 5 * np.exp(-t / 0.5), "C.i": lambda t: 2.5 * np.exp(-t / 0.5)},
    ),
    "inductor": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\nsubmodel (inductor) L(L=0.5) (ic i=0)\n{GROUND}\n"
        "connect G - U - R - L - G",
        {"L.i": lambda t: 3 * (1 - np.exp(-4 * t)), "L.u": lambda t: 6 * np.exp(-4 * t)},
    ),
    "signalvoltage signalcurrent": Example(
        "submodel (signalvoltage) U\nsubmodel (signalcurrent) J\nsubmodel (resistor) R(R=2), Q(R=4)\n"
        f"{GROUND}\nconnect G - U - R - G, G - J - Q - G\nU.e = 5*cos(3*time)\nJ.j = time^2",
        {"R.i": lambda t: 2.5 * np.cos(3 * t), "Q.u": lambda t: 4 * t**2},
    ),
    "emf": Example(
        "submodel (speedsource) S(W=10) (ic phi=0)\nsubmodel (emf) M(k=0.5)\nsubmodel (resistor) R(R=2)\n"
        f"{GROUND}\nconnect G - M - R - G, S at M:mech",
        {"R.u": flat(-5), "R.i": flat(-2.5), "M.tau": flat(1.25), "M.phi": lambda t: 10 * t},
        tags=("rotational",),
    ),
    "OpAmp": Example(
        "submodel (sinevoltage) U(amplitude=2, f=1)\nsubmodel (resistor) R1(R=10), R2(R=50)\nsubmodel (OpAmp) O\n"
        f"{GROUND}\nnode n1, n2, n3\nconnect U at (G, n1), R1 at (n1, n2), R2 at (n2, n3), O at (G, n2, n3)",
        {"O.Vo": lambda t: -10 * np.sin(2 * np.pi * t)},
    ),
    "OpAmpP": Example(
        "submodel (sinevoltage) U(amplitude=2, f=1)\nsubmodel (resistor) R1(R=10), R2(R=50), R3(R=10), R4(R=50)\n"
        f"submodel (OpAmpP) O, P(limited=true, Vmax=6, Vmin=-4)\n{GROUND}\nnode n1, n2, n3, n4, n5\n"
        "connect U at (G, n1), R1 at (n1, n2), R2 at (n2, n3), O at (G, n2, n3)\n"
        "connect R3 at (n1, n4), R4 at (n4, n5), P at (G, n4, n5)",
        {
            "O.Vo": lambda t: -10 * np.sin(2 * np.pi * t),
            "P.Vo": lambda t: np.clip(-10 * np.sin(2 * np.pi * t), -4, 6),
        },
    ),
    "hall": Example(
        "submodel (source) U(V=6)\nsubmodel (resistor) R(R=3), Q(R=5)\nsubmodel (hall) h(k=0.5)\n"
        f"{GROUND}\nnode n1, n2, n3\nconnect U at (G, n1), R at (n1, n2), h at (n2, G, n3), Q at (n3, G)",
        {"h.i": flat(2), "Q.u": flat(1), "h.ih": flat(-0.2), "h.ib": flat(-1.8)},
    ),
    "voltmeter ammeter": Example(
        "submodel (source) U(V=6)\nsubmodel (resistor) R(R=3)\nsubmodel (voltmeter) v\nsubmodel (ammeter) a\n"
        f"{GROUND}\nconnect G - U - a - (R // v) - G",
        {"a.i": flat(2), "v.u": flat(6), "v.i": flat(0)},
    ),
}

ROTATIONAL = {
    "inertia torquesource": Example(
        "submodel (torquesource) T(T=3)\nsubmodel (inertia) J(J=2) (ic phi=1, w=0)\nconnect T to J",
        {"J.phi": lambda t: 1 + 0.75 * t**2, "J.w": lambda t: 1.5 * t, "J.a": flat(1.5)},
    ),
    "spring": Example(
        "submodel (fixed) F\nsubmodel (spring) c(c=8)\nsubmodel (inertia) J(J=0.5) (ic phi=1, w=0)\n"
        "connect F to c to J",
        {"J.phi": lambda t: np.cos(4 * t), "c.t": lambda t: -8 * np.cos(4 * t)},
    ),
    "spring spring": Example(
        "submodel (fixed) F(phi0=1)\nsubmodel (spring) c(c=8), d(c=8, phi0=1)\n"
        "submodel (inertia) J(J=0.25) (ic phi=1, w=0)\n"
        "connect F to c to d to J",
        {"J.phi": lambda t: np.cos(4 * t), "c.dphi": lambda t: (1 - np.cos(4 * t) - 1) / 2},
    ),
    "damper": Example(
        "submodel (fixed) F\nsubmodel (damper) d(d=3)\nsubmodel (inertia) J(J=2) (ic phi=0, w=1)\nconnect F to d to J",
        {"J.w": lambda t: np.exp(-1.5 * t), "d.t": lambda t: -3 * np.exp(-1.5 * t)},
    ),
    "springdamper": Example(
        "submodel (fixed) F\nsubmodel (springdamper) s(c=4, d=0.3)\nsubmodel (inertia) J(J=0.5) (ic phi=1, w=0)\n"
        "connect F to s to J",
        {"J.phi": swing},
    ),
    "gear": Example(
        "submodel (torquesource) T(T=2)\nsubmodel (inertia) J1(J=0.1), J2(J=1.5) (ic phi=0, w=0)\n"
        "submodel (gear) g(ratio=5)\n"
        "connect T to J1 to g to J2",
        {"J2.a": flat(2.5), "J1.a": flat(12.5), "J2.phi": lambda t: 1.25 * t**2, "g.ta": flat(0.75),
         "g.tb": flat(-3.75)},
    ),
    "bearing": Example(
        "submodel (torquesource) T(T=3)\nsubmodel (bearing) b(d=2)\nsubmodel (inertia) J(J=0.5) (ic phi=0, w=0)\n"
        "connect T to b to J",
        {"J.w": lambda t: 1.5 * (1 - np.exp(-4 * t))},
    ),
    "pendulumarm without gravity": Example(
        "submodel (pendulumarm) p(m=2, l=0.5, J=0.5, d=2, g=0) (ic phi=0, w=3)",
        {"p.w": lambda t: 3 * np.exp(-2 * t), "p.phi": lambda t: 1.5 * (1 - np.exp(-2 * t))},
    ),
    "pendulumarm held": Example(
        "submodel (pendulumarm) p(m=2, l=0.5)\nsubmodel (fixed) F(phi0=0.4)\nconnect F at p",
        {"p.tau": flat(2 * 0.5 * 9.81 * np.sin(0.4)), "F.tau": flat(-2 * 0.5 * 9.81 * np.sin(0.4))},
    ),
    "signaltorque signalspeed signalangle": Example(
        "submodel (signaltorque) T\nsubmodel (signalspeed) S (ic phi=0)\nsubmodel (signalangle) P\n"
        "submodel (inertia) J(J=2) (ic phi=0, w=0)\nsubmodel (bearing) b(d=2)\nsubmodel (inertia) K(J=3)\n"
        "connect T to J, S to b, P to K\nT.torque = 6*time\nS.w = cos(time)\nP.phi = sin(2*time)",
        {"J.w": lambda t: 1.5 * t**2, "S.tau": lambda t: -2 * np.cos(t), "P.tau": lambda t: 12 * np.sin(2 * t)},
    ),
    "speedsource": Example(
        "submodel (speedsource) S(W=3) (ic phi=1)\nsubmodel (bearing) b(d=2)\nconnect S to b",
        {"S.phi": lambda t: 1 + 3 * t, "S.tau": flat(-6)},
    ),
    "sineangle": Example(
        "submodel (sineangle) S(amplitude=2, f=0.5)\nsubmodel (inertia) J(J=3)\nconnect S to J",
        {"J.phi": lambda t: 2 * np.sin(np.pi * t), "S.tau": lambda t: 6 * np.pi**2 * np.sin(np.pi * t)},
    ),
    "anglesensor speedsensor accelerationsensor relativesensor torquesensor": Example(
        "submodel (torquesource) T(T=3)\nsubmodel (torquesensor) m\nsubmodel (inertia) J(J=2) (ic phi=0, w=0)\n"
        "submodel (anglesensor) p\nsubmodel (speedsensor) v\nsubmodel (accelerationsensor) q\n"
        "submodel (fixed) F(phi0=1)\n"
        "submodel (relativesensor) r\nconnect T to m to J to r to F, p at J:A, v at J:A, q at J:A",
        {
            "p.phi": lambda t: 0.75 * t**2,
            "v.w": lambda t: 1.5 * t,
            "q.a": flat(1.5),
            "m.t": flat(3),
            "r.dphi": lambda t: 0.75 * t**2 - 1,
        },
    ),
}  # fmt: skip

THERMAL = {
    "heatcapacitor thermalconductor fixedtemperature": Example(
        "submodel (heatcapacitor) C(C=10) (ic T=350)\nsubmodel (thermalconductor) w(G=5)\n"
        "submodel (fixedtemperature) r(T0=300)\nconnect C to w to r",
        {"C.T": lambda t: 300 + 50 * np.exp(-0.5 * t), "w.Q": lambda t: 250 * np.exp(-0.5 * t)},
    ),
    "thermalresistor heatflowsource": Example(
        "submodel (heatflowsource) P(P=100)\nsubmodel (heatcapacitor) C(C=10) (ic T=293.15)\n"
        "submodel (thermalresistor) w(R=0.2)\nsubmodel (fixedtemperature) r\nconnect P at C, C to w to r",
        {"C.T": lambda t: 293.15 + 20 * (1 - np.exp(-0.5 * t))},
    ),
    "convection": Example(
        "submodel (fixedtemperature) a(T0=320), b(T0=300)\nsubmodel (convection) c(h=10, area=0.5)\n"
        "connect a to c to b",
        {"c.Q": flat(100), "c.dT": flat(20), "a.Q": flat(-100), "b.Q": flat(100)},
    ),
    "radiation": Example(
        "submodel (fixedtemperature) a(T0=400), b(T0=300)\nsubmodel (radiation) c(F=2)\nconnect a to c to b",
        {"c.Q": flat(2 * 5.670374419e-8 * (400**4 - 300**4))},
    ),
    "two bodies": Example(
        "submodel (heatcapacitor) a(C=10) (ic T=350), b(C=30) (ic T=310)\nsubmodel (thermalconductor) w(G=15)\n"
        "connect a to w to b",
        {"a.T": lambda t: 320 + 30 * np.exp(-2 * t), "b.T": lambda t: 320 - 10 * np.exp(-2 * t)},
    ),
    "signaltemperature signalheatflow": Example(
        "submodel (signaltemperature) S\nsubmodel (thermalconductor) w(G=2)\nsubmodel (fixedtemperature) r(T0=300)\n"
        "submodel (signalheatflow) P\nsubmodel (heatcapacitor) C(C=4) (ic T=300)\nconnect S to w to r, P at C\n"
        "S.T = 300 + 5*sin(time)\nP.flow = 8*time",
        {"w.Q": lambda t: 10 * np.sin(t), "C.T": lambda t: 300 + t**2},
    ),
    "temperaturesensor relativetemperaturesensor heatflowsensor": Example(
        "submodel (fixedtemperature) a(T0=320), b(T0=300)\nsubmodel (thermalconductor) c(G=2)\n"
        "submodel (heatflowsensor) q\nsubmodel (temperaturesensor) t\nsubmodel (relativetemperaturesensor) d\n"
        "connect a to q to c to b, t at q:A, a to d to b",
        {"q.Q": flat(40), "t.T": flat(320), "d.dT": flat(20), "d.Q": flat(0)},
    ),
}

BLOCKS = {
    "gain integrator": Example(
        "submodel (gain) g(k=3)\nsubmodel (integrator) s(k=2) (ic y=1)\nconnect g to s\ng.u = cos(time)",
        {"g.y": lambda t: 3 * np.cos(t), "s.y": lambda t: 1 + 6 * np.sin(t)},
    ),
    "summer comparator multiplier": Example(
        "submodel (summer) s(n=3, k=[1, -2, 3])\nsubmodel (comparator) c\nsubmodel (multiplier) m\n"
        "s.u = [1, time, time^2]\nc.wanted = s.y\nc.measured = 5\nm.u1 = c.y\nm.u2 = time",
        {"s.y": lambda t: 1 - 2 * t + 3 * t**2, "m.y": lambda t: t * (3 * t**2 - 2 * t - 4)},
    ),
    "limiter deadzone": Example(
        "submodel (limiter) l(low=-1, high=2)\nsubmodel (deadzone) d(low=-1, high=2)\n"
        "l.u = 3*sin(4*time)\nd.u = 3*sin(4*time)",
        {
            "l.y": lambda t: np.clip(3 * np.sin(4 * t), -1, 2),
            "d.y": lambda t: 3 * np.sin(4 * t) - np.clip(3 * np.sin(4 * t), -1, 2),
        },
    ),
    "firstorder": Example(
        "submodel (firstorder) f(k=3, T=0.5) (ic y=1)\nf.u = 2", {"f.y": lambda t: 6 - 5 * np.exp(-2 * t)}
    ),
    "secondorder": Example(
        "submodel (secondorder) f(w=2, D=0.5) (ic y=0, v=0)\nf.u = 1", {"f.y": second_order}, stop=5
    ),
    "lagderivative": Example(
        "submodel (lagderivative) f(k=3, T=0.5) (ic x=0)\nf.u = time", {"f.y": lambda t: 3 * (1 - np.exp(-2 * t))}
    ),
    "PI": Example(
        "submodel (PI) c(k=3, T=0.5) (ic x=0)\nc.u = cos(time)", {"c.y": lambda t: 3 * (np.cos(t) + 2 * np.sin(t))}
    ),
    "PID": Example(
        "submodel (PID) c(k=3, Ti=0.5, Td=2, N=4) (ic x=0, f=0)\nc.u = time",
        {"c.y": lambda t: 3 * (t + t**2 + 2 * (1 - np.exp(-2 * t)))},
    ),
    "transferfunction of order 2": Example(
        "submodel (transferfunction) f(n=2, b=[0, 0, 4], a=[1, 2, 4])\nf.u = 1", {"f.y": second_order}, stop=5
    ),
    "transferfunction of order 1": Example(
        "submodel (transferfunction) f(n=1, b=[3, 2], a=[1, 4])\nf.u = 1",
        {"f.y": lambda t: 0.5 + 2.5 * np.exp(-4 * t)},
    ),
    "fastestpath": Example(
        "submodel (fastestpath) p(n=2, q0=[0, 1], q1=[2, -2], vmax=[1, 4], amax=[4, 3], t0=0.5)",
        {
            "p.q[1]": lambda t: 2 * travelled(t - 0.5),
            "p.q[2]": lambda t: 1 - 3 * travelled(t - 0.5),
            "p.w[2]": lambda t: -3 * np.clip(np.minimum(t - 0.5, 3 - t), 0, 0.5),
            "p.a[1]": lambda t: 2.0 * ((t > 0.5) & (t < 1)) - 2.0 * ((t > 2.5) & (t < 3)),
        },
        stop=4,
    ),
    "fastestpath over a short way": Example(
        "submodel (fastestpath) p(n=1, q0=[1], q1=[2], vmax=[10], amax=[4])",
        {"p.q[1]": lambda t: np.where(t < 0.5, 1 + 2 * t**2, 2 - 2 * np.clip(1 - t, 0, 0.5) ** 2)},
    ),
    "statespace": Example(
        "submodel (statespace) f(n=2, A=[0, 1; -4, -2], B=[0, 4], C=[1, 0], D=2)\nf.u = 1",
        {"f.y": lambda t: 2 + second_order(t)},
        stop=5,
    ),
}

GROUPS = {"electrical": ELECTRICAL, "rotational": ROTATIONAL, "thermal": THERMAL, "blocks": BLOCKS}
EXAMPLES: dict[str, tuple[str, Example]] = {
    **{name: (library, example) for library, group in GROUPS.items() for name, example in group.items()},
    **{name: (example.library, example) for name, example in shaped().items()},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    library, example = EXAMPLES[name]
    file = tmp_path / "m.mdl"
    included = "".join(f"@{name}.lib\n" for name in (library, *example.tags))
    file.write_text(f"{included}model M\n{example.body}\nend\n")
    translation = translate(file)
    assert [d for d in translation.report.diagnostics if d.code.startswith("U")] == []
    result = translation.simulate(stop=example.stop, tolerance=1e-9)
    time = np.asarray(result.time)
    for variable, curve in example.expected.items():
        before, after = curve(time - 1e-7), curve(time + 1e-7)
        smooth = np.abs(after - before) < 1e-3
        assert smooth.sum() > 0.9 * len(time), "most of the points are between jumps"
        exact = curve(time)
        span = max(np.ptp(exact), np.abs(exact).max(), 1e-3)
        assert np.abs(result[variable] - exact)[smooth].max() < 1e-6 * span, variable


def test_pendulum_arm_keeps_its_energy(tmp_path: Path) -> None:
    """(J + m*l^2)*w^2/2 - m*g*l*cos(phi) is constant without friction."""
    file = tmp_path / "m.mdl"
    file.write_text("@rotational.lib\nmodel M\nsubmodel (pendulumarm) p(m=2, l=0.5, J=0.1) (ic phi=2, w=0)\nend\n")
    result = translate(file).simulate(stop=10, tolerance=1e-9)
    energy = 0.6 / 2 * result["p.w"] ** 2 - 2 * 9.81 * 0.5 * np.cos(result["p.phi"])
    assert np.abs(energy - energy[0]).max() < 1e-6 * 2 * 9.81


@pytest.mark.parametrize("library", ["electrical", "rotational", "signals", "thermal", "blocks"])
def test_no_class_is_forgotten(library: str) -> None:
    """Every class that is not a superclass alone stands in an example."""
    text = (LIBRARIES / f"{library}.lib").read_text(encoding="utf-8")
    superclasses = {"twopin", "twoport", "heatport", "compliant", "heatpath", "block"}
    others = [path.read_text(encoding="utf-8") for path in sorted((LIBRARIES.parent / "tests/domains").glob("*.py"))]
    bodies = [example.body for _, example in EXAMPLES.values()]
    used = set(re.findall(r"submodel \((\w+)\)", "\n".join([*bodies, *others])))
    assert set(re.findall(r"^model class (?:\([^)]*\) )?(\w+)", text, re.MULTILINE)) - superclasses - used == set()
