"""Where only some outputs are wanted, values that are equal or opposite by algebra are computed once."""

import pytest

from acausal.ir.program.instructions import Operations
from tests.codegen.plans import PlanMaker, lowered, run_both


def test_what_is_equal_or_zero_by_algebra_is_computed_once() -> None:
    """a = r*(x + y) and b = -(r*x + r*y) are opposite, so x' = (a + b)*y is zero and y' = b - x*y needs a alone."""
    m = PlanMaker()
    p = m.pool
    r = m.parameter("r", 3.0)
    x, y = m.state("x", 2.0), m.state("y", 1.5)
    a, b = m.variable("a"), m.variable("b")
    m.assign(b, p.neg(p.add(p.mul(r, x), p.mul(r, y))))
    m.assign(a, p.mul(r, p.add(x, y)))
    m.rate(x, p.mul(p.add(a, b), y))
    m.rate(y, p.sub(b, p.mul(x, y)))
    program = lowered(m.plan(outputs=(x, y)))
    assert run_both(program).rates == pytest.approx([0.0, -3 * 3.5 - 3.0])
    found = program.derivatives.operations
    assert (found.mul, found.add) == (2, 2)


def test_a_product_in_a_variable_cancels() -> None:
    """c = -x*y stands in a sum with x*y: the rest of the sum is left."""
    m = PlanMaker()
    p = m.pool
    x, y = m.state("x", 2.0), m.state("y", 1.5)
    c = m.variable("c")
    m.assign(c, p.neg(p.mul(x, y)))
    m.rate(x, p.add(c, y, p.mul(x, y)))
    m.rate(y, p.mul(c, c))
    program = lowered(m.plan(outputs=(x, y)))
    assert run_both(program).rates == pytest.approx([1.5, 9.0])
    assert program.derivatives.operations.add == 0


def test_what_differs_stays() -> None:
    """x*y + 0.1 and x*y + (0.1 + 1e-15) differ, by however little; solutions of blocks are known as themselves."""
    m = PlanMaker()
    p = m.pool
    x, y = m.state("x", 2.0), m.state("y", 1.5)
    v = m.variable("v")
    m.linear([v], [[p.add(x, p.const(1))]], [p.mul(y, p.add(x, p.const(1)))])
    m.rate(x, p.sub(p.add(p.mul(x, y), p.const(0.1)), p.add(p.mul(x, y), p.const(0.1 + 1e-15))))
    m.rate(y, p.sub(v, y))
    program = lowered(m.plan(outputs=(x, y)))
    assert run_both(program).rates == pytest.approx([0.1 - (0.1 + 1e-15), 0.0], rel=1e-9, abs=1e-300)
    assert program.derivatives.operations != Operations()
