"""`init` in runs where Python does events: room for the kernel that moves states, and the error where it cannot."""

from collections.abc import Collection, Sequence

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.program.slots import RestartSlot
from acausal.runtime.context import RestartRoom
from acausal.runtime.events.restart_others import restart_size
from acausal.runtime.kernel.language import Reals


def restart_room(states: int, restarts: int, positions: Collection[int]) -> RestartRoom:
    """Arrays of NumPy: kernels take parts of them. `positions` are the states whose rate is another state.

    Empty without such restarts: the matrices have the square of the number of states.
    """
    import numpy as np

    n = restart_size(states, restarts) if restarts else 0
    squares = {name: np.zeros(n * n) for name in ("matrix", "u", "v")}
    rows = {name: np.zeros(n) for name in ("begin", "now", "right", "step", "s")}
    flags = [int(i in positions) for i in range(states)]
    return RestartRoom(size=n, positions=flags, integers=np.zeros(2, dtype=np.int32), **squares, **rows)


def unmet(t: float, restarts: Sequence[RestartSlot], results: Reals) -> SimulationError:
    """E012 for restarts that cannot all be met, by the results of `events`."""
    fired = [slot for slot in restarts if results[slot.position]]
    return SimulationError(
        Diagnostic(
            "E012",
            f"at t = {t:.10g} init cannot be satisfied: {unmet_reason(fired, results)}",
            Label(fired[0].origin.span),
            tuple([Label(s.origin.span, "also given") for s in fired[1:4]]),
            help="use init for independent states only, or give consistent values",
        )
    )


def unmet_reason(fired: Sequence[RestartSlot], results: Reals) -> str:
    """A state that is given two values, or the variables that do not take theirs."""
    taken: dict[int, float] = {}
    for slot in fired:
        value = slot.sign * float(results[slot.position + 1])
        if slot.state is not None and taken.setdefault(slot.state, value) != value:
            return f"{slot.text} is given two values"
    return f"{', '.join([slot.text for slot in fired if slot.state is None])} cannot take the value given"
