"""Sines in relations: no step goes over their periods, whatever their velocity comes from.

sin(a(t)) exceeds 1/2 first at a = pi/6, then once in each turn: the events follow from the angle at the end. An angle
that grows evenly makes no error, so that solvers went over all periods in ten steps: 1 to 9 of 100 events.
"""

from functools import cache
from math import floor, pi
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.simulate.inputs.inputs import InputValue
from acausal.translation import Translation
from tests.python_loop import python_loop

STOP = 20.0
W = 31.0
"""rad/s"""
COUNT = """
  when LEFT > 0.5 then
    new(n) = n + 1
  endwhen"""
STATE = "local phi (start=0, fixed=true), w (start=31, fixed=true)\n  der(phi) = w\n  der(w) = 0"
"""An angle, and its velocity: a state that does not change."""
SOLVERS = ["auto", "rk45", "dop853", "radau", "bdf", "lsoda"]

SOURCES = {
    "state": (STATE, "sin(phi)", W),
    "cosine": (STATE, "cos(phi - pi/2)", W),
    "product": (STATE, "2*sin(phi)*cos(phi)", 2 * W),
    "function of a tangent": (STATE, "1 - 1/(1 + tan(phi/2 + pi/6)^2)", W),
    "sum": (STATE, "sin(phi + 0.001*sin(phi)) - 0.0004999997", W),
    "alias": (STATE + "\n  local a, b\n  a = phi\n  b = 2*a", "sin(b)", 2 * W),
    "block": (STATE + "\n  local p, q\n  p + 2*q = 3*sin(phi)\n  p - q = noevent(if phi > 1e9 then q else 0)", "q", W),
    "parameter": ("parameter w = 31\n  local x (start=0, fixed=true)\n  der(x) = 1", "sin(w*time)", W),
    "discrete": ("local phi (start=0, fixed=true)\n  discrete w (start=31)\n  der(phi) = w\n  when time > 1e3 then\n"
                 "    new(w) = w + 1\n  endwhen", "sin(phi)", W),
    "discrete with time": ("local x (start=0, fixed=true)\n  discrete w (start=31)\n  der(x) = 1\n"
                           "  when time > 1e3 then\n    new(w) = w + 1\n  endwhen", "sin(w*time)", W),
    "no state": ("parameter w = 31", "sin(w*time)", W),
    "no state, discrete": ("discrete w (start=31)\n  when time > 1e3 then\n    new(w) = w + 1\n  endwhen",
                           "sin(w*time)", W),
    "nonlinear block": (STATE + "\n  local q (start=0)\n  q^3 + q = phi^3 + phi", "sin(q)", W),
    "delay": (STATE + "\n  local d\n  d = delay(phi, 0.5)", "sin(phi) + 0*d", W),
}  # fmt: skip
"""Declarations and equations, what exceeds 1/2, and its angular velocity."""


@cache
def made(text: str) -> Translation:
    """Translated once for all solvers."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.mdl"
        file.write_text(f"model M\n  discrete n\n  {text}\nend\n", encoding="utf-8")
        return translate(file)


def passages(angle: float) -> int:
    """How often the sine has exceeded 1/2 up to an angle."""
    return floor((angle - pi / 6) / (2 * pi)) + 1


@pytest.mark.parametrize("name", SOURCES)
def test_velocities(name: str) -> None:
    text, left, velocity = SOURCES[name]
    model = made(text + COUNT.replace("LEFT", left))
    for solver in ("auto", "dop853", "lsoda") if name == "state" else ("auto",):
        for interval in (STOP, 0.3) if solver == "auto" else (STOP,):
            r = model.simulate(stop=STOP, interval=interval, tolerance=1e-4, solver=solver)
            assert r["n"][-1] == passages(velocity * STOP)


@pytest.mark.parametrize("solver", SOLVERS)
def test_from_rest(solver: str) -> None:
    """phi = 3/2*t^2 from rest, and from rest again behind an event that stops it."""
    text = "local phi (start=0, fixed=true), w (start=0, fixed=true)\n  der(phi) = w\n  der(w) = 3\n"
    text += "  when time > 8 then\n    init(w) = 0\n  endwhen" + COUNT.replace("LEFT", "sin(phi)")
    r = made(text).simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver)
    assert r["n"][-1] == passages(1.5 * (8**2 + 12**2))


def test_input() -> None:
    """The velocity is an input, which grows."""
    text = "input u\n  local phi (start=0, fixed=true)\n  der(phi) = u" + COUNT.replace("LEFT", "sin(phi)")
    r = made(text).simulate(stop=STOP, interval=STOP, tolerance=1e-6, inputs={"u": "3*time"})
    assert r["n"][-1] == passages(1.5 * STOP**2)


INPUTS: dict[str, InputValue] = {
    "expression": "31",
    "function": lambda t: 31.0,
    "table": (np.array([0.0, 10.0, 20.0]), np.array([31.0, 31.0, 31.0])),
}


@pytest.mark.parametrize("kind", INPUTS)
def test_inputs(kind: str) -> None:
    """An angle that inputs give, whatever they are, with states and without."""
    for state in ("local x (start=0, fixed=true)\n  der(x) = 1", ""):
        model = made("input u\n  " + state + COUNT.replace("LEFT", "sin(u*time)"))
        for solver in ("auto", "dop853", "lsoda") if state and kind == "function" else ("auto",):
            r = model.simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver, inputs={"u": INPUTS[kind]})
            assert r["n"][-1] == passages(W * STOP)


def test_solvers_of_blocks() -> None:
    """An angle through a nonlinear block, whose velocity no formula gives; the result is the same for each observer."""
    text, left, _ = SOURCES["nonlinear block"]
    model = made(text + COUNT.replace("LEFT", left))
    for solver in SOLVERS:
        assert model.simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver)["n"][-1] == passages(W * STOP)
    r = model.simulate(stop=STOP, interval=0.3)
    with python_loop():
        other = model.simulate(stop=STOP, interval=0.3)
    watched = model.simulate(stop=STOP, interval=0.3, progress=lambda _: None)
    for name in ("time", "phi", "q", "n"):
        assert r[name].tolist() == other[name].tolist() == watched[name].tolist()


def test_paths() -> None:
    """Event by event in Python, with a progress display, and in a sweep."""
    text = "parameter v = 31\n  " + STATE.replace("start=31", "start=v") + COUNT.replace("LEFT", "sin(phi)")
    model, wanted = made(text), passages(W * STOP)
    with python_loop():
        assert model.simulate(stop=STOP, interval=STOP)["n"][-1] == wanted
    assert model.simulate(stop=STOP, interval=STOP, progress=lambda _: None)["n"][-1] == wanted
    table = model.sweep({"v": [0.0, 3.0, 31.0, 50.0]}, stop=STOP, final=["n"])
    assert table["final(n)"].tolist() == [0, passages(3 * STOP), wanted, passages(50 * STOP)]


def test_times() -> None:
    """Each event is at its time."""
    r = made(STATE + COUNT.replace("LEFT", "sin(phi)")).simulate(stop=5.0, interval=5.0, tolerance=1e-8)
    turns = [2 * pi * k for k in range(100)]
    times = sorted([(a + b) / W for a in (pi / 6, pi - pi / 6) for b in turns if (a + b) / W < 5.0])
    assert [event.time for event in r.events] == pytest.approx(times, abs=1e-7)
