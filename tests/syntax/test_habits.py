"""What people bring from other languages: each habit is recognized, and the correct form is shown.

The forms are what the language page says, written by hand; a form in quotes of the table must stand in the hint.
"""

from pathlib import Path

import pytest

from acausal.checking import check

# (where it comes from, lines of a model, what the hint must show)
STATEMENTS = [
    ("Modelica", "Real x2", "local x"),
    ("Modelica", "parameter Real k2 = 5", "parameter real k2"),
    ("Modelica", "parameter Integer n = 5", "parameter integer n"),
    ("Modelica", "parameter Boolean b = true", "parameter boolean b"),
    ("Modelica", 'parameter String s = "a"', "parameter string s"),
    ("Modelica", "discrete Real z", "discrete real z"),
    ("Modelica", "input Real u2", "input u2"),
    ("Modelica", "parameter Modelica.Units.SI.Voltage V0 = 5", 'parameter V0 (unit="...")'),
    ("Modelica", "resistor R7(R=1)", "submodel (resistor) R7"),
    ("Modelica", "el.resistor R7(R=1)", "submodel (el.resistor) R7"),
    ("Modelica", "connect(R1.p, R2.n)", "connect R1:p to R2:n"),
    ("Modelica", "connect(R1, R2)", "connect R1 to R2"),
    ("Modelica", "initial equation\nx = 2", "initial x = 2"),
    ("Modelica", "equation\nx = 2", "omit the word"),
    ("Modelica", "algorithm\nx := 2", "write equations"),
    ("Modelica", "x := 2", "write `=`"),
    ("Modelica", "when x > 1 then\nreinit(x, -0.5*x)\nendwhen", "init(x) = -0.5*x"),
    ("Modelica", "when x > 1 then\ninit(x) = 0\nend when", "`endwhen`"),
    ("Modelica", "for i in 1:3 loop\ny = 1\nend for", "for i = 1 to N"),
    ("Modelica", "y = {1, 2}", "[1, 2]"),
    ("Modelica", "extends Base", "model class (Super) Name"),
    ("Modelica", "inner Real g0", "internal"),
    ("Modelica", "outer Real g0", "external"),
    ("Modelica", "redeclare Foo f", "class parameter"),
    ("Modelica", "flow Real i", "cut A (v / i)"),
    ("Modelica", "// comment", "{ ... }"),
    ("Modelica", "y = pre(x)", "the variable itself"),
    ("Modelica", "y = noEvent(x)", "noevent"),
    ("Modelica", "y = smooth(0, x)", "noevent"),
    ("Modelica", "y = edge(x)", "when"),
    ("Modelica", "y = Modelica.Constants.pi", "pi"),
    ("Modelica", "y = fill(0, 3)", "zeros"),
    ("Modelica", "y = ndims(x)", "size"),
    ("Modelica", "y = homotopy(x, x)", "start"),
    ("Modelica", "local z2 (stateSelect=1)", "state="),
    ("Modelica", 'local z2 (displayUnit="V")', "unit="),
    ("Modelica", "connect R1.A to R2:B", "R1:A"),
    ("Modelica", "connect R1:B to R2.A", "R2:A"),
    ("Modelica", "y = R1.A.Va", "R1.Va"),
    ("Modelica", "experiment (StopTime=5)", "stop"),
    ("Simscape", "nodes", "cut A (v / i)"),
    ("Simscape", "variables", "local"),
    ("Simscape", "parameters", "parameter k=1"),
    ("Simscape", "equations", "omit the word"),
    ("Simscape", "parameter k2 = { 5, 'Ohm' }", 'unit="Ohm"'),
    ("Simscape", "x == 2*y", "`=`"),
    ("Simscape", "y = x.der", "der(x)"),
    ("Simscape", "branches", "cut A (v / i)"),
    ("SPICE", "R7 n1 n2 1", "submodel (resistor) R7(R=1)"),
    ("SPICE", "R7 n1 n2 1k", "connect R7 at (n1, n2)"),
    ("SPICE", "C7 1 0 1u", "submodel (capacitor) C7"),
    ("SPICE", "V1 in gnd DC 5", "submodel (source) V1"),
    ("SPICE", ".tran 1m 1", "experiment (stop=1"),
    ("SPICE", ".end", "write `end`"),
    ("SPICE", ".param k2=1", "parameter k=1"),
    ("SPICE", "parameter k2 = 2Meg", "`2M`"),
    ("SPICE", "submodel (resistor) R7(R=2MegOhm)", "`2M Ohm`"),
    ("MATLAB", "y = x'", "der(x)"),
    ("MATLAB", "y = x.^2", "`.*`"),
    ("MATLAB", "y = x ~= 2", "`<>`"),
    ("MATLAB", "% comment", "{ ... }"),
    ("MATLAB", "y = 1:3", "x[1:3]"),
    ("MATLAB", "y = w(2)", "w[2]"),
    ("MATLAB", "disp(x)", "assert"),
    ("MATLAB", "y = x + ...\n2", "parentheses"),
    ("MATLAB", "while x > 1", "for i = 1 to N"),
    ("MATLAB", "y = eye(3)", "identity"),
    ("MATLAB", "y = inv(x)", "inverse"),
    ("MATLAB", "switch x", "elseif"),
    ("Python", "y = x**2", "`^`"),
    ("Python", "# comment", "{ ... }"),
    ("Python", "import numpy as np", "@file.lib"),
    ("Python", "def f(x):", "function f(x) = expression"),
    ("Python", "if x > 0:\ny = 1\nendif", "then"),
    ("Python", "for i in range(3):\ny = 1\nendfor", "for i = 1 to N"),
    ("Python", "elif x > 0:", "elseif"),
    ("Python", "y = np.sin(x)", "sin(x)"),
    ("Python", "y = math.sqrt(x)", "sqrt(x)"),
    ("Python", "y = x if x > 0 else 0", "if c then a else b"),
    ("Python", "y = True", "true"),
    ("Python", "y = None", "value"),
    ("Python", "x += 1", "whole equation"),
    ("Python", "return x", "function f(x) = expression"),
    ("Python", "print(x)", "assert"),
    ("Python", "y = self.x", "write x"),
    ("Python", "y: float = 1", "precedes the name"),
    ("Python", "y = len(w)", "size(x, 1)"),
    ("Python", "y = x != 2", "`<>`"),
    ("Python", "y = a.append(2)", "no methods"),
    ("C", "y = x > 0 ? 1 : 2", "if c then a else b"),
    ("C", "y = x && x", "`and`"),
    ("C", "/* comment */", "{ ... }"),
    ("C", "const c = 1", "constant c=1"),
    ("C", "double x2", "local x"),
    ("C", "x++", "new(k) = k + 1"),
    ("C", "y = pow(x, 2)", "x^y"),
    ("C", "y = fabs(x)", "abs"),
    ("C", "y = ln(x)", "log"),
    ("C", "y = arctan(x)", "atan"),
    ("ModelingToolkit", "der(x) ~ -x", "`=`"),
    ("ModelingToolkit", "@variables x(t)", "local x"),
    ("ModelingToolkit", "@parameters k", "parameter k=1"),
    ("ModelingToolkit", "@named r = Resistor(R=1)", "submodel (Class) name"),
    ("ModelingToolkit", "y = x(t)", "write x"),
    ("ModelingToolkit", "y = D(x)", "der(x)"),
    ("ModelingToolkit", "y = ifelse(x > 0, 1, 2)", "if c then a else b"),
    ("ModelingToolkit", "let y2 = 2", "local x = ..."),
    ("ModelingToolkit", "y::Real", "precedes the name"),
    ("textbook", "der x = -x", "der(x)"),
    ("textbook", "y = 2*der x", "der(x)"),
    ("textbook", "y = t", "time"),
    ("textbook", "y = PI", "pi"),
    ("textbook", "y = e^x", "exp(x)"),
    ("textbook", "x(0) = 1", "initial x ="),
    ("textbook", "y = R1:i", "R1.i"),
    ("textbook", "y = x ≤ 2", "`<=`"),
    ("textbook", "y = x²", "`^2`"),
    ("textbook", "y = sin x", "sin(x)"),
    ("textbook", "y = inf", "finite"),
    ("textbook", "connect R1 R2", "R1 to R2"),
    ("textbook", "connect R1, R2", "connect R1 to R2"),
    ("textbook", "connect R1", "connect R1 to"),
    ("textbook", "connect R1 -> R2", "connect a to b"),
    ("textbook", "connect R1 and R2", "to"),
    ("textbook", "connect R1 with R2", "R1 to with"),
    ("textbook", "connect R1 = R2", "connect a to b"),
    ("textbook", "connect R1 at (G, R2)", "connect G - R1 - R2"),
    ("textbook", "submodel resistor R7(R=1)", "submodel (Class)"),
    ("textbook", "parameter k2 = 5 volt", "5 V"),
    ("textbook", "parameter k2 = 5 [Ohm]", "`5 Ohm`"),
    ("textbook", "initial x = 2 y", "2*x"),
]
MODEL = """@electrical.lib
model M
  submodel (resistor) R1(R=1), R2(R=1)
  submodel (ground) G
  local x (start=1), y, w[3], a
  der(x) = -x
  w = [1, 2, 3]
  a = 1
{text}
end
"""


@pytest.mark.parametrize(("origin", "text", "form"), STATEMENTS, ids=[f"{o}: {t}" for o, t, _ in STATEMENTS])
def test_the_correct_form_is_shown(origin: str, text: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / "habit.mdl"
    file.write_text(MODEL.format(text=text), encoding="utf-8")
    told, *_ = check(file).errors
    assert told.primary is not None
    assert 9 <= told.primary.span.line <= 9 + text.count("\n") + 1
    assert form in f"{told.message} {told.help}", f"{origin}: {told.code} {told.message} | {told.help}"
