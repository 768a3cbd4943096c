"""Two ports, lines, controlled sources, meters, amplifiers and three phases of electrical.lib against closed forms."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from tests.domains.examples import GROUND, Example, compare, flat, run

DRIVEN = f"submodel (sinevoltage) U(amplitude=3, f=0.5)\nsubmodel (resistor) R(R=2), Q(R=4)\n{GROUND}\nnode a, b, c\n"


def wave(t: np.ndarray) -> np.ndarray:
    return 3 * np.sin(np.pi * t)


def through(t: np.ndarray) -> np.ndarray:
    """The response of R = 2, L = 0.5 to a step of 6 V, from rest."""
    return 3 * (1 - np.exp(-4 * t))


def second_coil(t: np.ndarray) -> np.ndarray:
    """u2 of an open second coil with M = 0.2 beside L1 = 0.5."""
    return 0.2 * 12 * np.exp(-4 * t)


def reflected(t: np.ndarray) -> np.ndarray:
    """Step of 1 V at 0.2 s behind 50 Ohm into a line of 50 Ohm and 0.3 s, open at its end: all of it at 0.5 s."""
    return 1.0 * (t >= 0.5)


def three(phase: float) -> np.ndarray:
    return lambda t: 230 * np.sqrt(2) * np.sin(2 * np.pi * t - phase * 2 * np.pi / 3)


def switched_on(phase: float, peak: float) -> np.ndarray:
    """Current of R = 2, L = 0.5 behind a sine of 1 Hz, from 0."""
    w, lag = 2 * np.pi, np.arctan2(np.pi, 2)
    steady = peak / np.hypot(2, np.pi)
    return lambda t: steady * (np.sin(w * t + phase - lag) - np.sin(phase - lag) * np.exp(-4 * t))


EXAMPLES = {
    "coupledinductors": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\nsubmodel (voltmeter) V\n{GROUND}\n"
        "submodel (coupledinductors) T(L1=0.5, L2=0.3, M=0.2) (ic i1=0)\nnode a, b\n"
        "connect U at (G, a), R at (a, b), T at (b, G, n2, G), V at (n2, G)\nnode n2",
        {"T.i1": through, "V.u": second_coil},
    ),
    "transformer": Example(
        f"{DRIVEN}submodel (transformer) T(ratio=3)\nconnect U at (G, a), T at (a, G, b, G), Q at (b, G), R at (a, G)",
        {"Q.u": lambda t: wave(t) / 3, "T.i1": lambda t: wave(t) / 36},
    ),
    "gyrator makes an inductor of a capacitor": Example(
        f"submodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\nsubmodel (gyrator) g(G=0.5)\nnode a, b, c\n"
        f"submodel (capacitor) C(C=0.125) (ic u=0)\n{GROUND}\n"
        "connect U at (G, a), R at (a, b), g at (b, G, c, G), C at (c, G)",
        {"R.i": through},
    ),
    "VCVS": Example(
        f"{DRIVEN}submodel (VCVS) S(k=-5)\nconnect U at (G, a), R at (a, G), S at (a, G, b, G), Q at (b, G)",
        {"Q.u": lambda t: -5 * wave(t)},
    ),
    "VCCS": Example(
        f"{DRIVEN}submodel (VCCS) S(g=0.1)\nconnect U at (G, a), R at (a, G), S at (a, G, b, G), Q at (b, G)",
        {"Q.u": lambda t: -0.4 * wave(t)},
    ),
    "CCVS": Example(
        f"{DRIVEN}submodel (CCVS) S(r=3)\nconnect U at (G, a), R at (a, c), S at (c, G, b, G), Q at (b, G)",
        {"Q.u": lambda t: 1.5 * wave(t)},
    ),
    "CCCS": Example(
        f"{DRIVEN}submodel (CCCS) S(k=3)\nconnect U at (G, a), R at (a, c), S at (c, G, b, G), Q at (b, G)",
        {"Q.u": lambda t: -6 * wave(t)},
    ),
    "wattmeter": Example(
        f"{DRIVEN}submodel (wattmeter) W\nconnect U at (G, a), W at (a, b, G), R at (b, G), Q at (c, G), Q at (c, G)",
        {"W.p": lambda t: wave(t) ** 2 / 2},
    ),
    "transmissionline open at its end": Example(
        f"submodel (stepvoltage) U(height=1, t0=0.2)\nsubmodel (resistor) R(R=50)\nsubmodel (voltmeter) V\n{GROUND}\n"
        "submodel (transmissionline) T(Z=50, T=0.3)\nnode a, b, c\n"
        "connect U at (G, a), R at (a, b), T at (b, G, c, G), V at (c, G)",
        {"V.u": reflected, "T.u1": lambda t: 0.5 * (t >= 0.2) + 0.5 * (t >= 0.8)},
    ),
    "potentiometer": Example(
        f"submodel (source) U(V=6)\nsubmodel (potentiometer) P(R=100)\nsubmodel (resistor) Q(R=50)\n{GROUND}\n"
        "node a, b\n"
        "connect U at (G, a), P at (a, G, b), Q at (b, G)\nP.x = time/2",
        {"Q.u": lambda t: 6 * (1 - t / 2) * 50 / ((1 - t / 2) * t / 2 * 100 + 50)},
    ),
    "OpAmpF as a follower": Example(
        f"submodel (stepvoltage) U(height=1, t0=0)\nsubmodel (OpAmpF) A(gain=1000, GB=1, Ri=1e12) (ic x=0)\n{GROUND}\n"
        "node a, b\nconnect U at (G, a), A at (a, b, b)",
        {"A.Vo": lambda t: 1000 / 1001 * (1 - np.exp(-2 * np.pi * t * 1001 / 1000))},
    ),
    "linearemf": Example(
        "@translational.lib\nsubmodel (source) U(V=6)\nsubmodel (resistor) R(R=2)\nsubmodel (linearemf) E(k=3)\n"
        f"{GROUND}\n"
        "submodel (mass) m(m=0.9) (ic s=0, v=0)\nconnect G - U - R - E - G, E:mech to m",
        {"m.v": lambda t: 2 * (1 - np.exp(-5 * t)), "R.i": lambda t: 3 * np.exp(-5 * t)},
    ),
    "threephasevoltage starload without neutral": Example(
        "submodel (threephasevoltage) S(f=1)\nsubmodel (starload) Z(R=10)\nsubmodel (ground) G\n"
        "node a, b, c\nconnect S at (a, b, c, G), Z:a at a, Z:b at b, Z:c at c",
        {f"Z.i{k}": lambda t, k=k: three("abc".index(k))(t) / 10 for k in "abc"} | {"Z.Vn": flat(0)},
    ),
    "starload with inductances, switched on": Example(
        "submodel (threephasevoltage) S(f=1)\nsubmodel (starload) Z(R=2, L=0.5) (ic ia=0, ib=0)\nsubmodel (ground) G\n"
        "node a, b, c, n\nconnect S at (a, b, c, n), Z at (a, b, c, n), G at n",
        {"Z.ia": switched_on(0, 230 * np.sqrt(2)), "Z.ic": switched_on(2 * np.pi / 3, 230 * np.sqrt(2))},
    ),
    "deltaload with inductances, switched on": Example(
        "submodel (threephasevoltage) S(f=1)\nsubmodel (deltaload) Z(R=2, L=0.5) (ic iab=0, ibc=0, ica=0)\n"
        "submodel (ground) G\nnode a, b, c\nconnect S at (a, b, c, G), Z at (a, b, c)",
        {"Z.iab": switched_on(np.pi / 6, 230 * np.sqrt(6))},
    ),
    "deltaload": Example(
        "submodel (threephasevoltage) S(f=1)\nsubmodel (deltaload) Z(R=30)\nsubmodel (ground) G\n"
        "node a, b, c\nconnect S at (a, b, c, G), Z at (a, b, c)",
        {f"Z.i{k}": lambda t, k=k: three("abc".index(k))(t) / 10 for k in "abc"},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    libraries = "electrical"
    example = EXAMPLES[name]
    if example.body.startswith("@"):
        first, body = example.body.split("\n", 1)
        libraries, example = f"electrical {first[1:-4]}", Example(body, example.expected, example.stop)
    compare(libraries, example, tmp_path)


def test_line_of_sections_rings_as_the_modes_of_its_equations(tmp_path: Path) -> None:
    """Open at both ends, n sections swing in their lowest mode with w = 2n/sqrt(LC)*sin(pi/(2n))."""
    n, inductance, capacitance = 8, 2.0, 0.5
    body = (
        f"submodel (rlgcline) T(n={n}, L={inductance}, C={capacitance})\nsubmodel (currentsource) U(I=0), W(I=0)\n"
        f"{GROUND}\n"
        "node a, b\nconnect U at (G, a), T at (a, G, b, G), W at (G, b)\n"
    )
    start = ", ".join(f"{float(np.cos(np.pi * (k - 0.5) / n))!r}" for k in range(1, n + 1))
    body = body.replace(f"C={capacitance})", f"C={capacitance}) (ic v=[{start}])")
    result = run("electrical", body, tmp_path, 3.0)
    w = 2 * n / np.sqrt(inductance * capacitance) * np.sin(np.pi / (2 * n))
    for k in (1, n):
        exact = np.cos(np.pi * (k - 0.5) / n) * np.cos(w * np.asarray(result.time))
        assert np.abs(result[f"T.v[{k}]"] - exact).max() < 1e-6


def test_line_of_sections_loses_as_its_ladder(tmp_path: Path) -> None:
    """Constant voltage behind 20 Ohm, open end: where nothing changes any more it is a ladder of R/n and G/n."""
    n, r, g = 5, 30.0, 0.02
    body = (
        f"submodel (source) U(V=10)\nsubmodel (resistor) Q(R=20)\nsubmodel (voltmeter) V\n{GROUND}\nnode a, b, c\n"
        f"submodel (rlgcline) T(n={n}, R={r}, G={g}, L=0.1, C=1e-4)\n"
        "connect U at (G, a), Q at (a, b), T at (b, G, c, G), V at (c, G)"
    )
    result = run("electrical", body, tmp_path, 1.0)
    # voltages in the middle of the sections: half a section of r before the first, whole ones between
    between = np.array([1 / (20 + r / (2 * n)), *[n / r] * (n - 1)])
    matrix = np.diag(between + np.append(between[1:], 0) + g / n)
    matrix -= np.diag(between[1:], 1) + np.diag(between[1:], -1)
    exact = np.linalg.solve(matrix, [10 * between[0], *[0] * (n - 1)])
    np.testing.assert_allclose([result.final[f"T.v[{k}]"] for k in range(1, n + 1)], exact, rtol=1e-7)


def test_heat_of_a_resistor_warms_its_body(tmp_path: Path) -> None:
    """C*der(T) = U^2/(R0*(1 + alpha*(T - T0))): with x = T - T0, x + alpha*x^2/2 = U^2*t/(R0*C)."""
    body = (
        f"submodel (source) U(V=10)\nsubmodel (heatingresistor) R(R0=5, alpha=0.01)\n{GROUND}\n"
        "submodel (heatcapacitor) B(C=2) (ic T=300.15)\nconnect G - U - R - G, R:heat at B"
    )
    result = run("electrical thermal", body, tmp_path, 5.0)
    x = result["B.T"] - 300.15
    np.testing.assert_allclose(x + 0.005 * x**2, 10 * np.asarray(result.time), atol=1e-6)


def test_picofarads_in_a_loop(tmp_path: Path) -> None:
    """Three capacitors of 1 pF around a loop are two states; small numbers are neither dependence nor growth."""
    body = (
        "submodel (source) U(V=1)\nsubmodel (resistor) R(R=1000), Q(R=1000)\nsubmodel (ground) G\nnode a, b, c\n"
        "submodel (capacitor) C1(C=1e-12) (ic u=0), C2(C=1e-12), C3(C=1e-12) (ic u=0)\n"
        "connect U at (G, a), R at (a, b), C1 at (b, G), C2 at (b, c), C3 at (c, G), Q at (c, G)"
    )
    result = run("electrical", body, tmp_path, 5e-9)
    matrix = np.linalg.inv(np.array([[2.0, -1], [-1, 2]])) * 1e9
    values, vectors = np.linalg.eigh(matrix)
    drive = vectors.T @ matrix @ [1.0, 0]
    growth = (1 - np.exp(-np.outer(values, result.time))) / values[:, np.newaxis]
    exact = vectors @ (growth * drive[:, np.newaxis])
    np.testing.assert_allclose(np.asarray(result["C1.u"]), exact[0], atol=1e-7)
    np.testing.assert_allclose(np.asarray(result["C3.u"]), exact[1], atol=1e-7)


def test_capacitances_of_a_ring_tear_to_one_unknown_a_node(tmp_path: Path) -> None:
    """Twelve nodes in a ring, capacitances to the next one and to ground: a system of twelve at most."""
    items = ["node n[12]", GROUND]
    for k in range(1, 13):
        items += [f"submodel (capacitor) C{k}(C=1e-14) (ic u={k}), K{k}(C=1e-15)\nsubmodel (conductor) g{k}(G=1e-6)"]
        items += [f"connect C{k} at (n[{k}], G), g{k} at (n[{k}], G), K{k} at (n[{k}], n[{k % 12 + 1}])"]
    file = tmp_path / "m.mdl"
    file.write_text("\n".join(["@electrical.lib", "model M", *items, "end", ""]), encoding="utf-8")
    (block,) = acausal.translate(file).statistics["linear_blocks"]  # type: ignore[misc]
    assert block[1] <= 12
