"""Samplers, relays, backlash, bearing friction and stops against solutions worked out without events."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result


def run(text: str, folder: Path, **simulate: float) -> Result:
    """The result of a model file."""
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file).simulate(**simulate)  # type: ignore[arg-type]


SIGNALS = """@discrete.lib
model Signals
  submodel (samplehold) S(h=0.1)
  submodel (unitdelay) D(h=0.1, y0=-1)
  submodel (sampledpi) P(h=0.1, K=2, Ti=0.5)
  submodel (hysteresis) H(upper=0.5, lower=-0.5)
  submodel (backlash) L(width=0.4)
  S.u = time
  D.u = time
  P.u = time
  H.u = sin(2*time)
  L.u = sin(time)
end
"""


def test_signals(tmp_path: Path) -> None:
    result = run(SIGNALS, tmp_path, stop=9.95, interval=0.01, tolerance=1e-8)
    t = result.time
    between = np.abs(t * 10 - np.round(t * 10)) > 0.05
    last = np.floor(t * 10) / 10
    np.testing.assert_allclose(result["S.y"][between], last[between], atol=1e-12)
    np.testing.assert_allclose(result["D.y"][between & (t > 0.1)], (last - 0.1)[between & (t > 0.1)], atol=1e-12)
    assert result["D.y"][1] == -1
    count = np.round(last * 10)
    total = 0.1 / 0.5 * 0.1 * count * (count + 1) / 2
    np.testing.assert_allclose(result["P.y"][between], (2 * (last + total))[between], atol=1e-9)
    on, relay = False, []
    play, followed = 0.0, []
    for u, x in zip(np.sin(2 * t), np.sin(t), strict=True):
        on = True if u > 0.5 else False if u < -0.5 else on
        relay.append(1.0 if on else -1.0)
        play = min(max(play, x - 0.2), x + 0.2)
        followed.append(play)
    clear = np.abs(np.abs(np.sin(2 * t)) - 0.5) > 1e-6
    np.testing.assert_array_equal(result["H.y"][clear], np.array(relay)[clear])
    np.testing.assert_allclose(result["L.y"], followed, atol=1e-9)


BEARING = """@friction.lib
model Bearing
  submodel (inertia) J(J=2) (ic phi=0, w=3)
  submodel (bearingfriction) b(T0=4)
  connect J to b
end
"""


def test_a_shaft_runs_out(tmp_path: Path) -> None:
    """w = 3 - 2 t until it stops for good at t = 1.5, after 2.25 rad."""
    result = run(BEARING, tmp_path, stop=3, tolerance=1e-9)
    np.testing.assert_allclose(result["J.w"], np.maximum(3 - 2 * result.time, 0), atol=1e-8)
    assert abs(result["J.phi"][-1] - 2.25) < 1e-8


def test_a_shaft_with_dry_and_viscous_friction_runs_out(tmp_path: Path) -> None:
    """2 w' = -(4 + 3 w) from w = 3 on, backward from w = -3 on: it stops at t = 2/3 log(13/4)."""
    for start in (3, -3):
        text = BEARING.replace("T0=4", "T0=4, T1=3").replace("w=3", f"w={start}")
        result = run(text, tmp_path, stop=1.5, tolerance=1e-10)
        exact = np.maximum((3 + 4 / 3) * np.exp(-1.5 * result.time) - 4 / 3, 0)
        np.testing.assert_allclose(result["J.w"], np.sign(start) * exact, atol=1e-8)


STOP = """@friction.lib
model Stop
  submodel (inertia) J(J=1) (ic phi=0, w=1)
  submodel (stop) s(low=-0.5, high=0.5, c=1e4, d=0)
  submodel (fixed) wall
  connect J to s to wall
end
"""


def test_between_two_elastic_stops(tmp_path: Path) -> None:
    """Without damping: free for 1 s between the stops, in a stop for pi/100 s, for ever with the same speed."""
    result = run(STOP, tmp_path, stop=20, tolerance=1e-10)
    w = result["J.w"]
    free = np.abs(result["J.phi"]) < 0.5 - 1e-6
    np.testing.assert_allclose(np.abs(w[free]), 1, atol=1e-6)
    turns = np.flatnonzero(np.diff(np.sign(result["J.phi"])) != 0)
    period = np.diff(np.interp(turns, np.arange(len(w)), result.time))
    assert abs(period[2:].mean() - (1 + np.pi / 100)) < 0.02
    assert np.abs(result["J.phi"]).max() < 0.5 + 0.01 + 1e-6


IMPACT = """@friction.lib
model M
  submodel (inertia) J(J=2) (ic phi=-1, w=0)
  submodel (signaltorque) T
  submodel (impactstop) s(e=0.5, still=0.01)
  T.torque = if time < 6 then 4 else -2
  connect T - J - s
end
"""


def test_impacts_on_a_stop_rest_and_release(tmp_path: Path) -> None:
    """phi'' = 2 from -1: impacts at 1, 2, 2.5, 2.75, ... with half the speed each; rest; phi'' = -1 from t = 6."""
    result = run(IMPACT, tmp_path, stop=8, tolerance=1e-9)
    impacts = [e.time for e in result.events if any("is false" in c for c in e.changes)][:7]
    assert impacts == [pytest.approx(3 - 2.0 ** (1 - k), abs=1e-8) for k in range(7)]
    t = result.time
    resting = (t > 3.1) & (t < 6)
    assert np.abs(result["J.phi"][resting]).max() < 1e-6
    np.testing.assert_allclose(result["s.t"][resting], 4, rtol=1e-9)
    gone = t > 6
    np.testing.assert_allclose(result["J.phi"][gone], -0.5 * (t[gone] - 6) ** 2, atol=1e-6)


REAL = """@switches.lib
model M
  submodel (source) U(V=10)
  submodel (resistor) R(R=5)
  submodel (inductor) L(L=0.01) (ic i=0)
  submodel (realswitch) S(T=1e-5)
  submodel (realdiode) D
  submodel (ground) G
  S.on = if time > 0.01 and time < 0.05 then 1 else 0
  connect G - U - S - R - L - G, D at (G, R:A)
end
"""


def test_a_real_switch_and_the_diode_that_takes_over_its_current(tmp_path: Path) -> None:
    result = run(REAL, tmp_path, stop=0.1, tolerance=1e-9)
    rise = (result.time > 0.0102) & (result.time < 0.05)
    t = result.time[rise]
    exact = 10 / 5.001 * (1 - np.exp(-5.001 / 0.01 * (t - 0.01)))
    np.testing.assert_allclose(result["L.i"][rise], exact, atol=0.02)  # the switch takes some 1e-5 s
    fall = (result.time > 0.0502) & (result.time < 0.054)
    current, u = result["L.i"][fall], result["D.u"][fall]
    np.testing.assert_allclose(u, 0.02585 * np.log(1 + current / 1e-12) + 0.01 * current, atol=1e-4)
    assert np.abs(result["S.u"]).max() < 11
