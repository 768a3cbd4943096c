"""The routines of events: what held values are to become, and what crosses zero.

    held $1: h < 0     ->     events      store 0 (h)         crossings   store 0 (h), store 1 (der(h))
    init(v) = -e*v                        store 1 (fires), store 2 (-e*v), store 3 (v)

The derivative of what crosses, where it is known, is watched too: between its zeros there is at
most one crossing, so that no step of the solver hides two. Where it is not known the last of
the root functions has a place for what `runtime/hidden_crossings` finds.
"""

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.routine_builder import RoutineBuilder
from acausal.ir.events import Held, Restart
from acausal.ir.expr import MOVES, Expr
from acausal.ir.instructions import NO_CODE, Routine
from acausal.ir.plan import SolvePlan
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.ir.slots import NO_TABLE, AnnouncementSlot, EventTable, HeldSlot, RestartSlot
from acausal.ir.walk import leaves_of
from acausal.symbolic.differentiate import total

Lowered = tuple[EventTable, Routine, Routine, int]


def lower_events(plan: SolvePlan, layout: Layout) -> Lowered:
    """The table of slots, the routines `events` and `crossings`, and their work area."""
    events = plan.events
    if not events.held:
        return NO_TABLE, NO_CODE, NO_CODE, 0
    results: list[Expr] = []
    crossings: list[Expr] = []
    held = tuple([_held(h, plan.pool, layout, results, crossings) for h in events.held])
    restarts = tuple([_restart(r, layout, results) for r in events.restarts])
    announcements = tuple(
        [AnnouncementSlot(a.kind, a.text, _put(results, a.fired, a.condition), a.origin) for a in events.announcements]
    )
    watched = len(crossings)
    slopes = [_slope(plan, crossing) for crossing in crossings]
    crossings += _turning_points(crossings, slopes)
    hidden = tuple([i for i, slope in enumerate(slopes) if slope is None])
    if hidden:
        crossings.append(plan.pool.one)
    event_code, workspace = _routine(plan, layout, results)
    crossing_code, more = _routine(plan, layout, crossings)
    table = EventTable(held, restarts, announcements, len(results), len(crossings), watched, hidden)
    return table, event_code, crossing_code, max(workspace, more)


def _routine(plan: SolvePlan, layout: Layout, results: list[Expr]) -> tuple[Routine, int]:
    builder = RoutineBuilder(plan.pool, layout, plan.steps, initial=False)
    builder.compute(results)
    return builder.routine(results), builder.workspace


def _put(results: list[Expr], *exprs: Expr) -> int:
    results += exprs
    return len(results) - len(exprs)


def _held(held: Held, pool: Pool, layout: Layout, results: list[Expr], crossings: list[Expr]) -> HeldSlot:
    now = _put(results, *held.now)
    clock = None if held.clock is None else _put(results, *held.clock)
    crossing = None
    if held.kind in ("relation", "step") and clock is None:
        crossing = len(crossings)
        crossings.append(_crossing(held, pool))
    start = None if held.start is None else layout.hoisted(held.start)
    text = "" if held.written is None else show_expr(held.written)
    interval = layout.hoisted(held.now[1]) if held.kind == "sample" and held.now[1].op != "const" else None
    return HeldSlot(
        held.symbol.name,
        held.kind,
        held.type,
        held.origin,
        now,
        held.relation,
        clock,
        crossing,
        start,
        text,
        interval,
        held.internal,
        held.continuous,
    )


def _crossing(held: Held, pool: Pool) -> Expr:
    """Expression that changes its sign; of a step (x - k)*(k + 1 - x), where k is the whole number held."""
    (now,) = held.now
    if held.kind == "relation":
        return now
    above = pool.sub(now, held.symbol)
    return pool.mul(above, pool.sub(pool.one, above))


def _restart(restart: Restart, layout: Layout, results: list[Expr]) -> RestartSlot:
    target, sign = restart.target, 1.0
    if target.op == "neg":
        target, sign = target.args[0], -1.0
    position = _put(results, restart.fired, restart.value, restart.target)
    order = max([n.order for n in leaves_of([target], MOVES) if n.op == "variable"], default=0)
    state = layout.state_of.get(target)
    return RestartSlot(show_expr(restart.target), position, restart.origin, state, sign, order)


def _slope(plan: SolvePlan, crossing: Expr) -> Expr | None:
    """The derivative of what crosses where states and time alone determine it."""
    leaves = leaves_of([crossing], MOVES)
    states = dict.fromkeys(plan.states)
    if any(n.op == "variable" and n not in states for n in leaves):
        return None
    try:
        return total(plan.pool, crossing)
    except InternalError:
        return None


def _turning_points(crossings: list[Expr], slopes: list[Expr | None]) -> list[Expr]:
    """Derivatives that are not watched yet."""
    found: list[Expr] = []
    for slope in slopes:
        if slope is not None and slope.flags & MOVES and slope not in crossings and slope not in found:
            found.append(slope)
    return found
