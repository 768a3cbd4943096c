"""The routines of events: what frozen values are to become, and what crosses zero.

    frozen $1: h < 0     ->     events      store 0 (h)         crossings   store 0 (h), store 1 (der(h))
    init(v) = -e*v                        store 1 (fires), store 2 (-e*v), store 3 (v)

The derivative of what crosses, where it is known, is watched too: between its zeros there is at
most one crossing, so that no step of the solver hides two. Where it is not known the last of
the root functions has a place for what `runtime/crossings/hidden_crossings` finds. Where sines go
through many periods in a step the largest angular velocity, or an angle, is a root function that never crosses
(`phases`).
"""

from acausal.base.frozen import dataclass
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.roots.jumps import finite, jumps_of
from acausal.codegen.lower.roots.kinks import Kinks
from acausal.codegen.lower.roots.phases import phases
from acausal.codegen.lower.roots.poles import Poles
from acausal.codegen.lower.roots.relation_inputs import with_reads
from acausal.codegen.lower.roots.root_slopes import RootSlopes
from acausal.codegen.lower.routine_builder import RoutineBuilder
from acausal.ir.events import Frozen, Restart
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import SolvePlan
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import NO_CODE, Routine
from acausal.ir.program.slots import NO_TABLE, AnnouncementSlot, EventTable, FrozenSlot, RestartSlot
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import leaves_of

Lowered = tuple[EventTable, Routine, Routine, int]


@dataclass(frozen=True, slots=True)
class _Roots:
    """Root functions, and which of them are what, as in `EventTable`."""

    functions: list[Expr]
    hidden: tuple[int, ...] = ()
    phase: int | None = None
    angles: tuple[int, ...] = ()
    jumps: int = 0


def lower_events(plan: SolvePlan, layout: Layout) -> Lowered:
    """The table of slots, the routines `events` and `crossings`, and their work area."""
    events = plan.events
    if not events.frozen:
        return NO_TABLE, NO_CODE, NO_CODE, 0
    results: list[Expr] = []
    crossings: list[Expr] = []
    frozen = tuple([_frozen(h, plan.pool, layout, results, crossings) for h in events.frozen])
    restarts = tuple([_restart(r, layout, results) for r in events.restarts])
    announcements = tuple(
        [AnnouncementSlot(a.kind, a.text, _put(results, a.fired, a.condition), a.origin) for a in events.announcements]
    )
    roots = _roots(plan, crossings)
    event_code, workspace = _routine(plan, layout, results)
    crossing_code, more = _routine(plan, layout, roots.functions)
    frozen = with_reads(frozen, event_code)
    table = EventTable(
        frozen,
        restarts,
        announcements,
        len(results),
        len(roots.functions),
        len(crossings),
        roots.hidden,
        roots.phase,
        roots.angles,
        roots.jumps,
    )
    return table, event_code, crossing_code, max(workspace, more)


def _roots(plan: SolvePlan, crossings: list[Expr]) -> _Roots:
    """The crossings without their poles, and the functions that are evaluated beside them."""
    if not crossings:
        return _Roots([])
    poles = Poles(plan)
    crossings = [poles.removed(crossing) for crossing in crossings]
    watched = len(crossings)
    known = RootSlopes(plan)
    kinks = Kinks(plan)
    slopes = [known.slope(crossing, at_any_cost=kinks.are_below(crossing)) for crossing in crossings]
    crossings += _turning_points(crossings, slopes)
    squares, angles = phases(plan, crossings[:watched], known, kinks)
    phase = len(crossings) if squares else None
    crossings += squares
    places = tuple(range(len(crossings), len(crossings) + len(angles)))
    crossings += angles
    jumping, jumps = jumps_of(plan, crossings[:watched], slopes, known)
    hidden = [i for i, slope in enumerate(slopes) if slope is None or i in jumping]
    hidden += range(len(crossings), len(crossings) + len(jumps))
    crossings += jumps
    for i in jumping:
        crossings[i] = finite(plan.pool, crossings[i])
    if hidden:
        crossings.append(plan.pool.one)
    return _Roots(crossings, tuple(hidden), phase, places, len(jumps))


def _routine(plan: SolvePlan, layout: Layout, results: list[Expr]) -> tuple[Routine, int]:
    if not results:
        return NO_CODE, 0
    builder = RoutineBuilder(plan.pool, layout, plan.steps, initial=False)
    builder.compute(results)
    return builder.routine(results), builder.workspace


def _put(results: list[Expr], *exprs: Expr) -> int:
    results += exprs
    return len(results) - len(exprs)


def _frozen(frozen: Frozen, pool: Pool, layout: Layout, results: list[Expr], crossings: list[Expr]) -> FrozenSlot:
    now = _put(results, *frozen.now)
    clock = None if frozen.clock is None else _put(results, *frozen.clock)
    crossing = None
    if frozen.kind in ("relation", "step") and clock is None:
        crossing = len(crossings)
        crossings.append(_crossing(frozen, pool))
    start = None if frozen.start is None else layout.hoisted(frozen.start)
    text = "" if frozen.written is None else show_expr(frozen.written)
    interval = layout.hoisted(frozen.now[1]) if frozen.kind == "sample" and frozen.now[1].op != "const" else None
    return FrozenSlot(
        frozen.symbol.name,
        frozen.kind,
        frozen.type,
        frozen.origin,
        now,
        frozen.relation,
        clock,
        crossing,
        start,
        text,
        interval,
        frozen.internal,
        frozen.continuous,
    )


def _crossing(frozen: Frozen, pool: Pool) -> Expr:
    """Expression that changes its sign; of a step (x - k)*(k + 1 - x), where k is the frozen whole number."""
    (now,) = frozen.now
    if frozen.kind == "relation":
        return now
    above = pool.sub(now, frozen.symbol)
    return pool.mul(above, pool.sub(pool.one, above))


def _restart(restart: Restart, layout: Layout, results: list[Expr]) -> RestartSlot:
    target, sign = restart.target, 1.0
    if target.op == "neg":
        target, sign = target.args[0], -1.0
    position = _put(results, restart.fired, restart.value, restart.target)
    order = max([n.order for n in leaves_of([target], MOVES) if n.op == "variable"], default=0)
    state = layout.state_of.get(target)
    return RestartSlot(show_expr(restart.written or restart.target), position, restart.origin, state, sign, order)


def _turning_points(crossings: list[Expr], slopes: list[Expr | None]) -> list[Expr]:
    """Derivatives that are not watched yet."""
    watched = set(crossings)
    return list(dict.fromkeys([s for s in slopes if s is not None and s.flags & MOVES and s not in watched]))
