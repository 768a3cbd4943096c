"""The search for two crossings within a step of a solver, compiled for models that need it only."""

from math import nan

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.crossings.hidden_crossings import (
    APART,
    begin_at,
    begin_search,
    end_time,
    go_on_search,
    hidden_root,
    resume_search,
)
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.cvode.cvode_context import CvodeContext
from acausal.runtime.kernel.language import Int, Real, Reals, kernel


@kernel
def search_step(c: HiddenSearch, t: Real, is_begin: Int, out: Reals) -> None:
    """Look for two crossings in the step up to t; their root function takes its place in `out`.

    Where a solver begins the search begins again; at times within a step nothing is searched.
    """
    if is_begin != 0:
        begin_at(c, t, out)
        copy_numbers(c.memory, c.m, c.memory_at_begin)
    elif t > end_time(c):
        search_between(c, t, out)
    elif t == end_time(c) and c.found_time < t:
        search_behind(c)
    out[c.place] = hidden_root(c, t)


@kernel
def search_between(c: HiddenSearch, t: Real, out: Reals) -> None:
    """Where a function with one sign at both ends of the step up to t has the other one."""
    if begin_search(c, t, out) != 0:
        search_within(c)
    copy_numbers(c.memory, c.m, c.memory_at_begin)


@kernel
def search_behind(c: HiddenSearch) -> None:
    """The same in the rest of a step, behind what was found: the solver asks for its end once more."""
    if resume_search(c) != 0:
        search_within(c)


@kernel
def search_within(c: HiddenSearch) -> None:
    """Evaluate functions within the step, from the solutions at its begin, or at its end; then m is as before."""
    copy_numbers(c.memory, c.m, c.memory_at_end)
    is_wanted = 1
    while is_wanted != 0:
        if c.sample == 1:
            copy_numbers(c.memory, c.memory_at_end, c.m)
        else:
            copy_numbers(c.memory, c.memory_at_begin, c.m)
        c.watch(c.context, c.next_time, 1.0 + float(c.sample) * APART, c.root_functions)
        is_wanted = go_on_search(c)
    copy_numbers(c.memory, c.memory_at_end, c.m)


@kernel
def watch_within(c: CvodeContext, t: Real, factor: Real, out: Reals) -> None:
    """Root functions with their offsets within a step of CVODE; see `Watch`."""
    status = c.interpolate(c.cvode, t, 0, c.between)
    if status == 0:
        for i in range(c.states):
            c.between_there[i] *= factor
        if c.is_ordered == 0:
            status = c.crossings(t, c.between_there, c.u, c.p, c.m, out)
        else:
            gather_numbers(c.states, c.between_there, c.place, c.model_states)
            status = c.crossings(t, c.model_states, c.u, c.p, c.m, out)
    for i in range(c.crossing_count):
        out[i] = out[i] + c.offset[i] if status == 0 else nan
