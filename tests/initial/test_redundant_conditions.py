"""Conditions that the others determine already: a note where they hold, else all of them as errors at once."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError
from acausal.checking import check
from acausal.pipeline import translate

STAR = """@electrical.lib
model Star
  parameter i3=0
  submodel (source) U1(V=1), U2(V=2), U3(V=-3)
  submodel (resistor) R1(R=1), R2(R=1), R3(R=1)
  submodel (inductor) L1(L=1) (ic i={}), L2(L=1) (ic i={}), L3(L=1) (ic i=i3)
  submodel (ground) G
  node n, s
  connect U1 from n to R1:A, U2 from n to R2:A, U3 from n to R3:A, G at n
  connect L1 from R1:B to s, L2 from R2:B to s, L3 from R3:B to s
end
"""


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file


@pytest.mark.parametrize("currents", [(0, 0, 0), (1, 2, -3), (1.5, -0.5, -1)])
def test_inductors_of_an_isolated_star(tmp_path: Path, currents: tuple[float, float, float]) -> None:
    """Three currents whose sum is zero: two are needed, the third holds."""
    text = STAR.format(*currents[:2]).replace("i3=0", f"i3={currents[2]}")
    report = check(_file(tmp_path, text))
    assert not report.errors
    assert [d.code for d in report.diagnostics] == ["I013"]
    r = translate(_file(tmp_path, text)).simulate(stop=1)
    assert [r[f"L{k}.i"][0] for k in (1, 2, 3)] == pytest.approx(currents, abs=1e-12)


def test_another_value_of_a_parameter_is_looked_at_anew(tmp_path: Path) -> None:
    """i3 = 1 contradicts what i3 = 0 fulfils."""
    model = translate(_file(tmp_path, STAR.format(0, 0)))
    assert len(model.simulate(stop=1).time) > 1
    with pytest.raises(ModelError, match="too many initial conditions"):
        model.simulate(stop=1, parameters={"i3": 1})


def test_of_redundant_conditions_one_goes_that_the_others_determine_well(tmp_path: Path) -> None:
    """x^2 + y^2 = 1 determines x = 1 from y = 0 well, y = 0 from x = 1 as a double root."""
    text = "model M\n  local x (start=1, fixed=true), y (start=0, fixed=true), F\n  der(x, 2) = -F*x\n"
    text += "  der(y, 2) = -F*y - 9.81\n  x^2 + y^2 = 1\nend\n"
    model = translate(_file(tmp_path, text))
    (note,) = [d for d in model.report.diagnostics if d.code == "I013"]
    assert note.message.startswith("the initial condition x = 1 is redundant")
    r = model.simulate(stop=1)
    assert (r["x"][0], r["y"][0]) == pytest.approx((1, 0), abs=1e-9)
    np.testing.assert_allclose(r["x"] ** 2 + r["y"] ** 2, 1, atol=1e-5)


def test_all_that_do_not_hold_are_told_at_once(tmp_path: Path) -> None:
    """Four conditions for two states: neither the angles nor the speeds agree with the ratio."""
    text = """@rotational.lib
model M
  submodel (inertia) J1(J=1) (ic phi=1, w=1), J2(J=2) (ic phi=1, w=1)
  submodel (gear) g(ratio=2)
  connect J1 - g - J2
end
"""
    errors = check(_file(tmp_path, text)).errors
    assert len(errors) >= 2
    assert {e.code for e in errors} == {"I002"}
    assert len({e.message for e in errors}) == len(errors)
