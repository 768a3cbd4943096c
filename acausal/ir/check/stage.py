"""The verifier of any stage type."""

from acausal.base.diagnostics import InternalError
from acausal.ir.check.dae import check_dae, check_reduced, check_selection, check_sorted
from acausal.ir.check.flat import check_flat
from acausal.ir.check.plan import check_plan
from acausal.ir.check.program import check_program
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.flat import FlatModel
from acausal.ir.plan import SolvePlan
from acausal.ir.program import Program

MOST = 5
"""Faults shown."""


def check_stage(stage: object) -> tuple[str, ...]:
    """All faults of a value of a stage type, each with its surroundings; empty for anything else."""
    match stage:
        case FlatModel():
            return check_flat(stage)
        case Dae():
            return check_dae(stage)
        case ReducedDae():
            return check_reduced(stage)
        case StateSelection():
            return check_selection(stage)
        case SortedSystem():
            return check_sorted(stage)
        case SolvePlan():
            return check_plan(stage)
        case Program():
            return check_program(stage)
    return ()


def need_sound(name: str, made: object) -> None:
    """InternalError with the first faults of what the pass `name` made: a stage, a tuple with one, or its `system`."""
    parts = made if isinstance(made, tuple) else (made, getattr(made, "system", None))
    found = [fault for part in parts for fault in check_stage(part)]
    if found:
        shown = "\n".join(found[:MOST])
        raise InternalError(name, f"{len(found)} faults after this pass\n{shown}")
