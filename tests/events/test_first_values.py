"""Ideal diodes without resistance between sources: all conduct at first, and for an instant where voltages are equal.

With both the sources are shorted, so neither a start nor a commutation is solved by the values that come first.
"""

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import SimulationError
from acausal.translation import Translation

TWO = """@electrical.lib
@switches.lib
model M
  submodel (sinevoltage) U1(amplitude=10, f=1)
  submodel (source) U2(V=5)
  submodel (idealdiode) D1(Ron=0, Goff={0}), D2(Ron=0, Goff={0})
  submodel (resistor) R(R=10)
  submodel (ground) G
  node a, b, p
  connect U1 at (G, a), U2 at (G, b), D1 at (a, p), D2 at (b, p), R at (p, G)
  experiment (stop=1)
end
"""
BRIDGE = """@electrical.lib
@switches.lib
model M
  submodel (sinevoltage) U[3](amplitude=100, f=50, phase=[0, -2*pi/3, -4*pi/3])
  submodel (idealdiode) D[6](Ron=0, Goff={})
  submodel (resistor) R(R=5)
  submodel (inductor) L(L=0.02) (ic i=0)
  submodel (ground) G
  node a[3], p, n
  for k = 1 to 3
    connect U[k] at (G, a[k]), D[k] at (a[k], p), D[k + 3] at (n, a[k])
  endfor
  connect R - L from p to n
  experiment (stop=0.02)
end
"""


@pytest.fixture(scope="module")
def two() -> Translation:
    return acausal.translate(TWO.format(0))


@pytest.mark.parametrize("solver", ["auto", "dop853"])
def test_the_larger_of_two_voltages(two: Translation, solver: str) -> None:
    r = two.simulate(solver=solver)
    larger = np.maximum(10 * np.sin(2 * np.pi * r.time), 5)
    np.testing.assert_allclose(r["R.u"], larger, atol=1e-6)
    assert [e.time for e in r.events] == pytest.approx([1 / 12, 5 / 12], abs=1e-9)


def test_equal_voltages_share_the_current() -> None:
    """What is redundant later, too, stays so."""
    text = TWO.format("0").replace("(sinevoltage) U1(amplitude=10, f=1)", "(source) U1(V=5)")
    r = acausal.translate(text).simulate()
    np.testing.assert_allclose([r["D1.i"], r["D2.i"]], 0.25, rtol=1e-12)


@pytest.mark.parametrize("leakage", ["0", "1e-9"])
def test_six_diodes(leakage: str) -> None:
    """The load sees the largest difference of three voltages; two diodes change places every 60 degrees."""
    r = acausal.translate(BRIDGE.format(leakage)).simulate(tolerance=1e-7)
    u = 100 * np.sin(100 * np.pi * r.time[:, None] - 2 * np.pi / 3 * np.arange(3))
    np.testing.assert_allclose(r["R.u"] + r["L.u"], u.max(axis=1) - u.min(axis=1), atol=1e-4)
    assert [e.time for e in r.events] == pytest.approx([k / 600 for k in range(1, 12, 2)], abs=1e-9)


def test_a_short_circuit_stays_an_error() -> None:
    """No combination solves it; the first one is explained."""
    text = TWO.format("0").replace("(sinevoltage) U1(amplitude=10, f=1)", "(source) U1(V=10)")
    text = text.replace("D2 at (b, p)", "D2 at (p, b)")
    with pytest.raises(SimulationError) as caught:
        acausal.translate(text).simulate()
    assert [d.code for d in caught.value.report.diagnostics if d.severity == "error"] == ["R003"]


def test_a_failure_names_relations_as_the_model_does() -> None:
    """Three diodes in series that do not leak: the share of each in the voltage is not determined where they block."""
    text = (
        TWO.format("0").split("model M")[0]
        + """model M
  submodel (sinevoltage) U(amplitude=10, f=50)
  submodel (idealdiode) D[3](Ron=0, Goff=0)
  submodel (resistor) R(R=1)
  submodel (inductor) L(L=1e-3) (ic i=0)
  submodel (ground) G
  connect G - U - R - L - D[1] - D[2] - D[3] - G
end
"""
    )
    with pytest.raises(SimulationError) as caught:
        acausal.translate(text).simulate(stop=0.02)
    (error,) = [d for d in caught.value.report.diagnostics if d.severity == "error"]
    assert "time < 0 is false" in error.notes[0]
    assert "$" not in "".join(error.notes)
    assert error.primary is not None
    assert not {"relation$", "mode$"} & {word.rstrip("0123456789") for word in error.primary.text.split()}
