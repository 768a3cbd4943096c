"""Slopes at events in machine code: `runtime/events/slope_event` with the arrays of one system."""

from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.native_events import slope_address
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.runtime.kernel.signature import fields
from acausal.runtime.slope_context import SlopeContext
from acausal.simulate.cvode.native_events import AT_ONCE
from acausal.simulate.sensitivities.causes import EventSlope
from acausal.simulate.sensitivities.event_time import slope_places
from acausal.simulate.solver.integrator import EventBatch
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues

MOST_NUMBERS = 2**20
"""Numbers of the events of a call; models that have more leave events to Python."""


def may_be_native(augmented: Augmented) -> bool:
    """True if machine code does ordinary events: there are states, and neither inputs nor delays."""
    base = augmented.base
    numbers = AT_ONCE * (augmented.places.count + len(base.table.frozen))
    return bool(base.state_slots) and not (base.input_slots or base.delays) and numbers <= MOST_NUMBERS


def slope_fields(settings: Settings, augmented: Augmented, most: int) -> "FieldValues":
    """Fields of `SlopeContext`, with room for so many events."""
    import numpy as np

    base, places, program, events = augmented.base, augmented.places, augmented.program, augmented.events
    assert places.time is not None
    frozen, count, states = len(base.table.frozen), places.count, len(program.state_slots)
    zeros = np.array(slope_places(places), dtype=np.int64)
    numbers: FieldValues = {
        "states": places.states,
        "count": count,
        "frozen": frozen,
        "time": places.time,
        "shift": places.shift,
        "parameters": program.parameter_size,
        "zero_count": len(zeros),
        "span": settings.stop - settings.start,
        "tolerance": settings.tolerance,
        "is_moving": 0,
        "is_moved": 0,
    }
    tables: FieldValues = {
        "now": np.array([events.now.get(i, -1) for i in range(frozen)], dtype=np.int64),
        "interval": np.array([events.intervals.get(i, -1) for i in range(frozen)], dtype=np.int64),
        "zeros": zeros,
        "known": np.zeros(frozen, dtype=np.int64),
        "event_slopes": np.zeros((most, count)),
        "event_known": np.zeros((most, frozen), dtype=np.int64),
    }
    lengths = {
        **dict.fromkeys(("y", "before", "rates", "earlier_rates"), states),
        **dict.fromkeys(("results", "moving", "earlier", "aside"), program.table.results),
        **dict.fromkeys(("slopes", "own"), count),
        "u": program.input_size,
        "p": program.parameter_size,
        "m": program.memory_size,
        "sizes": frozen,
    }
    return {**numbers, **tables, **{name: np.zeros(length) for name, length in lengths.items()}}


class NativeSlopes:
    """Serves all runs of a system with these settings; `fields` are those of `LoopContext`."""

    def __init__(self, settings: Settings, augmented: Augmented) -> None:
        self._table = augmented.base.table
        self._memory = memory = ContextMemory(tuple(fields(SlopeContext)), slope_fields(settings, augmented, AT_ONCE))
        self._slopes, self._known = memory.array("event_slopes"), memory.array("event_known")
        self.fields: FieldValues = {
            "has_slopes": 1,
            "slope_task": slope_address(),
            "slope_context": self._memory.address,
        }

    def events(self, batch: EventBatch) -> list[EventSlope]:
        """The slopes of the times of events."""
        count, slots = len(batch.times), self._table.frozen
        found = []
        slopes = self._slopes[:count].copy()
        for number, t in enumerate(batch.times.tolist()):
            known, roots = self._known[number].nonzero()[0].tolist(), batch.roots[number]
            located = [i for i in known if slots[i].crossing is not None and roots[slots[i].crossing]]
            causes = [*located, *[i for i in known if i not in located]]
            texts = tuple(dict.fromkeys([slots[i].text for i in causes if slots[i].text]))
            found.append(EventSlope(t, slopes[number], texts))
        return found
