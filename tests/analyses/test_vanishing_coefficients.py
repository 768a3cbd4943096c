"""Sensitivities by parameters that others multiply by 0: what is left of the equations is that of the 0."""

import re

import numpy as np
import pytest

import acausal

RECTIFIER = """@semiconductors.lib
model Rectifier
  submodel (sinevoltage) U(amplitude=5, f=1)
  submodel (diode) D(IS=1e-9)
  submodel (resistor) R(R=100)
  submodel (capacitor) C(C=2e-3) (ic u=1)
  submodel (ground) G
  connect G - U - D - R - C - G
  experiment (stop=0.5, tolerance=1e-9)
end
"""
CHAIN = """model Chain
  parameter C=c*M, c=C0*exp(M), C0=0, M=3, k=2
  local x (start=1)
  der(x) = -k*M*x + C*der(y)
  local y = sin(time)
end
"""


def test_a_diode_without_capacitance() -> None:
    """The grading of a capacitance of 0 has no influence; slopes by the temperature are difference quotients."""
    t = acausal.translate(RECTIFIER)
    s = t.sensitivities(["D.M", "D.TEMP"], ["C.u"])
    assert not s["C.u", "D.M"].any()
    ends = [t.simulate(parameters={"D.TEMP": 27 + d}, tolerance=1e-11)["C.u"][-1] for d in (-0.5, 0.5)]
    assert s["C.u", "D.TEMP"][-1] == pytest.approx(ends[1] - ends[0], rel=1e-4)
    assert s["C.u", "D.TEMP"][-1] > 1e-5


def test_a_capacitance_of_zero_is_named() -> None:
    with pytest.raises(acausal.RunError) as caught:
        acausal.translate(RECTIFIER).sensitivities(["D.TEMP", "D.CJO"], ["C.u"])
    (failure,) = caught.value.report.diagnostics
    assert (failure.code, failure.primary is not None) == ("R003", True)
    assert re.search(r"of D\.CJO,.*another value", failure.help or "")


def test_bindings_that_others_make_zero() -> None:
    """x = exp(-k*M*t); with C0 = 2 the bindings count again, and so does a value in the place of one."""
    t = acausal.translate(CHAIN)
    found = t.sensitivities(["M"], ["x"], stop=1, tolerance=1e-10)
    assert found["x", "M"] == pytest.approx(-2 * found.time * np.exp(-6 * found.time), abs=1e-8)
    for given in ({"C0": 2.0}, {"c": 0.5}, {"C": 0.5}):
        s = t.sensitivities(["M"], ["x"], stop=1, values=given, tolerance=1e-10)["x", "M"][-1]
        runs = [t.simulate(parameters={**given, "M": M}, stop=1, tolerance=1e-11)["x"][-1] for M in (2.999, 3.001)]
        assert s == pytest.approx((runs[1] - runs[0]) / 0.002, rel=1e-4)
