"""Runs with steps of fixed length of exported models: their kernels, and the numbers that they depend on."""

from collections.abc import Callable

from acausal.base.frozen import record
from acausal.ir.program.program import Program
from acausal.runtime.blocks.newton import ITERATIONS
from acausal.runtime.branches.branch_points import activate
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.branch_slopes import end_step
from acausal.runtime.cvode.callbacks import cvode_advance
from acausal.runtime.delays import start_history
from acausal.runtime.events.event import begin_again
from acausal.runtime.events.event_loop import acausal_begin_events
from acausal.runtime.events.exported_run import (
    do_left_event,
    do_told_event,
    forget_limit,
    make_room,
    run_part,
    start_run,
)
from acausal.runtime.events.single_event import acausal_find_violated
from acausal.runtime.inputs import evaluate_inputs
from acausal.runtime.limits import AHEAD, FIRST_CHECK, MOST_PASSES, PASSES_EACH, WITHIN
from acausal.runtime.rows import nothing
from acausal.runtime.step_limits import SAFETY
from acausal.runtime.steps.fixed_methods import RUNGE_KUTTA
from acausal.runtime.steps.fixed_steps import solve_fixed
from acausal.targets.c.structures.memory import routine_name

Kernel = Callable[..., object]
CALLED = ("initial", "derivatives", "variables", "events", "crossings", "choices")
"""Routines that are called by the interface, or whose addresses the run time has."""
TOLERANCE = 1e-6
"""Where the model's experiment gives none."""


@record(frozen=True, slots=True)
class Steps:
    """Defaults of `model_advance`: the length of steps, the number of the method, and bounds."""

    length: float = 1e-3
    method: int = RUNGE_KUTTA
    newton: int = 20
    events: int = 1000
    block_iterations: int = ITERATIONS
    single: bool = False


def has_events(program: Program) -> bool:
    """True if anything happens but the motion of states."""
    return bool(program.table.frozen or program.table.crossings or program.delays)


def kernels_of_run(program: Program, has_loop: bool) -> list[Kernel]:
    """Kernels that the functions of the interface call; `has_loop`: the loop over events is among them."""
    found: list[Kernel] = []
    if has_loop:
        found += [start_run, forget_limit, run_part, do_left_event]
        found += [acausal_begin_events, acausal_find_violated, do_told_event, begin_again]
    elif program.choice_table.slots:
        found.append(cvode_advance)
    else:
        found.append(solve_fixed)
    if any(routine_name(program, name) == "nothing" for name in CALLED):
        found.append(nothing)
    if program.memory:
        found.append(activate)
    if program.followed:
        found += [predict, end_step]
    if program.delays:
        found += [evaluate_inputs, start_history, make_room]
    return found


def default_span(program: Program) -> float:
    """The length of the experiment."""
    experiment = program.experiment
    stop = experiment.start + 1.0 if experiment.stop is None else experiment.stop
    return stop - experiment.start or 1.0


def run_settings(program: Program, share: float) -> dict[str, float]:
    """Numbers that a run depends on; `share` of the digits of double precision."""
    experiment, span = program.experiment, default_span(program)
    return {
        "AHEAD": AHEAD**share * span,
        "FIRST_CHECK": FIRST_CHECK**share * span,
        "CHATTERING": WITHIN**share * span,
        "TOLERANCE": SAFETY * (experiment.tolerance or TOLERANCE),
        "MOST_PASSES": max(MOST_PASSES, PASSES_EACH * len(program.table.frozen)),
        "LEAST_INDICATOR": max(1e-200**share, 1e-36) if share < 1.0 else 1e-200,
    }
