"""Nonlinear blocks whose solution jumps at an event, with every solver, against closed forms.

No relation depends on the block, so that only the derivatives solve it: x' = w with w^3 + w = 2 or 10 has w = 1 or 2.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.events.test_delay import EVENTFUL

SOLVERS = ("cvode", "adams", "lsoda", "rk45", "rk23", "dop853", "radau", "bdf")
JUMPS = {
    "relation of a state": "w^3 + w = if x > 0.3 then 10 else 2",
    "relation of time": "w^3 + w = if time > 0.3 then 10 else 2",
    "sample": "discrete k\nw^3 + w = 2 + 8*k\nwhen sample(0.3, 10) then\nnew(k) = 1\nendwhen",
    "step of time": "w^3 + w = 2 + 8*floor(time + 0.7)",
    "delayed relation": "local p\np = if time > 0.1 then 10 else 2\nw^3 + w = delay(p, 0.2)",
    "delayed state": "local z (start=2, fixed=true)\nder(z) = 0*z\nw^3 + w = delay(z, 0.2)\n"
    "when sample(0.1, 10) then\ninit(z) = 10\nendwhen",
}


def translated(body: str, folder: Path) -> Translation:
    file = folder / "m.mdl"
    file.write_text(f"model M\nlocal x (start=0, fixed=true), w (start=1)\nder(x) = w\n{body}\nend\n", encoding="utf-8")
    return translate(file)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_block_that_only_the_derivatives_solve(jump: str, tmp_path: Path) -> None:
    """x = t up to 0.3, then 0.3 + 2(t - 0.3): linear, so that no solver has an error of its own."""
    model = translated(JUMPS[jump], tmp_path)
    for interval in (0.07, 1.0):
        for solver in SOLVERS:
            result = model.simulate(stop=1, interval=interval, solver=solver)
            t = result.time
            assert np.abs(result["x"] - np.maximum(t, 2 * t - 0.3)).max() < 1e-8, solver
            assert result["w"][abs(t - 0.3) < 1e-7] == pytest.approx([1.0, 2.0], abs=1e-9), solver


def test_delays_events_and_a_block(tmp_path: Path) -> None:
    """All solvers agree on events and, as far as their tolerance goes, on values."""
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n{EVENTFUL}\nend\n", encoding="utf-8")
    model = translate(file)
    reference = model.simulate(stop=3.5, interval=0.7, tolerance=1e-11, solver="dop853")
    assert len(reference.events) == 12
    for solver, tolerance in ((solver, 1e-4 if solver == "bdf" else 1e-6) for solver in SOLVERS):
        result = model.simulate(stop=3.5, interval=0.7, tolerance=tolerance, solver=solver)
        assert [event.changes for event in result.events] == [event.changes for event in reference.events], solver
        times = [[event.time for event in r.events] for r in (result, reference)]
        assert np.abs(np.subtract(*times)).max() < 20 * tolerance, solver
        for name in ("x", "z", "w"):
            assert abs(result.final[name] - reference.final[name]) < 20 * tolerance, (solver, name)
