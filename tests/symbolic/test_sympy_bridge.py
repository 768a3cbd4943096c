"""SymPy objects have the values of the expressions they were made of."""

import math

import pytest
import sympy

from acausal.diagnostics import InternalError
from acausal.ir.expr import Pool
from acausal.ir.ops import OPS, Op
from acausal.symbolic.sympy_bridge import equation_to_sympy, to_sympy

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
    count = row.arity or 2
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
