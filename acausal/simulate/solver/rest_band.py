"""Bands of relations that chatter at rest (`runtime/events/relations/rest_bands`), in a run of a system."""

from collections.abc import Iterable

from acausal.causalize.events.rest import relations_that_may_rest
from acausal.runtime.context import EventContext
from acausal.runtime.events.relations import rest_bands
from acausal.simulate.system.system import System


def give_bands(system: System, context: EventContext, slots: Iterable[int]) -> bool:
    """True if the events of these frozen values come from relations at rest: their bands are set or widened."""
    if system.equations is None:
        return False
    named = [(i, system.program.table.frozen[i]) for i in slots]
    relations = [slot.name for _, slot in named if slot.kind == "relation" and not slot.continuous]
    resting = relations_that_may_rest(system.equations.reduced, relations)
    context.event_number = 1
    for i, slot in named:
        context.touched[i], context.may_rest[i] = 1, int(slot.continuous or slot.name in resting)
    return rest_bands.give_bands(context)
