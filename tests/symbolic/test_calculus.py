"""Derivatives against central differences, linear forms and isolated unknowns by insertion."""

import random

import pytest

from acausal.ir.expr import Expr
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.symbolic.differentiate import differentiate, total
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import linear_form
from acausal.symbolic.substitute import substitute
from tests.symbolic.test_expr import value

DOMAIN = {"asin": (-0.8, 0.8), "acos": (-0.8, 0.8)}
DIFFERENTIABLE = [op.name for op in OPS.values() if op.partials is not None and op.name != "noevent"]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_partial_derivatives_of_every_function(name: str) -> None:
    pool, chance = Pool(), random.Random(name)
    x, y = pool.variable(("x",)), pool.variable(("y",))
    arguments = (x, y)[: OPS[name].arity]
    expr = pool.call(name, *arguments)
    low, high = DOMAIN.get(name, (0.3, 1.9))
    for _ in range(20):
        at = {x: chance.uniform(low, high), y: chance.uniform(low, high)}
        for leaf in arguments:
            step = 1e-6
            above, below = at | {leaf: at[leaf] + step}, at | {leaf: at[leaf] - step}
            slope = (value(expr, above) - value(expr, below)) / (2 * step)
            found = value(differentiate(pool, expr, {leaf: pool.one}, {}), at)
            assert found == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_total_derivative_of_the_length_constraint() -> None:
    pool = Pool()
    x, y = pool.variable(("x",)), pool.variable(("y",))
    length = pool.add(pool.pow(x, pool.const(2)), pool.pow(y, pool.const(2)))
    assert repr(total(pool, length)) == "2*x*der(x) + 2*y*der(y)"
    assert repr(total(pool, pool.mul(pool.parameter(("k",)), pool.call("sin", pool.time)))) == "k*cos(time)"


def test_power_with_variable_exponent() -> None:
    pool = Pool()
    x, y = pool.variable(("x",)), pool.variable(("y",))
    at = {x: 1.7, y: 0.6}
    slope = value(differentiate(pool, pool.pow(x, y), {y: pool.one}, {}), at)
    assert slope == pytest.approx((1.7 ** (0.6 + 1e-6) - 1.7 ** (0.6 - 1e-6)) / 2e-6, rel=1e-8)


def test_linear_form_of_a_mixed_expression() -> None:
    pool = Pool()
    a, b = pool.parameter(("a",)), pool.parameter(("b",))
    x, y, z = (pool.variable((n,)) for n in "xyz")
    expr = pool.add(pool.mul(a, x), pool.mul(b, pool.sub(x, y)), pool.mul(z, z))
    form = linear_form(pool, expr, {x, y})
    assert form is not None
    assert (repr(form.coefficients[x]), repr(form.coefficients[y]), repr(form.rest)) == ("a + b", "-b", "z^2")
    assert linear_form(pool, expr, {z}) is None


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (lambda p, x, y: p.mul(p.const(3), p.sub(x, y)), "(3*y + 5)/3"),
        (lambda p, x, y: p.div(y, x), "y/5"),
        (lambda p, x, y: p.sub(p.call("exp", x), y), "log(y + 5)"),
        (lambda p, x, y: p.pow(x, p.const(2)), None),
        (lambda p, x, y: p.add(x, p.call("sin", x)), None),
    ],
)
def test_isolation(left: object, expected: str | None) -> None:
    pool = Pool()
    x, y = pool.variable(("x",)), pool.variable(("y",))
    found = isolate(pool, left(pool, x, y), pool.const(5), x)  # type: ignore[operator]
    if expected is None:
        assert found is None
    else:
        assert found is not None
        at = {x: 0.0, y: 2.5}
        assert value(left(pool, x, y), at | {x: value(found, at)}) == pytest.approx(5)  # type: ignore[operator]


def test_substitution_simplifies() -> None:
    pool = Pool()
    x, y = pool.variable(("x",)), pool.variable(("y",))
    expr: Expr = pool.add(pool.mul(x, y), pool.call("sin", x))
    assert substitute(pool, expr, {x: pool.zero}) is pool.zero
