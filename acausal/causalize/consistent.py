"""Made-up points where the constraints of loops hold.

    x^2 + y^2 = L^2, guess x = L, y = 0      e.g. x = 0.98 L, y = 0.2 L: near the guess, on the circle

States and tearing variables begin near their guesses, seeded, and the equations are computed in their order as in a
run. Nonlinear blocks by the Levenberg-Marquardt method with the square of the residual as damping: it converges as
fast where solutions are not isolated (N. Yamashita, M. Fukushima, Computing Suppl. 15 (2001) 239-249).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from acausal.causalize.magnitude import trial_values
from acausal.causalize.solve import solve
from acausal.ir.dae import Dae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.symbolic.slopes import Point

AWAY = (0.1, 0.2, 0.4, 0.1, 0.2, 0.4)
"""How far from the guesses the points begin, one after the other."""
CLOSED = 1e-13
"""Residuals and steps that count as zero; of a step, as a share of what it changes."""
MOST_STEPS = 60
MOST_HALVINGS = 12
Numbers = list[float]


def consistent_points(dae: Dae, system: SortedSystem, last: int) -> Iterator[Point]:
    """Points where the blocks up to the one numbered `last` hold, and of the others those of one equation.

    As many as are found, at most six; what no block determines lies between -1 and 1.
    """
    blocks = [b for n, b in enumerate(system.blocks) if n <= last or len(b.eqs) == 1]
    steps, _ = solve(replace(system, blocks=tuple(blocks)), {}, trial_values(dae.parameters))
    for seed, away in enumerate(AWAY):
        known = _near_the_guesses(dae, seed, away)
        if all(_holds(system, step, known, seed) for step in steps):
            yield Point(system.pool, seed, 1.0, known)


def _near_the_guesses(dae: Dae, seed: int, away: float) -> dict[Expr, float]:
    """Parameters, and variables near where they start."""
    known = {p.symbol: float(p.value) for p in dae.parameters if isinstance(p.value, float | bool)}
    starts = {v.symbol: v.attributes.start for v in dae.variables}
    starts |= {e.left: e.right for e in dae.initial_equations if e.left in starts}
    parameters, shift = Point(dae.pool, seed, 1.0, dict(known)), Point(dae.pool, seed, away)
    for x, start in starts.items():
        known[x] = shift.value(x) + (0.0 if start is None else parameters.value(start))
    return known


def _holds(system: SortedSystem, step: Step, known: dict[Expr, float], seed: int) -> bool:
    """Computes the targets of a step; False where none are found."""
    if isinstance(step, Assign):
        known[step.target] = Point(system.pool, seed, 1.0, known).value(step.value)
        return True
    return _Block(system, step, known, seed).solved()


class _Block:
    """A block of equations that are solved together."""

    def __init__(self, system: SortedSystem, step: SolveLinear | SolveNonlinear, known: dict[Expr, float], seed: int):
        self.pool, self.known, self.seed = system.pool, known, seed
        self.targets, self.matrix = step.targets, step.matrix if isinstance(step, SolveLinear) else step.jacobian
        self.inner: tuple[Assign, ...] = () if isinstance(step, SolveLinear) else step.inner
        self.residuals = list(self._residuals(step))

    def _residuals(self, step: SolveLinear | SolveNonlinear) -> Iterator[Expr]:
        if isinstance(step, SolveNonlinear):
            yield from step.residuals
            return
        for row, right in zip(step.matrix, step.right, strict=True):
            terms = [self.pool.mul(a, x) for a, x in zip(row, step.targets, strict=True)]
            yield self.pool.sub(self.pool.add(*terms), right)

    def solved(self) -> bool:
        """Whether a solution was found; it is in `known`."""
        values = [self.known.get(x, 0.0) for x in self.targets]
        point = self._at(values)
        for _ in range(MOST_STEPS):
            rest = self._rest(point)
            size = hypot(*rest)
            move = _damped([[point.value(a) for a in row] for row in self.matrix], rest, size * size)
            if size < CLOSED or hypot(*move) < CLOSED * (1 + hypot(*values)):
                return True
            for halving in range(MOST_HALVINGS):
                tried = [x - m * 0.5**halving for x, m in zip(values, move, strict=True)]
                point = self._at(tried)
                if hypot(*self._rest(point)) < size:
                    break
            else:
                return False
            values = tried
        return False

    def _at(self, values: Sequence[float]) -> Point:
        self.known.update(zip(self.targets, values, strict=True))
        for assign in self.inner:
            self.known[assign.target] = Point(self.pool, self.seed, 1.0, self.known).value(assign.value)
        return Point(self.pool, self.seed, 1.0, self.known)

    def _rest(self, point: Point) -> Numbers:
        return [point.value(r) for r in self.residuals]


def _damped(matrix: Sequence[Numbers], rest: Numbers, damping: float) -> Numbers:
    """x of (A'A + damping) x = A' rest, by conjugate gradients (M. R. Hestenes, E. Stiefel, 1952, section 10)."""
    count = len(matrix)
    x, left = [0.0] * count, list(rest)
    gradient = _transposed(matrix, left)
    direction, square = gradient, _square(gradient)
    enough = 1e-30 * square
    for _ in range(2 * count):
        if square <= enough:
            break
        image = [_dot(row, direction) for row in matrix]
        step = square / (_square(image) + damping * _square(direction))
        x = [a + step * d for a, d in zip(x, direction, strict=True)]
        left = [a - step * q for a, q in zip(left, image, strict=True)]
        gradient = [g - damping * a for g, a in zip(_transposed(matrix, left), x, strict=True)]
        before, square = square, _square(gradient)
        direction = [g + square / before * d for g, d in zip(gradient, direction, strict=True)]
    return x


def _transposed(matrix: Sequence[Numbers], vector: Numbers) -> Numbers:
    return [_dot(column, vector) for column in zip(*matrix, strict=True)]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])


def _square(a: Numbers) -> float:
    return _dot(a, a)
