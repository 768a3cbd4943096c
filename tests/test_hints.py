"""Hints that are followed to the letter lead to a model that runs.

Each entry is a beginner's mistake: the text, the change that the hint asks for, the code, and the words of the hint
that ask for it. Names of the run time (`relation$1`) must not appear.
"""

import re
from pathlib import Path

import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, ModelError, SimulationError

CIRCUIT = """@electrical.lib
model M
  submodel (source) U(V=10)
  submodel (resistor) R(R=10)
  submodel (capacitor) C(C=1e-3) (ic u=0)
  submodel (ground) G
  connect G - U - R - C - G
end
"""
PENDULUM = """@mbsdir.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) r(n3=1) (ic q=1, w=0)
  submodel (Body) b(m=1, r1=1)
  connect i - r, b at r
end
"""
BALL = """model M
  local h (start=1, fixed=true), v (start=0, fixed=true)
  der(h) = v
  der(v) = -9.81
  when h < 0 then
    init(v) = -0.8*v
  endwhen
end
"""
COUNTER = """model M
  discrete k (start=0)
  when sample(0, 0.1) then
    new(k) = k + 1
  endwhen
end
"""
SWITCH = """model M
  local x (start=1, fixed=true), v (start=0, fixed=true)
  discrete boolean on
  new(on) = if on then x < 1.1 else x < 0.9
  der(x) = v
  der(v) = if on then 1 else -x
end
"""
NODES = CIRCUIT.replace(
    "connect G - U - R - C - G", "node n1, n2, n3\n  connect U at (n1, n2), R at (n1, n3), C at (n3, n2), G at n2"
)
TWO_CONDITIONS = "model M\n  local x, v\n  initial x = 1\n  initial v = 0\n  der(x) = v\n  der(v) = -x\nend\n"
OSCILLATOR = "model M\n  local x (start=1), v\n  der(x) = v\n  der(v) = -x\nend\n"

MISTAKES = [
    # (right, the part of it that was mistaken, the mistake, code, the hint)
    (CIRCUIT.replace("R=10", "R=10 Ohm"), "R=10 Ohm)", "R=10 ohms)", "U006", "write 10 Ohm"),
    (CIRCUIT.replace("R=10", "R=2k"), "R=2k)", "R=2K)", "U005", "write 2k"),
    (CIRCUIT.replace("C=1e-3", "C=1 uF"), "C=1 uF)", "C=1 microfarad)", "P015", "did you mean uF?"),
    (CIRCUIT.replace("C=1e-3", "C=2M"), "C=2M)", "C=2Meg)", "P015", "write `2M`"),
    (CIRCUIT, "V=10", "U=10", "N004", "its parameters are V"),
    (CIRCUIT, "(resistor)", "(Resistor)", "N001", "did you mean resistor?"),
    (CIRCUIT, "@electrical.lib", "@electric.lib", "F001", "did you mean electrical.lib?"),
    (CIRCUIT, "@electrical.lib\n", "", "N001", "add the line @electrical.lib"),
    (CIRCUIT, "(R=10)", "", "N010", "R(R=...)"),
    (NODES, ", n3\n", "\n", "C001", "node n1, n2"),
    (NODES, "R at (n1, n3)", "R at n1", "C004", "`R at (n1, n2)`"),
    (NODES, "C at (n3, n2)", "CA at n3, C:B at n2", "C001", "did you mean C:A?"),
    (NODES, "C at (n3, n2)", "C:p at n3, C:B at n2", "C001", "its cuts are A, B"),
    (CIRCUIT.replace("\nend", "\n  local p\n  p = R.i^2\nend"), "R.i", "Ri", "N002", "did you mean R.i?"),
    (PENDULUM, "m=1", "mass=1", "N004", "did you mean m, mass?"),
    (PENDULUM, "q=1, w=0", "phi=1, w=0", "N002", "q, w"),
    (PENDULUM, "ng2=-1", "ng2=-9.81", "R010", "change i.ng1 or i.ng2"),
    (PENDULUM, "n3=1", "n3=1, n1=1", "R010", "r.n1"),
    (PENDULUM, "i - r,", "r - i,", "C013", "\\r"),
    (BALL, "init(v) = -0.8*v", "v = -0.8*v", "E004", "write `init(v) = -0.8*v`"),
    (BALL, "init(v) = -0.8*v", "reinit(v, -0.8*v)", "P022", "write `init(v) = -0.8*v`"),
    (COUNTER, "new(k) = k + 1", "k = k + 1", "E004", "write `new(k) = k + 1`"),
    (COUNTER, "sample(0, 0.1)", "sample(0.1)", "T003", "sample(0, 0.01): the first instant and the interval"),
    (COUNTER, "new(k) = k", "new(k) = pre(k)", "T008", "the variable itself"),
    (SWITCH, "discrete boolean on", "boolean on", "P022", "`discrete boolean on`"),
    (OSCILLATOR, "local x (start=1), v", "real x (start=1), v", "P022", "`local x`"),
    (
        SWITCH,
        "if on then x < 1.1 else x < 0.9\n  der(x) = v",
        "x < 1\n  der(x) = if on then 1 else -1",
        "E010",
        "two limits",
    ),
    (OSCILLATOR, "(start=1)", "= 1", "S001", "local x (start=1)"),
    (TWO_CONDITIONS, "initial x = 1\n  initial v", "initial x = 1, v", "P001", "initial v = ..."),
]


def found_in(folder: Path, text: str) -> Diagnostic:
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((ModelError, SimulationError)) as caught:
        translate(file).simulate(stop=2, interval=0.1)
    return caught.value.report.diagnostics[0]


@pytest.mark.parametrize(("right", "part", "mistake", "code", "hint"), MISTAKES)
def test_a_hint_that_is_followed_works(
    tmp_path: Path, right: str, part: str, mistake: str, code: str, hint: str
) -> None:
    assert part in right
    found = found_in(tmp_path, right.replace(part, mistake, 1))
    texts = [found.message, *found.notes, *[label.text for label in (found.primary, *found.secondary) if label]]
    assert found.code == code
    assert hint in str(found.help)
    assert not re.search(r"\w\$\d", " ".join([*texts, str(found.help)]))
    assert found.primary is not None
    assert found.primary.span.file.name.endswith("model.mdl")
    file = tmp_path / "right.mdl"
    file.write_text(right, encoding="utf-8")
    translate(file).simulate(stop=2, interval=0.1)


def test_a_list_for_an_array_parameter(tmp_path: Path) -> None:
    """Elements are given by their names."""
    file = tmp_path / "model.mdl"
    file.write_text("model M\n  parameter a[2]=[1, 2]\n  local x[2]\n  der(x) = a\nend\n", encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        translate(file).simulate(stop=1, parameters={"a": [5, 6]})  # type: ignore[dict-item]  # the mistake
    assert "'a[1]', 'a[2]'" in str(caught.value.report.diagnostics[0].help)
    result = translate(file).simulate(stop=1, parameters={"a[1]": 5, "a[2]": 6})
    assert (result["x[1]"][-1], result["x[2]"][-1]) == pytest.approx((5, 6))
