"""The adjoint equations backwards, from event to event."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.analyses.sensitivities.adjoint.importance import Importance
from acausal.analyses.sensitivities.adjoint.quadrature import integrals
from acausal.analyses.sensitivities.adjoint.switches import Switch, jump
from acausal.base.diagnostics import Diagnostic
from acausal.ir.names import show_name
from acausal.results.result import Result
from acausal.runs import RunInterrupted
from acausal.runtime.limits import SMALL
from acausal.simulate.inputs.inputs import InputValue, RecordedInput
from acausal.simulate.inputs.recording import Recording
from acausal.simulate.run.simulate import simulate
from acausal.simulate.state.run_part import Part
from acausal.simulate.state.state import State
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

COARSE = 0.1
"""A share of the size that was assumed: where w is smaller, it is solved once more with the size that it has."""


def backwards(
    model: AdjointModel,
    p: "Array",
    chosen: Settings,
    recording: Recording,
    switches: Sequence[Switch],
    point: "tuple[Array, Array]",
) -> "tuple[Array, Array]":
    """Derivatives (targets,) that the run leaves, and w at the start; the `point` are w and the states at the end."""
    import numpy as np

    weights, states = point
    weight = Importance(model, p, recording, states)
    scale = weight.largest(weights) or weight.expected(weights)
    read = recording.backwards(model.moving)
    while True:
        whole = np.concatenate([p, SMALL * scale / weight.sizes])
        total, w, actual, left = np.zeros(len(model.chain.targets)), weights, weight.largest(weights), 0.0
        for switch in [*reversed(switches), None]:
            end = chosen.stop - (chosen.start if switch is None else switch.time)
            solved = _solved(model, whole, chosen, read, (left, end, w))
            total[model.columns] += integrals(model.backward, whole, solved, recording, len(model.recorded))
            actual = max(actual, weight.largest(solved.nodes))
            w, left = solved.nodes[-1, -1], end
            if switch is not None:
                w, moved = jump(model, p, recording, switch, w)
                total += moved
        if actual >= COARSE * scale or not actual:
            return total, w
        scale = actual


def _solved(
    model: AdjointModel, p: "Array", chosen: Settings, read: Recording, span: "tuple[float, float, Array]"
) -> Recording:
    """The adjoint equations over a span of the time that is left, from w on at its beginning."""
    program, (begin, end, w) = model.backward.program, span
    settings = Settings(begin, end, end - begin, chosen.tolerance, chosen.solver, ends_only=True)
    read.history.seen = begin
    names = [show_name(name) for name, _ in program.input_slots[: len(model.recorded)]]
    inputs: dict[str, InputValue] = dict.fromkeys(names, 0.0)
    inputs |= {names[k]: RecordedInput(read, k) for k in range(model.moving)}
    part = Part(_final_state(model, begin, w), keeps=True)
    outcome = simulate(model.backward, p, inputs, settings, part=part)
    if outcome.interrupted:
        raise RunInterrupted(Result.of(outcome))
    if outcome.failure is not None or outcome.state is None:
        why = "no reason" if outcome.failure is None else outcome.failure.message
        raise BackwardError(Diagnostic("A023", f"the adjoint equations of {model.program.name} have failed: {why}"))
    return Recording.of(outcome.state.arrays, model.states)


def _final_state(model: AdjointModel, t: float, w: "Array") -> State:
    """The state where the adjoint equations begin."""
    import numpy as np

    n, none = len(w), np.zeros(0)
    arrays: dict[str, Array] = {"y": w, "memory": none}
    arrays |= dict.fromkeys(("frozen", "next_sample", "band", "widening"), none)
    late: dict[str, Array] = {"times": np.zeros(n), "before": np.zeros(n), "at": np.zeros(n, dtype=np.int64)}
    late |= {"ends": np.array([t]), "nodes": none, "breaks": np.array([t]), "numbers": np.array([-np.inf, 0.0, t])}
    arrays |= {f"delay_{name}": array for name, array in late.items()}
    digest, names = model.final
    return State(model.backward.program.name, digest, t, names, (None,) * n, {}, {}, (), (), arrays)
