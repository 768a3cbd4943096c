"""Result files of NumPy that a run can go on from: they say how they were made, and hold the state at the end."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.given_values import finite_number
from acausal.base.options import SimulateOptions

if TYPE_CHECKING:
    from acausal.begun_run import BegunRun, StartedModel
    from acausal.codegen.executable import Array
    from acausal.results.result import Result
    from acausal.simulate.state.state import State
    from acausal.translation import Translation

OPTIONS = ("stop", "interval", "tolerance", "solver", "event_passes")
SELECTED = ("known", "unknown", "outputs")
MADE_BY = "run"


def run_members(begun: "BegunRun", result: "Result") -> "dict[str, Array]":
    """Arrays for the file of a run."""
    from acausal.simulate.inputs.input_content import content_of
    from acausal.simulate.state.npz_arrays import text_array

    assert result.end is not None
    about = {name: getattr(begun.options, name) for name in OPTIONS}
    made = {name: getattr(begun.model.translate_options, name) for name in SELECTED}
    start = begun.model.compiled.start
    inputs = {name: value for name, value in (begun.inputs or {}).items() if isinstance(value, str)}
    text = json.dumps(
        {
            "options": about,
            "translation": {**made, "parameters": begun.model.set_values},
            "program": _digest(begun.model),
            "inputs": inputs,
            "contents": {name: content_of(value) for name, value in inputs.items()},
            "given": {**begun.model.set_values, **begun.given},
            "start": [start.steady, start.free, list(start.initial)],
            "begin": float(result.time[0]) if begun.state is not None else None,
        }
    )
    return {MADE_BY: text_array(text), **result.end.members()}


def _digest(model: "StartedModel") -> list[object]:
    """Digest of the program, and what its experiment says of the way to a state."""
    from acausal.ir.show.program_digest import program_digest

    experiment = model.program.experiment
    return [program_digest(model.program), experiment.start, experiment.tolerance, experiment.steady]


def state_in(translation: "Translation", text: str | None) -> "State | None":
    """The state that `FILE` or `FILE@T` names; UsageError F001, F006, A012 where there is none."""
    if text is None:
        return None
    from acausal.simulate.state.state_file import read_state

    file, at, time = text.rpartition("@")
    t = finite_number(time) if at else None
    if at and t is None and not Path(text).exists():
        hint = "write --from RESULT.npz@2.5, or --from RESULT.npz for its end"
        raise UsageError(Diagnostic("F006", f"--from {text}: {time} is not a time", help=hint))
    path = Path(file if t is not None else text)
    state = read_state(path)
    if t is None or t == state.time:
        return state
    return _repeated(translation, path, t, state)


def _repeated(translation: "Translation", path: Path, t: float, end: "State") -> "State":
    """The state of the run that a file is of, at t."""
    from acausal.begun_run import BegunRun
    from acausal.ir.experiment import Start
    from acausal.simulate.inputs.input_content import content_of
    from acausal.simulate.state.state_file import read_text

    try:
        found = json.loads(read_text(path, MADE_BY))
        options = SimulateOptions(**{name: found["options"][name] for name in OPTIONS})
        steady, free, initial = found["start"]
        start = Start(bool(steady), bool(free), tuple(map(str, initial)))
        begin, given, inputs = found["begin"], dict(found["given"]), dict(found["inputs"])
        made, contents, program = dict(found["translation"]), found["contents"], found["program"]
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile):
        hint = f"the file contains one state: --from {path}"
        message = f"{path} has no state at t = {t:g}, but at {end.time:g}"
        raise UsageError(Diagnostic("A012", message, help=hint)) from None
    first = translation.program.experiment.start if begin is None else begin
    if not first <= t <= end.time or begin is not None:
        why = f"it covers {first:g} to {end.time:g}" if begin is None else "it was itself continued from a state"
        hint = f"--from {path} continues from its end at t = {end.time:g}"
        raise UsageError(Diagnostic("A012", f"{path} has no state at t = {t:g}: {why}", help=hint))
    model = _as_made(translation, made).started(start)
    same = _digest(model) == program
    if not same or {name: content_of(value) for name, value in inputs.items()} != contents:
        what = "a file of its inputs" if same else "the model"
        hint = f"--from {path} continues from its end at t = {end.time:g}; for other times run it again"
        message = f"{path} cannot be repeated up to t = {t:g}: {what} has changed since"
        raise UsageError(Diagnostic("A012", message, help=hint))
    found_state = BegunRun(model, options, given, inputs).until(t).end
    assert found_state is not None
    return found_state


def _as_made(translation: "Translation", made: dict[str, Any]) -> "Translation":
    """The translation with the parameters and the selected variables that the run of a file had."""
    values, own = made["parameters"], translation.translate_options
    known, unknown, outputs = (tuple(map(str, made[name])) for name in SELECTED)
    if values == translation.set_values and (known, unknown, outputs) == (own.known, own.unknown, own.outputs):
        return translation
    parameters = tuple(values.items())
    return translation.translated(
        replace(own, parameters=parameters, known=known, unknown=unknown, outputs=outputs)
    )
