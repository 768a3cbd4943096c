"""SymPy objects have the values of the expressions they were made of."""

import math
import sys
from pathlib import Path

import pytest
import sympy
from sympy.core.function import AppliedUndef

import acausal
from acausal.base.diagnostics import InternalError
from acausal.ir.operator import Op
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.symbolic.sympy_bridge import equation_to_sympy, to_sympy
from tests.collection import ROOT

T = sympy.Symbol("t", real=True)


def test_a_motor_equation() -> None:
    p = Pool()
    i, r, load = p.variable(("m", "i")), p.parameter(("m", "R")), p.parameter(("m", "L"))
    found = equation_to_sympy(p.add(p.mul(r, i), p.mul(load, p.derivative(i))), p.time)
    current = sympy.Function("m.i", real=True)(T)
    resistance, inductance = sympy.symbols("m.R m.L", real=True)
    assert found == sympy.Eq(resistance * current + inductance * sympy.Derivative(current, T), T)


def test_names_are_never_parsed() -> None:
    p = Pool()
    assert to_sympy(p.parameter(("__import__('os')",))).name == "__import__('os')"


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_operator(row: Op) -> None:
    p = Pool()
    count = row.arity or 3
    numbers = [0.6, 0.3, 0.7][:count]
    leaves = [p.parameter((f"x{i}",)) for i in range(count)]
    values: list[object] = list(numbers)
    arguments = leaves
    if row.name in ("and", "or", "not", "if"):
        arguments = [p.call(">", leaf, p.const(0.5)) for leaf in leaves[:2]] if row.name != "if" else leaves
        if row.name == "if":
            arguments = [p.call(">", leaves[0], p.const(0.5)), *leaves[1:]]
            values[0] = numbers[0] > 0.5
        else:
            values = [n > 0.5 for n in numbers[:2]]
            arguments = arguments[:count]
            values = values[:count]
    found = to_sympy(p.call(row.name, *arguments)).subs(
        {sympy.Symbol(f"x{i}", real=True): n for i, n in enumerate(numbers)}
    )
    unknown = found.atoms(AppliedUndef)
    assert [type(part).__name__ for part in unknown] == ["external"] * (row.name == "external")
    found = found.subs({part: row.evaluate(*map(float, part.args)) for part in unknown})
    expected = row.evaluate(*values)
    if isinstance(expected, bool):
        assert bool(found) is expected
    else:
        assert math.isclose(float(found), expected, rel_tol=1e-12)


def test_arrays_and_strings_are_refused() -> None:
    p = Pool()
    with pytest.raises(InternalError):
        to_sympy(p.node("array", (p.one, p.zero), None, (2,)))
    with pytest.raises(InternalError):
        to_sympy(p.node("string", (), "text"))


def test_equations_of_a_translation(tmp_path: Path) -> None:
    """SymPy solves what the translator sorted: the slope of a pendulum's speed."""
    path = tmp_path / "m.mdl"
    path.write_text(
        "model M\n  parameter g=9.81, L=2\n  local phi (start=1, fixed=true), w (start=0, fixed=true), up\n"
        "  der(phi) = w\n  L*der(w) = -g*sin(phi)\n  up = if phi > 0 then delay(w, 1) else 0\nend\n"
    )
    model = acausal.translate(path)
    equations = model.to_sympy()
    assert {type(equation) for equation in equations} == {sympy.Eq}
    phi = sympy.Function("phi", real=True)(T)
    slope = next(e for e in equations if e.has(sympy.sin))
    unknown = next(iter(slope.atoms(sympy.Derivative)))
    (solution,) = sympy.solve(slope, unknown)
    gravity, length = sympy.symbols("g L", real=True)
    assert sympy.simplify(solution + gravity * sympy.sin(phi) / length) == 0
    text = model.equations("latex")
    assert text.startswith("\\begin{align*}\n")
    assert r"\sin" in text
    assert text.count("&=") == len(equations)


def test_examples_become_equations() -> None:
    for name in ("h_bridge", "house", "pendulum", "fourbar"):
        assert acausal.translate(ROOT / "examples" / f"{name}.mdl").to_sympy()


def test_sympy_is_asked_for_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(acausal.UsageError) as caught:
        acausal.translate(ROOT / "examples" / "rc.mdl").to_sympy()
    assert caught.value.report.diagnostics[0].help == "pip install 'acausal[symbolic]'"
