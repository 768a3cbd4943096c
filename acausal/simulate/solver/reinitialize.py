"""`init`: states that start again, and the other states made to agree.

A state takes its value at once. A variable that is no state is met by the least change of the
states, found by Newton's method with difference quotients; positions stay where rates suffice.
Values that depend on each other, as velocities in a loop after an impact, are met if they agree.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.slots import RestartSlot
from acausal.simulate.failure.checked import event_results
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

STEP = 1e-7
MOST_ITERATIONS = 25
MET = 1e-10
NOISE = 1e-6
"""Of difference quotients: what is smaller against the largest one is no dependence."""


def restarted(system: System, t: float, y: "Array", fired: Sequence[RestartSlot], results: Sequence[float]) -> "Array":
    """The states after these restarts; SimulationError E012 where they cannot all be met."""
    after = y.copy()
    taken: dict[int, float] = {}
    for slot in fired:
        if slot.state is not None:
            value = slot.sign * float(results[slot.position + 1])
            if taken.setdefault(slot.state, value) != value:
                raise _unmet(t, fired, f"{slot.text} is given two values")
            after[slot.state] = value
    others = [s for s in fired if s.state is None]
    if not others:
        return after
    wanted = [float(results[s.position + 1]) for s in others]
    rates = [i for i in range(len(y)) if i not in taken and i not in system.positions]
    positions = [i for i in range(len(y)) if i not in taken]
    for free in (rates, positions):
        met = _solve(system, t, after, others, wanted, free)
        if met is not None:
            return met
    raise _unmet(t, fired, f"{', '.join(s.text for s in others)} cannot take the value given")


def _solve(
    system: System, t: float, y: "Array", slots: Sequence[RestartSlot], wanted: list[float], free: list[int]
) -> "Array | None":
    """States that differ least and give the wanted values; None where there are none."""
    import numpy as np

    if not free:
        return None
    target = np.array(wanted)
    y = y.copy()

    def values() -> "Array":
        results = event_results(system, t, y)
        return np.array([results[s.position + 2] for s in slots])

    for _ in range(MOST_ITERATIONS):
        now = values()
        if np.all(np.abs(now - target) <= MET * (1.0 + np.abs(target))):
            return y
        jacobian = np.empty((len(slots), len(free)))
        for column, i in enumerate(free):
            kept = y[i]
            step = STEP * (1.0 + abs(kept))
            y[i] = kept + step
            jacobian[:, column] = (values() - now) / step
            y[i] = kept
        if not np.isfinite(jacobian).all():
            return None
        change = np.linalg.lstsq(jacobian, target - now, rcond=NOISE)[0]
        y[free] += change
        if np.all(np.abs(change) <= MET * np.abs(y[free])):
            return None
    return None


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
