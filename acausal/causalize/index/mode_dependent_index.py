"""Modes in which the index is higher: equations that, with a relation true or false, determine nothing but states.

    0 = if closed then w1 - w2 else tau      closed: a constraint of the states w1, w2, and nothing determines tau

In this mode the constraint is differentiated until it holds an unknown that it can determine,

    0 = if closed then der(w1) - der(w2) else tau

and `impulses` lets the states fulfil it when the mode is entered. (A. Benveniste, B. Caillaud, M. Malandain, The
mathematical foundations of physical systems modeling languages, Annual Reviews in Control 50 (2020) 72-118: structural
analysis mode by mode; here of one relation at a time.)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.causalize.index.impulses import with_impulses
from acausal.causalize.index.mode_constraint import ModeConstraint
from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.events import Frozen
from acausal.ir.expr import FROZEN, VARIES, Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block, Incidence
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of, marked, variables_of
from acausal.structure.dulmage import decompose
from acausal.structure.matching import match
from acausal.symbolic.differentiate import differentiate, total
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import linear_form
from acausal.symbolic.substitute import substitute

MOST_DIFFERENTIATIONS = 4


def change_index(selection: StateSelection, run: SortedSystem) -> Dae | None:
    """The system with the first such constraint differentiated in its mode; None where there is none."""
    reduced = selection.reduced
    pool = reduced.dae.pool
    modes = _modes(reduced.dae)
    if not modes:
        return None
    known, now = set(selection.states), {h.symbol: h for h in reduced.dae.events.frozen}
    block_of = {run.unknowns[v]: block for block in run.blocks for v in block.vars}
    for block in run.blocks:
        for leaf, equations in _deciding(run, block, modes).items():
            for active in (True, False):
                if not _loses_variables(pool, equations, {leaf: pool.boolean(active)}):
                    continue
                formulas = _Formulas(run, known, block_of, {leaf: pool.boolean(active)})
                found = _constraint(run, block, leaf, active, formulas, now)
                changed = None if found is None else with_impulses(selection, run, found)
                if changed is not None:
                    return changed
    return None


def _deciding(run: SortedSystem, block: Block, modes: frozenset[Expr]) -> dict[Expr, list[Equation]]:
    """For each mode of a block the equations in which it decides."""
    found: dict[Expr, list[Equation]] = {}
    for e in block.eqs:
        equation = run.equations[e]
        for leaf in leaves_of([equation.left, equation.right], FROZEN):
            if leaf in modes:
                found.setdefault(leaf, []).append(equation)
    return found


def _loses_variables(pool: Pool, equations: Sequence[Equation], mode: Mapping[Expr, Expr]) -> bool:
    """True if an equation has fewer variables in the mode: else the block is as regular there as it is as a whole."""
    for equation in equations:
        residual = pool.sub(equation.left, equation.right)
        if len(variables_of([substitute(pool, residual, mode)])) < len(variables_of([residual])):
            return True
    return False


def _modes(dae: Dae) -> frozenset[Expr]:
    """The boolean frozen values that decide between branches with different variables."""
    frozen = {h.symbol for h in dae.events.frozen if h.type == "boolean" and h.kind in ("relation", "discrete")}
    found: set[Expr] = set()
    for node in dae.pool.operations("if") if frozen else ():
        condition, then, otherwise = node.args
        if (then.flags | otherwise.flags) & VARIES and variables_of([then]) != variables_of([otherwise]):
            found.update(x for x in leaves_of([condition], FROZEN) if x in frozen)
    return frozenset(found)


def _constraint(
    run: SortedSystem, block: Block, leaf: Expr, active: bool, formulas: "_Formulas", now: Mapping[Expr, Frozen]
) -> ModeConstraint | None:
    """The constraint of a block in one mode; None where it is structurally regular there, or has more than one."""
    pool = run.pool
    unknowns = {run.unknowns[v]: k for k, v in enumerate(block.vars)}
    residuals = _in_mode(run, block, {leaf: pool.boolean(active)})
    rows = [tuple([unknowns[x] for x in variables_of([r]) if x in unknowns]) for r in residuals]
    incidence = Incidence(tuple(rows), len(unknowns))
    matching = match(incidence)
    if len(matching.unmatched_eqs) != 1:
        return None
    over = decompose(incidence, matching).over
    inner = {run.unknowns[block.vars[v]] for v in over.vars}
    found: list[ModeConstraint] = []
    for chosen in over.eqs:
        others = [residuals[e] for e in over.eqs if e != chosen]
        lowest = _eliminated(pool, residuals[chosen], others, inner)
        if lowest is None or any(x in unknowns for x in variables_of([lowest])):
            continue
        levels = _differentiated(pool, lowest, unknowns, formulas)
        if levels is None:
            continue
        *below, highest = levels
        inside = tuple([unknowns[x] for x in variables_of([highest]) if x in unknowns])
        changed = [inside if k == chosen else row for k, row in enumerate(rows)]
        if match(Incidence(tuple(changed), len(unknowns))).is_perfect:
            rest = replace(formulas, mode={leaf: pool.boolean(not active)})
            returns = _returns(rest, block, chosen, below[0], now[leaf], active=active)
            found.append(ModeConstraint(leaf, active, returns, block.eqs[chosen], block, tuple(below), highest))
    return next((f for f in found if f.returns), found[0] if found else None)


def _in_mode(run: SortedSystem, block: Block, values: Mapping[Expr, Expr]) -> list[Expr]:
    """The residuals of a block with this value of a relation."""
    pool, memo = run.pool, dict[Expr, Expr]()
    equations = [run.equations[e] for e in block.eqs]
    return [substitute(pool, pool.sub(e.left, e.right), values, memo) for e in equations]


def _returns(free: "_Formulas", block: Block, chosen: int, constraint: Expr, now: Frozen, *, active: bool) -> int:
    """See `ModeConstraint`; `now` is the relation, `free` speaks of the mode in which the constraint is open."""
    pool, run = free.run.pool, free.run
    unknowns = {run.unknowns[v]: k for k, v in enumerate(block.vars)}
    residuals = _in_mode(run, block, free.mode)
    measured = free.in_states(residuals[chosen], unknowns)
    if measured is None or not _same_slopes(pool, measured, constraint, free.known) or now.kind != "relation":
        return 0
    subtracted = pool.variable(("subtracted$",))
    residuals[chosen] = pool.sub(residuals[chosen], subtracted)
    side = _eliminated(pool, now.now[0], residuals, unknowns.keys())
    side = None if side is None else free.in_states(side, {subtracted: 0})
    form = None if side is None else linear_form(pool, side, {subtracted})
    slope = None if form is None else form.coefficients.get(subtracted)
    if slope is None or slope.op != "const" or not slope.number:
        return 0
    above = (now.relation in (">", ">=")) == active
    return 1 if (slope.number < 0) == above else -1


def _same_slopes(pool: Pool, residual: Expr, constraint: Expr, states: set[Expr]) -> bool:
    """True if both change alike with each state of the constraint."""
    inside = [x for x in variables_of([constraint]) if x in states]
    slopes = [[differentiate(pool, e, {x: pool.one}, {}) for x in inside] for e in (residual, constraint)]
    return slopes[0] == slopes[1]


def _eliminated(pool: Pool, residual: Expr, others: Sequence[Expr], unknowns: Iterable[Expr]) -> Expr | None:
    """The residual without these unknowns, which the others determine one after the other; None where they do not."""
    left, open_ = list(others), set(unknowns)
    while open_:
        solved = next(_solvable(pool, left, open_), None)
        if solved is None:
            return None
        number, x, formula = solved
        del left[number]
        open_.discard(x)
        left = [substitute(pool, r, {x: formula}) for r in left]
        residual = substitute(pool, residual, {x: formula})
    return residual


def _solvable(pool: Pool, residuals: Sequence[Expr], unknowns: set[Expr]) -> Iterator[tuple[int, Expr, Expr]]:
    for number, residual in enumerate(residuals):
        inside = [x for x in variables_of([residual]) if x in unknowns]
        if len(inside) == 1:
            formula = isolate(pool, residual, pool.zero, inside[0])
            if formula is not None:
                yield number, inside[0], formula


def _differentiated(pool: Pool, lowest: Expr, unknowns: dict[Expr, int], formulas: "_Formulas") -> list[Expr] | None:
    """The constraint and its derivatives, in states and time, up to one with unknowns of the block."""
    now = formulas.in_states(lowest, unknowns)
    levels: list[Expr] = []
    while now is not None and len(levels) < MOST_DIFFERENTIATIONS:
        levels.append(now)
        inside = variables_of([now])
        if any(x in unknowns for x in inside):
            return levels if len(levels) > 1 else None
        if not inside:
            return None
        now = formulas.in_states(total(pool, now), unknowns)
    return None


@dataclass(frozen=True, slots=True)
class _Formulas:
    """Unknowns by states, where explicit equations say so in a mode."""

    run: SortedSystem
    known: set[Expr]
    block_of: Mapping[Expr, Block]
    mode: Mapping[Expr, Expr]

    def in_states(self, expr: Expr, kept: dict[Expr, int]) -> Expr | None:
        """The expression with other unknowns than the kept ones replaced by formulas; None where there is none."""
        pool = self.run.pool
        while True:
            others = [x for x in variables_of([expr]) if x not in self.known and x not in kept]
            if not others:
                return None if any(n.op == "noevent" for n in marked([expr], VARIES)) else expr
            formula = self._formula(others[0])
            if formula is None:
                return None
            expr = substitute(pool, expr, {others[0]: formula})

    def _formula(self, x: Expr) -> Expr | None:
        block = self.block_of.get(x)
        if block is None or len(block.eqs) > 1:
            return None
        equation = self.run.equations[block.eqs[0]]
        pool = self.run.pool
        left, right = (substitute(pool, side, self.mode) for side in (equation.left, equation.right))
        return isolate(pool, left, right, x)
