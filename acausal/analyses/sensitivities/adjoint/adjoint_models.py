"""Gradients by the adjoint equations for a translation: its models, and extreme values."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_gradient import adjoint_gradient
from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel, without_adjoint
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.analyses.sensitivities.adjoint.objective_program import require_ends
from acausal.analyses.sensitivities.objective import EXPRESSION, FINER, Objective, top
from acausal.analyses.sensitivities.request import parameter_places
from acausal.analyses.sensitivities.slope_models import T, TunableModels
from acausal.base.diagnostics import ModelError, UsageError
from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.results.formats.columns import gathered
from acausal.results.result import Result
from acausal.runs import RunError, RunInterrupted
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.simulate import simulate
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class ExtremeError(Exception):
    """An extreme value in a run with events, where rows have two sides."""


class AdjointModels(TunableModels[T, AdjointModel]):
    """Models with adjoint equations."""

    def model(self, translation: T, asked: Objective, parameters: tuple[str, ...]) -> AdjointModel | T:
        """The model, or the translation that has it: without parameters that are part of the equations.

        ModelError A020 for a parameter that determines the structure, UsageError F005 for unknown names.
        """

        def made() -> AdjointModel | T:
            parameter_places(translation.executable.program, parameters)
            model = AdjointModel(translation.executable, parameters, asked)
            folded = [show_name(name) for name in translation.folded]
            return self.tunable(translation, parameters, tuple([n for n in folded if n in model.moved])) or model

        kind = asked.kind if asked.kind in ("integral", EXPRESSION) else ""  # of the others it is the variable
        return self.kept((parameters, asked.variable, kind), made)


def serves(program: Program, asked: Objective, required: bool) -> bool:
    """True if a model and an objective have adjoint equations.

    Where they are `required`: ModelError A020 for a model, UsageError F006 for an expression that has none.
    """
    found: ModelError | UsageError | None = without_adjoint(program)
    if asked.kind == EXPRESSION:
        try:
            require_ends(program, asked.variable)
        except UsageError as error:
            if error.report.diagnostics[0].code != "F006":
                raise
            found = found or error
    if found is not None and required:
        raise found
    return found is None


def objective_gradient(
    model: AdjointModel,
    asked: Objective,
    p: "Array",
    own: Collection[str],
    chosen: Settings,
    inputs: Mapping[str, InputValue],
    required: bool,
) -> "tuple[float, Array] | None":
    """The value of an objective and its derivatives (parameters,); `own` as of `adjoint_gradient`.

    None for an extreme value at the start, and where the adjoint equations fail unless they are `required`.
    """
    if asked.kind in ("max", "min"):
        try:
            time = _extreme(model, asked.kind == "max", p, chosen, inputs)
        except ExtremeError:
            return None
        if time <= chosen.start:
            return None
        chosen = replace(chosen, stop=time, interval=time - chosen.start)
    if chosen.stop <= chosen.start:
        return None
    try:
        return adjoint_gradient(model, p, own, chosen, inputs)
    except BackwardError:
        if required:
            raise
        return None


def _extreme(
    model: AdjointModel, is_largest: bool, p: "Array", chosen: Settings, inputs: Mapping[str, InputValue]
) -> float:
    """The time of an extreme value: the value there moves with parameters, its time has no part in that."""
    import numpy as np

    def values(settings: Settings) -> "tuple[Array, Array, int]":
        outcome = simulate(model.plain, p, inputs, settings)
        if len(outcome.events):
            raise ExtremeError
        result = Result.of(outcome)
        if outcome.interrupted:
            raise RunInterrupted(result)
        if outcome.failure is not None:
            raise RunError(outcome.failure, result)
        found = gathered([model.slot], outcome.parameters, outcome.time, outcome.stored)[:, 0]
        return outcome.time, found, int(found.argmax() if is_largest else found.argmin())

    time, _, row = values(chosen)
    near = time[max(row - 1, 0) : row + 2]
    fine = np.linspace(near[0], near[-1], 2 * FINER + 1)
    times, found, row = values(replace(chosen, stop=float(fine[-1]), times=tuple(fine[fine > chosen.start].tolist())))
    if row in (0, len(times) - 1):
        return float(times[row])
    t, x = times[row - 1 : row + 2], found[row - 1 : row + 2]
    return float(t[1] + top(t - t[1], x))
