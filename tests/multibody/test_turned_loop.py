"""A loop whose closing is found turned by 180 degrees: the message says where which joint starts, and so it runs."""

import re
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from tests.multibody.models import made

BODIES = """submodel (Body) b1(m=1, r1=0.5, I33=0.1), b2(m=2, r1=1, I33=0.3), b3(m=1, r1=0.7, I33=0.2)"""
BACKWARD = f"""@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j1(n3=1) (ic q=1.2, w=2), j2(n3=1), j3(n3=1), j4(n3=1)
  submodel (Bar) crank(r1=1), coupler(r1=2), rocker(r1=-1.5), ground(r1=2)
  {BODIES}
  connect b1 at j1, b2 at j2, b3 at j4
  connect i - j1 - crank - j2 - coupler - j3, i - ground - j4 - rocker
  connect rocker:B at j3:B
end
"""
CHAIN = f"""@mbsinv.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j1(n3=1) (ic q=1.2, w=2), j2(n3=1), j3(n3=1), j4(n3=1, near=pi)
  submodel (Bar) crank(r1=1), coupler(r1=2), rocker(r1=1.5), ground(r1=2)
  {BODIES}
  connect b1 at j1, b2 at j2, b3 at j3
  connect i - j1 - crank - j2 - coupler - j3 - rocker - j4, i - ground, ground:B at j4:B
end
"""


@pytest.mark.parametrize(
    ("text", "joint", "given"), [(BACKWARD, "j3", "j3(n3=1)"), (CHAIN, "j4", "j4(n3=1, near=pi)")], ids=["bar", "near"]
)
def test_the_advice_is_right(tmp_path: Path, text: str, joint: str, given: str) -> None:
    """Also where the joint started half a turn away for no reason; the other three bars close the loop as before."""
    with pytest.raises(SimulationError, match="turned by 180 degrees") as raised:
        made(tmp_path, text).simulate(stop=0.2)
    (found,) = raised.value.report.diagnostics
    assert found.help is not None
    advice = re.search(r"start there: (\w+)\(near=([-\d.]+)\)$", found.help)
    assert advice is not None
    assert advice[1] == joint
    r = made(tmp_path, text.replace(given, f"{joint}(n3=1, near={advice[2]})")).simulate(stop=0.2)
    turned = r["j1.q"] + r["j2.q"] + r["j3.q"] + (r["j4.q"] if joint == "j4" else -r["j4.q"])
    np.testing.assert_allclose(np.cos(turned), 1, atol=1e-12)
