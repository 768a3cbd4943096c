"""Expressions whose sign is known: sums of positive terms, products, powers, and switches between such.

    1 + (if open then 1e-6 else 1e6)      positive, whatever is open

Parameters count with the signs of their values. Everything here is a proof or nothing: unknown signs are 0.
"""

from collections.abc import Callable, Iterable
from math import prod

from acausal.ir.evaluate import Evaluator
from acausal.ir.expr import Expr
from acausal.ir.operator import Value
from acausal.ir.walk import postorder
from acausal.symbolic.samples import Fingerprints

BRANCHES = 4
"""Samples of how conditions decide: all true, all false, and two mixtures."""


class Signs:
    """Signs and sample values of expressions, kept from one to the next; `value` gives the values of leaves.

    One of the `branches` is enough for expressions without conditions.
    """

    def __init__(self, value: Callable[[Expr], float], branches: int = BRANCHES) -> None:
        self._value = value
        self._signs: dict[Expr, int] = {}
        fingerprints = Fingerprints()
        self._samples = [_Sample(number, value, fingerprints) for number in range(branches)]

    def sign(self, expr: Expr) -> int:
        """1 or -1 where the expression always has this sign, else 0."""
        signs = self._signs
        for node in postorder([expr], signs.__contains__):
            signs[node] = self._sign(node)
        return signs[expr]

    def _sign(self, node: Expr) -> int:
        if node.op in ("const", "parameter"):
            number = self._value(node)
            return (number > 0) - (number < 0)
        own = [self._signs[a] for a in node.args]
        if node.op == "add":
            return own[0] if own.count(own[0]) == len(own) else 0
        if node.op == "neg":
            return -own[0]
        if node.op == "mul":
            product = 1
            for sign in own:
                product *= sign
            return product
        if node.op == "if":
            return own[1] if own[1] == own[2] else 0
        if node.op == "pow" and own[0]:
            exponent = self._value(node.args[1]) if node.args[1].op == "const" else 0.5
            return 1 if own[0] > 0 or exponent % 2 == 0 else -1 if exponent % 2 == 1 else 0
        return 1 if node.op in ("exp", "cosh") else 0

    def samples(self, expr: Expr) -> Iterable[float]:
        """The value for each sample of how conditions decide."""
        for sample in self._samples:
            found = sample.value(expr)
            assert found is not None
            yield float(found)


class _Sample(Evaluator):
    """Values with one of four ways in which conditions decide; where there is none, that of the translation."""

    SPECIAL = frozenset(("if",))
    FINITE = True

    def __init__(self, number: int, value: Callable[[Expr], float], fingerprints: Fingerprints) -> None:
        super().__init__({})
        self._number, self._value, self._fingerprints = number, value, fingerprints

    def special(self, node: Expr) -> Value:
        even = self._fingerprints[node.args[0]] % 2 == 0
        first = (True, False, even, not even)[self._number]
        return self.values[node.args[1 if first else 2]]

    def missing(self, node: Expr) -> Value:
        return self._value(node)


def is_one_sided(expr: Expr) -> bool:
    """True where an expression is never of two signs, whatever variables and parameters are."""
    signs: dict[Expr, int] = {}
    for node in postorder([expr]):
        signs[node] = _weak_sign([signs[a] for a in node.args], node)
    return signs[expr] != 0


def _weak_sign(own: list[int], node: Expr) -> int:
    """1 where a node is never below zero, -1 where it is never above, else 0."""
    op = node.op
    if op == "const":
        return -1 if node.number < 0.0 else 1
    if op == "add":
        return own[0] if own.count(own[0]) == len(own) else 0
    if op == "neg":
        return -own[0]
    if op == "mul":
        return prod(own)
    if op == "if":
        return own[1] if own[1] == own[2] else 0
    if op == "max":
        return 1 if 1 in own else -1 if own.count(-1) == len(own) else 0
    if op == "min":
        return -1 if -1 in own else 1 if own.count(1) == len(own) else 0
    if op == "pow":
        power = node.args[1].number if node.args[1].op == "const" else 0.5
        return own[0] if power % 2 == 1 else 1
    return 1 if op in ("exp", "cosh", "abs", "sqrt", "acos") else 0
