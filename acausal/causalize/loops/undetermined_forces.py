"""Cut forces that stay open where loops are closed: loops that are held too often leave some, and not any can be zero.

a planar four-bar in a tilted plane: two torques across its axes and the force along them can be, not three torques
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.causalize.index.numeric_rank import dependence_at
from acausal.causalize.loops.drop_closures import relax_numbers
from acausal.ir.dae import Dae, ReducedDae, SortedSystem
from acausal.ir.flat import Loop
from acausal.ir.graph import Block
from acausal.ir.origin import How
from acausal.symbolic.slopes import Point


def with_other_forces(
    reduced: ReducedDae, loops: Sequence[Loop], run: SortedSystem, points: Sequence[Point]
) -> Dae | None:
    """The system with another force at zero where one at zero leaves others open; None where all are determined."""
    zeros = {n for n, e in enumerate(run.equations) if e.origin.how is How.REDUNDANT}
    if not zeros or not points:
        return None
    several = [block for block in run.blocks if len(block.eqs) > 1]
    singular = [b for b in several if dependence_at(replace(run, blocks=(b,)), points) is not None]
    for part in _with_neighbours(run, singular):
        found = dependence_at(part, points)
        if found is not None and zeros.intersection(found.equations):
            return relax_numbers(reduced, loops, run.unknowns, found)
    return None


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
