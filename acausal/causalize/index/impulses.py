"""Impulses: where a constraint of states begins to act, the states jump by the balance of momentum.

    J1*der(w1) = -tau                     J1*d(w1) = -d(tau)
    J2*der(w2) = tau                ->    J2*d(w2) = d(tau)            w1 starts again from w1 - (w1 - w2)*d(w1)
    0 = if c then der(w1) - der(w2)       d(w1) - d(w2) = 1            w2 starts again from w2 - (w1 - w2)*d(w2)

Integrated over the instant, finite terms vanish and the unknowns of the equations become their impulses d(...), which
are linear in the jump of the constraint. Where the equations are not linear in their unknowns, the balance says
nothing. (P. J. Mosterman, G. Biswas, A theory of discontinuities in physical system models, J. Franklin Institute 335B
(1998) 401-439.)
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.events import Announcement, Events, Frozen, Restart
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.graph import Block
from acausal.ir.kinds import ValueType
from acausal.ir.names import show_derivative
from acausal.ir.origin import How, Origin
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of
from acausal.symbolic.differentiate import differentiate
from acausal.symbolic.linear import LinearForm, linear_form
from acausal.symbolic.substitute import substitute

if TYPE_CHECKING:
    from acausal.causalize.index.mode_constraint import ModeConstraint

FULFILLED = 1e-6
"""Constraints below the one that impulses fulfil must hold that well where the mode is entered."""
APART = 1e-10
"""Residual above which a constraint counts as open at the end of its mode, as a share of its terms."""
UNMET = (
    "the index changes here: a constraint that becomes active is violated, and no impulse can satisfy it, because it "
    "relates variables that cannot jump"
)


def with_impulses(selection: StateSelection, run: SortedSystem, found: "ModeConstraint") -> Dae | None:
    """The system with the constraint differentiated in its mode, and its impulses; None where they are not linear."""
    reduced = selection.reduced
    dae, pool = reduced.dae, reduced.dae.pool
    base, count = reduced.index.eq_source[found.equation]
    if count:
        return None
    number = len(dae.events.frozen) + 1
    follows, slack = pool.frozen((f"mode${number}",)), pool.frozen((f"slack${number}",))
    active = follows if found.active else pool.not_(follows)
    memo: dict[Expr, Expr] = {}
    lagged = {e: _with(pool, run.equations[e], {found.leaf: follows}, memo) for e in range(len(run.equations))}
    own = lagged[found.equation]
    free = pool.sub(own.left, own.right)
    if found.returns:
        free = pool.sub(free, slack)
    lagged[found.equation] = changed = replace(own, left=pool.if_(active, found.highest, free), right=pool.zero)
    blocks = _reached(run, found.block)
    unknowns = [run.unknowns[v] for block in blocks for v in block.vars]
    jumps = {x: pool.variable(_name(x, number)) for x in unknowns}
    rows: list[Equation] = []
    for e in [e for block in blocks for e in block.eqs]:
        form = linear_form(pool, pool.sub(lagged[e].left, lagged[e].right), jumps.keys())
        if form is None:
            return None
        jump = pool.if_(active, pool.one, pool.zero) if e == found.equation else pool.zero
        rows.append(_row(pool, form, jumps, jump, own.origin))
    equations = [_with(pool, e, {found.leaf: follows}, memo) for e in dae.equations]
    equations[base] = changed
    new = [Variable(jump, "local", "real", _declared(dae, x, own.origin)) for x, jump in jumps.items()]
    return replace(
        dae,
        equations=(*equations, *rows),
        variables=(*dae.variables, *new),
        events=_events(dae, selection.states, found, jumps, (follows, active, slack), own.origin),
    )


def _with(pool: Pool, equation: Equation, replaced: dict[Expr, Expr], memo: dict[Expr, Expr]) -> Equation:
    left, right = (substitute(pool, side, replaced, memo) for side in (equation.left, equation.right))
    if left is equation.left and right is equation.right:
        return equation
    return replace(equation, left=left, right=right)


def _reached(run: SortedSystem, start: Block) -> list[Block]:
    """The block and all behind it whose unknowns depend on its own."""
    reached = {run.unknowns[v] for v in start.vars}
    blocks = [start]
    for block in run.blocks[run.blocks.index(start) + 1 :]:
        inside = variables_of(side for e in block.eqs for side in (run.equations[e].left, run.equations[e].right))
        if not reached.isdisjoint(inside):
            blocks.append(block)
            reached.update(run.unknowns[v] for v in block.vars)
    return blocks


def _row(pool: Pool, form: LinearForm, jumps: dict[Expr, Expr], jump: Expr, origin: Origin) -> Equation:
    left = pool.add(*[pool.mul(c, jumps[x]) for x, c in form.coefficients.items()])
    return Equation(left, jump, origin.become(How.IMPULSE))


def _events(
    dae: Dae,
    states: Sequence[Expr],
    found: "ModeConstraint",
    jumps: dict[Expr, Expr],
    frozen: tuple[Expr, Expr, Expr],
    origin: Origin,
) -> Events:
    """The mode, which follows its relation by a pass; states start again where it is entered.

    What no impulse can fulfil must hold there. Where the mode ends, what is left of the constraint by integration is
    kept in `slack` and counts as zero, so that the relation does not switch back by rounding.
    """
    pool, events = dae.pool, dae.events
    follows, active, slack = frozen
    before = pool.frozen((f"entered${len(events.frozen) + 1}",))
    new = [
        _internal(follows, "boolean", found.leaf, pool.boolean(not found.active), origin),
        Frozen(before, "before", "boolean", (active,), origin, written=found.leaf),
    ]
    if found.returns:
        ends = pool.and_(active, pool.not_(found.leaf) if found.active else found.leaf)
        left = pool.add(found.levels[0], pool.mul(pool.const(found.returns * APART), _scale(pool, found.levels[0])))
        new.append(_internal(slack, "real", pool.if_(ends, left, slack), pool.zero, origin))
    fired, violated = pool.and_(active, pool.not_(before)), found.levels[-1]
    restarts = [
        Restart(x, pool.sub(x, pool.mul(violated, jumps[pool.derivative(x)])), fired, origin)
        for x in states
        if pool.derivative(x) in jumps
    ]
    checks = [
        Announcement("assert", fired, pool.call("<=", pool.call("abs", level), pool.const(FULFILLED)), UNMET, origin)
        for level in found.levels[:-1]
    ]
    return Events((*events.frozen, *new), (*events.restarts, *restarts), (*events.announcements, *checks))


def _scale(pool: Pool, constraint: Expr) -> Expr:
    """Magnitude of the terms of a constraint: its states times its derivatives by them."""
    inside = variables_of([constraint])
    slopes = [pool.mul(x, differentiate(pool, constraint, {x: pool.one}, {})) for x in inside]
    return pool.add(*[pool.call("abs", s) for s in slopes])


def _internal(symbol: Expr, type_: ValueType, value: Expr, start: Expr, origin: Origin) -> Frozen:
    return Frozen(symbol, "discrete", type_, (value,), origin, start=start, internal=True)


def _name(x: Expr, mode: int) -> tuple[str | int, ...]:
    return (*x.name[:-1], f"impulse${mode}({show_derivative(x.name[-1:], x.order)})")


def _declared(dae: Dae, x: Expr, otherwise: Origin) -> Origin:
    found = next((v.origin for v in dae.variables if v.symbol.name == x.name), otherwise)
    return found.become(How.IMPULSE)
