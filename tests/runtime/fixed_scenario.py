"""Runs with steps of fixed length in Python: kernels in place of CVODE (`runtime/steps/fixed_steps`)."""

from typing import Any

import numpy as np

from acausal.runtime.branches.branch_slopes import end_step
from acausal.runtime.crossings.root_search import RootSearch
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.steps.fixed_methods import HEUN, IMPLICIT_EULER, RUNGE_KUTTA, FixedSolver
from acausal.runtime.steps.fixed_steps import (
    begin_watch,
    count_fixed,
    interpolate_fixed,
    limit_fixed,
    solve_fixed,
    watch_fixed,
)
from acausal.runtime.steps.stability import StepJudgement
from acausal.runtime.steps.time_as_solver import begin_time, count_nothing, crossed_roots, ignore_time, stop_time
from acausal.simulate.system.system import System
from tests.runtime.time_scenario import nothing_hidden

BRANCH = """model M
  local x (start=0.65, fixed=true), c
  discrete n
  der(x) = -c
  c^3 + c = x
  when x < 0.6 then
    new(n) = n + 1
  endwhen
end
"""
MODELS = {
    "fixed steps, Heun": (BRANCH, HEUN),
    "fixed steps, Runge-Kutta": (BRANCH, RUNGE_KUTTA),
    "fixed steps, implicit": (BRANCH, IMPLICIT_EULER),
}


def fixed_context(e: LoopContext, system: System, method: int) -> None:
    """The functions of CVODE, as they are with steps of fixed length."""
    n, crossings = e.states, system.program.table.crossings
    room = {name: np.zeros(crossings) for name in ("first", "below", "above", "values")}
    arrays = "slope", "begin_states", "begin_slope", "end_states", "end_slope", "stage"
    e.numbers, e.between_there = np.array(e.numbers), np.zeros(n)
    c = FixedSolver(
        **dict.fromkeys(("time", "way_begin", "parts", "part", "begin_time", "end_time"), 0.0),
        **dict.fromkeys(("has_followed", "followed", "begin_followed", "follow", "has_delays", "extend"), 0),
        **dict.fromkeys(("has_hidden", "search_step", "steps", "is_slope_known"), 0),
        stop=np.inf,
        is_begin=1,
        way_end=np.nan,
        shortest=np.inf,
        search=RootSearch(count=crossings, watch=_watch, context=None, roots=e.roots, time=0.0, **room),
        sides=e.sides,
        seen=e.watched_values,
        begin=_begin,
        hidden=nothing_hidden(e),
        hidden_address=0,
        loop=e,
        step=0.03,
        method=method,
        iterations=20,
        most_steps=10**6,
        made=0,
        most_made=10**6,
        **{name: np.zeros(n) for name in arrays},
        slopes=np.zeros(3 * n),
        matrix=np.zeros(n * (n + 1) + 1),
        end_step=_end_step,
        judgement=StepJudgement(beyond=0, too_long=0, largest=np.zeros(n)),
    )
    c.search.context = c  # type: ignore[assignment]
    functions: dict[str, Any] = {
        "solve": lambda _, *given: solve_fixed(c, *given),
        "set_stop": lambda _, t: stop_time(c, t),
        "root_info": lambda _, roots: crossed_roots(c, roots),
        "reinit": lambda _, *given: begin_time(c, *given),
        **dict.fromkeys(("set_least", "set_first"), lambda _, t: ignore_time(0, t)),
        "count_steps": lambda _, count: count_fixed(c, count),
        "set_most_steps": lambda _, count: limit_fixed(c, count),
        "count_jacobians": lambda _, count: count_nothing(0, count),
        "interpolate": lambda _, t, order, out: interpolate_fixed(c, t, order, out),
    }
    for name, function in functions.items():
        setattr(e, name, function)


def _watch(c: FixedSolver, t: float, factor: float, out: Any) -> None:
    watch_fixed(c, t, factor, out)  # by the names in this module, by which they are recorded


def _begin(c: FixedSolver, t: float, out: Any) -> None:
    begin_watch(c, t, out)


def _end_step(m: Any, base: int, count: int, t: float) -> None:
    end_step(m, base, count, t)
