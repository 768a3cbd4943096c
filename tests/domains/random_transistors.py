"""Random networks of resistors and transistors, judged by currents written by hand."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from tests.domains.examples import GROUND, run

VT = 1.380649e-23 * 300.15 / 1.602176634e-19


def network(random: Random) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, str, int]], list[str]]:
    """Resistors, transistors (collector, base, emitter, polarity) and nodes at random; every base has a resistor."""
    rng = np.random.default_rng(random.getrandbits(32))
    nodes = [f"n{k}" for k in range(int(rng.integers(5, 10)))]
    places = ["g", "v", *nodes]
    resistors = [(n, places[rng.integers(len(places))], float(10 ** rng.uniform(2, 5))) for n in nodes * 2]
    resistors = [r for r in resistors if r[0] != r[1]] + [(n, "g", 1e5) for n in nodes]
    transistors = []
    for k in range(len(nodes) - 1):
        collector, driven, emitter = (places[i] for i in rng.choice(len(places), 3, replace=False))
        transistors.append((collector, f"b{k}", emitter, 1 if k % 2 else -1))
        resistors.append((driven, f"b{k}", 1e3))
    return resistors, transistors, nodes + [t[1] for t in transistors]


def transistors_obey_kirchhoff(random: Random) -> None:
    """From a cold start: currents written by hand from the potentials found sum to zero at every node."""
    resistors, transistors, nodes = network(random)
    body = f"submodel (source) V(V=12)\n{GROUND}\nnode v, g, {', '.join(nodes)}\nconnect G at g, V at (g, v)\n"
    for k, (first, second, ohms) in enumerate(resistors):
        body += f"submodel (resistor) R{k}(R={ohms!r})\nconnect R{k} at ({first}, {second})\n"
    for k, (collector, b, emitter, polarity) in enumerate(transistors):
        name = "npn" if polarity > 0 else "pnp"
        body += f"submodel ({name}) Q{k}(IS=1e-15, VAF=80)\nconnect Q{k} at ({collector}, {b}, {emitter})\n"
    for node in nodes:
        body += f"submodel (voltmeter) M{node}\nconnect M{node} at ({node}, g)\n"
    with TemporaryDirectory() as folder:
        result = run("semiconductors", body, Path(folder), 0.0)
    volts = {"g": 0.0, "v": 12.0} | {node: float(result[f"M{node}.u"][0]) for node in nodes}
    total = dict.fromkeys(volts, 0.0)
    size = dict.fromkeys(volts, 1e-9)

    def flow(node: str, current: float) -> None:
        total[node] += current
        size[node] += abs(current)

    for first, second, ohms in resistors:
        current = (volts[first] - volts[second]) / ohms
        flow(first, current)
        flow(second, -current)
    for collector, b, emitter, polarity in transistors:
        vbe, vbc = polarity * (volts[b] - volts[emitter]), polarity * (volts[b] - volts[collector])
        forward, backward = (1e-15 * np.expm1(v / VT) + 1e-12 * v for v in (vbe, vbc))
        ic = polarity * ((forward - backward) * (1 - vbc / 80) - backward)
        ib = polarity * (forward / 100 + backward)
        flow(collector, ic)
        flow(b, ib)
        flow(emitter, -ic - ib)
    for node in nodes:
        assert abs(total[node]) < 1e-6 * size[node], node
