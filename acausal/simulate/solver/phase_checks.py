"""Evaluations of sines between steps (`runtime/phase_checks`) for solvers that Python calls."""

from math import nan
from typing import TYPE_CHECKING, Any

from acausal.ir.slots import EventTable
from acausal.runtime.limits import FIRST_CHECK
from acausal.runtime.phase_checks import PhaseChecks, next_check
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

NOT_BEGUN: dict[str, Any] = {
    "is_checking": 0,
    **dict.fromkeys(("check_begin", "check_time", "check_rate", "check_growth", "check_due"), 0.0),
}
"""Fields before the first evaluation."""


def checks_of(system: System, settings: Settings) -> PhaseChecks | None:
    """The record of a run; None where no root function is computed from sines."""
    if system.program.table.phase is None:
        return None
    return PhaseChecks(**phase_sizes(system.program.table), **NOT_BEGUN, first_check=first_check(settings))


def phase_sizes(table: EventTable) -> dict[str, int]:
    """Fields that depend on the model."""
    return {"phase_place": table.phase or 0, "has_phases": int(table.phase is not None)}


def first_check(settings: Settings) -> float:
    """Time from a beginning to the first evaluation."""
    return FIRST_CHECK * (settings.stop - settings.start)


def next_check_of(checks: PhaseChecks, system: System, t: float, watched: "Array | None") -> float:
    """The time of the next evaluation; `watched` are the root functions at t, where these are known."""
    place, starts = checks.phase_place, system.starts
    if watched is None and starts[-1] == t:
        watched = starts[:-1]
    return next_check(checks, t, nan if watched is None else float(watched[place]))
