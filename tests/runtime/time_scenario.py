"""Runs without states in Python: kernels in place of CVODE (`runtime/steps/time_steps`)."""

from typing import Any

import numpy as np

from acausal.runtime.crossings.hidden_search import MOST_POINTS, REAL_NUMBERS, WHOLE_NUMBERS, HiddenSearch
from acausal.runtime.crossings.hidden_steps import search_step
from acausal.runtime.crossings.root_search import RootSearch
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.steps.followed_time import FollowedTime, begin_followed, follow_time
from acausal.runtime.steps.time_as_solver import (
    begin_time,
    count_nothing,
    crossed_roots,
    extend_in_time,
    ignore_time,
    no_states,
    solve_time,
    step_in_time,
    stop_time,
    watch_begin,
    watch_in_time,
)
from acausal.runtime.steps.time_steps import TimeSolver
from acausal.simulate.solver.hidden import search_room
from acausal.simulate.system.system import System

MODELS = {
    "time": """model M
  local x, y, late
  discrete n, k
  x = sin(7*time)
  y = if x > 0.5 then 0.5 else x
  late = delay(y, 0.21)
  when x + 0.1*late < 0.2 then
    new(n) = n + 1
  endwhen
  when sample(0.1, 0.25) then
    new(k) = k + 1
  endwhen
end
""",
    "time, two crossings": """model M
  local c
  discrete n
  c^3 + c = sin(3*time)
  when c > 0.6823278 then
    new(n) = n + 1
  endwhen
end
""",
}


def time_context(e: LoopContext, system: System) -> None:
    """The functions of CVODE, as they are without states."""
    table, delays = system.program.table, system.program.delays
    room = {name: np.zeros(table.crossings) for name in ("first", "below", "above", "values")}
    roots = np.zeros(table.crossings, dtype=np.int32)
    search = RootSearch(count=table.crossings, watch=_watch, context=e, roots=roots, time=0.0, **room)
    found = search_room(system) if table.hidden else {}
    hidden = HiddenSearch(**{**found, "m": e.m}, watch=_watch, context=e) if found else nothing_hidden(e)
    c = TimeSolver(
        **dict.fromkeys(("time", "way_begin", "parts", "part"), 0.0),
        stop=np.inf,
        is_begin=1,
        way_end=np.nan,
        **_followed(e, system),
        shortest=system.delays.shortest,
        has_delays=int(bool(delays)),
        search=search,
        sides=e.sides,
        seen=e.watched_values,
        begin=_begin,
        extend=_extend,
        has_hidden=int(bool(table.hidden)),
        hidden=hidden,
        hidden_address=hidden,
        search_step=_search_step,
    )
    functions = {
        "solve": lambda _, *given: solve_time(c, *given),
        "set_stop": lambda _, t: stop_time(c, t),
        "root_info": lambda _, roots: crossed_roots(c, roots),
        "reinit": lambda _, *given: begin_time(c, *given),
        **dict.fromkeys(("set_least", "set_first"), _ignore),
        **dict.fromkeys(("count_steps", "count_jacobians"), _count),
        "interpolate": _interpolate,
        "step_with_history": _step,
    }
    for name, function in functions.items():
        setattr(e, name, function)
    e.goes_on = 0


def _followed(e: LoopContext, system: System) -> dict[str, Any]:
    """Nonlinear blocks through time."""
    names = "has_followed", "followed", "begin_followed", "follow"
    if not system.branches.count:
        return dict.fromkeys(names, 0)
    room = {name: np.zeros(0) for name in ("out", "given", "given_before")}
    sizes = {"memory": e.memory, "followed": e.followed, "given_count": 0}
    model = {"derivatives": e.derivatives, "y": e.y, "u": e.u, "p": e.p, "m": e.m, "record": e.record}
    start = dict.fromkeys(("time", "step", "last", "shortest", "least"), 0.0)
    start |= dict.fromkeys(("begin", "end", "back_until", "longest_back"), 0.0)
    f = FollowedTime(**room, **sizes, **model, **start, fill=_fill, inputs=0)
    return dict(zip(names, (1, f, begin_followed, follow_time), strict=True))


def _fill(inputs: int, t: float) -> int:
    raise AssertionError(f"no inputs at {t}")


def nothing_hidden(e: LoopContext) -> HiddenSearch:
    """A search that is not used."""
    whole = ("place", "memory", "count", "jump_count", *WHOLE_NUMBERS)
    empty = {name: np.zeros(0) for name in ("memory_at_begin", "memory_at_end", "values", "root_functions")}
    integers = {name: np.zeros(0, dtype=np.int64) for name in ("functions", "states")}
    return HiddenSearch(
        **dict.fromkeys(whole, 0),
        **dict.fromkeys(REAL_NUMBERS, 0.0),
        **empty,
        **integers,
        times=np.zeros(MOST_POINTS),
        m=e.m,
        watch=_watch,
        context=e,
    )


def _watch(e: LoopContext, t: float, factor: float, out: Any) -> None:
    watch_in_time(e, t, factor, out)  # by the names in this module, by which they are recorded


def _begin(e: LoopContext, t: float, out: Any) -> None:
    watch_begin(e, t, out)


def _extend(e: LoopContext, t: float) -> int:
    return int(extend_in_time(e, t))


def _search_step(c: HiddenSearch, t: float, is_begin: int, out: Any) -> None:
    search_step(c, t, is_begin, out)


def _ignore(cvode: int, t: float) -> int:
    return int(ignore_time(cvode, t))


def _count(cvode: int, count: Any) -> int:
    return int(count_nothing(cvode, count))


def _interpolate(cvode: int, t: float, order: int, vector: int) -> int:
    return int(no_states(cvode, t, order, vector))


def _step(e: LoopContext, goal: float) -> int:
    return int(step_in_time(e, goal))
