"""The rows of a run, handed on in portions while it goes on: memory does not grow with their number."""

from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import record
from acausal.ir.program.program import Program
from acausal.simulate.failure.checked import explain
from acausal.simulate.rows.conditions import Stop, first_stop
from acausal.simulate.rows.poles import EarlierRow, StoredRows, first_pole, last_row
from acausal.simulate.rows.segments import explain_not_finite, stored_rows, without_unfinished
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.run.run import Run

PORTION = 1 << 20
"""Numbers of a portion: stored variables, states, frozen values and start values of its rows."""


class RowSink(Protocol):
    """Takes the rows of a run as they come."""

    def begin(self, program: Program, p: "Array") -> None:
        """The run of a program with these parameters begins."""
        ...

    def take(self, times: "Array", stored: "Array") -> None:
        """The next rows: times, and stored variables of the program that began."""
        ...


@record(frozen=True, slots=True)
class Checked:
    """Rows as far as they are valid; `failure` or `ends` mean that the run is over there."""

    times: "Array"
    stored: "Array"
    failure: Diagnostic | None
    ends: bool
    notes: tuple[Diagnostic, ...]


def checked(run: "Run", first: System, *, warned: bool = False, earlier: EarlierRow | None = None) -> Checked:
    """The rows that the run holds, as far as all variables can be computed and the model lets it go on.

    `warned` says that earlier rows had values that are not finite, which is reported once; `earlier` is the last row of
    the portion before.
    """
    rows = stored_rows(run.rows.segments, run.transfers, first)
    times, stored, failure = rows.times, rows.stored, run.failure
    if rows.failed:
        t = float(times[len(stored)])
        failure = explain(rows.system, "variables", rows.failed, t, rows.last)
    notes: tuple[Diagnostic, ...] = ()
    wrong = None if warned or failure is not None else explain_not_finite(run.rows.segments, stored)
    if wrong is not None and wrong[1].code == "R004":
        notes = (wrong[1],)
    elif wrong is not None:
        stored, failure = stored[: wrong[0]], wrong[1]
    if failure is not None:
        stored = without_unfinished(stored)
    pole = first_pole(run.rows.segments, StoredRows(first, stored), earlier)
    if pole is not None and pole[0] < len(stored):
        stored, failure = stored[: pole[0]], pole[1]
    stop = first_stop(first.program, times, stored) or run.stop(len(stored))
    if stop is not None:
        stored, failure = stored[: stop.rows], _at_user_line(stop, first, stored[: stop.rows])
        notes += () if stop.note is None else (stop.note,)
    return Checked(times[: len(stored)], stored, failure, stop is not None or failure is not None, notes)


def _at_user_line(stop: Stop, system: System, stored: "Array") -> Diagnostic | None:
    """The failure with the submodel that a violated condition of a library stands for."""
    if stop.failure is None or stop.origin is None or system.equations is None or not len(stored):
        return stop.failure
    from acausal.simulate.failure.violated_condition import with_condition_values

    flat, p = system.equations.flat, system.arrays[1]
    return with_condition_values(stop.failure, flat, stop.origin, system.program, p, stored[-1])


class Portions:
    """Stream of rows: between two calls of the solver a run asks whether to pass rows on, and whether they end it."""

    def __init__(self, sink: RowSink) -> None:
        self._sink = sink
        self._first: System | None = None
        self._left: dict[System, Array] = {}
        self._earlier: EarlierRow | None = None
        self.notes: dict[Diagnostic, None] = {}
        self.end: Checked | None = None

    def end_run(self, run: "Run") -> bool:
        """Hand on the rows if there are enough of them; whether the run is over as these show."""
        system = run.rows.segments[-1].system
        program = system.program
        width = program.stored_size + len(program.state_slots) + len(program.table.frozen) + program.memory + 1
        if len(run.rows) * width < PORTION:
            return False
        found = self.check(run)
        self.hand_on(found)
        if found.ends:
            self.end = found
            return True
        stored = StoredRows(self.first(run), found.stored)
        self._earlier = last_row(run.rows.segments, stored, self._earlier)
        run.rows.forget()
        return False

    def check(self, run: "Run") -> Checked:
        """The rows that the run holds; it goes on unchanged."""
        systems = {segment.system: None for segment in run.rows.segments}
        running = [(system, [array.copy() for array in system.arrays], system.delays.seen) for system in systems]
        for system in systems:
            if system in self._left:
                system.arrays[2][:] = self._left[system]
        warned = any(note.code == "R004" for note in self.notes)
        found = checked(run, self.first(run), warned=warned, earlier=self._earlier)
        self._left |= {system: system.arrays[2].copy() for system in systems}
        for system, arrays, seen in running:
            for array, before in zip(system.arrays, arrays, strict=True):
                array[:] = before
            system.delays.seen = seen
        return found

    def first(self, run: "Run") -> System:
        """The system that the rows are stored as."""
        if self._first is None:
            self._first = run.rows.segments[0].system
            self._sink.begin(self._first.program, self._first.arrays[1])
        return self._first

    def hand_on(self, found: Checked) -> None:
        """Give the rows to the sink."""
        self.notes |= dict.fromkeys(found.notes)
        if len(found.times):
            self._sink.take(found.times, found.stored)
