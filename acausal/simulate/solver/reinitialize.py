"""`init` in a run of a system (`restart_states`), with its errors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.slots import RestartSlot
from acausal.simulate.failure.checked import event_results
from acausal.simulate.solver.restart_states import UnreachableError, restart_states
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def restarted(system: System, t: float, y: "Array", fired: Sequence[RestartSlot], results: Sequence[float]) -> "Array":
    """The states after these restarts; SimulationError E012 where they cannot all be met."""
    import numpy as np

    def values(states: "Array", slots: Sequence[RestartSlot]) -> "Array":
        found = event_results(system, t, states)
        return np.array([found[slot.position + 2] for slot in slots])

    try:
        return restart_states(fired, results, y, system.positions, values)
    except UnreachableError as error:
        raise _unmet(t, fired, str(error)) from None


def _unmet(t: float, fired: Sequence[RestartSlot], why: str) -> SimulationError:
    return SimulationError(
        Diagnostic(
            "E012",
            f"at t = {t:.10g} init cannot be satisfied: {why}",
            Label(fired[0].origin.span),
            tuple([Label(s.origin.span, "also given") for s in fired[1:4]]),
            help="use init for independent states only, or give consistent values",
        )
    )
