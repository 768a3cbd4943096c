"""Relations on functions with poles and jumps: at a pole the sign changes, wherever the function is heading behind it.

Behind a pole a tangent rises from below, so that it seemed to come back to where it was: no event but the first. Below
1/16 of a period from the pole both ends of what is true lay between two evaluations.
"""

from math import acos, atan, floor, pi

import pytest

from tests.events.test_periods import COUNT, STATE, STOP, W, made

ANGLE = W * STOP
RELATIONS: dict[str, tuple[str, *tuple[float, ...]]] = {
    "tangent": ("tan(phi) > 0.5", pi, atan(0.5)),
    "next to its pole": ("tan(phi) > 100", pi, atan(100)),
    "behind its pole": ("tan(phi) < -100", pi, pi / 2),
    "cubed": ("tan(phi)^3 > 1e6", pi, atan(100)),
    "assigned": ("y > 100", pi, atan(100)),
    "secant": ("1/cos(phi) > 100", 2 * pi, acos(0.01), 1.5 * pi),
    "squared secant": ("1/cos(phi)^2 > 1e4", pi, acos(0.01)),
    "jump of an angle": ("atan2(sin(phi), cos(phi)) > 3.1", 2 * pi, 3.1),
    "jump without a factor": ("atan(tan(phi)) > 0.5", pi, 0.5),
}
"""The relation, its period, and where it becomes true in the first one."""


@pytest.mark.parametrize("name", RELATIONS)
def test_poles(name: str) -> None:
    relation, period, *begins = RELATIONS[name]
    text = STATE + ("\n  local y\n  y = tan(phi)" if name == "assigned" else "")
    model = made(text + COUNT.replace("LEFT > 0.5", relation))
    for solver in ("auto", "dop853", "lsoda") if name == "next to its pole" else ("auto",):
        r = model.simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver)
        assert r["n"][-1] == sum([floor((ANGLE - begin) / period) + 1 for begin in begins])


@pytest.mark.parametrize("solver", ["auto", "dop853", "radau"])
def test_pole_of_a_state(solver: str) -> None:
    """1/x > 1/2 from x = 1 on: up to x = 0, and behind it false; from -1 on true behind x = 0."""
    for start, before, behind in ((1.0, 1.0, 0.0), (-1.0, 0.0, 1.0)):
        x = f"local x (start={start}, fixed=true), on\n  der(x) = {-start}\n  on = if 1/x > 0.5 then 1 else 0"
        r = made(x + COUNT.replace("LEFT > 0.5", "time > 1")).simulate(
            stop=1.5, interval=0.1, tolerance=1e-8, solver=solver
        )
        seen = [(x, on) for x, on in zip(r["x"], r["on"], strict=True) if abs(x) > 1e-6]
        assert seen == [(x, before if x * start > 0 else behind) for x, _ in seen]
