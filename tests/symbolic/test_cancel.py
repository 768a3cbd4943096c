"""Sums of sums in which terms cancel."""

from random import Random
from unittest.mock import patch

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.symbolic.cancel import cancelled
from acausal.symbolic.term_signs import BOTH, term_signs

POOL = Pool()
A, B, C, R = (POOL.parameter((name,)) for name in "abcr")
X = POOL.variable(("x",))


def inverse(x: Expr) -> Expr:
    return POOL.div(POOL.one, x)


def test_conductances_of_a_floating_node() -> None:
    both = POOL.add(inverse(A), inverse(B))
    all_three = POOL.add(inverse(A), inverse(B), inverse(R))
    assert cancelled(POOL, [all_three, POOL.neg(both)]) is inverse(R)


def test_a_determinant_of_parameters() -> None:
    """(a + b) (a + c) - a a = a b + a c + b c."""
    total = cancelled(POOL, [POOL.mul(POOL.add(A, B), POOL.add(A, C)), POOL.neg(POOL.mul(A, A))])
    assert total is POOL.add(POOL.mul(A, B), POOL.mul(A, C), POOL.mul(B, C))


def test_nothing_is_opened_where_nothing_cancels() -> None:
    nested = POOL.add(POOL.mul(A, POOL.add(B, C)), R)
    assert cancelled(POOL, [nested, X]) is POOL.add(nested, X)


def test_products_of_what_varies_stay() -> None:
    """Else a mass matrix would become longer."""
    product = POOL.mul(POOL.add(X, B), POOL.add(X, C))
    total = cancelled(POOL, [product, POOL.neg(POOL.mul(X, X))])
    assert total is POOL.sub(product, POOL.mul(X, X))
    assert "x^2" in show_expr(total)


def test_sums_of_what_varies_are_opened() -> None:
    assert cancelled(POOL, [POOL.add(X, A), POOL.neg(POOL.add(X, B))]) is POOL.sub(A, B)


def test_long_sums_stay() -> None:
    many = [POOL.parameter((f"p{i}",)) for i in range(200)]
    total = cancelled(POOL, [POOL.add(*many), POOL.neg(POOL.add(*many[:150]))])
    assert total is POOL.sub(POOL.add(*many), POOL.add(*many[:150]))


def test_signs_only_save_work() -> None:
    """Random sums are the same whether those with terms of one sign are opened or not."""
    chance, atoms = Random(5), [A, B, C, R, X, POOL.const(2.0)] * 4 + [POOL.const(-0.5)]

    def grown(depth: int) -> Expr:
        if depth == 0:
            return chance.choice(atoms)
        left, right = grown(depth - 1), grown(chance.randrange(depth))
        made = {"add": POOL.add(left, right), "mul": POOL.mul(left, right), "div": POOL.div(left, right)}
        return POOL.neg(made["add"]) if chance.random() < 0.03 else made[chance.choice(["add", "add", "mul", "div"])]

    saved = 0
    for _ in range(400):
        terms = [grown(3) for _ in range(chance.randint(2, 4))]
        with patch("acausal.symbolic.cancel.term_signs", lambda *_: BOTH):
            opened = cancelled(POOL, terms)
        assert cancelled(POOL, terms) is opened
        saved += term_signs(terms, {}) != BOTH
    assert 40 < saved < 360
