"""Relations of nonlinear blocks whose Jacobians change by powers of ten, and are singular nowhere.

That of q^3 + q is 1 at 0 and 4801 at 40. Small beside what it was before, it counted as that of a dead center, beside
which a relation that is the same at all nodes of the interpolation counts as constant: 1 of 49 pulses, E011; and at
events solutions that were not as predicted ended the run with R002.
"""

from math import pi

import numpy as np
import pytest

from tests.events.test_periods import COUNT, STATE, made

DRIVES = {
    "through 0": (STATE.replace("start=0", "start=-46.3"), lambda t: 31 * t - 46.3),
    "back": (
        "local phi (start=40, fixed=true), w (start=0, fixed=true)\n  der(phi) = w\n  der(w) = -4*phi",
        lambda t: 40 * np.cos(2 * t),
    ),
}
BLOCKS = {"cubic": "q^3 + q = phi^3 + phi", "two": "r^3 + r = phi^3 + q\n  q^3 + 2*q = r^3 + 2*phi"}
STOP = 2.0


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("block", BLOCKS)
def test_counts(drive: str, block: str) -> None:
    """q is phi: as many passages as a dense grid shows."""
    text, angle = DRIVES[drive]
    start = f"(start={angle(0.0)})"
    local = f"\n  local q {start}" + (f", r {start}" if block == "two" else "")
    q = angle(np.linspace(0.0, STOP, 1_000_001))
    wanted = []
    counts = ""
    for i, (left, values) in enumerate(
        (("sin(q) > 0.5", np.sin(q) - 0.5), ("atan2(sin(q), cos(q)) < -3.1", pi - 3.1 - (q - pi) % (2 * pi)))
    ):
        wanted.append(np.count_nonzero((values[1:] > 0) & (values[:-1] <= 0)))
        counts += f"\n  when {left} then\n    new(n{i}) = n{i} + 1\n  endwhen"
    never = COUNT.replace("LEFT > 0.5", "time > 100")
    model = made(f"discrete n0, n1\n  {text}{local}\n  {BLOCKS[block]}{counts}{never}")
    for solver in ("auto", "dop853"):
        r = model.simulate(stop=STOP, interval=STOP, tolerance=1e-4, solver=solver)
        assert [r["n0"][-1], r["n1"][-1]] == wanted


def test_between_nodes() -> None:
    """The Jacobian is small near 0 indeed, and q*sin(5*q) changes its sign between two nodes of the interpolation."""
    counts = "".join(
        f"\n  when {left} then\n    new(n{i}) = n{i} + 1\n  endwhen"
        for i, left in enumerate(("q*sin(5*q) > 0.2", "q > 0.3", "abs(q - 2) < 0.01", "sin(q) > 0.5"))
    )
    block = "\n  local q (start=0)\n  q*sqrt(q^2 + 1e-4) = phi*sqrt(phi^2 + 1e-4)"
    model = made("discrete n0, n1, n2, n3\n  " + STATE + block + counts + COUNT.replace("LEFT > 0.5", "time > 100"))
    q = 31 * np.linspace(0.0, 3.0, 1_000_001)
    above = q * np.sin(5 * q) > 0.2
    for solver in ("auto", "dop853"):
        r = model.simulate(stop=3, interval=3, tolerance=1e-4, solver=solver)
        assert r["n0"][-1] == np.count_nonzero(above[1:] & ~above[:-1])
