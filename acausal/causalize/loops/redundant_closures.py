"""Redundant closures of loops: those that follow from the others, found where the loops are closed.

    a four-bar of spatial hinges: six closures of four angles, but on them only three that are independent

The loops are opened: then every place is a formula of the joints' coordinates. From made-up coordinates near the
guesses the Levenberg-Marquardt method comes to where all closures hold; the square of the residual is its damping (N.
Yamashita, M. Fukushima, Computing Suppl. 15 (2001) 239-249: as fast where solutions are not isolated). There the rank
of the Jacobian is counted: off the closures a loop that is held too often looks regular.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from acausal.causalize.loops.open_chain import OpenChain, open_chain
from acausal.ir.dae import Dae
from acausal.ir.flat import Loop
from acausal.structure.null_space import Vector, null_space
from acausal.structure.orthogonal import pivots
from acausal.symbolic.slopes import Point

AWAY = (0.1, 0.2, 0.4, 0.1, 0.2, 0.4)
"""Distances of the starting points from the guesses, one after the other."""
APART = 1e-3
"""Places that differ by less in all coordinates are one."""
CLOSED = 1e-13
"""A gap that counts as none, for each coordinate."""
ROUNDING = 1e-10
"""Derivatives smaller than this share of the largest count as zero."""
MOST_STEPS = 60
MOST_HALVINGS = 12
Numbers = list[float]


@dataclass(frozen=True, slots=True)
class Closures:
    """The numbers of the equations that follow from others, and points where all hold."""

    redundant: tuple[int, ...]
    points: tuple[Point, ...]


NONE = Closures((), ())


def redundant_closures(dae: Dae, loops: Sequence[Loop]) -> Closures:
    """Redundant closures of a movable linkage, at two places or more; of a rigid one, if its places determine it."""
    chain = open_chain(dae, loops)
    if chain is None:
        return NONE
    found: list[Numbers] = []
    for seed, away in enumerate(AWAY):
        place = _closed(chain, seed, away)
        if place is None:
            continue
        found.append(place)
        moves = any(abs(a - b) > APART for other in found for a, b in zip(place, other, strict=True))
        rows = _vectors(chain.at(place, seed).slopes)
        space = null_space(rows, len(place))
        if space is None or not space.rows:
            return NONE
        kept = pivots(rows, len(rows) - len(space.rows)) if moves or not space.columns else None
        if kept is not None:
            redundant = [e for k, e in enumerate(chain.closures) if k not in kept]
            return Closures(tuple(redundant), tuple([chain.point(p, n) for n, p in enumerate(found)]))
    return NONE


def _vectors(matrix: Sequence[Numbers]) -> list[Vector]:
    """The rows of a matrix as shares of its largest entry, without what is rounding error."""
    largest = max([abs(x) for row in matrix for x in row]) or 1.0
    return [{k: x / largest for k, x in enumerate(row) if abs(x) > ROUNDING * largest} for row in matrix]


def _closed(chain: OpenChain, seed: int, away: float) -> Numbers | None:
    """Coordinates where all closures hold; None where none are found from these."""
    place = chain.near_the_guesses(seed, away)
    now = chain.at(place, seed)
    for _ in range(MOST_STEPS):
        size = hypot(*now.gaps)
        if size < CLOSED * len(place):
            return place
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
    x, left = [0.0] * count, list(rest)
    gradient = _transposed(matrix, left)
    direction, square = gradient, _dot(gradient, gradient)
    enough = 1e-30 * square
    for _ in range(2 * count):
        if square <= enough:
            break
        image = [_dot(row, direction) for row in matrix]
        step = square / (_dot(image, image) + damping * _dot(direction, direction))
        x = [a + step * d for a, d in zip(x, direction, strict=True)]
        left = [a - step * q for a, q in zip(left, image, strict=True)]
        gradient = [g - damping * a for g, a in zip(_transposed(matrix, left), x, strict=True)]
        before, square = square, _dot(gradient, gradient)
        direction = [g + square / before * d for g, d in zip(gradient, direction, strict=True)]
    return x


def _transposed(matrix: Sequence[Numbers], vector: Numbers) -> Numbers:
    return [_dot(column, vector) for column in zip(*matrix, strict=True)]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])
