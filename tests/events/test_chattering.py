"""Chattering without events: named by every solver; a relation that does not lead back is left alone."""

from contextlib import suppress

import numpy as np
import pytest

from acausal.runs import RunError
from acausal.simulate.run.progress_watch import ProgressWatch
from acausal.simulate.solver.chattering import sliding
from acausal.simulate.system.system import System
from tests.events.models import failed, model

SLIDES = """
  local x (start=1, fixed=true), y, z
  z = noevent(if x > 0 then -1 else 1)
  y = 2*z
  der(x) = y"""
"""FailureModes.Chattering.ChatteringNoEvents1: on x = 0 from t = 0.5 on."""


@pytest.mark.parametrize("solver", ["auto", "adams", "DOP853", "BDF"])
def test_it_is_named(solver: str) -> None:
    error = failed(SLIDES, solver=solver)
    assert isinstance(error, RunError)
    (found,) = error.report.diagnostics
    assert found.code == "E011"
    assert "chattering" in found.message
    assert "`x > 0`" in found.message
    assert found.primary is not None
    assert found.primary.span.text.strip() == "z = noevent(if x > 0 then -1 else 1)"
    assert 0.49 < error.result.time[-1] < 0.51


@pytest.mark.parametrize(("jump", "text"), [("sign(x - v)", "sign(x - v)"), ("floor(x - v) + 0.5", "floor(x - v)")])
def test_other_jumps(jump: str, text: str) -> None:
    body = f"  local x (start=1, fixed=true), v (start=0, fixed=true)\n  der(v) = 0.1\n  der(x) = -noevent({jump})"
    found = failed(body, stop=20, tolerance=1e-8).report.diagnostics[0]
    assert found.code == "E011"
    assert f"`{text}`" in found.message


@pytest.mark.parametrize(("behind", "slides"), [(1.0, True), (-2.0, False)])
def test_only_a_jump_that_both_sides_lead_to(behind: float, slides: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a point just before the jump: once the derivative behind it comes back, once it goes on."""
    found = []

    def seen(_: ProgressWatch, system: System, *_others: object) -> None:
        found.append(sliding(system, 0.0, np.array([1e-10]), 1e-10))

    monkeypatch.setattr(ProgressWatch, "seen", seen)
    with suppress(RunError):
        model(f"  local x (start=1, fixed=true)\n  der(x) = noevent(if x > 0 then -1 else {behind})", stop=0.5)
    assert (found[0] is not None) is slides
