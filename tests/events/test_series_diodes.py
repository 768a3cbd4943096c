"""Ideal diodes in series with an inductor: relations at rest at each beginning and end of conduction.

A blocking diode's voltage is its current divided by Goff, so errors of the solver (5e-10 A) are half a volt. The band
that such a relation gets then was kept while it conducted, where it is half an ampere. Where nothing leaks the current
of two diodes is zero twice, and each has an impulse of its own.
"""

from math import atan, exp, hypot, pi, sin
from pathlib import Path

import pytest
from scipy.optimize import brentq

import acausal

MODEL = """@electrical.lib
@switches.lib
model M
  submodel (sinevoltage) U(amplitude=10, f=50)
  submodel (inductor) L(L=1e-3) (ic i=0)
  submodel (idealdiode) {diodes}
  submodel (resistor) R(R=1)
  submodel (ground) G
  connect G - U - L - R - {chain} - G
end
"""
OMEGA = 100.0 * pi


def end_of_conduction(resistance: float) -> float:
    """Zero of the current of 1 mH and a resistance, switched to a sine of 50 Hz at its zero."""
    phase = atan(OMEGA * 1e-3 / resistance)
    return brentq(lambda t: sin(OMEGA * t - phase) + sin(phase) * exp(-resistance * t / 1e-3), 0.006, 0.016, xtol=1e-15)


@pytest.mark.parametrize("solver", ["auto", "radau"])
@pytest.mark.parametrize(("count", "leak"), [(1, 1e-7), (2, 1e-8), (2, 1e-6), (2, 0.0)])
def test_current_is_zero_where_they_block(tmp_path: Path, count: int, leak: float, solver: str) -> None:
    names = [f"D{k}" for k in range(count)]
    diodes = ", ".join(f"{name}(Ron=1e-3, Goff={leak})" for name in names)
    path = tmp_path / "model.mdl"
    path.write_text(MODEL.format(diodes=diodes, chain=" - ".join(names)), encoding="utf-8")
    result = acausal.translate(path).simulate(stop=0.035, tolerance=1e-5, solver=solver)
    resistance = 1.0 + count * 1e-3
    end = end_of_conduction(resistance)
    largest = 10.0 / hypot(resistance, OMEGA * 1e-3)
    current = result["L.i"]
    assert current.max() < 1.1 * largest
    assert current.min() > -10.0 * leak - 1e-6 * largest
    for begin in (0.0, 0.02):
        last = max(e.time for e in result.events if begin + 0.001 < e.time < begin + 0.015)
        assert last == pytest.approx(begin + end, abs=2e-7)
