"""Where only some outputs are wanted, values that are used once go into the sum or product that uses them."""

import pytest

from acausal.ir.expr import Expr
from acausal.ir.program.instructions import Operations
from acausal.ir.program.program import Program
from tests.codegen.plans import PlanMaker, lowered, run_both, value_of


def model(wanted: bool) -> tuple[Program, Expr]:
    """h = r*x, b = k + y, z' = h + b - r*y + 5 - y, with z and its derivative wanted or all variables."""
    m = PlanMaker()
    p = m.pool
    r, k = m.parameter("r", 3.0), m.parameter("k", 7.0)
    x, y, z = (m.state(n, v) for n, v in (("x", 2.0), ("y", 1.5), ("z", 0.5)))
    h, b = m.variable("h"), m.variable("b")
    m.assign(h, p.mul(r, x))
    m.assign(b, p.add(k, y))
    m.rate(x, p.const(0))
    m.rate(y, p.const(0))
    m.rate(z, p.add(h, b, p.neg(p.mul(r, y)), p.const(5), p.neg(y)))
    return lowered(m.plan(outputs=(z,) if wanted else ())), z


def test_what_is_used_once_is_substituted() -> None:
    """r*(x - y) + (k + 5): y - y is gone, parameters are one."""
    program, _ = model(wanted=True)
    assert run_both(program).rates[2] == pytest.approx(3 * 0.5 + 12)
    assert program.derivatives.operations == Operations(mul=1, add=2)


def test_where_all_is_wanted_all_is_computed() -> None:
    program, _ = model(wanted=False)
    found = run_both(program)
    assert found.rates[2] == pytest.approx(13.5)
    assert value_of(program, found, "h") == pytest.approx(6.0)
    assert value_of(program, found, "b") == pytest.approx(8.5)


def test_variables_in_blocks_stay() -> None:
    """u stands once, in the matrix of a linear block, which is left as it is."""
    m = PlanMaker()
    p = m.pool
    x = m.state("x", 2.0)
    u, v = m.variable("u"), m.variable("v")
    m.assign(u, p.mul(x, x))
    m.linear([v], [[p.add(u, p.const(1))]], [p.const(10)])
    m.rate(x, v)
    program = lowered(m.plan(outputs=(x,)))
    assert run_both(program).rates == pytest.approx([2.0])
