"""Start values that the conditions determine already, though not by structure: another is taken instead.

A rod with a ball joint at both ends: its length and the crank's angle give the rocker's angle, and the rod can still
turn about itself. By structure the rocker's start value would do as a condition beside the crank's; the four elements
of the quaternion are then determined by equations of rank three, at any point.
"""

from collections.abc import Iterable, Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.index.numeric_rank import POINTS, block_null_space
from acausal.ir.dae import Dae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, numbers_of
from acausal.ir.graph import Block
from acausal.structure.null_space import NullSpace
from acausal.symbolic.slopes import NoSlopeError, Point

MOST_EQUATIONS = 100
"""Larger blocks are not judged."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A start value that follows from other conditions, and one that nothing determines."""

    dependent: Equation
    open: Equation


def dependent_start(
    dae: Dae, system: SortedSystem, chosen: Sequence[Equation], others: Iterable[Equation]
) -> Exchange | None:
    """The last chosen start value that a block depends on which is singular at any point, and one of the `others`.

    The latter is for an unknown of this block, the one that is most open at the start.
    """
    known = numbers_of(dae.parameters)
    points = [Point(system.pool, seed, size, known) for seed, size in POINTS]
    start_of = {e.left: e for e in others}
    for number, block in enumerate(system.blocks):
        unknowns = [system.unknowns[v] for v in block.vars]
        if not 1 < len(block.eqs) <= MOST_EQUATIONS or start_of.keys().isdisjoint(unknowns):
            continue
        start = Point(system.pool, *POINTS[0], known | _starts(dae, known))
        if all((space := _null_space(system, block, point)) is not None and space.rows for point in points):
            needed = _needed(system, number)
            dependent = next((e for e in reversed(chosen) if e in needed), None)
        else:
            dependent = _only_way(system, block, start, chosen)
        if dependent is None:
            continue
        at_start = _null_space(system, block, start)
        vectors = at_start.columns if at_start is not None else ()
        share = {unknowns[k]: abs(x) for vector in vectors for k, x in vector.items() if unknowns[k] in start_of}
        if share:
            return Exchange(dependent, start_of[max(share, key=lambda x: share[x])])
    return None


def _only_way(system: SortedSystem, block: Block, start: Point, chosen: Sequence[Equation]) -> Equation | None:
    """A start value of the only variable by which an equation of the block can change there.

    dot(Q, Q) = 1 where Q = [1, 0, 0, 0]: with Q[1] given, nothing is left to solve it for
    """
    start_of = {e.left: e for e in chosen}
    for number in block.eqs:
        equation = system.equations[number]
        inside = [x for x in equation.variables if x in start_of]
        if not inside or equation.derivatives:
            continue
        try:
            slope = start.slope(system.pool.sub(equation.left, equation.right), equation.variables)
        except NoSlopeError:
            continue
        moving = [x for x, s in slope.items() if s]
        if len(moving) == 1 and moving[0] in start_of:
            return start_of[moving[0]]
    return None


def _null_space(system: SortedSystem, block: Block, point: Point) -> NullSpace | None:
    try:
        return block_null_space(system, block, point)
    except NoSlopeError:
        return None


def _starts(dae: Dae, known: Mapping[Expr, float]) -> dict[Expr, float]:
    point = Point(dae.pool, *POINTS[0], known)
    starts = [(v.symbol, v.attributes.start) for v in dae.variables]
    return {x: point.value(start) for x, start in starts if start is not None}


def _needed(system: SortedSystem, last: int) -> list[Equation]:
    """The equations of the block with this number, and all that it depends on."""
    wanted: set[Expr] = set()
    found: list[Equation] = []
    for number in range(last, -1, -1):
        block = system.blocks[number]
        if number == last or any(system.unknowns[v] in wanted for v in block.vars):
            for e in block.eqs:
                found.append(system.equations[e])
                wanted.update(system.equations[e].variables)
    return found
