"""Relations that switch in a run: a parameter moves the time, and w jumps there.

With c(t, y, p) = 0 at the switch and rates f before it, g behind it:

    w- = w+ - k c_y'        dG/dp -= k c_p        k = w+'(f - g) / (c_y f + c_t)

(S. Galan, W. F. Feehery, P. I. Barton, Appl. Numer. Math. 31, 1999, pages 17-47, for the time of the event.)
"""

from typing import TYPE_CHECKING, NamedTuple

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.base.diagnostics import Diagnostic, Label
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.inputs.recording import Recording
from acausal.simulate.run.outcome import Outcome
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

FLAT = 1e-4
"""A relation whose rate is below this share of its size, over the run, is nearly grazing."""
SAME = 1e-6
"""Slopes of times of relations that switch together differ at most by this share."""
FORWARD = 'use method="forward": one slope for each parameter'


class Switch(NamedTuple):
    """An event: its time and the frozen values on both sides."""

    time: float
    before: "Array"
    after: "Array"


def switches_of(model: AdjointModel, outcome: Outcome, chosen: Settings) -> list[Switch]:
    """The events of a run; BackwardError A020 for one that does more than to switch relations."""
    found = [
        Switch(float(t), sides[0], sides[1])
        for piece in outcome.events.pieces
        for t, sides in zip(piece.times, piece.frozen, strict=True)
    ]
    table = model.program.table
    for switch in found:
        numbers = _changed(switch)
        others = [table.frozen[i] for i in numbers if table.frozen[i].kind not in ("relation", "step")]
        slot = others[0] if others else table.frozen[numbers[0]] if numbers else table.frozen[0]
        is_inner = chosen.start < switch.time < chosen.stop
        if table.restarts or others or not numbers or model.program.input_slots or model.program.memory or not is_inner:
            message = f"the adjoint equations do not pass the event at t = {switch.time:.10g}"
            where = Label(slot.origin.span, "happens here")
            raise BackwardError(Diagnostic("A020", message, where, help=FORWARD))
    return found


def _changed(switch: Switch) -> list[int]:
    return [i for i, (a, b) in enumerate(zip(switch.before, switch.after, strict=True)) if a != b]


def jump(model: AdjointModel, p: "Array", recording: Recording, switch: Switch, w: "Array") -> "tuple[Array, Array]":
    """w before a switch, and the derivatives (targets,) that it adds; BackwardError where it has no slope."""
    import numpy as np

    y = model.recorded_states(recording, switch.time)
    before, after = (_rates(model, p, switch.time, y, u) for u in (switch.before, switch.after))
    numbers = _changed(switch)
    slopes = [_time_slopes(model, p, (switch.time, y, switch.before), before, i, recording) for i in numbers]
    for other in slopes[1:]:
        if (abs(other - slopes[0]) > SAME * (abs(other) + abs(slopes[0]))).any():
            raise not_passed(model, switch.time, numbers[0])
    moved = float(w @ (before - after)) * slopes[0]
    return w + moved[: model.states], np.asarray(moved[model.states :])


def _rates(model: AdjointModel, p: "Array", t: float, y: "Array", frozen: "Array") -> "Array":
    import numpy as np

    program = model.forward.program
    u, rates = np.zeros(program.input_size), np.zeros(model.states)
    u[: len(frozen)] = frozen
    model.forward.bind("derivatives", y, u, p, np.zeros(program.memory_size), rates)(t)
    return rates


def _time_slopes(
    model: AdjointModel,
    p: "Array",
    point: "tuple[float, Array, Array]",
    rates: "Array",
    number: int,
    recording: Recording,
) -> "Array":
    """Derivatives of the time of a switch by the states, then by the targets."""
    import numpy as np

    (t, y, u), n = point, model.states
    tangent = model.crossing(number)
    values = interpret_tangent(tangent.routine, t, y, u, p, np.zeros(model.program.memory_size), len(tangent.rows))
    if isinstance(values, Unsolved):
        raise not_passed(model, t, number)
    found = np.zeros(n + len(model.chain.targets) + 1)
    found[list(tangent.columns)] = values
    length = float(recording.ends[-1] - recording.ends[0])
    rate = float(found[:n] @ rates) + float(found[-1])
    size = float(abs(found[:n]) @ abs(y)) + abs(float(found[-1])) * length
    if not abs(rate) * length > FLAT * size:
        raise not_passed(model, t, number)
    return np.asarray(-found[:-1] / rate)


def not_passed(model: AdjointModel, t: float, number: int) -> BackwardError:
    """A020 for a relation that switches at t."""
    slot = model.program.table.frozen[number]
    message = f"the adjoint equations do not pass {slot.text or 'an event'} at t = {t:.10g}"
    return BackwardError(Diagnostic("A020", message, Label(slot.origin.span, "switches here"), help=FORWARD))
