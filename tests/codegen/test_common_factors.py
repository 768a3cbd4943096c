"""Common factors of sums are taken out, twice x is x + x."""

import pytest

from acausal.ir.program.instructions import Operations
from tests.codegen.plans import PlanMaker, lowered, run_both


def test_a_common_factor_saves_a_multiplication() -> None:
    """x*y + z - x*w = x*(y - w) + z; k*y + 3*k*w, k a parameter, likewise."""
    m = PlanMaker()
    p = m.pool
    k = m.parameter("k", 11.0)
    x, y, z, w = (m.state(n, v) for n, v in (("x", 2.0), ("y", 3.0), ("z", 5.0), ("w", 7.0)))
    m.rate(x, p.add(p.mul(x, y), z, p.neg(p.mul(x, w))))
    m.rate(y, p.add(p.mul(k, y), p.neg(p.mul(k, w))))
    m.rate(z, p.const(0))
    m.rate(w, p.const(0))
    program = lowered(m.plan())
    assert run_both(program).rates[:2] == pytest.approx([-3.0, -44.0])
    assert program.derivatives.operations == Operations(mul=2, add=2)


def test_products_that_are_needed_anyway_stay() -> None:
    m = PlanMaker()
    p = m.pool
    x, y, z = (m.state(n, v) for n, v in (("x", 2.0), ("y", 3.0), ("z", 5.0)))
    m.rate(x, p.add(p.mul(x, y), p.mul(x, z)))
    m.rate(y, p.mul(x, y))
    m.rate(z, p.mul(x, z))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([16.0, 6.0, 10.0])
    assert program.derivatives.operations == Operations(mul=2, add=1)


def test_twice_is_a_sum() -> None:
    m = PlanMaker()
    p = m.pool
    x, y = m.state("x", 2.0), m.state("y", 3.0)
    m.rate(x, p.mul(p.const(2), x, y))
    m.rate(y, p.mul(p.const(-2), x))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([12.0, -4.0])
    assert program.derivatives.operations == Operations(mul=2, add=1)
