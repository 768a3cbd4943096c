"""Ripple-carry adders of CMOS mirror cells with 28 transistors a bit, as a netlist of ngspice and as a model.

    python -m tests.bench.adder BITS

prints how long the translation and the start in steady state take, and the sums there: 11...1 + 00...0.
"""

import sys
import tempfile
from pathlib import Path
from time import process_time

from acausal.pipeline import translate
from tests.domains.circuits import MOS_CARDS, N_SIZE, NM, P_SIZE, PM

Transistor = tuple[str, str, str, str]
"""p or n, then the nodes of drain, gate and source."""
SOURCES = "vdd", "a", "b", "cin"
LOAD = 20
"""Femtofarads at the carry and the sum of each bit."""


def half_cell(bit: int, kind: str) -> list[Transistor]:
    """The transistors of one kind: carry (5), sum (7), and their inverters."""
    supply = "vdd" if kind == "p" else "0"
    carry_in = f"c{bit}" if bit else "cin"
    low_carry, low_sum = f"cn{bit}", f"sn{bit}"
    u, v, w, x, y = (f"{kind}{place}{bit}" for place in "uvwxy")
    gates = [
        (low_carry, carry_in, u), (u, "a", supply), (u, "b", supply), (low_carry, "a", v), (v, "b", supply),
        (low_sum, low_carry, w), (w, "a", supply), (w, "b", supply), (w, carry_in, supply),
        (low_sum, "a", x), (x, "b", y), (y, carry_in, supply),
        (f"c{bit + 1}", low_carry, supply), (f"s{bit}", low_sum, supply),
    ]  # fmt: skip
    return [(kind, *nodes) for nodes in gates]


def texts(bits: int) -> tuple[str, str]:
    """Netlist and model; the carry of the first bit rises at 2 ns and ripples through all bits."""
    transistors = [t for bit in range(bits) for kind in "np" for t in half_cell(bit, kind)]
    outputs = [name for bit in range(bits) for name in (f"c{bit + 1}", f"s{bit}")]
    inner = [n for n in dict.fromkeys(n for t in transistors for n in t[1:]) if n not in (*SOURCES, "0")]
    netlist = ["VDD vdd 0 5", "VA a 0 5", "VB b 0 0", "VC cin 0 PULSE(0 5 2n 0.2n 0.2n 1 2)", MOS_CARDS]
    pulse = "height=5, period=2, rise=0.2e-9, width=1, fall=0.2e-9, t0=2e-9"
    model = [
        f"submodel (source) VDD(V=5), VA(V=5), VB(V=0)\nsubmodel (trapezoidvoltage) VC({pulse})",
        f"node {', '.join([*SOURCES, *inner])}",
        "connect VDD at (G, vdd), VA at (G, a), VB at (G, b), VC at (G, cin)",
    ]
    for number, (kind, *nodes) in enumerate(transistors):
        bulk, card, size = ("vdd", "PM", P_SIZE) if kind == "p" else ("0", "NM", N_SIZE)
        netlist.append(f"M{number} {' '.join(nodes)} {bulk} {card} {size}")
        model.append(f"submodel ({kind}mos) M{number}({PM if kind == 'p' else NM})")
        places = ["G" if n == "0" else n for n in (*nodes, bulk)]
        model.append(f"connect M{number} at ({', '.join(places)})")
    for node in outputs:
        netlist.append(f"C_{node} {node} 0 {LOAD}f")
        model.append(f"submodel (capacitor) C_{node}(C={LOAD}e-15)\nconnect C_{node} at ({node}, G)")
    return "\n".join(netlist), "\n".join(model)


def main() -> None:
    """Translates an adder and starts it."""
    bits = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(f"@semiconductors.lib\nmodel M\n{texts(bits)[1]}\nsubmodel (ground) G\nend\n")
        begin = process_time()
        translation = translate(file)
        translation.executable  # noqa: B018  # compiles
        translated = process_time()
        result = translation.simulate(stop=1e-12, interval=1e-12, steady=True)
        started = process_time()
    sums = "".join("1" if result[f"C_s{bit}.u"][0] > 2.5 else "0" for bit in range(bits))
    print(f"{28 * bits} transistors, {translation.statistics['equations']} equations: translation", end=" ")
    print(f"{translated - begin:.3g} s, start in steady state {started - translated:.3g} s, sums {sums}")


if __name__ == "__main__":
    main()
