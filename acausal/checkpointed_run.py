"""Runs with checkpoints: a chain of parts, each of which begins with the state that the one before it left.

So does a run that continues from a checkpoint: it computes the same numbers to the last bit as one that was not
interrupted. What a state does not hold, such as the past steps of a solver, both forget at each checkpoint.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_number, as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.output_folder import require_folder
from acausal.base.frozen import dataclass
from acausal.begun_run import BegunRun
from acausal.ir.show.program_digest import program_digest
from acausal.results.recorder import Recorder
from acausal.results.result import Result
from acausal.runs import RunError, RunInterrupted
from acausal.simulate.inputs.input_content import content_of
from acausal.simulate.rows.event_log import EventLog
from acausal.simulate.rows.segments import not_finite_rows
from acausal.simulate.run.outcome import Outcome, Stats
from acausal.simulate.state.checkpoint_file import CheckpointFile, as_rows
from acausal.simulate.state.state import content_digest, require_no_units
from acausal.simulate.system.settings import Settings, resumed_at, settings

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.ir.program.program import Program
    from acausal.simulate.run.run import Progress
    from acausal.simulate.state.state import State

CHECKPOINTS = 100
"""So many checkpoints a run has, if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Checkpoints in a file: every `interval` seconds of simulated time, and where `halted` ends the run."""

    path: Path
    interval: float | None = None
    halted: Callable[[], bool] | None = None


def checkpoints_of(path: str | Path | None, interval: float | None) -> Checkpoints:
    """From arguments of a function; UsageError F006 where they are wrong, F008 for a folder that does not exist."""
    if path is None:
        hint = 'name it: checkpoint="run.npz" (--checkpoint run.npz)'
        raise UsageError(Diagnostic("F006", "checkpoint_interval needs a file for the checkpoint", help=hint))
    place, seconds = as_path("checkpoint", path), as_number("checkpoint_interval", interval)
    require_folder(place)
    if seconds is not None and not seconds > 0:
        raise UsageError(Diagnostic("F006", f"checkpoint_interval={seconds:g}: it must be positive"))
    return Checkpoints(place, seconds)


class PartSink:
    """Takes the rows of the parts of a run, and hands them on to its recorder as those of one run."""

    def __init__(self, recorder: Recorder, rows: "Array | None", events: "Array | None") -> None:
        self._recorder, self._before = recorder, rows
        self._event_rows = events
        self._has_begun, self._skips = False, rows is not None
        self.rows: list[Array] = []
        self.log = EventLog()
        self.outcome: Outcome | None = None
        self.stats: list[Stats] = []
        self._notes: dict[Diagnostic, None] = {}

    def begin(self, program: "Program", p: "Array") -> None:
        """A part begins; the recorder gets the rows that there were before the first one."""
        if self._has_begun:
            return
        self._has_begun = True
        self._recorder.begin(program, p)
        if self._before is not None:
            self._note(not_finite_rows(program, self._before))
            self._recorder.take(self._before[:, 0].copy(), self._before[:, 1:].copy())
            self._before = None
        if self._event_rows is not None and len(self._event_rows):
            count = len(program.table.frozen)
            frozen = self._event_rows[:, 1:].reshape(len(self._event_rows), 2, count)
            self.log.add(program.table, self._event_rows[:, 0], frozen)

    def take(self, times: "Array", stored: "Array") -> None:
        """The next rows; the first one of a part that continues is the last one of the part before it."""
        if self._skips and len(times):
            times, stored, self._skips = times[1:], stored[1:], False
        if len(times):
            self._recorder.take(times, stored)
            self.rows.append(as_rows(times, stored))

    def result(self, outcome: Outcome) -> Result:
        """A result without rows, of one part."""
        self.outcome, self._skips = outcome, True
        self.stats.append(outcome.stats)
        self._note(outcome.notes)
        self.log.extend(outcome.events)
        return Result.of(replace(outcome, time=outcome.time[:0], stored=outcome.stored[:0]))

    def whole(self) -> Result:
        """The result of all parts."""
        assert self.outcome is not None
        notes = tuple(self._notes)
        return self._recorder.result(replace(self.outcome, stats=_sum(self.stats), events=self.log, notes=notes))

    def _note(self, notes: tuple[Diagnostic, ...]) -> None:
        """Notes of the whole run; that of values that are not finite is the first one, as a part begins with a row."""
        warned = any(note.code == "R004" for note in self._notes)
        self._notes |= {note: None for note in notes if note.code != "R004" or not warned}


def run_with_checkpoints(
    begun: BegunRun, checkpoints: Checkpoints, progress: "Progress | None" = None, recorder: Recorder | None = None
) -> Result:
    """The result of a run that leaves checkpoints, or continues from the one in the file; then the file is removed.

    UsageError A013 for the checkpoint of another run, A010 for a model with FMUs; RunError and RunInterrupted with the
    rows up to then.
    """
    begun = begun.served()
    model = begun.model
    require_no_units(model.program)
    chosen = settings(begun.options, model.program.experiment)
    if begun.state is not None:
        chosen = resumed_at(chosen, begun.state.time)
    file = CheckpointFile(checkpoints.path, _key(begun, chosen, checkpoints.interval))
    found = file.load()
    state, rows, events = found or (begun.state, None, None)
    sink = PartSink(recorder or Recorder(None, lambda _: (), lambda result: result.columns), rows, events)
    for end in _ends(chosen, checkpoints.interval):
        if state is not None and end <= state.time and end < chosen.stop:
            continue
        options = replace(begun.options, stop=end, interval=chosen.interval)
        part = replace(begun, options=options, state=state, kept=True, halted=checkpoints.halted)
        try:
            result = part.run_once(progress, sink)
        except RunError as error:
            raise RunError(error.report.diagnostics[0], sink.whole()) from None
        except RunInterrupted as stopped:
            if checkpoints.halted is not None and checkpoints.halted() and stopped.result.end is not None:
                _save(file, stopped.result.end, sink)
            raise RunInterrupted(sink.whole()) from None
        state = result.end
        if state is None or end == chosen.stop or any(note.code == "R011" for note in result.notes):
            break
        _save(file, state, sink)
    whole = sink.whole()
    whole.end, whole.again = state, begun.until
    file.remove()
    return whole


def _save(file: CheckpointFile, state: "State", sink: PartSink) -> None:
    file.save(state, sink.rows, sink.log.taken_rows())
    sink.rows.clear()


def _ends(chosen: Settings, interval: float | None) -> list[float]:
    """The times of checkpoints, which are output times, and the end."""
    span = (chosen.stop - chosen.start) / CHECKPOINTS if interval is None else interval
    every = max(1, round(span / chosen.interval))
    times = chosen.grid.tolist()
    return [*times[every:-1:every], times[-1]]


def _key(begun: BegunRun, chosen: Settings, interval: float | None) -> str:
    """Digest of all that the run depends on, as far as it has a text."""
    model = begun.model
    made = (program_digest(model.program), model.compiled.start, model.set_values, begun.given)
    inputs = [(name, content_of(value)) for name, value in sorted((begun.inputs or {}).items())]
    start = None if begun.state is None else content_digest(begun.state)
    whole = repr((made, model.compiled.digest, inputs, chosen, interval, start))
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def _sum(all_stats: list[Stats]) -> Stats:
    last = all_stats[-1]
    return replace(
        last,
        steps=sum([s.steps for s in all_stats]),
        rhs_calls=sum([s.rhs_calls for s in all_stats]),
        jacobians=sum([s.jacobians for s in all_stats]),
        seconds=sum([s.seconds for s in all_stats]),
        events=sum([s.events for s in all_stats]),
    )
