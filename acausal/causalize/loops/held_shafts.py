"""Friction of shafts that a drive or a support holds: redundant in the mode where it sticks (`held_modes`)."""

from collections.abc import Iterator, Sequence

from acausal.base.diagnostics import Diagnostic
from acausal.causalize.loops.held_modes import HeldMode, held_modes, open_formulas
from acausal.causalize.loops.modes import (
    note_of_modes,
    null_space_of_modes,
    variables_in_mode,
    without_motion,
)
from acausal.causalize.loops.reactions import Reactions, constrained_elements, forces_of, owner
from acausal.ir.dae import Dae, Redundancy, SortedSystem
from acausal.ir.expr import FROZEN, Expr
from acausal.ir.flat import FlatModel
from acausal.ir.walk import marked

LARGEST = 100
"""Equations that are merged to one block."""


def find_held_shafts(flat: FlatModel, dae: Dae, run: SortedSystem) -> Iterator[tuple[Redundancy, Diagnostic]]:
    """Redundant modes of formulas, each with its note."""
    seeds = open_formulas(run)
    if not seeds:
        return
    forces = Reactions(flat, dae)
    for held in held_modes(run, seeds, forces.through(run.unknowns)):
        found = _of_held_shafts(flat, dae, held, forces)
        if found is not None:
            yield found


def _of_held_shafts(
    flat: FlatModel, dae: Dae, held: HeldMode, forces: Reactions
) -> tuple[Redundancy, Diagnostic] | None:
    """The redundancy of constraints that say nothing but what is given, with the reactions of what gives it."""
    system, block = held.system, held.block
    if len(block.eqs) > LARGEST:
        return None
    unknowns = [system.unknowns[v] for v in block.vars]
    reactions = without_motion(system, block, forces, forces.among(unknowns))
    modes = _empty_modes(system, held.equations, frozenset(unknowns))
    space = null_space_of_modes(dae, system, block, modes) if modes else None
    if space is None or not space.rows:
        return None
    open_ = [unknowns[k] for k in sorted({k for vector in space.columns for k in vector})]
    if not set(open_).issubset(reactions):
        return None
    owners = {owner(name) for x in open_ for name in forces.names.of(x)} - {()}
    own = [system.equations[e] for e in held.equations]
    holding = {e.origin.path for e in own} | constrained_elements(flat, owners)
    counted = forces_of(holding, forces.names, open_) or {x: (x.name,) for x in open_}
    note = note_of_modes(flat, dae, own, modes, [name for of in counted.values() for name in of], len(space.rows))
    measured = tuple([x for x, of in counted.items() for _ in of])
    return Redundancy(tuple(reactions), measured, tuple(unknowns)), note


def _empty_modes(run: SortedSystem, equations: Sequence[int], unknowns: frozenset[Expr]) -> dict[Expr, bool]:
    """The conditions with values that leave equations without unknowns."""
    modes: dict[Expr, bool] = {}
    for e in equations:
        for node in marked([run.equations[e].left, run.equations[e].right], FROZEN):
            if node.op == "if" and node.args[0].flags & FROZEN and node.args[0] not in modes:
                for value in (True, False):
                    if unknowns.isdisjoint(variables_in_mode(run, e, node.args[0], value)):
                        modes[node.args[0]] = value
    return modes
