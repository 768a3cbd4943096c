"""Parts of a run: it may go on from a state, and leave one."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from acausal.base.frozen import record

if TYPE_CHECKING:
    from acausal.simulate.solver.event_iteration import Instant
    from acausal.simulate.state.state import State
    from acausal.simulate.system.settings import Settings
    from acausal.simulate.system.system import System


@record(frozen=True, slots=True)
class Part:
    """A part of a run: from the state `start_state` on (None: from the start); the state at its end is kept if `keeps`.

    `given` are the values of parameters that the kept state names. `halted` is polled for whether the run is to end.
    `instants` makes what treats events, from that of an earlier run of the system if there is one.
    """

    start_state: "State | None" = None
    keeps: bool = False
    given: Mapping[str, float] = field(default_factory=dict)
    halted: Callable[[], bool] | None = None
    instants: "Callable[[System, Settings, Instant | None], Instant] | None" = None


WHOLE = Part()
