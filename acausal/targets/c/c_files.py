"""The files of the C target: a header and one C file that needs libm only."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import Symbol
from acausal.ir.origin import Origin
from acausal.ir.plan import Assign
from acausal.runtime.steps.fixed_methods import HEUN, IMPLICIT_EULER, RUNGE_KUTTA
from acausal.targets.c.core import core_text, source_text
from acausal.targets.c.interface.poles_text import poles_text
from acausal.targets.c.interface.step_api import step_text
from acausal.targets.c.program.identifiers import identifier
from acausal.targets.c.structures.fixed_run import Steps
from acausal.targets.divisor_routine import divisor_routine
from acausal.targets.state_sets import state_sets
from acausal.targets.target_options import TargetOptions

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_table import Files

METHODS = {"heun": HEUN, "rk4": RUNGE_KUTTA, "implicit-euler": IMPLICIT_EULER}
STEPS_IN_RUN = 1000
"""Steps in the time of the model's experiment, unless a step is given."""


def c_files(model: "CompiledModel", name: str, options: TargetOptions) -> "Files":
    """Header and source; all names begin with that of the file."""
    steps = steps_of(model, options)
    sets = state_sets(model, "C")
    program = sets[0]
    prefix = identifier(name)
    poles = poles_text([divisor_routine(one) for one in sets])
    added = step_text(program, prefix, model.folded, poles)
    made = core_text(sets, prefix, model.folded, origins_of(model), steps, added)
    return {".c": source_text(f'#include "{name}.h"', [made]), ".h": made.header}


def steps_of(model: "CompiledModel", options: TargetOptions) -> Steps:
    """The steps that were chosen; UsageError F006 for an unknown method."""
    method = options.method or "rk4"
    if method not in METHODS:
        hint = f"the methods are {', '.join(METHODS)}"
        raise UsageError(Diagnostic("F006", f"unknown method {method!r}", help=hint))
    experiment = model.program.experiment
    stop = experiment.start + 1.0 if experiment.stop is None else experiment.stop
    return Steps(
        options.step or (stop - experiment.start) / STEPS_IN_RUN or 1e-3, METHODS[method], single=options.single
    )


def origins_of(model: "CompiledModel") -> dict[Symbol, Origin]:
    """The equation that each variable is computed from."""
    plan = model.stages.plan
    steps = [step for step in (*plan.initial_steps, *plan.steps) if isinstance(step, Assign)]
    return {(step.target.name, step.target.order): step.origin for step in steps}
