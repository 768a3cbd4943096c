"""A step of a SciPy solver whose end is on another branch: it is not accepted, and the run goes on in shorter steps."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.runs import RunError
from acausal.simulate.system.followed_steps import FollowedSteps
from tests.branches.test_dead_centers import made

TWO_EXPONENTIALS = """model M
  local s (start=0, fixed=true), y (start=0, fixed=true), x (start=1)
  der(s) = 1
  der(y) = 1e-9*x
  (x - exp(s))*(x - exp(s) + {gap}) = 0
  experiment (stop=6, interval=6)
end
"""
"""x is exp(s) or less by the gap. The steps are long, as y hardly depends on x: from s = 1.1 to 6, where the prediction
by the points before is 46 and exp(6) is 403."""


@pytest.mark.parametrize("solver", ["dop853", "rk45", "radau"])
@pytest.mark.parametrize("gap", [286.0, 322.0, 340.0])
def test_a_step_that_ends_on_another_branch(
    solver: str, gap: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[bool] = []

    def end(steps: FollowedSteps, *arguments: Any) -> bool:
        ends.append(original(steps, *arguments))
        return ends[-1]

    original = FollowedSteps.end
    monkeypatch.setattr(FollowedSteps, "end", end)
    r = made(tmp_path, TWO_EXPONENTIALS.format(gap=gap)).simulate(solver=solver, tolerance=1e-3)
    assert False in ends
    assert r["x"][-1] == pytest.approx(np.exp(6), rel=1e-9)
    assert r["y"][-1] == pytest.approx(1e-9 * (np.exp(6) - 1), abs=1e-6)


def test_a_run_that_stays_on_another_branch_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all steps beyond a time end on another branch the run says so, and has the rows before."""
    monkeypatch.setattr(FollowedSteps, "end", lambda _, t, *__: t < 2)
    t = made(tmp_path, TWO_EXPONENTIALS.format(gap=322.0))
    with pytest.raises(RunError) as caught:
        t.simulate(solver="dop853", interval=0.5)
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code == "R002"
    assert caught.value.result.time[-1] <= 2
    assert np.abs(caught.value.result["x"] - np.exp(caught.value.result["s"])).max() < 1e-6
