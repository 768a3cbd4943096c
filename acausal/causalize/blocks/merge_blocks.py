"""One block in place of several: they are solved together, although they could be solved one after the other."""

from collections.abc import Collection
from dataclasses import replace

from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.graph import Block


def merge_blocks(system: SortedSystem, unknowns: Collection[Expr]) -> SortedSystem | None:
    """The system with one block of all that determine one of the unknowns; None where another block is between them.

    Equations and unknowns keep their order, so that the matrix of formulas stays lower triangular. Blocks that depend
    on the merged one follow it.
    """
    inside: list[Block] = []
    before: list[Block] = []
    after: list[Block] = []
    merged: set[Expr] = set()
    late: set[Expr] = set()
    for block in system.blocks:
        own = [system.unknowns[v] for v in block.vars]
        used = {x for e in block.eqs for x in system.equations[e].variables}
        if any(x in unknowns for x in own):
            if not late.isdisjoint(used):
                return None
            inside.append(block)
            merged.update(own)
        elif merged.isdisjoint(used) and late.isdisjoint(used):
            before.append(block)
        else:
            after.append(block)
            late.update(own)
    if len(inside) < 2:
        return system
    eqs = tuple([e for block in inside for e in block.eqs])
    variables = tuple([v for block in inside for v in block.vars])
    return replace(system, blocks=(*before, Block(eqs, variables), *after))
