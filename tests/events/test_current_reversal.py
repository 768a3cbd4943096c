"""Ideal switches beside antiparallel ideal diodes in a half bridge, where the current turns.

The upper switch is on: its diode takes over where the current turns, and the other way round. Both voltages are the
difference of two of 395 V, whose rounding error is larger than what the look-ahead changes; with neither conducting and
no leakage the node has no potential. The bridge is linear as long as one of both conducts.
"""

from math import cos, exp, pi, sin

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.translation import Translation

BRIDGE = """@switches.lib
model M
  parameter Ron=1e-3, Goff=1e-6, upper=1, a=10
  submodel (source) U(V=395)
  submodel (idealGTO) T1(Ron=Ron, Goff=Goff), T2(Ron=Ron, Goff=Goff)
  submodel (idealdiode) D1(Ron=Ron, Goff=Goff), D2(Ron=Ron, Goff=Goff)
  submodel (sinevoltage) E(amplitude=a, f=50, offset=395*upper)
  submodel (inductor) L(L=1e-3) (ic i=0)
  submodel (resistor) R(R=0.1)
  submodel (ground) G
  node p, o
  connect U at (G, p), T1 at (p, o), D1 at (o, p), T2 at (o, G), D2 at (G, o), G - E - R - L at o
  T1.fire = upper
  T2.fire = 1 - upper
end
"""
LEAKS = [(1e-3, 1e-6), (1e-5, 1e-5), (1e-2, 0.0)]


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    file = tmp_path_factory.mktemp("bridge") / "m.mdl"
    file.write_text(BRIDGE, encoding="utf-8")
    return translate(file)


def current(t: float, ron: float, goff: float, upper: int, amplitude: float) -> float:
    """L*di/dt = E - R*i - v, where v*(2*goff) + (v - 395)*(1/ron + goff) = i, or with both exchanged."""
    pair, leak = 1 / ron + goff, 2 * goff
    up, down = (pair, leak) if upper else (leak, pair)
    a = (0.1 + 1 / (up + down)) / 1e-3
    c = (395 * upper - 395 * up / (up + down)) / 1e-3
    b, w = amplitude / 1e-3, 100 * pi

    def forced(t: float) -> float:
        return c / a + b * (a * sin(w * t) - w * cos(w * t)) / (a * a + w * w)

    return forced(t) - forced(0.0) * exp(-a * t)


@pytest.mark.parametrize("leak", LEAKS)
def test_half_bridge(bridge: Translation, leak: tuple[float, float]) -> None:
    ron, goff = leak
    for upper in (1, 0):
        for tolerance, solver, amplitude in ((1e-4, "auto", 10), (1e-9, "auto", 300), (1e-6, "dop853", 300)):
            given = {"Ron": ron, "Goff": goff, "upper": upper, "a": amplitude}
            r = bridge.simulate(stop=0.05, tolerance=tolerance, solver=solver, parameters=given)
            exact = np.array([current(t, ron, goff, upper, amplitude) for t in np.asarray(r.time).tolist()])
            assert np.max(np.abs(r["L.i"] - exact)) <= 10 * tolerance * np.max(np.abs(exact))
