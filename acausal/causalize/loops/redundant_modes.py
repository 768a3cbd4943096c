"""Constraints that are redundant in some mode only: two bearings of one shaft that stick, ideal switches in parallel.

    J*a = f - t1 - t2     a = 0 if b1 sticks, else t1 = T1     a = 0 if b2 sticks, else t2 = T2

In the mode where as many constraints are active as can be, the matrix of a block is singular, and all that is
undetermined are reactions: forces, torques, currents and what belongs to them alone. Such a block is solved whole, by
`runtime/blocks/least_norm`: wherever a run meets such a mode, reactions have minimum norm. Which components carry the
redundant constraints is found here and reported in a note; the norm is that of their reactions.

Where a drive or a support holds the shaft, each constraint is a formula of one unknown (`held_shafts`).
"""

from collections.abc import Iterator, Mapping, Sequence

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.causalize.loops.mode_reactions import Elements, mode_reactions
from acausal.causalize.loops.modes import (
    Modes,
    note_of_modes,
    null_space_of_modes,
    variables_in_mode,
    with_open_switches,
    without_motion,
)
from acausal.causalize.loops.reactions import Reactions
from acausal.ir.dae import Dae, Redundancy, SortedSystem
from acausal.ir.expr import FROZEN, VARIES, Expr
from acausal.ir.flat import FlatModel
from acausal.ir.graph import Block
from acausal.ir.walk import marked, variables_of
from acausal.structure.null_space import NullSpace

LARGEST = 100
"""Equations of a block that is solved whole."""


@dataclass(frozen=True, slots=True)
class _Constraints:
    """The conditions of a block with the values that make equations constraints, and these equations."""

    modes: Modes
    equations: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Singular:
    """A block with its constraints, its null space where all of them hold, and those unknowns that are reactions."""

    block: Block
    constraints: _Constraints
    space: NullSpace
    reactions: tuple[Expr, ...]


def find_redundant_modes(flat: FlatModel, dae: Dae, run: SortedSystem) -> Iterator[tuple[Redundancy, Diagnostic]]:
    """Redundant modes of all blocks, each with its note."""
    opened = with_open_switches(run)
    forces: Reactions | None = None
    for block in opened.blocks:
        if not 1 < len(block.eqs) <= LARGEST:
            continue
        conditions = _conditions(opened, block)
        if not conditions:
            continue
        unknowns = [opened.unknowns[v] for v in block.vars]
        forces = forces or Reactions(flat, dae)
        reactions = without_motion(opened, block, forces, forces.among(unknowns))
        constraints = _constraints(opened, block, conditions, frozenset(reactions))
        space = None if len(constraints.equations) < 1 else null_space_of_modes(dae, opened, block, constraints.modes)
        if space is None or not space.rows:
            continue
        open_ = {unknowns[k] for vector in space.columns for k in vector}
        if open_.issubset(reactions):
            found = _Singular(block, constraints, space, tuple(reactions))
            yield _redundancy(flat, dae, run, opened, found, forces)


def _conditions(run: SortedSystem, block: Block) -> dict[Expr, list[int]]:
    """Conditions between branches with different unknowns, which events change, and the equations they are in."""
    unknowns = {run.unknowns[v] for v in block.vars}
    found: dict[Expr, list[int]] = {}
    for e in block.eqs:
        equation = run.equations[e]
        for node in marked([equation.left, equation.right], FROZEN):
            if node.op == "if" and node.args[0].flags & FROZEN and (node.args[1].flags | node.args[2].flags) & VARIES:
                one, other = [unknowns.intersection(variables_of([branch])) for branch in node.args[1:]]
                if one != other:
                    found.setdefault(node.args[0], []).append(e)
    return found


def _constraints(
    run: SortedSystem, block: Block, conditions: Mapping[Expr, Sequence[int]], reactions: frozenset[Expr]
) -> _Constraints:
    """Constraint of the motion: an equation from which a condition removes all reactions."""
    unknowns = {run.unknowns[v] for v in block.vars}
    modes: dict[Expr, bool] = {}
    equations: set[int] = set()
    for condition, places in conditions.items():
        for e in places:
            for value in (True, False):
                inside = unknowns.intersection(variables_in_mode(run, e, condition, value))
                if inside and inside.isdisjoint(reactions) and modes.setdefault(condition, value) is value:
                    equations.add(e)
    return _Constraints(modes, frozenset(equations))


def _redundancy(
    flat: FlatModel, dae: Dae, run: SortedSystem, opened: SortedSystem, found: _Singular, forces: Reactions
) -> tuple[Redundancy, Diagnostic]:
    block, space, modes = found.block, found.space, found.constraints.modes
    unknowns = [run.unknowns[v] for v in block.vars]
    open_ = [unknowns[k] for k in sorted({k for vector in space.columns for k in vector})]
    rows = sorted({block.eqs[k] for vector in space.rows for k in vector})
    equations = [opened.equations[e] for e in rows if e in found.constraints.equations]
    elements = {e.origin.path for e in equations} - {()}
    holding = Elements(frozenset(elements), modes, forces.names)
    added, measured = mode_reactions(run, block, open_, holding, dae.measured, LARGEST)
    names = forces.names
    shown = list(dict.fromkeys([min(names.of(x), key=names.rank) for x in measured or open_]))
    note = note_of_modes(flat, dae, equations, modes, shown, len(space.rows))
    return Redundancy((*found.reactions, *added), measured, (*unknowns, *added)), note
