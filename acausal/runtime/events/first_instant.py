"""The first instant: states and relations together, and what `when` does at the start."""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import BEFORE, CONTRADICTORY, DISCRETE, DONE, INITIAL, LEFT, SAMPLE, STEP, EventContext
from acausal.runtime.events.event_iteration import iterate, locate, raise_flags
from acausal.runtime.events.relations.discrete import first_sample, value_at_zero
from acausal.runtime.events.relations.evaluate import evaluate_events, evaluate_start
from acausal.runtime.events.relations.fixed_point import is_at_zero, iterate_relations
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import MOST_FIRST_INSTANTS


@kernel
def first_instant(e: EventContext, t: Real) -> Int:
    """States `y` and frozen values of the first instant, and `results` there; `roots` are all 0."""
    for i in range(e.frozen_count):
        if e.kind[i] == DISCRETE:
            e.frozen[i] = e.p[e.start[i]]
    status = begin_states(e, t)
    if status == LEFT and e.has_search != 0 and finds_values(e, t):
        status = begin_states(e, t)
    if status != DONE:
        return status
    again = e.befores
    for i in range(e.frozen_count):
        if e.kind[i] == INITIAL:
            e.flag[i] = 1.0
        if e.flag[i] != 0.0:
            again = 1
    status = start_relations(e, t)
    if status == DONE:
        status = begin_conditions(e, t)
    raise_flags(e, 1.0)
    if status == DONE and again != 0:
        status = iterate_relations(e, t, e.y)
    return iterate(e, t) if status == DONE else status


@kernel
def begin_states(e: EventContext, t: Real) -> Int:
    """States and `results` with the frozen values that there are."""
    status = evaluate_start(e, t)
    if status == DONE:
        status = begin_samples(e, t)
    return locate(e, t, e.y) if status == DONE else status


@kernel
def finds_values(e: EventContext, t: Real) -> Bool:
    """True if nothing can be solved with the frozen values that there are, but with those that there are now."""
    e.begins = 1
    status = e.search(e.search_context, t, e.y)
    e.begins = 0
    return status == DONE


@kernel
def begin_conditions(e: EventContext, t: Real) -> Int:
    """Conditions are at first as they are at the start itself, where relations at zero may change right after it."""
    if e.befores == 0:
        return DONE
    for i in range(e.frozen_count):
        e.frozen_at_first[i] = e.frozen[i]
        if e.kind[i] <= STEP and is_at_zero(e, i, t, e.y):
            e.frozen_at_first[i] = value_at_zero(e, i, e.results[e.now[i]])
    copy_numbers(e.frozen_count, e.frozen, e.fresh)
    copy_numbers(e.frozen_count, e.frozen_at_first, e.frozen)
    for i in range(e.frozen_count):
        if e.kind[i] == BEFORE:
            status = evaluate_events(e, t, e.y, e.results)
            if status != DONE:
                return status
            e.frozen[i] = e.results[e.now[i]]
    for i in range(e.frozen_count):
        if e.kind[i] <= STEP:
            e.frozen[i] = e.fresh[i]
    return DONE


@kernel
def begin_samples(e: EventContext, t: Real) -> Int:
    """Samples begin with their first instant that is not before t."""
    if e.ticks == 0:
        return DONE
    status = evaluate_events(e, t, e.y, e.results)
    for i in range(e.frozen_count):
        if e.kind[i] == SAMPLE:
            e.next_sample[i] = first_sample(e, i, t)
    return status


@kernel
def start_relations(e: EventContext, t: Real) -> Int:
    """States and relations together: the first instant is solved again where a relation changes."""
    for _number in range(MOST_FIRST_INSTANTS + e.frozen_count):
        copy_numbers(e.frozen_count, e.frozen, e.frozen_at_first)
        status = iterate_relations(e, t, e.y)
        if status != DONE:
            return status
        if is_as_before(e):
            return DONE
        status = evaluate_start(e, t)
        if status != DONE:
            return status
    return CONTRADICTORY


@kernel
def is_as_before(e: EventContext) -> Bool:
    """True if frozen values are as they were before the first instant was solved again."""
    for i in range(e.frozen_count):
        if e.frozen_at_first[i] != e.frozen[i]:
            return False
    return True
