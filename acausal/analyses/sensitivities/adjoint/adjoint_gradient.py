"""The gradient of a number of a run: the run forwards, the adjoint equations backwards, and what both leave."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.analyses.sensitivities.adjoint.backwards import backwards
from acausal.analyses.sensitivities.adjoint.nearly_crossed import WatchedInstant
from acausal.analyses.sensitivities.adjoint.switches import switches_of
from acausal.base.diagnostics import Diagnostic
from acausal.codegen.tangent.seeds import Tangent
from acausal.ir.program.program import Program
from acausal.results.result import Result
from acausal.runs import RunError, RunInterrupted
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.inputs.recording import Recording
from acausal.simulate.run.outcome import Outcome
from acausal.simulate.run.simulate import simulate
from acausal.simulate.state.run_part import Part
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def adjoint_gradient(
    model: AdjointModel, p: "Array", own: Collection[str], chosen: Settings, inputs: Mapping[str, InputValue]
) -> "tuple[float, Array]":
    """The objective of a model at the end of a run with complete parameters p, and its derivatives (parameters,).

    Parameters with these names have values of their `own` in p, not those of their bindings.
    RunError where the run fails, BackwardError where the adjoint equations do.
    """
    import numpy as np

    part = Part(keeps=True, instants=lambda system, settings, _: WatchedInstant(system, settings, model))
    part = part if model.program.table.frozen else Part(keeps=True)
    outcome = simulate(model.forward, p, inputs, replace(chosen, ends_only=True), part=part)
    state = _required(outcome, model.program).state
    switches = switches_of(model, outcome, chosen)
    assert state is not None
    recording = Recording.of(state.arrays, len(model.values))
    begin, end = recording.nodes[0, 0], recording.nodes[-1, -1]
    nothing = np.zeros(model.states), np.zeros(0)
    weights, slopes = _last(model, p, (chosen.stop, state.arrays["y"], state.arrays["memory"]), model.inputs(end))
    if weights.any():
        found, w = backwards(model, p, chosen, recording, switches, (weights, state.arrays["y"]))
        first = _product(w, model, model.first, p, (chosen.start, *nothing), model.inputs(begin))
        slopes = slopes + found + first[model.states :]
    return _value(model, outcome), model.chain.by_parameters(p, slopes, own)


def _required(outcome: Outcome, program: Program) -> Outcome:
    if outcome.interrupted:
        raise RunInterrupted(Result.of(outcome))
    if outcome.failure is not None:
        raise RunError(outcome.failure, Result.of(replace(outcome, program=program)))
    return outcome


def _value(model: AdjointModel, outcome: Outcome) -> float:
    slot = model.slot
    last = {"stored": lambda: outcome.stored[-1, slot.position], "parameter": lambda: outcome.parameters[slot.position]}
    found = last[slot.kind]() if slot.kind in last else outcome.time[-1] if slot.kind == "time" else slot.value
    return slot.sign * float(found)


def _last(model: AdjointModel, p: "Array", point: "tuple[float, Array, Array]", u: "Array") -> "tuple[Array, Array]":
    """Slopes of the objective at the end along states, and along the targets of parameters."""
    import numpy as np

    slot, n = model.slot, model.states
    found = np.zeros(n + len(model.chain.targets))
    if slot.kind == "stored":
        found = _product(np.ones(1), model, model.last, p, point, u)
    elif slot.kind == "parameter" and (slot.position, None) in model.chain.targets:
        found[n + model.chain.targets.index((slot.position, None))] = 1.0
    return slot.sign * found[:n], slot.sign * found[n:]


def _product(
    weights: "Array", model: AdjointModel, tangent: Tangent, p: "Array", point: "tuple[float, Array, Array]", u: "Array"
) -> "Array":
    """Slopes (states and targets,) of the sum of weighted results at a point: time, states, memory."""
    import numpy as np

    t, y, memory = point
    m = np.zeros(model.program.memory_size)
    m[: len(memory)] = memory
    values = interpret_tangent(tangent.routine, t, y, u, p, m, len(tangent.rows))
    if isinstance(values, Unsolved):
        raise BackwardError(Diagnostic("A023", f"a block of equations has no slopes at t = {t:.10g}"))
    rows, columns = (np.array(places, dtype=np.intp) for places in (tangent.rows, tangent.columns))
    total = model.states + len(model.chain.targets)
    return np.asarray(np.bincount(columns, weights[rows] * values, total), dtype=np.float64)
