"""Reactions to constraints that hold in some mode only, and what joins them to the block that leaves them open.

    (if locked then a = 0 else t = 0),   t = 0 if free, else n*f - s,   f = J*a + b         b follows from a block

The force that holds a locked joint may be a formula of what a block determines. What lies between is merged with the
block, so that the norm is that of these forces.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.blocks.merge_blocks import merge_blocks
from acausal.causalize.loops.modes import Modes, variables_in_mode, with_open_switches
from acausal.causalize.loops.reactions import Names, forces_of, owner
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.graph import Block
from acausal.ir.names import Name
from acausal.symbolic.linear import linear_form


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements by their paths, the modes in which they constrain the motion, and the names of all variables."""

    paths: frozenset[Name]
    modes: Modes
    names: Names

    def has(self, x: Expr) -> bool:
        """True if the variable belongs to one of them."""
        return any(owner(name) in self.paths for name in self.names.of(x))


def mode_reactions(
    run: SortedSystem, block: Block, open_: Sequence[Expr], elements: Elements, others: Collection[Expr], most: int
) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """Unknowns to be merged with the block, and the reactions of the elements: open ones or merged ones.

    A reaction is what a constraint says something about where it does not hold, as that the force is zero. Of elements
    without such a reaction all that is open counts. Of `others`, reactions of constraints that are redundant in all
    modes, those count that change with what is open, where the block has no more than `most` unknowns then.
    """
    own = [run.unknowns[v] for v in block.vars]
    following, after = _following(run, block, open_), _following(run, block, own)
    reactions = _reactions(run, [*open_, *following], elements)
    alone = {owner(name) for x in reactions for name in elements.names.of(x)}
    rest = Elements(elements.paths - alone, elements.modes, elements.names)
    measured = [x for x in [*open_, *following] if x in reactions or (x in open_ and rest.has(x))]
    together = [x for x in others if x in following or x in open_]
    for wanted in [[*measured, *together], measured] if together else [measured]:
        added = _between(after, own, wanted)
        merged = merge_blocks(run, {*own, *added}) if len(own) + len(added) <= most else None
        if merged is not None and _is_linear(merged, {*own, *added}):
            return added, tuple(wanted)
    return (), tuple([x for x in open_ if elements.has(x)])


def _following(run: SortedSystem, block: Block, open_: Iterable[Expr]) -> dict[Expr, list[Expr]]:
    """Unknowns that depend on what is open, each with what it depends on of that, and those of its block."""
    reached = set(open_)
    found: dict[Expr, list[Expr]] = {}
    for other in run.blocks:
        if other is block:
            continue
        own = [run.unknowns[v] for v in other.vars]
        used = [y for e in other.eqs for y in run.equations[e].variables if y in reached and y not in own]
        if used:
            for x in own:
                found[x] = [*used, *[y for y in own if y is not x]]
            reached.update(own)
    return found


def _reactions(run: SortedSystem, forces: Sequence[Expr], elements: Elements) -> set[Expr]:
    """The forces in what the elements' equations say where their constraints do not hold."""
    inside = {x for x in forces if elements.has(x)}
    opened = with_open_switches(run, 1)
    free: set[Expr] = set()
    for e, equation in enumerate(opened.equations):
        if equation.origin.path in elements.paths and not inside.isdisjoint(equation.variables):
            for condition, value in elements.modes.items():
                held = inside.intersection(variables_in_mode(opened, e, condition, value))
                else_ = inside.intersection(variables_in_mode(opened, e, condition, not value))
                free |= else_ if else_ != held else set()
    return set(forces_of(elements.paths, elements.names, [x for x in forces if x in free]))


def _between(
    following: Mapping[Expr, Sequence[Expr]], own: Collection[Expr], wanted: Iterable[Expr]
) -> tuple[Expr, ...]:
    """The unknowns from the block's own to the wanted ones, in their order."""
    needed: set[Expr] = set()
    waiting = [x for x in wanted if x not in own]
    while waiting:
        x = waiting.pop()
        if x not in needed:
            needed.add(x)
            waiting += [y for y in following[x] if y in following]
    return tuple([x for x in following if x in needed])


def _is_linear(run: SortedSystem, unknowns: Collection[Expr]) -> bool:
    """True if the block of these unknowns is linear in them."""
    own = frozenset(unknowns)
    for block in run.blocks:
        if not own.isdisjoint([run.unknowns[v] for v in block.vars]):
            for e in block.eqs:
                equation = run.equations[e]
                if linear_form(run.pool, run.pool.sub(equation.left, equation.right), own) is None:
                    return False
    return True
