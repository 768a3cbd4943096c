"""Output times gone through in one call of the machine code give the rows that single calls give."""

import numpy as np
import pytest

from acausal.pipeline import translate
from tests.collection import ROOT


@pytest.mark.parametrize("name", ["double_pendulum", "hydraulic_lift", "suspension"])
def test_many_at_once_or_one_by_one(name: str) -> None:
    """Who looks at the progress gets a call for each; the lift has turning points of what it watches."""
    model = translate(ROOT / "examples" / f"{name}.mdl")
    seen = [0.0]
    at_once, single = model.simulate(), model.simulate(progress=seen.append)
    assert np.array_equal(at_once.time, single.time)
    assert np.array_equal(at_once.stored, single.stored)
    assert at_once.events == single.events
    events = {event.time for event in at_once.events}
    assert [t for t in dict.fromkeys(at_once.time.tolist()) if t not in events] == [t for t in seen if t not in events]
