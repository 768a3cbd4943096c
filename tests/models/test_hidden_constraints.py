"""Circuits whose storage elements are not all states: capacitor loops and inductor cutsets."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from acausal.translation import Translation

LOOP_AND_CUTSET = """@electrical.lib

model LoopAndCutset
  submodel (sinevoltage) U(amplitude=5, f=0.4)
  submodel (resistor) R1(R=2), R2(R=3), R3(R=5)
  submodel (capacitor) C1(C=0.3), C2(C=0.5) (ic u=1), C3(C=0.2) (ic u=2)
  submodel (inductor) L1(L=0.4) (ic i=0.5), L2(L=0.7) (ic i=-0.25), L3(L=0.9)
  submodel (ground) G
  node a, b, n, m
  connect G - U - R1 - a, C1 from a to b, C2 from b to G, C3 from a to G, R3 from b to G,
          L1 from a to n, L2 from n to m, R2 from m to G, L3 from n to b
end
"""
"""C1, C2, C3 form a loop a - b - ground; L1, L2, L3 alone meet at n."""

CAUER = """@electrical.lib

model CauerLowPass
  submodel (stepvoltage) V(height=1, t0=1)
  submodel (resistor) R1(R=1), R2(R=1)
  submodel (capacitor) C1(C=1.072), C2(C=1/(1.704992^2*1.304)), C3(C=1.682), C4(C=1/(1.179945^2*0.8586)), C5(C=0.7262)
  submodel (inductor) L1(L=1.304), L2(L=0.8586)
  submodel (ground) G
  node a, b, c
  connect G - V - R1 - a, C1 from a to G, L1 from a to b, C2 from a to b, C3 from b to G,
          L2 from b to c, C4 from b to c, C5 from c to G, R2 from c to G
end
"""

PUBLISHED = {
    "C1.u": (0.0, 0.0, 0.5814164574576405, 0.5277214924064313, 0.5006490164324356, 0.4997081040440724),
    "C3.u": (0.0, 0.0, 0.21558778101713716, 0.46772664667436337, 0.4884033194175802, 0.5010999289981032),
    "C5.u": (0.0, 0.0, 0.1054883277153516, 0.532425487551561, 0.5006304387799588, 0.49970789628208356),
    "L1.i": (0.0, 0.0, 0.5154755472799436, 0.4724963348378086, 0.512300678070559, 0.49936892313179976),
    "L2.i": (0.0, 0.0, 0.11154725778762048, 0.5503016746569471, 0.4813286273732621, 0.5009586922682062),
}
"""CauerLowPassAnalog at 0, 1, 3, 15, 30, 60 s: the result that the Modelica Association publishes for the Modelica
Standard Library 4.0.0 (Dymola 2020x, DASSL, tolerance 1e-6)."""


def made(folder: Path, text: str) -> Translation:
    file = folder / "circuit.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


def reduced_by_hand(t: float, y: np.ndarray) -> list[float]:
    """States va, vb, i1, i2. Nodes a and b give a 2 x 2 system; i1 = i2 + i3 stays true for one potential of n."""
    va, vb, i1, i2 = y
    i3 = i1 - i2
    into_a = (5 * np.sin(2 * np.pi * 0.4 * t) - va) / 2 - i1
    into_b = i3 - vb / 5
    slope_a, slope_b = np.linalg.solve([[0.2 + 0.3, -0.3], [-0.3, 0.5 + 0.3]], [into_a, into_b])
    vn = (va / 0.4 + 3 * i2 / 0.7 + vb / 0.9) / (1 / 0.4 + 1 / 0.7 + 1 / 0.9)
    return [slope_a, slope_b, (va - vn) / 0.4, (vn - 3 * i2) / 0.7]


def test_capacitor_loop_and_inductor_cutset(tmp_path: Path) -> None:
    translation = made(tmp_path, LOOP_AND_CUTSET)
    assert translation.statistics["states"] == 4
    r = translation.simulate(stop=10, tolerance=1e-9)
    exact = solve_ivp(
        reduced_by_hand, (0, 10), [2, 1, 0.5, -0.25], "DOP853", np.asarray(r.time), rtol=1e-12, atol=1e-12
    )
    va, vb, i1, i2 = exact.y
    expected = {"C3.u": va, "C2.u": vb, "C1.u": va - vb, "L1.i": i1, "L2.i": i2, "L3.i": i1 - i2}
    for name, values in expected.items():
        assert np.abs(r[name] - values).max() < 1e-7 * np.ptp(values), name
    assert np.abs(r["C3.u"] - r["C2.u"] - r["C1.u"]).max() < 1e-14
    assert np.abs(r["L1.i"] - r["L2.i"] - r["L3.i"]).max() < 1e-14


def test_cauer_low_pass(tmp_path: Path) -> None:
    """Seven storage elements, five states; within 1e-4 of the published points' ranges, and converged beyond that."""
    translation = made(tmp_path, CAUER)
    assert translation.statistics["states"] == 5
    results = [translation.simulate(stop=60, interval=0.1, tolerance=tolerance) for tolerance in (1e-7, 1e-9, 1e-11)]
    for name, points in PUBLISHED.items():
        span = np.ptp(results[2][name])
        for t, value in zip((0, 1, 3, 15, 30, 60), points, strict=True):
            assert results[2].at(t)[name] == pytest.approx(value, abs=1e-4 * span)
        errors = [abs(r.at(60)[name] - results[2].at(60)[name]) for r in results[:2]]
        assert errors[0] < 1e-6
        assert errors[1] < 1e-8
