"""Values and derivatives of expressions at a generic point, by forward differentiation.

    a*x*y + sin(x)  in x, y      value at the point, {x: a*y + cos(x), y: a*x}

The point is the same in every run, whatever was translated before. A branch that a condition decides counts with a
share of its own for each condition: what vanishes for such shares vanishes whichever branches are taken.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from math import isfinite

from acausal.base.frozen import dataclass
from acausal.ir.evaluate import Evaluator
from acausal.ir.expr import VARIES, Expr
from acausal.ir.operator import Value
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.ir.walk import marked
from acausal.symbolic.samples import Fingerprints

Slope = dict[Expr, float]


class NoSlopeError(Exception):
    """An operator without derivative, or a value that is no finite number."""


class _Numbers(Evaluator):
    """Values at a point: where there is none, a number made from the seed."""

    SPECIAL = frozenset(("if",))
    FINITE = True

    def __init__(self, seed: int, size: float, known: Mapping[Expr, float], modes: Mapping[Expr, bool]) -> None:
        super().__init__({})
        self._seed, self._size, self._known, self._modes = seed, size, known, modes
        self._fingerprints = Fingerprints()

    def share(self, condition: Expr) -> float:
        """The share of the first branch."""
        mode = self._modes.get(condition)
        return float(mode) if mode is not None else 0.5 + 0.4 * self._fingerprints.sample(condition, self._seed + 1)

    def special(self, node: Expr) -> Value:
        share = self.share(node.args[0])
        return share * self.values[node.args[1]] + (1 - share) * self.values[node.args[2]]

    def missing(self, node: Expr) -> Value:
        """A parameter is positive, like most that are."""
        known = None if node.args else self._known.get(node)
        if known is not None:
            return float(known)
        number = self._fingerprints.sample(node, self._seed)
        return 1.0 + 0.5 * number if node.op == "parameter" else self._size * number


@dataclass(slots=True)
class Point:
    """A point where every variable and frozen value has a number of at most `size`, seeded by `seed`.

    Parameters have their values in `known`; those that are not in it have generic ones near 1. Conditions in `modes`
    have these values.
    """

    pool: Pool
    seed: int
    size: float
    known: Mapping[Expr, float] = field(default_factory=dict)
    modes: Mapping[Expr, bool] = field(default_factory=dict)
    _numbers: _Numbers = field(init=False)

    def __post_init__(self) -> None:
        self._numbers = _Numbers(self.seed, self.size, self.known, self.modes)

    def slope(self, expr: Expr, unknowns: Collection[Expr], varying: Sequence[Expr] | None = None) -> Slope:
        """The derivatives of the expression by the unknowns that occur in it; NoSlopeError where there is none.

        `varying` are its nodes that vary, arguments first, where they are known.
        """
        slopes: dict[Expr, Slope] = {}
        for node in marked([expr], VARIES) if varying is None else varying:
            if node in unknowns:
                slopes[node] = {node: 1.0}
            else:
                slope = self._slope(node, slopes)
                if slope:
                    slopes[node] = slope
        return slopes.get(expr, {})

    def value(self, expr: Expr, nodes: Sequence[Expr] | None = None) -> float:
        """The value at the point; `nodes` as in `Evaluator.value`."""
        found = self._numbers.values.get(expr)
        if found is None:
            found = self._numbers.value(expr, nodes)
            assert found is not None
        return float(found)

    def _slope(self, node: Expr, slopes: Mapping[Expr, Slope]) -> Slope:
        """The derivatives of a node from those of its arguments; the condition of an `if` has none."""
        total: Slope = {}
        for number, arg in enumerate(node.args):
            slope = slopes.get(arg)
            if slope and (number or node.op != "if"):
                factor = self._partial(node, number)
                for x, s in slope.items():
                    total[x] = total.get(x, 0.0) + factor * s
        return total

    def _partial(self, node: Expr, number: int) -> float:
        if node.op in ("add", "noevent"):
            return 1.0
        if node.op == "if":
            share = self._numbers.share(node.args[0])
            return share if number == 1 else 1 - share
        if node.op == "neg":
            return -1.0
        if node.op == "mul":
            product = 1.0
            for place, arg in enumerate(node.args):
                product *= 1.0 if place == number else self.value(arg)
            return product
        if node.op == "pow" and number == 0 and node.args[1].op == "const":
            power = node.args[1].number
            return power * self._power(node.args[0], power - 1)
        row = OPS.get(node.op)
        if row is None or row.partials is None:
            raise NoSlopeError
        return self.value(row.partials(self.pool, node.args)[number])

    def _power(self, base: Expr, power: float) -> float:
        try:
            found = self.value(base) ** power
        except ArithmeticError:
            raise NoSlopeError from None
        if isinstance(found, complex) or not isfinite(found):
            raise NoSlopeError
        return float(found)


def summed(factors: Iterable[tuple[float, Slope]]) -> Slope:
    """The sum of slopes, each times its factor."""
    total: Slope = {}
    for factor, slope in factors:
        for x, s in slope.items():
            total[x] = total.get(x, 0.0) + factor * s
    return total
