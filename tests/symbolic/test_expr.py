"""Interned expressions: equal means identical, and simplification never changes the value."""

import math
import random

import pytest

from acausal.ir.expr import Expr
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder


def value(expr: Expr, at: dict[Expr, float]) -> float:
    """The value of an expression by the table of operators alone."""
    done: dict[Expr, float] = {}
    for node in postorder([expr]):
        if node.op == "const":
            done[node] = node.number
        elif not node.args:
            done[node] = at[node]
        else:
            done[node] = OPS[node.op].evaluate(*[done[a] for a in node.args])
    return done[expr]


@pytest.fixture
def pool() -> Pool:
    return Pool()


def test_equal_expressions_are_one_object(pool: Pool) -> None:
    x, y = pool.variable(("x",)), pool.variable(("y",))
    assert pool.add(x, y) is pool.add(y, x)
    assert pool.mul(x, y) is pool.mul(y, x)
    assert pool.sub(x, y) is pool.neg(pool.sub(y, x))


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda p, x, y: p.sub(p.add(x, y), p.add(y, x)), "0"),
        (lambda p, x, y: p.add(x, x, y), "2*x + y"),
        (lambda p, x, y: p.mul(p.add(x, y), p.div(p.one, p.add(x, y))), "1"),
        (lambda p, x, y: p.mul(p.mul(x, y), p.div(p.one, y)), "x"),
        (lambda p, x, y: p.mul(x, p.const(0)), "0"),
        (lambda p, x, y: p.pow(p.neg(x), p.const(3)), "-x^3"),
        (lambda p, x, y: p.div(p.const(1), p.div(p.const(1), x)), "x"),
        (lambda p, x, y: p.neg(p.mul(p.neg(x), y)), "x*y"),
        (lambda p, x, y: p.mul(p.const(2), p.mul(x, y)), "2*x*y"),
        (lambda p, x, y: p.if_(p.call("<", p.one, p.zero), x, y), "y"),
    ],
)
def test_simplification(pool: Pool, build: object, text: str) -> None:
    x, y = pool.variable(("x",)), pool.variable(("y",))
    assert show_expr(build(pool, x, y)) == text  # type: ignore[operator]


def test_random_expressions_keep_their_value(pool: Pool) -> None:
    """Each random expression is built twice: simplified by the pool, and as numbers alone."""
    chance = random.Random(1)
    leaves = [pool.variable((name,)) for name in "xyz"]
    at = {leaf: chance.uniform(0.5, 2) for leaf in leaves}

    def build(depth: int) -> tuple[Expr, float]:
        if depth == 0 or chance.random() < 0.2:
            if chance.random() < 0.3:
                number = chance.choice([-2.0, -1.0, 0.0, 1.0, 0.5, 3.0])
                return pool.const(number), number
            leaf = chance.choice(leaves)
            return leaf, at[leaf]
        parts = [build(depth - 1) for _ in range(chance.randint(2, 3))]
        exprs, numbers = [e for e, _ in parts], [n for _, n in parts]
        kind = chance.randrange(4)
        if kind == 0:
            return pool.add(*exprs), sum(numbers)
        if kind == 1:
            return pool.mul(*exprs), math.prod(numbers)
        if kind == 2:
            return pool.neg(exprs[0]), -numbers[0]
        return pool.sub(exprs[0], exprs[1]), numbers[0] - numbers[1]

    for _ in range(500):
        expr, expected = build(5)
        assert value(expr, at) == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_deep_expressions_do_not_recurse(pool: Pool) -> None:
    expr = pool.variable(("x",))
    for _ in range(20_000):
        expr = pool.call("sin", expr)
    assert len(list(postorder([expr]))) == 20_001
    assert show_expr(expr).startswith("sin(sin(")


def test_products_of_two_are_those_of_the_general_rule(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair of nodes of all kinds, in the order of a pool of its own that knows the general rule alone."""
    other = Pool()
    nodes, others = _nodes(pool), _nodes(other)
    found = [pool.mul(a, b).serial for a in nodes for b in nodes]
    monkeypatch.setattr(Pool, "_pair", lambda *_: None)
    assert [other.mul(a, b).serial for a in others for b in others] == found
    made = [[(n.op, [a.serial for a in n.args], n.value) for n in p.made_since(0)] for p in (pool, other)]
    assert made[0] == made[1]


def _nodes(pool: Pool) -> list[Expr]:
    x, y, k = pool.variable(("x",)), pool.variable(("y",)), pool.parameter(("k",))
    numbers = [pool.zero, pool.one, pool.const(-2), pool.const(0.5)]
    plain = [x, y, k, pool.add(x, y), pool.call("sin", x)]
    powers = [pool.pow(a, pool.const(e)) for a in (x, k, plain[3], plain[4]) for e in (-1, 2, 0.5)]
    products = [pool.mul(x, k), pool.mul(pool.const(3), x), pool.mul(y, powers[0]), pool.neg(x), pool.neg(powers[3])]
    return [*numbers, *plain, *powers, *products, pool.pow(x, k), pool.pow(pool.zero, pool.const(-1))]
