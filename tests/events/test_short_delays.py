"""Delays that are short beside the run: a note tells what makes the run long."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.simulate.run import short_delays


def test_a_note_on_many_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest of the delays is the one that limits."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model M\n  local x (start=1, fixed=true), y\n  der(x) = -delay(x, 1e-3)\n  y = delay(x, 0.1)\nend\n"
    )
    model = translate(file)
    assert model.simulate(stop=1).notes == ()
    monkeypatch.setattr(short_delays, "MANY", 100)
    r = model.simulate(stop=1)
    (note,) = r.notes
    assert note.code == "R017"
    assert note.message == "delay(x, 0.001) limits each step of the run to 0.001 s: 1e+03 steps up to t = 1"
    assert note.primary is not None
    assert note.primary.text == "delayed here"
    assert r["x"][-1] == pytest.approx(np.exp(-1), rel=2e-3)
