"""The verifier of any stage type."""

from acausal.base.diagnostics import InternalError
from acausal.ir.check.dae import check_dae, check_reduced, check_selection, check_sorted
from acausal.ir.check.flat import check_flat
from acausal.ir.check.plan import check_plan
from acausal.ir.check.program import check_program
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.flat import FlatModel
from acausal.ir.plan import SolvePlan
from acausal.ir.program.program import Program

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
    """InternalError with the first faults of the stages in the result of the pass `name`."""
    found = [fault for part in stages_in(made) for fault in check_stage(part)]
    if found:
        shown = "\n".join(found[:MOST])
        raise InternalError(name, f"{len(found)} faults after this pass\n{shown}")


def stages_in(made: object) -> tuple[object, ...]:
    """The stages in the result of a pass: itself, the items of a tuple, the `system` of the first instant.

    Of a round of index reduction (`causalize/plan/rounds`) the changed system, else its last two stages.
    """
    if isinstance(made, tuple):
        return made
    if getattr(made, "changed", False):
        return (getattr(made, "dae", None),)
    stages = getattr(made, "results", ())
    latest = stages if len(stages) == 1 else stages[1:]
    return (made, getattr(made, "system", None), *latest)
