"""Numeric rank: equations that depend on each other by their numbers, which the structure does not show.

    x + y = 1,  2*x + 2*y = 3      two equations, two unknowns, but one direction

Each block of more than one equation is linearized at two generic points with the parameters as they are; where
its matrix is singular at both, it is so wherever the run goes. With generic parameters too: whatever they are.
"""

from collections.abc import Iterable, Iterator, Sequence

from acausal.base.frozen import dataclass
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter, numbers_of
from acausal.ir.graph import Block
from acausal.structure.null_space import NullSpace, Vector, null_space
from acausal.structure.regular import rows_stay_regular
from acausal.symbolic.slopes import NoSlopeError, Point

POINTS = ((1, 1.0), (2, 0.01))
"""Seeds and sizes of the points: small values too, where exponentials are tame."""
ROUNDING = 1e-13
"""Relative rounding error of an entry: a matrix that cannot become singular by it is badly scaled at
most, as with 1 TOhm beside 1 mOhm, which is no open circuit."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """Equations of which one follows from the others or contradicts them, and unknowns that stay open.

    Both are combinations: numbers of the sorted system with their factors. They depend on each other `always`,
    whatever values the parameters have, or with the present ones.
    """

    equations: Vector
    unknowns: Vector
    block: Block
    always: bool


def find_dependence(system: SortedSystem, parameters: Iterable[Parameter]) -> Dependence | None:
    """The first dependence in the order of the blocks; None where all are independent."""
    known = numbers_of(parameters)
    points = [Point(system.pool, seed, size, known) for seed, size in POINTS]
    for block, space in _deficient(system, points):
        free = _space_at_all(system, block, [Point(system.pool, *POINTS[0])])
        always = free is not None and len(free.rows) == len(space.rows)
        return _dependence(block, space, always=always)
    return None


def dependence_at(system: SortedSystem, points: Sequence[Point]) -> Dependence | None:
    """The first dependence that holds at all these points."""
    for block, space in _deficient(system, points):
        return _dependence(block, space, always=False)
    return None


def _deficient(system: SortedSystem, points: Sequence[Point]) -> Iterator[tuple[Block, NullSpace]]:
    """The blocks that are singular at all points, each with its null space at the last."""
    for block in system.blocks:
        space = _space_at_all(system, block, points) if len(block.eqs) > 1 else None
        if space is not None:
            yield block, space


def _space_at_all(system: SortedSystem, block: Block, points: Sequence[Point]) -> NullSpace | None:
    """The null space at the last point; None where the block is regular at one of them or cannot be judged."""
    space = None
    for point in points:
        try:
            space = block_null_space(system, block, point)
        except NoSlopeError:
            return None
        if space is None or not space.rows:
            return None
    return space


def _dependence(block: Block, space: NullSpace, *, always: bool) -> Dependence:
    equations = {block.eqs[i]: x for i, x in space.rows[0].items()}
    unknowns = {block.vars[i]: x for i, x in space.columns[0].items()}
    return Dependence(equations, unknowns, block, always)


def block_null_space(system: SortedSystem, block: Block, point: Point) -> NullSpace | None:
    """Null space of a block at a point, empty for a regular one; None where it cannot be judged."""
    place = {system.unknowns[v]: i for i, v in enumerate(block.vars)}
    rows = [{place[x]: s for x, s in point.slope(_residual(system, e), place.keys()).items()} for e in block.eqs]
    space = null_space(rows, len(place))
    deficient = space is not None and len(space.rows) > 0
    return NullSpace((), ()) if deficient and rows_stay_regular(rows, len(place), ROUNDING) else space


def _residual(system: SortedSystem, number: int) -> Expr:
    equation = system.equations[number]
    return system.pool.sub(equation.left, equation.right)
