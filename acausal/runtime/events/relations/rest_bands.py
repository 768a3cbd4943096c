"""Relations in loops that chatter at rest, as rounding errors decide them, though their branches agree.

i = if u > 0 then g*u else 0, u = v - R*i      at v = 0 either branch gives the same solution

Such a relation (`causalize/events/rest`) gets a band: its crossings are seen only beyond errors that the solver makes
anyway. These depend on the values of relations (the voltage of a blocking diode is a current divided by 1e-9), and so
does the band, which `events/root_functions.set_bands` computes.
"""

from acausal.runtime.context import RELATION, EventContext
from acausal.runtime.kernel.language import Bool, Int, Reals, kernel
from acausal.runtime.limits import WITHOUT_END

WIDER, WIDEST = 10.0, 1e4
"""A band that does not suffice becomes so many times as wide, up to so many errors of the solver."""


@kernel
def note_changes(e: EventContext, before: Reals) -> None:
    """Notes the frozen values that have to do with an event, before which they were these, and its `roots`."""
    e.event_number += 1
    for i in range(e.frozen_count):
        is_located = e.crossing[i] >= 0 and e.roots[e.crossing[i]] != 0
        if is_located or e.frozen[i] != before[i]:
            e.touched[i] = e.event_number


@kernel
def has_changed_lately(e: EventContext, i: Int) -> Bool:
    """True if a frozen value has to do with the last events."""
    return e.touched[i] > max(e.event_number - WITHOUT_END, 0)


@kernel
def give_bands(e: EventContext) -> Bool:
    """True if the last events, which are forgotten, come from relations at rest: their bands are set or widened."""
    found = are_at_rest(e)
    for i in range(e.frozen_count):
        if found and has_changed_lately(e, i):
            e.widening[i] = max(1.0, WIDER * e.widening[i])
        e.touched[i] = 0
    return found


@kernel
def are_at_rest(e: EventContext) -> Bool:
    """True if all frozen values of the last events are relations that may rest, with bands that can be wider."""
    is_any = False
    for i in range(e.frozen_count):
        if has_changed_lately(e, i):
            is_any = True
            is_relation = e.kind[i] == RELATION and e.crossing[i] >= 0 and e.may_rest[i] != 0
            if not is_relation or max(1.0, WIDER * e.widening[i]) > WIDEST:
                return False
    return is_any
