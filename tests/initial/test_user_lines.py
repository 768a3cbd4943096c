"""A failure inside a library is told in the user's text: the loop that cannot be put together, the joint to start."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import SimulationError
from acausal.pipeline import translate

LOOP = """@mbsdir.lib
model Loop
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j1(n3=1), j2(n3=1), j3(n3=1), j4(n3=1)
  submodel (Bar) crank(r1=1), rod(r1=5), rocker(r1=1), ground(r1=2)
  submodel (Body) b(m=1, I33=1)
  connect i - j1 - crank - j2 - rod - j3 - rocker, b at crank
  connect i - ground - j4, j4 at rocker:B
end
"""


def test_a_loop_that_is_too_long(tmp_path: Path) -> None:
    """The rod of 5 m does not fit between cranks of 1 m at 2 m: 1 m is left at the closing statement."""
    file = tmp_path / "m.mdl"
    file.write_text(LOOP)
    with pytest.raises(SimulationError) as failed:
        translate(file).simulate(stop=1)
    (found,) = failed.value.report.errors
    assert found.primary is not None
    assert (found.primary.span.file.name, found.primary.span.line) == (str(file), 8)
    assert found.primary.text == "a gap of 1 m remains"
    assert found.help is not None
    assert "change the lengths" in found.help
    file.write_text(LOOP.replace("rod(r1=5)", "rod(r1=1.5)"))
    translate(file).simulate(stop=0.1)
