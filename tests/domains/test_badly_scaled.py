"""Circuits whose time constants and conductances differ by many orders of magnitude.

The rectifiers have diodes 1N4007 (RS = 42 mOhm, CJO = 26.5 pF: a time constant of 1 ps in circuits of milliseconds).
Reference: the node equations written by hand (potential of the floating source eliminated, SPICE's diode with
depletion capacitance and breakdown), CVODE of scikit-sundae with the Jacobian by hand at a tolerance of 1e-10.
"""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import acausal

DIODE = "IS=76.9e-12, RS=42e-3, BV=1000, IBV=5e-6, CJO=26.5e-12, M=0.333, N=1.45"
TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]


def bridge(*, leaks: bool) -> str:
    """20 V, 50 Hz, 100 uF, 1 kOhm; 1 MOhm from each side to ground, or one side grounded."""
    diodes = ", ".join(f"D{k}({DIODE}) (ic v=0)" for k in (1, 2, 3, 4))
    ground = "RG1 at (inn, G), RG2 at (outn, G)" if leaks else "G at outn"
    return f"""@semiconductors.lib
model Graetz
  submodel (sinevoltage) vs(amplitude=20, f=50)
  submodel (zener) {diodes}
  submodel (capacitor) CL(C=100e-6) (ic u=0)
  submodel (resistor) RL(R=1000){", RG1(R=1e6), RG2(R=1e6)" if leaks else ""}
  submodel (ground) G
  node inp, inn, outp, outn
  connect vs at (inn, inp), D1 at (inp, outp), D2 at (outn, inp), D3 at (inn, outp), D4 at (outn, inn),
          CL at (outp, outn), RL at (outp, outn), {ground}
  experiment (stop=0.1, interval=1e-4)
end
"""


def multiplier(*, parallel: bool) -> str:
    """50 V, 100 kHz; the first capacitor as two of half its size, or as one."""
    diodes = ", ".join(f"D{k}({DIODE}) (ic v=0)" for k in (1, 2, 3, 4))
    first = "C1(C=100e-9) (ic u=0), C3(C=100e-9)" if parallel else "C1(C=200e-9) (ic u=0)"
    return f"""@semiconductors.lib
model Multiplier
  submodel (sinevoltage) vs(amplitude=50, f=1e5)
  submodel (zener) {diodes}
  submodel (capacitor) {first}, C2(C=100e-9) (ic u=0), C4(C=100e-9) (ic u=0)
  submodel (resistor) R1(R=0.01)
  submodel (ground) G
  node a, n1, n2, n10, n20
  connect vs at (G, a), R1 at (a, n1), C1 at (n1, n2), D1 at (G, n1), C2 at (G, n10), D2 at (n1, n10),
          {"C3 at (n1, n2), " if parallel else ""}D3 at (n10, n2), C4 at (n10, n20), D4 at (n2, n20)
  experiment (stop=2e-4, interval=1e-6)
end
"""


def translated(folder: Path, text: str) -> acausal.Translation:
    path = folder / "model.mdl"
    path.write_text(text, encoding="utf-8")
    return acausal.translate(path)


LOADS = {
    True: {30: 14.47191602, 60: 18.38758049, 155: 18.47824854, 500: 17.6665911, 1000: 17.66655318},
    False: {30: 14.47191596, 60: 18.38757915, 155: 18.47826843, 500: 17.66659157, 1000: 17.66659156},
}
"""CL.u of the bridge at numbers of rows, with leaks and without."""

CAPACITORS = {
    5: (-15.99115502, -17.00120764, -0.2622224599),
    30: (-52.44049741, -14.63321498, -36.85995945),
    77: (-78.16731739, -40.41855236, -74.01893331),
    100: (-82.91662794, -43.05847208, -80.05797391),
}
"""C1.u, C2.u and C4.u of the multiplier at numbers of rows."""


@pytest.mark.parametrize("leaks", [True, False])
def test_bridge_rectifier(tmp_path: Path, leaks: bool) -> None:
    """Errors follow the tolerance: 2.5 times the tolerance of 20 V at most."""
    translation = translated(tmp_path, bridge(leaks=leaks))
    rows, loads = list(LOADS[leaks]), list(LOADS[leaks].values())
    for tolerance in TOLERANCES:
        result = translation.simulate(tolerance=tolerance)
        error = np.abs(result["CL.u"][rows] - loads).max()
        assert error <= 50 * tolerance + 1e-8, tolerance


@pytest.mark.parametrize("parallel", [True, False])
def test_voltage_multiplier(tmp_path: Path, parallel: bool) -> None:
    """Its capacitors in parallel are one, and errors follow the tolerance: 90 V here, times the gain of the ladder."""
    translation = translated(tmp_path, multiplier(parallel=parallel))
    rows, expected = list(CAPACITORS), np.array(list(CAPACITORS.values()))
    for tolerance in TOLERANCES:
        result = translation.simulate(tolerance=tolerance)
        found = np.stack([result[f"C{k}.u"][rows] for k in (1, 2, 4)], 1)
        assert np.abs(found - expected).max() <= 500 * tolerance + 1e-7, tolerance


Resistors = dict[str, tuple[int, int, float]]


def floating(nodes: int, small: float, leak: float) -> Resistors:
    """A ring of small resistors with chords; its first and last node (and no other) lead to ground (-1) by leaks."""
    ring = {f"R{k}": (k, (k + 1) % nodes, small * (10 + k) / 10) for k in range(nodes)}
    chords = {f"Q{k}": (k, k + 2, small * (20 + k) / 10) for k in range(nodes - 2)}
    return {**ring, **chords, "RG": (1, -1, leak), "RH": (nodes - 1, -1, 3 * leak)}


def exact_potentials(resistors: Resistors, nodes: int, voltage: float) -> list[float]:
    """Of all nodes, by rational arithmetic; a source keeps node 1 above node 0 by the voltage."""
    size = nodes + 1
    matrix = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for a, b, resistance in resistors.values():
        for one, other in ((a, b), (b, a)):
            if one >= 0:
                matrix[one][one] += 1 / Fraction(resistance)
                if other >= 0:
                    matrix[one][other] -= 1 / Fraction(resistance)
    matrix[0][nodes], matrix[1][nodes] = Fraction(-1), Fraction(1)
    matrix[nodes][0], matrix[nodes][1], matrix[nodes][size] = Fraction(-1), Fraction(1), Fraction(voltage)
    for k in range(size):
        row = next(i for i in range(k, size) if matrix[i][k])
        matrix[k], matrix[row] = matrix[row], matrix[k]
        for i in range(size):
            if i != k and matrix[i][k]:
                factor = matrix[i][k] / matrix[k][k]
                matrix[i] = [x - factor * y for x, y in zip(matrix[i], matrix[k], strict=True)]
    return [float(matrix[k][size] / matrix[k][k]) for k in range(nodes)]


def network(resistors: Resistors, nodes: int, voltage: float) -> str:
    declared = ", ".join(f"{name}(R={value!r})" for name, (_, _, value) in resistors.items())
    places = ", ".join(f"{name} at (n{a}, {f'n{b}' if b >= 0 else 'G'})" for name, (a, b, _) in resistors.items())
    return f"""@electrical.lib
model Floating
  submodel (source) U(V={voltage!r})
  submodel (resistor) {declared}
  submodel (ground) G
  node {", ".join(f"n{k}" for k in range(nodes))}
  connect U at (n0, n1), {places}
end
"""


@pytest.mark.parametrize("leak", [1e6, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("nodes", [3, 4])
def test_potentials_of_a_floating_part(tmp_path: Path, nodes: int, leak: float) -> None:
    """42 mOhm beside up to 1000 TOhm: exact to rounding, as no sum of conductances loses the small one."""
    resistors = floating(nodes, 42e-3, leak)
    result = translated(tmp_path, network(resistors, nodes, 20.0)).simulate(stop=1e-3)
    expected = exact_potentials(resistors, nodes, 20.0)
    for name, (a, _, _) in resistors.items():
        assert result[f"{name}.Va"][0] == pytest.approx(expected[a], rel=1e-12), name


@pytest.mark.parametrize("nodes", [6, 10])
@pytest.mark.parametrize("leak", [1e3, 1e6])
def test_potentials_of_a_larger_floating_part(tmp_path: Path, nodes: int, leak: float) -> None:
    """Here a matrix of numbers is eliminated: errors as large as rounding of 1/42 mOhm beside 1/leak."""
    resistors = floating(nodes, 42e-3, leak)
    result = translated(tmp_path, network(resistors, nodes, 20.0)).simulate(stop=1e-3)
    expected = exact_potentials(resistors, nodes, 20.0)
    bound = nodes**2 * 2.0**-52 * leak / 42e-3
    for name, (a, _, _) in resistors.items():
        assert result[f"{name}.Va"][0] == pytest.approx(expected[a], rel=bound), name


@pytest.mark.parametrize("nodes", [5, 6, 7, 8, 10, 20])
@pytest.mark.parametrize("leak", [1e6, 1e9, 1e12])
def test_potentials_beside_milliohms(tmp_path: Path, nodes: int, leak: float) -> None:
    """1 mOhm beside up to 1 TOhm: solved whole and refined, exact to rounding."""
    resistors = floating(nodes, 1e-3, leak)
    result = translated(tmp_path, network(resistors, nodes, 20.0)).simulate(stop=1e-3)
    expected = exact_potentials(resistors, nodes, 20.0)
    for name, (a, _, _) in resistors.items():
        assert result[f"{name}.Va"][0] == pytest.approx(expected[a], rel=1e-12), name


def random_network(random: Random) -> tuple[int, Resistors]:
    """A connected part of milliohms, of some other resistors, or of all sizes; two or three leaks lead to ground."""
    nodes = random.randint(4, 12)
    share = random.choice([0.0, 0.3, 1.0])
    order = random.sample(range(nodes), nodes)
    pairs = [(order[i], order[random.randrange(i)]) for i in range(1, nodes)]
    pairs += [tuple(random.sample(range(nodes), 2)) for _ in range(random.randint(1, 2 * nodes))]  # type: ignore[misc]
    sizes = [10 ** random.uniform(-3, 9) if random.random() < share else random.uniform(1e-3, 1e-2) for _ in pairs]
    found = {f"R{k}": (a, b, size) for k, ((a, b), size) in enumerate(zip(pairs, sizes, strict=True))}
    leaks = {f"L{k}": (random.randrange(nodes), -1, 10 ** random.uniform(8, 11)) for k in range(random.randint(2, 3))}
    return nodes, {**found, **leaks}


@pytest.mark.parametrize("seed", range(25))
def test_random_networks(tmp_path: Path, seed: int) -> None:
    """Potentials against rational arithmetic: exact to rounding."""
    nodes, resistors = random_network(Random(seed))
    result = translated(tmp_path, network(resistors, nodes, 20.0)).simulate(stop=1e-3)
    expected = exact_potentials(resistors, nodes, 20.0)
    for name, (a, _, _) in resistors.items():
        assert result[f"{name}.Va"][0] == pytest.approx(expected[a], rel=1e-12, abs=1e-18), name


@pytest.mark.parametrize("leak", [1e12, 1e15])
def test_a_leak_is_no_missing_ground(tmp_path: Path, leak: float) -> None:
    """Translation sees a determined system, however badly scaled."""
    assert translated(tmp_path, network(floating(10, 42e-3, leak), 10, 20.0)).program.blocks
