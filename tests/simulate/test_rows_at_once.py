"""Output times gone through in one call of the machine code give the rows that single calls give."""

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.simulate.cvode.machine_code import DirectIntegrator
from tests.collection import ROOT
from tests.python_loop import simulate_in_python


@pytest.mark.parametrize("name", ["double_pendulum", "hydraulic_lift", "suspension"])
def test_many_at_once_or_one_by_one(name: str) -> None:
    """The lift has turning points of what it watches."""
    model = translate(ROOT / "examples" / f"{name}.mdl")
    at_once, single = model.simulate(), simulate_in_python(model)
    assert np.array_equal(at_once.time, single.time)
    assert np.array_equal(at_once.stored, single.stored)
    assert at_once.events == single.events


@pytest.mark.parametrize("name", ["double_pendulum", "hydraulic_lift"])
def test_progress_takes_the_same_path(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is reported between calls of the machine code: times that increase up to the end, in few calls."""
    model = translate(ROOT / "examples" / f"{name}.mdl")
    alone = model.simulate(interval=1e-3)
    seen: list[float] = []
    monkeypatch.setattr(DirectIntegrator, "advance", None)
    watched = model.simulate(interval=1e-3, progress=seen.append)
    assert np.array_equal(alone.stored, watched.stored)
    assert seen == sorted(seen)
    assert seen[-1] == alone.time[-1]
    assert len(seen) < len(alone.time) / 10
