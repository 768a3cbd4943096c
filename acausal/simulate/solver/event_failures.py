"""Errors of events without a solution: what the values of an event iteration that has failed say."""

from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, InternalError, Label, SimulationError
from acausal.ir.names import show_name
from acausal.ir.program.slots import EventTable
from acausal.runtime.context import RELATION, STEP, EventContext
from acausal.runtime.events.relations.evaluate import evaluate_events
from acausal.runtime.events.relations.fixed_point import find_value
from acausal.simulate.failure.messages import not_finite_at_event
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ENDLESS = (
    "let the change make its condition false; a switch that turns back at once needs two limits, as "
    "`new(on) = if on then x < 1.1 else x < 0.9`; if the event needs more passes: --event-passes N"
)


def inconsistent(table: EventTable, context: EventContext, t: float) -> InternalError:
    """Fault of the event iteration itself: it left a frozen value that its root function contradicts."""
    slot, value = table.frozen[context.inconsistent], context.frozen[context.inconsistent]
    return InternalError("events", f"at t = {t:.10g} the frozen value {value:g} of {slot.text} is not consistent")


def contradiction(system: System, context: EventContext, t: float, y: "Array") -> SimulationError:
    """E013, or E011 where the solution slides along a crossing; `y` are the states that the iteration came to."""
    evaluate_events(context, t, y, context.results)
    relations = [(i, slot) for i, slot in enumerate(system.program.table.frozen) if context.kind[i] <= STEP]
    wrong = [(i, s) for i, s in relations if find_value(context, i, t, y) != context.u[i]] or relations
    shown = list({s.text: (i, s) for i, s in wrong}.values())[:3]
    notes = tuple([f"{s.text}: its sides differ by {context.results[s.now]:.6g}" for _, s in shown])
    labels = [Label(s.origin.span, "relation evaluated here") for _, s in shown]
    names = ", ".join(f"`{s.text}`" for _, s in shown)
    if any(context.direction[i] for i, _ in shown):
        if any(_feeds_back(system, context, i, t, y) for i, _ in shown):
            note = "positive feedback without dynamics: each value of the relation leads to the other one"
            hint = "add a time constant to the feedback: T*der(y) = f(y) - y instead of y = f(y)"
        else:
            note = "sliding mode: with either value the solution returns to the switching point of the relation"
            hint = "add hysteresis to the switch or a sticking phase to friction, or smooth the jump: tanh(x/1e-3)"
        return SimulationError(
            Diagnostic(
                "E011",
                f"chattering: at t = {t:.10g} {names} switches back immediately",
                labels[0],
                tuple(labels[1:]),
                (note,),
                hint,
            )
        )
    values = f"neither value of {names} satisfies" if len(shown) == 1 else f"no values of {names} satisfy"
    return SimulationError(
        Diagnostic(
            "E013",
            f"at t = {t:.10g} {values} the equations",
            labels[0] if labels else None,
            tuple(labels[1:]),
            notes,
            "each value leads to variables that contradict it: add hysteresis to the relation, or an intermediate case",
        )
    )


def _feeds_back(system: System, context: EventContext, i: int, t: float, y: "Array") -> bool:
    """True if the value of a relation, by the equations alone, decides in which direction its sides go."""
    before, rates, slopes = context.u[i], system.rates(t, y), []
    if rates is None or context.kind[i] != RELATION:
        return False
    for value in (0.0, 1.0):
        context.u[i] = value
        if context.events_ahead(t, y, context.u, context.p, context.m, context.results):
            break
        now, later = context.results[context.now[i]], y + context.ahead * rates
        if context.events_ahead(t + context.ahead, later, context.u, context.p, context.m, context.later):
            break
        slopes.append(context.later[context.now[i]] - now)
    context.u[i] = before
    return len(slopes) == 2 and slopes[0] * slopes[1] < 0.0


def endless_iteration(table: EventTable, context: EventContext, t: float, y: "Array") -> SimulationError:
    """E010, or R004 where a value that the event sets is not finite."""
    fired = [r for r in table.restarts if context.restarted and context.results[r.position]]
    for restart in table.restarts:
        if restart.state is not None and not isfinite(y[restart.state]):
            return not_finite_at_event(t, restart.text, restart.origin)
    for slot in table.frozen:
        if slot.kind == "discrete" and not isfinite(context.results[slot.now]):
            return not_finite_at_event(t, f"new({show_name(slot.name)})", slot.origin)
    discrete = [(i, s) for i, s in enumerate(table.frozen) if context.u[i] != context.fresh[i]]
    changed = [r.text for r in fired]
    named = [(show_name(s.name), context.fresh[i] + 0.0, context.u[i] + 0.0) for i, s in discrete if not s.internal]
    changed += [f"{name} = {new:g} or {old:g}" for name, new, old in named]
    places = [s.origin for s in table.frozen if s.kind == "discrete"] + [r.origin for r in table.restarts]
    return SimulationError(
        Diagnostic(
            "E010",
            f"at t = {t:.10g} event iteration does not converge within {context.most_passes} passes: "
            f"{', '.join(changed[:3])}",
            Label(places[0].span) if places else None,
            help=ENDLESS,
        )
    )
