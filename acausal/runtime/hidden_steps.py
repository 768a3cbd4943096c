"""The search for two crossings within a step of CVODE, compiled for models that need it only."""

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.cvode_context import CvodeContext
from acausal.runtime.hidden_crossings import APART, begin_at, begin_search, end_time, go_on_search, hidden_root
from acausal.runtime.kernel.language import Bool, Real, Reals, kernel


@kernel
def search_step(c: CvodeContext, t: Real, out: Reals) -> None:
    """Look for two crossings in the step up to t; their root function is that of `hidden` in `out`.

    Where CVODE begins the search begins again; at times within a step nothing is searched.
    """
    if t == c.starts[c.crossing_count]:
        begin_at(c.hidden_search, t, out)
        copy_numbers(c.memory, c.m, c.memory_at_begin)
    elif t > end_time(c.hidden_search):
        find_hidden(c, t, out)
    out[c.hidden] = hidden_root(c.hidden_search, t)


@kernel
def find_hidden(c: CvodeContext, t: Real, out: Reals) -> None:
    """Where a function with one sign at both ends of the step up to t has the other one."""
    search = c.hidden_search
    copy_numbers(c.memory, c.m, c.memory_at_end)
    is_wanted = begin_search(search, t, out)
    while is_wanted != 0:
        if search.sample == 1:
            copy_numbers(c.memory, c.memory_at_end, c.m)
        else:
            copy_numbers(c.memory, c.memory_at_begin, c.m)
        is_evaluated = evaluate_within(c, search.next_time, 1.0 + float(search.sample) * APART)
        is_wanted = go_on_search(search) if is_evaluated else 0
    copy_numbers(c.memory, c.memory_at_end, c.m)
    copy_numbers(c.memory, c.memory_at_end, c.memory_at_begin)


@kernel
def evaluate_within(c: CvodeContext, t: Real, factor: Real) -> Bool:
    """Root functions with their offsets at t within the step, and at the states there times a factor."""
    out = c.hidden_search.root_functions
    if c.interpolate(c.cvode, t, 0, c.between) != 0:
        return False
    for i in range(c.states):
        c.between_there[i] *= factor
    if c.is_ordered == 0:
        status = c.crossings(t, c.between_there, c.u, c.p, c.m, out)
    else:
        gather_numbers(c.states, c.between_there, c.place, c.model_states)
        status = c.crossings(t, c.model_states, c.u, c.p, c.m, out)
    for i in range(c.crossing_count):
        out[i] += c.offset[i]
    return status == 0
