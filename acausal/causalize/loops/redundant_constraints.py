"""Redundant constraints: those that follow from others, found where all hold.

    a four-bar of spatial hinges: six closures of four angles, but on them only three that are independent
    two wheels on one axle: four slips, of which three are independent where both wheels touch the ground

The constraints are taken out (`open_chain`): then every place is a formula of the coordinates. From random coordinates
near the guesses the Levenberg-Marquardt method converges to a point where all constraints hold; the square of the
residual is its damping (N. Yamashita, M. Fukushima, Computing Suppl. 15 (2001) 239-249: as fast where solutions are not
isolated). There the rank of the Jacobian is computed: elsewhere an overconstrained loop looks regular. Constraints of
velocities are linear in the speeds; their rank is computed together with the derivatives of those of positions.
"""

from collections.abc import Iterable, Sequence
from math import hypot

from acausal.base.frozen import dataclass
from acausal.causalize.loops.open_chain import Gaps, OpenChain, open_chain
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.structure.null_space import Vector, null_space
from acausal.structure.orthogonal import pivots
from acausal.symbolic.slopes import NoSlopeError, Point

AWAY = (0.1, 0.2, 0.4, 0.1, 0.2, 0.4)
"""Distances of the starting points from the guesses, one after the other."""
APART = 1e-3
"""Places that differ by less in all coordinates are one."""
CLOSED = 1e-13
"""A gap that counts as none, for each coordinate; where there are none, as between fixed frames, once."""
ROUNDING = 1e-10
"""Derivatives smaller than this share of the largest count as zero."""
NOISE = 1e-14
"""Derivatives below this, by which no mechanism moves, are rounding errors, as between frames turned by 2*pi."""
CONSISTENT = 1e-9
"""Gaps of velocities that no speeds close, as a share of the largest gap, count as none below this."""
MOST_STEPS = 60
MOST_HALVINGS = 12
Numbers = list[float]


@dataclass(frozen=True, slots=True)
class Dependent:
    """Constraints by the numbers of their equations, `redundant` ones among them: the others say the same."""

    constraints: tuple[int, ...]
    redundant: tuple[int, ...]

    @property
    def rank(self) -> int:
        """Number of independent constraints."""
        return len(self.constraints) - len(self.redundant)


@dataclass(frozen=True, slots=True)
class RedundantConstraints:
    """Sets of constraints that depend on each other, and points where all constraints of positions hold."""

    sets: tuple[Dependent, ...]
    points: tuple[Point, ...]


def find_redundancy(dae: Dae, potentials: Sequence[Expr] = (), *, driven: bool = False) -> RedundantConstraints | None:
    """The redundancy of a linkage that can move, at two places or more; of one that cannot, if its places determine it.

    Where no place is found where all constraints hold, what is redundant everywhere; None where nothing is. With
    `potentials` as coordinates balances of what flows are constraints as well, if `driven` also rates that are
    functions of time.
    """
    try:
        return _find(open_chain(dae, potentials, driven=driven))
    except NoSlopeError:
        return None


def _find(chain: OpenChain) -> RedundantConstraints | None:
    if not chain.positions and not chain.velocities:
        return None
    found: list[Numbers] = []
    for seed, away in enumerate(AWAY):
        closed = _closed(chain, seed, away)
        if closed is None or any(_closed(chain.at_moment(m), seed, away) is None for m in chain.later):
            continue
        place, there = closed
        found.append(place)
        moves = any(abs(a - b) > APART for other in found for a, b in zip(place, other, strict=True))
        slow = _dependence(chain.positions, _vectors(there.slopes), len(place))
        if slow is None:
            return None
        sets, kept, free = slow
        quick = _of_velocities(chain, place, seed, kept, bool(sets))
        if quick is None or not (sets or quick):
            return None
        if free and not moves and chain.positions:
            continue
        return RedundantConstraints((*sets, *quick), tuple([chain.point(p, n) for n, p in enumerate(found)]))
    return None if found else _anywhere(chain)


def _anywhere(chain: OpenChain) -> RedundantConstraints | None:
    """Constraints redundant also where they do not hold, as some of a loop that cannot be closed.

    Only those with derivatives given by hand, which are asserted, are left out; others contradict each other.
    """
    place = chain.near_the_guesses(0, AWAY[0])
    slow = _dependence(chain.positions, _vectors(chain.at(place, 0).slopes), len(place))
    sets = slow[0] if slow is not None else []
    if not sets or not all(chain.dae.equations[n].derivatives for s in sets for n in s.redundant):
        return None
    return RedundantConstraints(tuple(sets), (chain.point(place, 0),))


def _of_velocities(
    chain: OpenChain, place: Numbers, seed: int, kept: Sequence[int], are_others: bool
) -> list[Dependent] | None:
    """Sets of dependent constraints with those of velocities; None where this cannot be judged.

    Where there are no sets, nor others of positions, nothing has to be consistent.
    """
    if not chain.velocities:
        return []
    there = chain.rates_at(place, seed, kept)
    found = _dependence((*kept, *chain.velocities), _vectors(there.slopes), len(chain.speeds), len(kept))
    if found is not None and not found[0] and not are_others:
        return []
    gaps = [there, *[chain.at_moment(m).rates_at(place, seed, kept) for m in chain.later]]
    return None if found is None or not all(map(_consistent, gaps)) else found[0]


def _consistent(there: Gaps) -> bool:
    """True if some speeds close the gaps: constraints that contradict each other are not redundant."""
    if not there.slopes or not there.slopes[0]:
        return all(abs(gap) < CONSISTENT for gap in there.gaps)
    moved = damped(there.slopes, there.gaps, 0.0)
    left = [gap - _dot(row, moved) for gap, row in zip(there.gaps, there.slopes, strict=True)]
    return hypot(*left) <= CONSISTENT * (1.0 + hypot(*there.gaps))


def _dependence(
    numbers: Sequence[int], rows: Sequence[Vector], columns: int, first: int = 0
) -> tuple[list[Dependent], list[int], bool] | None:
    """Sets of rows that depend on each other, independent rows, and whether columns are free.

    The first rows are independent, and kept.
    """
    space = null_space(rows, columns)
    if space is None:
        return None
    rank = len(rows) - len(space.rows)
    kept = pivots(rows, rank, first) if space.rows else list(range(rank))
    if kept is None:
        return None
    sets: list[set[int]] = []
    for combination in space.rows:
        touched = [s for s in sets if not s.isdisjoint(combination)]
        sets = [s for s in sets if s not in touched]
        sets.append(set(combination).union(*touched))
    independent = set(kept)
    found = [_dependent(numbers, sorted(s), independent) for s in sorted(sets, key=min)]
    return found, [numbers[k] for k in kept], columns > rank


def _dependent(numbers: Sequence[int], rows: Sequence[int], independent: Iterable[int]) -> Dependent:
    return Dependent(tuple([numbers[k] for k in rows]), tuple([numbers[k] for k in rows if k not in set(independent)]))


def _vectors(matrix: Sequence[Numbers]) -> list[Vector]:
    """The rows of a matrix as shares of its largest entry, without what is rounding error."""
    largest = max([abs(x) for row in matrix for x in row], default=0.0) or 1.0
    noise = max(ROUNDING * largest, NOISE)
    return [{k: x / largest for k, x in enumerate(row) if abs(x) > noise} for row in matrix]


def _closed(chain: OpenChain, seed: int, away: float) -> tuple[Numbers, Gaps] | None:
    """Coordinates where all constraints of positions hold, and these there; None where none are found from these."""
    place = chain.near_the_guesses(seed, away)
    now = chain.at(place, seed)
    for _ in range(MOST_STEPS):
        size = hypot(*now.gaps)
        if size <= CLOSED * max(len(place), 1):
            return place, now
        if not place:
            return None
        move = damped(now.slopes, now.gaps, size * size)
        for halving in range(MOST_HALVINGS):
            tried = [x - m * 0.5**halving for x, m in zip(place, move, strict=True)]
            there = chain.at(tried, seed)
            if hypot(*there.gaps) < size:
                break
        else:
            return None
        place, now = tried, there
    return None


def damped(matrix: Sequence[Numbers], rest: Numbers, damping: float) -> Numbers:
    """x of (A'A + damping) x = A' rest, by conjugate gradients (M. R. Hestenes, E. Stiefel, 1952, section 10)."""
    count = len(matrix[0])
    rows, columns = _entries(matrix), _entries(list(zip(*matrix, strict=True)))
    x, left = [0.0] * count, list(rest)
    gradient = _product(columns, left)
    direction, square = gradient, _dot(gradient, gradient)
    enough = 1e-30 * square
    for _ in range(2 * count):
        if square <= enough:
            break
        image = _product(rows, direction)
        step = square / (_dot(image, image) + damping * _dot(direction, direction))
        x = [a + step * d for a, d in zip(x, direction, strict=True)]
        left = [a - step * q for a, q in zip(left, image, strict=True)]
        gradient = [g - damping * a for g, a in zip(_product(columns, left), x, strict=True)]
        before, square = square, _dot(gradient, gradient)
        direction = [g + square / before * d for g, d in zip(gradient, direction, strict=True)]
    return x


def _entries(rows: Sequence[Sequence[float]]) -> list[list[tuple[int, float]]]:
    """The entries of each row that are not 0, with their columns: constraints have few."""
    return [[(k, x) for k, x in enumerate(row) if x] for row in rows]


def _product(rows: list[list[tuple[int, float]]], vector: Numbers) -> Numbers:
    return [sum([x * vector[k] for k, x in row], 0.0) for row in rows]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])
