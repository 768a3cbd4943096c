"""Short pulses beside jumps and poles: behind these a function is as it was before, so that no sign shows the pulse.

atan(tan(a)) > 1.57 is true for 0.0008 rad up to the jump at pi/2, 1/x > 100 behind the pole up to x = 0.01. Where no
formula gives the velocity of a, 0 of 99, 0 of 49 were found, of poles of divisions none.
"""

from math import acos, floor, pi

import pytest

from acausal.simulate.inputs.inputs import InputValue
from tests.events.test_periods import COUNT, STATE, W, made
from tests.python_loop import python_loop

SOURCES: dict[str, tuple[str, str, dict[str, InputValue], float]] = {
    "nonlinear block": (STATE + "\n  local q (start=0)\n  q + 0.1*sin(q) = phi + 0.1*sin(phi)", "q", {}, 0.0),
    "input": ("input u\n  local x (start=0, fixed=true)\n  der(x) = 1", "(u*time)", {"u": "31"}, 0.0),
    "delay": (STATE + "\n  local d\n  d = delay(phi, 0.5)", "d", {}, 0.5),
    "linear block": (
        STATE + "\n  local p, z\n  p + 2*z = 3*phi\n  p - z = noevent(if phi > 1e9 then z else 0)", "z", {}, 0.0
    ),
}  # fmt: skip
"""Declarations and equations, an angle without formula, inputs, and by how much the angle is late."""
RELATIONS = {
    "jump": ("atan(tan(A)) > 1.57", 1.57, pi),
    "turn": ("atan2(sin(A), cos(A)) > 3.1", 3.1, 2 * pi),
    "behind a turn": ("atan2(sin(A), cos(A)) < -3.1", pi, 2 * pi),
    "pole": ("tan(A) > 100", pi / 2 - 0.00999966668666524, pi),
    "secant": ("1/cos(A)^2 > 1e4", acos(0.01), pi),
}
"""A relation, where it becomes true first, and its period."""
STOP = 1.5


@pytest.mark.parametrize("source", SOURCES)
def test_angles(source: str) -> None:
    """All pulses of five relations, one count for each."""
    text, angle, inputs, late = SOURCES[source]
    counts = ""
    for i, (left, _, _) in enumerate(RELATIONS.values()):
        counts += f"\n  when {left.replace('A', angle)} then\n    new(n{i}) = n{i} + 1\n  endwhen"
    zero = COUNT.replace("LEFT > 0.5", "time > 100")
    model = made("discrete n0, n1, n2, n3, n4\n  " + text + counts + zero)
    for solver, interval in (("auto", STOP), ("dop853", STOP)):
        r = model.simulate(stop=STOP, interval=interval, tolerance=1e-4, solver=solver, inputs=inputs)
        wanted = [floor((W * (STOP - late) - begin) / period) + 1 for _, begin, period in RELATIONS.values()]
        assert [r[f"n{i}"][-1] for i in range(len(RELATIONS))] == wanted


DIVISIONS = {
    "1/x > 100": (0.0, 0.01),
    "1/x > 1e4": (0.0, 1e-4),
    "1/x < -100": (-0.01, 0.0),
    "1/x^3 > 1e6": (0.0, 0.01),
    "y > 1000": (0.1, 0.1 + 0.1 / 999),
    "1/(x^2 - 0.25) > 1e4": (-((0.25 + 1e-4) ** 0.5), -0.5, 0.5, (0.25 + 1e-4) ** 0.5),
    "1/(x^2 - 0.25) < -1e4": (-0.5, -((0.25 - 1e-4) ** 0.5), (0.25 - 1e-4) ** 0.5, 0.5),
}
"""A relation, and the values of x where it changes."""


@pytest.mark.parametrize("relation", DIVISIONS)
def test_divisions(relation: str) -> None:
    """x from -1 to 1.3: an event at each zero and at each pole."""
    y = "\n  local y\n  y = x/(x - 0.1)" if "y" in relation else ""
    model = made("local x (start=-1, fixed=true)\n  der(x) = 1" + y + COUNT.replace("LEFT > 0.5", relation))
    for solver in ("auto", "dop853"):
        r = model.simulate(stop=2.3, interval=2.3, tolerance=1e-4, solver=solver)
        assert [event.time - 1.0 for event in r.events] == pytest.approx(DIVISIONS[relation], abs=1e-9)
    with python_loop():
        r = model.simulate(stop=2.3, interval=2.3, tolerance=1e-4)
        assert [event.time - 1.0 for event in r.events] == pytest.approx(DIVISIONS[relation], abs=1e-9)


def test_start_at_a_pole() -> None:
    """From the pole on the relation is true, or false: x = 0 at the beginning."""
    for relation, wanted in (("1/x > 100", [0.01]), ("1/x < 100", [0.01]), ("1/x < -100", [])):
        model = made("local x (start=0, fixed=true)\n  der(x) = 1" + COUNT.replace("LEFT > 0.5", relation))
        for solver in ("auto", "dop853"):
            r = model.simulate(stop=1.0, interval=1.0, tolerance=1e-4, solver=solver)
            assert [event.time for event in r.events if event.time > 0.0] == pytest.approx(wanted, abs=1e-9)
