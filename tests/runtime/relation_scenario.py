"""Searches for values of relations, and relations at rest that chatter (`runtime/events/relations`)."""

from array import array
from typing import Any

from acausal.runtime.context import DONE
from acausal.runtime.events import exported_run
from acausal.runtime.events.event_loop import acausal_start_events
from acausal.runtime.events.first_instant import finds_values
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations import relation_search as search
from acausal.runtime.events.relations.evaluate import count_undefined
from acausal.runtime.events.relations.rest_bands import give_bands
from acausal.runtime.limits import WITHOUT_END
from tests.runtime.cvode_scenario import filled

SWITCHES = """model M
  local x (start=1, fixed=true), a, b, c
  der(x) = cos(3*time) - x
  a = if b > x then 1 else 0
  b = if a > 0.5 then x - 0.2 else x + 0.2
  c = if x - a > 0.3 then 2*x else floor(x + 0.1*b)
end
"""
"""The first two relations contradict each other: no passes over them end, and no search finds values."""


def search_room(e: LoopContext) -> Any:
    """Room in arrays, as machine code has it."""
    reals = {name: array("d", bytes(8 * n)) for name, n in (("begin", e.frozen_count), ("noise", e.results_count))}
    whole = {name: array("q", bytes(8 * e.frozen_count)) for name in ("relations", "chosen")}
    return filled(search.SearchRoom, **reals, **whole)


def search_all(e: LoopContext) -> None:
    """Each way of the search, from all relations true and all false."""
    e.has_search, e.undefined = 1, e.frozen_count
    acausal_start_events(e)
    finds_values(e, 0.0)
    for value in (0.0, 1.0):
        for i in range(e.frozen_count):
            e.frozen[i] = value
        search.search_relations(e, 0.2, e.y)
        search.resolve_ties(e, 0.2, e.y)
        search.agree_later(e, 0.2, e.y)
        search.jump(e, 0.2, e.y)
        e.results[e.now[0]] = float("nan")
        count_undefined(e, e.results)


def chatter(e: LoopContext) -> None:
    """Events at one time until relations have bands, and these cannot be wider."""
    e.chattering_time = 0.0
    exported_run.forget_limit(e)
    if exported_run.start_run(e, 0.0) != DONE:
        return
    for may_rest in (1, 0):
        for i in range(e.frozen_count):
            e.may_rest[i] = may_rest
        for number in range(6 * WITHOUT_END):
            for i in range(e.crossing_count):
                e.roots[i] = 1 - 2 * (number % 2)
            exported_run.do_told_event(e, 0.1)
        give_bands(e)
    e.reached[0] = 0.2
    exported_run.do_left_event(e)
