"""Every row of the operator table at random points: both back ends against Python's `math`."""

import numpy as np
import pytest

from acausal.ir.expr import Expr
from acausal.ir.operator import Op
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from tests.codegen.plans import PlanMaker, lowered, run_both, value_of

DOMAINS = {"asin": (-0.99, 0.99), "acos": (-0.99, 0.99), "log": (1e-3, 50), "log10": (1e-3, 50), "sqrt": (0, 50)}
BOOLEAN_ARGUMENTS = ("and", "or", "not")


def points(row: Op, count: int) -> np.ndarray:
    low, high = DOMAINS.get(row.name, (0.1, 3.0) if row.name == "pow" else (-5.0, 5.0))
    random = np.random.default_rng(sum(map(ord, row.name)))
    found = random.uniform(low, high, size=(20, count))
    if row.name in ("==", "<>", "<=", ">="):
        found[::2, 1] = found[::2, 0]  # equal sides too
    return found


def applied(pool: Pool, row: Op, leaves: list[Expr]) -> Expr:
    """The operator on leaves; truth values as numbers."""
    if row.name == "if":
        value = pool.if_(pool.call(">", leaves[0], pool.zero), leaves[1], leaves[2])
    elif row.name in BOOLEAN_ARGUMENTS:
        value = pool.call(row.name, *(pool.call(">", leaf, pool.zero) for leaf in leaves))
    else:
        value = pool.call(row.name, *leaves)
    return pool.if_(value, pool.one, pool.zero) if row.boolean else value


def expected(row: Op, x: np.ndarray) -> float:
    if row.name == "if":
        return float(x[1] if x[0] > 0 else x[2])
    if row.name in BOOLEAN_ARGUMENTS:
        return float(row.evaluate(*(v > 0 for v in x)))
    return float(row.evaluate(*map(float, x)))


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_operator(row: Op) -> None:
    m = PlanMaker()
    count = row.arity or 3
    leaves = [m.state(f"x{i}") for i in range(count)]
    m.rate(leaves[0], applied(m.pool, row, leaves))
    for leaf in leaves[1:]:
        m.rate(leaf, leaf)
    program = lowered(m.plan())
    for x in points(row, count):
        rates = run_both(program, y=x).rates
        assert rates[0] == pytest.approx(expected(row, x), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("row", OPS.values(), ids=lambda row: row.name)
def test_operator_of_parameters_is_hoisted(row: Op) -> None:
    m = PlanMaker()
    count = row.arity or 3
    x = points(row, count)[1]
    parameters = [m.parameter(f"p{i}", float(v)) for i, v in enumerate(x)]
    state = m.state("s", 2.0)
    m.rate(state, m.pool.mul(state, applied(m.pool, row, parameters)))
    program = lowered(m.plan())
    assert run_both(program).rates == pytest.approx([2 * expected(row, x)], rel=1e-13, abs=1e-14)
    assert program.derivatives.operations.mul <= 1
    assert program.derivatives.operations.functions == 0


def test_ieee_values_pass_through() -> None:
    """Division by zero and functions outside their domain give infinities and NaN, never an exception."""
    m = PlanMaker()
    p = m.pool
    x = m.state("x", 0.0)
    values = {
        "inverse": p.div(p.one, x),
        "constant": p.pow(p.zero, p.const(-1)),
        "nan": p.div(x, p.call("sin", x)),
        "log": p.call("log", p.neg(p.add(x, p.one))),
        "root": p.pow(p.sub(x, p.one), p.const(0.3)),
    }
    for name, value in values.items():
        m.assign(m.variable(name), value)
    m.rate(x, p.if_(p.call(">", x, p.zero), p.div(p.one, x), p.const(5)))
    program = lowered(m.plan())
    found = run_both(program)
    assert found.rates == pytest.approx([5.0])
    assert {name: str(value_of(program, found, name)) for name in values} == {
        "inverse": "inf", "constant": "inf", "nan": "nan", "log": "nan", "root": "nan",
    }  # fmt: skip
