"""abs, min, max and branches that agree where they meet: at rest they make no events, in motion they are exact."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.events.models import model

Array = np.ndarray
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


def test_drag_at_rest() -> None:
    """v' = -v |v| - k v: v = k v0 e/(k + v0 (1 - e)) with e = exp(-k t), until v is smaller than any error."""
    for tolerance in TOLERANCES:
        body = "  local v (start=0.02, fixed=true)\n  der(v) = -v*abs(v) - 1000*v"
        result = model(body, tolerance=tolerance)
        e = np.exp(-1000 * result.time)
        assert np.abs(result["v"] - 1000 * 0.02 * e / (1000 + 0.02 * (1 - e))).max() < 0.02 * 20 * tolerance
        assert len(result.events) < 50


@pytest.mark.parametrize(
    "right",
    [
        "-a - 1e-3*abs(a)",
        "-50*a - max(a, 0)",
        "-50*a + min(a, -a)",
        "-50*a - (if a > 0 then 2*a else 3*a)",
        "-50*a - (if a > 0 then a^2 elseif a < 0 then -a^2 else 0)",
        "-50*a - (if 2*a - 3 < -3 then 0 else a)",
        "-50*a - max(0, min(1, a))",
    ],
)
def test_decay_to_rest(right: str) -> None:
    for start in (0.0, 1.0, -1.0):
        for tolerance in (1e-4, 1e-6, 1e-9):
            body = f"  local a (start={start}, fixed=true), c\n  der(a) = {right}\n  c = abs(a)"
            result = model(body, stop=2, tolerance=tolerance)
            assert np.abs(result["a"][-1]) <= np.exp(-2 * 0.999) + 100 * tolerance
            assert len(result.events) < 50
            assert (result["c"] == np.abs(result["a"])).all()


LOOPS = {
    "diode": "i = if u > 0 then 3*u else 0\n  u = v - 0.5*i\n  der(v) = -i - 1000*v",
    "two diodes": "i = if u > 0 then 3*u else 0\n  u = v - 0.5*(i + j)\n  j = if s > 0 then 2*s else 0\n"
    "  s = v - w - 0.5*(i + j)\n  der(v) = -i - 1000*v\n  der(w) = -1000*w + j\n  local j, s, w (start=-1, fixed=true)",
    "magnitude": "u = v - 0.3*i\n  i = abs(u)\n  der(v) = -i - 500*v",
    "drag": "u = v - 0.3*i\n  i = u*abs(u)\n  der(v) = -i - 500*v",
    "oscillation": "i = if u > 0 then 3*u else 0.1*u\n  u = v - 0.5*i\n  der(v) = -20*i - 100*x - 40*v\n"
    "  der(x) = v\n  local x (start=0, fixed=true)",
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_come_to_rest(name: str) -> None:
    """The relation depends on what it decides, and at rest rounding errors decide the relation."""
    for start in (1.0, 0.0, -1.0):
        for tolerance in (1e-3, 1e-4, 1e-6, 1e-8, 1e-10):
            body = f"  local v (start={start}, fixed=true), i, u\n  {LOOPS[name]}"
            result = model(body, stop=2, tolerance=tolerance)
            assert abs(result["v"][-1]) < 10 * tolerance + 2e-3  # the slowest mode: exp(-1.6 t)
            assert len(result.events) < 60


def test_a_pulse_inside_a_step_is_not_missed() -> None:
    """Short pulses of max(0, cos(w t) - c), far apart: the area of each is known."""
    w, c = 2 * np.pi, 0.999
    body = f"  local x (start=0, fixed=true), y (start=0, fixed=true)\n  der(x) = {w}\n  der(y) = max(0, cos(x) - {c})"
    result = model(body, stop=20.5, tolerance=1e-8)
    half = np.arccos(c)
    assert abs(result["y"][-1] - (2 * (np.sin(half) - c * half) * 20 + np.sin(half) - c * half) / w) < 1e-8


def test_a_stiff_stop_against_scipy() -> None:
    """A mass between stops of a spring: kinks of the force, crossed with speed and touched at rest."""
    body = """
  local s (start=0.5, fixed=true), v (start=0, fixed=true), f
  der(s) = v
  der(v) = -9.81 - f
  f = (if s < 0 then 2e4*s else 0) + (if s < 0 then 40*v else 0) + 0.5*v*abs(v)"""

    def slope(_t: float, y: Array) -> list[float]:
        s, v = y
        return [v, -9.81 - (2e4 * s + 40 * v if s < 0 else 0.0) - 0.5 * v * abs(v)]

    result = model(body, stop=3, tolerance=1e-8)
    t, once = np.unique(result.time, return_index=True)
    exact = solve_ivp(slope, (0, 3), [0.5, 0], "DOP853", t, rtol=1e-11, atol=1e-12, max_step=2e-4).y
    assert np.abs(result["s"][once] - exact[0]).max() < 1e-4


def test_a_relation_that_something_else_reads_is_an_event() -> None:
    """The same relation in a continuous switch and in a `when`."""
    body = """
  local x (start=1, fixed=true), y (start=0, fixed=true)
  discrete n
  der(x) = -1
  der(y) = if x > 0 then x else 0
  when x > 0.5 then
    new(n) = n + 100
  elsewhen not (x > 0) then
    new(n) = n + 1
  endwhen"""
    result = model(body, stop=2)
    assert result["n"][-1] == 1
    assert abs(result["y"][-1] - 0.5) < 1e-6
    assert abs(next(e.time for e in result.events if "n = 1" in e.changes) - 1) < 1e-9
