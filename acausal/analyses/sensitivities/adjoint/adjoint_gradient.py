"""The gradient of a number of a run: the run forwards, the adjoint equations backwards, and what both leave."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.importance import Importance
from acausal.analyses.sensitivities.adjoint.quadrature import integrals
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.codegen.tangent.forward_mode import Tangent
from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.results.result import Result
from acausal.runs import RunError, RunInterrupted
from acausal.runtime.limits import SMALL
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.inputs.inputs import InputValue, RecordedInput
from acausal.simulate.inputs.recording import Recording
from acausal.simulate.run.outcome import Outcome
from acausal.simulate.run.simulate import simulate
from acausal.simulate.state.run_part import Part
from acausal.simulate.state.state import State, digest_of, state_names
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

COARSE = 0.1
"""A share of the size that was assumed: where w is smaller, it is solved once more with the size that it has."""


class BackwardError(SimulationError):
    """The adjoint equations have no solution that the solver finds."""


def adjoint_gradient(
    model: AdjointModel, p: "Array", chosen: Settings, inputs: Mapping[str, InputValue]
) -> "tuple[float, Array]":
    """The objective of a model at the end of a run with complete parameters p, and its derivatives (parameters,).

    RunError where the run fails, BackwardError where the adjoint equations do.
    """
    import numpy as np

    outcome = simulate(model.forward, p, inputs, replace(chosen, ends_only=True), part=Part(keeps=True))
    state = _required(outcome, model.program).state
    assert state is not None
    recording = Recording.of(state.arrays, len(model.values))
    begin, end = recording.nodes[0, 0], recording.nodes[-1, -1]
    nothing = np.zeros(model.states), np.zeros(0)
    weights, slopes = _last(model, p, (chosen.stop, state.arrays["y"], state.arrays["memory"]), model.inputs(end))
    if weights.any():
        found, w = _backwards(model, p, chosen, recording, (weights, state.arrays["y"]))
        first = _entries(model, model.first, p, (chosen.start, *nothing), model.inputs(begin))
        slopes = slopes + found + (w @ first)[model.states :]
    return _value(model, outcome), model.chain.by_parameters(p, slopes)


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
        found = _entries(model, model.last, p, point, u)[0]
    elif slot.kind == "parameter" and (slot.position, None) in model.chain.targets:
        found[n + model.chain.targets.index((slot.position, None))] = 1.0
    return slot.sign * found[:n], slot.sign * found[n:]


def _entries(
    model: AdjointModel, tangent: Tangent, p: "Array", point: "tuple[float, Array, Array]", u: "Array"
) -> "Array":
    """Slopes of results (results, states and targets) at a point: time, states, memory."""
    import numpy as np

    t, y, memory = point
    rows = model.states if tangent is model.first else 1
    found = np.zeros((rows, model.states + len(model.chain.targets)))
    m = np.zeros(model.program.memory_size)
    m[: len(memory)] = memory
    values = interpret_tangent(tangent.routine, t, y, u, p, m, len(tangent.rows))
    if isinstance(values, Unsolved):
        raise BackwardError(Diagnostic("A023", f"a block of equations has no slopes at t = {t:.10g}"))
    found[list(tangent.rows), list(tangent.columns)] = values
    return found


def _backwards(
    model: AdjointModel, p: "Array", chosen: Settings, recording: Recording, point: "tuple[Array, Array]"
) -> "tuple[Array, Array]":
    """Integrals of f_p' w, and w at the start; the `point` are w and the states at the end."""
    import numpy as np

    weights, states = point
    read = recording.backwards(model.moving)
    weight = Importance(model, p, recording, states)
    scale = weight.largest(weights) or weight.expected(weights)
    while True:
        whole = np.concatenate([p, SMALL * scale / weight.sizes])
        w = _solved(model, whole, chosen, read, weights)
        actual = weight.largest(w.nodes)
        if actual >= COARSE * scale or not actual:
            return integrals(model.backward, whole, w, recording, len(model.recorded)), w.nodes[-1, -1]
        scale = actual


def _solved(model: AdjointModel, p: "Array", chosen: Settings, read: Recording, weights: "Array") -> Recording:
    """The adjoint equations over the time that is left."""
    program = model.backward.program
    length = chosen.stop - chosen.start
    settings = Settings(0.0, length, length, chosen.tolerance, chosen.solver, ends_only=True)
    names = [show_name(name) for name, _ in program.input_slots[: len(model.recorded)]]
    inputs: dict[str, InputValue] = dict.fromkeys(names, 0.0)
    inputs |= {names[k]: RecordedInput(read, k) for k in range(model.moving)}
    part = Part(_final_state(program, weights), keeps=True)
    outcome = simulate(model.backward, p, inputs, settings, part=part)
    if outcome.interrupted:
        raise RunInterrupted(Result.of(outcome))
    if outcome.failure is not None or outcome.state is None:
        why = "no reason" if outcome.failure is None else outcome.failure.message
        raise BackwardError(Diagnostic("A023", f"the adjoint equations of {model.program.name} have failed: {why}"))
    return Recording.of(outcome.state.arrays, model.states)


def _final_state(program: Program, w: "Array") -> State:
    """The state at the end of the run, where the adjoint equations begin."""
    import numpy as np

    n, none = len(w), np.zeros(0)
    arrays: dict[str, Array] = {"y": w, "memory": none}
    arrays |= dict.fromkeys(("frozen", "next_sample", "band", "widening"), none)
    late: dict[str, Array] = {"times": np.zeros(n), "before": np.zeros(n), "at": np.zeros(n, dtype=np.int64)}
    late |= {"ends": np.zeros(1), "nodes": none, "breaks": np.zeros(1), "numbers": np.array([-np.inf, 0.0, 0.0])}
    arrays |= {f"delay_{name}": array for name, array in late.items()}
    names = state_names(program)
    return State(program.name, digest_of(program), 0.0, names, (None,) * n, {}, {}, (), (), arrays)
