"""Evaluations of sines between steps (`runtime/phase_checks`) for solvers that Python calls."""

from math import nan
from typing import TYPE_CHECKING

from acausal.runtime.limits import FIRST_CHECK
from acausal.runtime.phase_checks import PhaseChecks, next_check
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def checks_of(system: System, settings: Settings) -> PhaseChecks | None:
    """The record of a run; None where no root function is computed from sines."""
    place = system.program.table.phase
    if place is None:
        return None
    whole = {"phase_place": place, "has_phases": 1, "is_checking": 0}
    rates = dict.fromkeys(("check_begin", "check_time", "check_rate", "check_growth", "check_due"), 0.0)
    return PhaseChecks(**whole, **rates, first_check=FIRST_CHECK * (settings.stop - settings.start))


def next_check_of(checks: PhaseChecks, system: System, t: float, watched: "Array | None") -> float:
    """The time of the next evaluation; `watched` are the root functions at t, where these are known."""
    place, starts = checks.phase_place, system.starts
    if watched is None and starts[-1] == t:
        watched = starts[:-1]
    return next_check(checks, t, nan if watched is None else float(watched[place]))
