"""Mechanisms with constraints: sensitivities against extrapolated differences of runs.

A pendulum in Cartesian coordinates, whose states change while it turns; a four-bar and a slider-crank, whose loops are
closed by blocks of nonlinear equations.
"""

from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

import acausal
from acausal.base.caches import once

EXAMPLES = Path(__file__).parents[2] / "examples"
WITHIN, TOLERANCE = 1e-6, 1e-12
SHARES = 3.2e-3, 1.6e-3, 8e-4
"""Parameters are moved by these shares of themselves, there and back."""
PENDULUM = """model Pendulum
  parameter L (tunable=true) = 1.2, m (tunable=true) = 0.8, g (tunable=true) = 9.81, d (tunable=true) = 0.1
  parameter w0 (tunable=true) = 2
  local x (start=0.5*L), y (start=-0.85*L), vx (start=w0, fixed=true), vy, F
  der(x) = vx
  der(y) = vy
  m*der(vx) = -F*x/L - d*vx
  m*der(vy) = -F*y/L - m*g - d*vy
  x^2 + y^2 = L^2
end
"""
PLANAR = """@mbsdir.lib
model PlanarLoop
  parameter load (tunable=true) = 1.5, a (tunable=true) = 0.3
  submodel (Inertial) i(g=9.81, ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.6, w=4), knee(n3=1), rocker(n3=1), pin(n3=1)
  submodel (Bar) left(r1=a), rod(r1=0.9), right(r1=0.6), ground(r1=0.8)
  submodel (Body) b1(m=1, I33=0.01, r1=0.1), b2(m=load, I33=0.05, r1=0.4), b3(m=1, I33=0.02, r1=0.3)
  connect i to crank to left to knee to rod to pin
  connect i to ground to rocker to right
  connect b1 at crank, b2 at knee, b3 at rocker
  connect right:B at pin:B
end
"""
"""Hinges alone: three constraints of the loop are redundant."""
STOPPED = """@mbsdir_impact.lib
model StoppedLoop
  parameter load (tunable=true) = 1.5, a (tunable=true) = 0.3, e (tunable=true) = 0.6, stopped (tunable=true) = -1.15
  submodel (Inertial) i(g=9.81, ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.6, w=4), knee(n3=1)
  submodel (StoppedRevolute) rocker(n3=1, low=-3, high=stopped, ratio=e)
  submodel (Bar) left(r1=a), rod(r1=0.9), right(r1=0.6), ground(r1=0.8)
  submodel (Body) b1(m=1, I33=0.01, r1=0.1), b2(m=load, I33=0.05, r1=0.4), b3(m=1, I33=0.02, r1=0.3)
  submodel (CutPlanar) pin(n3=1)
  connect i to crank to left to knee to rod, i to ground to rocker to right
  connect b1 at crank, b2 at knee, b3 at rocker, pin at (right:B, rod:B)
end
"""
"""The rocker, whose angle and velocity are no states, meets a stop."""
Case = tuple[str, str, tuple[str, ...], tuple[str, ...], dict[str, float], float]
CASES: tuple[Case, ...] = (
    ("pendulum", PENDULUM, ("L", "g", "d", "w0", "m"), ("x", "y", "vx", "vy", "F"), {}, 3.0),
    ("pendulum over the top", PENDULUM, ("L", "g", "d", "w0"), ("x", "y", "vx", "vy", "F"), {"w0": 9.0}, 2.0),
    (
        "four-bar",
        "fourbar",
        ("b1.m", "b2.m", "ground.r1", "bar3.r1", "i.g"),
        ("j1.q", "j1.w", "j2.q", "rev.q"),
        {},
        3.0,
    ),
    (
        "slider-crank",
        "slider_crank",
        ("torque", "speed", "r", "l", "wheel.I33", "b.m", "p0"),
        ("crank.q", "crank.w", "piston.q", "knee.q"),
        {},
        0.3,
    ),
    ("planar four-bar", PLANAR, ("load", "a", "i.g"), ("crank.q", "crank.w", "rocker.q", "knee.q"), {}, 1.5),
    ("four-bar with a stop", STOPPED, ("load", "a", "e", "stopped"), ("crank.q", "crank.w", "rocker.q"), {}, 1.0),
)
"""Names, texts or examples, parameters, variables, values of parameters, and the end of the run."""


@once
def _translation(name: str) -> acausal.Translation:
    text, parameters = next((case[1], case[2]) for case in CASES if case[0] == name)
    source = text if "\n" in text else EXAMPLES / f"{text}.mdl"
    return acausal.translate(source, cache=False).with_tunable(parameters)


def sensitivities_of_mechanisms(rng: Random) -> None:
    """All derivatives at three times, with masses, lengths and initial velocities moved at random."""
    check(CASES[rng.randrange(len(CASES))], rng.uniform(0.97, 1.03))


def check(case: Case, share: float) -> None:
    """The derivatives of a case where its parameters have this share of their values."""
    name, _, parameters, variables, given, stop = case
    t, times = _translation(name), [0.4 * stop, 0.7 * stop, stop]
    own = t.simulate(stop=stop, interval=stop / 10).parameters
    values = {p: share * given.get(p, own[p].value) for p in parameters}
    s = t.sensitivities(parameters, variables, times=times, stop=stop, tolerance=TOLERANCE, values=values)
    for k, parameter in enumerate(parameters):
        a, b, c = [_difference(t, values, parameter, h, (variables, times)) for h in SHARES]
        first, second = (4 * b - a) / 3, (4 * c - b) / 3
        expected = (16 * second - first) / 15
        sizes = 1 + abs(expected).max(axis=0)
        error = abs(s.derivatives[:, :, k] - expected) / sizes
        allowed = WITHIN + 3 * abs(second - first) / sizes
        assert (error <= allowed).all(), f"{name}, {parameter}: {error.max()} of {allowed.min()}"


def _difference(
    t: acausal.Translation,
    values: dict[str, float],
    name: str,
    h: float,
    asked: tuple[tuple[str, ...], list[float]],
) -> NDArray[np.float64]:
    """The central difference (times, variables)."""
    variables, times = asked
    found = []
    for sign in (1, -1):
        moved = {**values, name: values[name] * (1 + sign * h)}
        run = t.simulate(stop=times[-1], interval=times[-1] / 10, tolerance=TOLERANCE, parameters=moved)
        rows = [int(np.searchsorted(run.time, at + 1e-9) - 1) for at in times]
        found.append(np.array([run[v][rows] for v in variables]).T)
    difference: NDArray[np.float64] = (found[0] - found[1]) / (2 * h * values[name])
    return difference
