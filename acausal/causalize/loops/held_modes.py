"""Constraints of a mode that say nothing new on their own: a bearing that sticks on a shaft which a drive holds.

    Jone*a = if mode == 0 then 0 else s - t0,   tf = if mode == 0 then s else t0,   M = J*a + tf         a is known

Each unknown has a formula, s = (Jone*a + t0)/1, but none in the mode where the condition removes it. What follows from
it linearly, up to the reactions of the elements that hold the shaft, is merged to one block: where a is zero it is
singular, and solved with minimum norm; where a is not zero, s is infinite, and the mode is left.
"""

from collections.abc import Iterable, Iterator, Sequence

from acausal.base.frozen import dataclass
from acausal.causalize.blocks.merge_blocks import merge_blocks
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import FROZEN, VARIES, Expr
from acausal.ir.graph import Block
from acausal.ir.walk import marked, variables_of
from acausal.symbolic.linear import linear_form


@dataclass(frozen=True, slots=True)
class HeldMode:
    """A system with the blocks of some formulas merged, and the equations that conditions may leave without unknown."""

    system: SortedSystem
    block: Block
    equations: tuple[int, ...]


def open_formulas(run: SortedSystem) -> list[int]:
    """Numbers of the blocks of one equation whose unknown is not in it in some mode."""
    return [number for number, block in enumerate(run.blocks) if _may_be_open(run, block)]


def held_modes(run: SortedSystem, seeds: Sequence[int], through: set[Expr]) -> Iterator[HeldMode]:
    """The open formulas, each with what follows from them up to through variables."""
    uses = _Uses(run)
    groups: list[tuple[set[int], list[int]]] = []
    for seed in seeds:
        joined, own = _up_to(run, seed, uses, through), [seed]
        if len(joined) < 2:
            continue
        for blocks, others in [g for g in groups if not g[0].isdisjoint(joined)]:
            joined, own = joined | blocks, [*others, *own]
        groups = [g for g in groups if g[0].isdisjoint(joined)]
        groups.append((joined, own))
    for joined, own in groups:
        unknowns = {run.unknowns[v] for number in joined for v in run.blocks[number].vars}
        system = merge_blocks(run, unknowns)
        if system is not None:
            block = next(b for b in system.blocks if system.unknowns[b.vars[0]] in unknowns)
            yield HeldMode(system, block, tuple([run.blocks[number].eqs[0] for number in own]))


def _may_be_open(run: SortedSystem, block: Block) -> bool:
    """True for an equation that a condition, which events change, leaves without its unknown."""
    if len(block.eqs) > 1:
        return False
    equation, unknown = run.equations[block.eqs[0]], run.unknowns[block.vars[0]]
    if not (equation.left.flags | equation.right.flags) & FROZEN:
        return False
    if _stands_outside((equation.left, equation.right), unknown):
        return False
    for node in marked([equation.left, equation.right], FROZEN):
        if node.op == "if" and node.args[0].flags & FROZEN and (node.args[1].flags | node.args[2].flags) & VARIES:
            one, other = [unknown in variables_of([branch]) for branch in node.args[1:]]
            if one != other:
                return True
    return False


def _stands_outside(sides: Iterable[Expr], unknown: Expr) -> bool:
    """True if the unknown occurs outside of all conditions."""
    stack, seen = list(sides), set[Expr]()
    while stack:
        node = stack.pop()
        if node is unknown:
            return True
        if node in seen or (node.op == "if" and node.args[0].flags & FROZEN):
            continue
        seen.add(node)
        stack += node.args
    return False


class _Uses:
    """The blocks that use unknowns of a block linearly, with factors that do not vary between events."""

    def __init__(self, run: SortedSystem) -> None:
        self._run = run
        self._blocks_with: dict[Expr, list[int]] = {}
        for number, block in enumerate(run.blocks):
            for x in dict.fromkeys([x for e in block.eqs for x in run.equations[e].variables]):
                self._blocks_with.setdefault(x, []).append(number)
        self._found: dict[int, list[int]] = {}

    def of(self, number: int) -> list[int]:
        """Numbers of the blocks, ascending."""
        found = self._found.get(number)
        if found is None:
            own = [self._run.unknowns[v] for v in self._run.blocks[number].vars]
            users = {n for x in own for n in self._blocks_with.get(x, ()) if n != number and self._is_linear(n, x)}
            found = self._found[number] = sorted(users)
        return found

    def _is_linear(self, number: int, x: Expr) -> bool:
        """True if the equations of the block have it with factors of numbers, parameters and conditions."""
        run = self._run
        for e in run.blocks[number].eqs:
            equation = run.equations[e]
            if x in equation.variables:
                form = linear_form(run.pool, run.pool.sub(equation.left, equation.right), frozenset([x]))
                if form is None or variables_of([form.coefficients.get(x, x)]):
                    return False
        return True


def _up_to(run: SortedSystem, seed: int, uses: _Uses, through: set[Expr]) -> set[int]:
    """The blocks on the ways from a seed to through variables."""
    reached, waiting = {seed}, [seed]
    while waiting:
        following = [n for n in uses.of(waiting.pop()) if n not in reached]
        reached.update(following)
        waiting += following
    wanted: set[int] = set()
    for number in sorted(reached, reverse=True):
        own = {run.unknowns[v] for v in run.blocks[number].vars}
        if not own.isdisjoint(through) or not wanted.isdisjoint(uses.of(number)):
            wanted.add(number)
    return wanted | {seed} if wanted else set()
