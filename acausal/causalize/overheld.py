"""Loops that are held more often than they can move, where only points on their constraints show it.

    Bricard's linkage: six hinges, six closures; off the closures all six are independent, on them five

Where the closures hold at such points, and at each the equations of accelerations and cut forces depend on each
other, one closure goes as in `redundant`. The points must differ: a linkage that cannot move may be singular at its
one place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum

from acausal.causalize.consistent import consistent_points
from acausal.causalize.incidence import incidence_of, numbering
from acausal.causalize.rank import dependence_at
from acausal.causalize.redundant import largest_first, relax
from acausal.ir.dae import Dae, ReducedDae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Loop
from acausal.ir.graph import Block
from acausal.symbolic.slopes import Point

Level = Enum("Level", "PLACE RATE LAST")
APART = 1e-3
"""Points that differ by less in all unknowns of the closures are one."""


def relax_overheld(reduced: ReducedDae, loops: Sequence[Loop], run: SortedSystem) -> Dae | None:
    """The system without a closure that the others imply wherever they hold; None where there is none."""
    closures = _closures(reduced, loops)
    places = [n for n, block in enumerate(run.blocks) if any(closures.get(e) is Level.PLACE for e in block.eqs)]
    if not places:
        return None
    open_ = [run.unknowns[v] for n in places for v in run.blocks[n].vars]
    singular = [block for block in run.blocks if len(block.eqs) > 1]
    points: list[Point] = []
    for point in consistent_points(reduced.dae, run, places[-1]):
        singular = [b for b in singular if dependence_at(replace(run, blocks=(b,)), [point]) is not None]
        if not singular:
            return None
        points.append(point)
        if any(abs(point.value(x) - points[0].value(x)) > APART for x in open_):
            return _relaxed(reduced, loops, run, singular, points)
    return None


def _closures(reduced: ReducedDae, loops: Sequence[Loop]) -> dict[int, Level]:
    """The numbers of the equations of closing classes that have derivatives given by hand, with these."""
    paths = {loop.path for loop in loops}
    level: dict[int, Level] = {}
    for n, equation in enumerate(reduced.dae.equations):
        if equation.derivatives and equation.origin.path in paths:
            first, *between, last = reduced.index.eq_chain(n)
            level |= dict.fromkeys(between, Level.RATE) | {first: Level.PLACE, last: Level.LAST}
    return level


def _relaxed(
    reduced: ReducedDae, loops: Sequence[Loop], run: SortedSystem, singular: Sequence[Block], points: Sequence[Point]
) -> Dae | None:
    """Without the closure that counts most where accelerations depend on each other; later blocks leave forces open."""
    closures = _closures(reduced, loops)
    sources = reduced.index.eq_source
    bases: list[int] = []
    unknowns: list[Expr] = []
    for part in _with_neighbours(run, singular):
        found = dependence_at(part, points)
        numbers = [] if found is None else [e for e in largest_first(found.equations) if closures.get(e) is Level.LAST]
        if found is not None and numbers:
            bases += [sources[e][0] for e in numbers]
            unknowns = [run.unknowns[v] for v in largest_first(found.unknowns)] + unknowns
    return relax(reduced.dae, loops, bases, unknowns)


def _with_neighbours(run: SortedSystem, singular: Sequence[Block]) -> Iterator[SortedSystem]:
    """Each singular block with all regular ones before and behind it: what it depends on, and what on it."""
    incidence = incidence_of(run.equations, numbering(run.unknowns))
    at_var = {v: n for n, block in enumerate(run.blocks) for v in block.vars}
    before = [{at_var[v] for e in block.eqs for v in incidence.vars_of_eq[e]} for block in run.blocks]
    behind: list[set[int]] = [set() for _ in run.blocks]
    for n, others in enumerate(before):
        for other in others:
            behind[other].add(n)
    odd = {run.blocks.index(block) for block in singular}
    for n in sorted(odd):
        part = sorted({n} | _reached(n, before, odd) | _reached(n, behind, odd))
        yield replace(run, blocks=(_joined([run.blocks[k] for k in part]),))


def _reached(start: int, links: Sequence[set[int]], odd: set[int]) -> set[int]:
    reached: set[int] = set()
    queue = [start]
    while queue:
        new = links[queue.pop()] - odd - reached
        reached |= new
        queue += new
    return reached


def _joined(blocks: Sequence[Block]) -> Block:
    pairs = sorted([pair for block in blocks for pair in zip(block.eqs, block.vars, strict=True)])
    return Block(tuple([e for e, _ in pairs]), tuple([v for _, v in pairs]))
