"""Events that come through delays."""

from collections.abc import Sequence

from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.names import show_name
from acausal.runtime.limits import NEAR
from acausal.simulate.sensitivities.causes import Cause, EventSlope
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System


def late_causes(
    system: System, settings: Settings, augmented: Augmented, log: Sequence[EventSlope], t: float
) -> list[Cause]:
    """Earlier events that come through a delay at this time: they move with it, and with its length."""
    import numpy as np

    places, delays = augmented.places, augmented.base.delays
    p, found = system.arrays[1], []
    breaks = [(settings.start, np.zeros(places.count)), *[(e.time, e.slopes) for e in log]]
    for k, slot in enumerate(delays):
        length = system.delays.times[k]
        at = _length_place(augmented, k)
        own = [places.parameters.get((at, c)) if at is not None else None for c in range(places.count)]
        moved = np.array([0.0 if place is None else p[place] for place in own])
        for time, slopes in breaks:
            if abs(time + length - t) <= NEAR * max(abs(t), abs(settings.stop)):
                found.append(Cause(slopes + moved, show_name(slot.name), slot.origin))
    return found


def _length_place(augmented: Augmented, number: int) -> int | None:
    base, places = augmented.base, augmented.places
    first = len(base.table.frozen) + places.shift
    at = [first + i for i, symbol in enumerate(base.input_slots) if symbol[0] == base.delays[number].name]
    return next((places.lengths[i] for i in at if i in places.lengths), None)
