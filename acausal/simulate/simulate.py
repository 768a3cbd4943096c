"""From an executable to the rows of a run, whatever happens in it."""

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.diagnostics import Severity
from acausal.simulate.choices import Variants
from acausal.simulate.conditions import first_stop
from acausal.simulate.kept import Kept
from acausal.simulate.loop import Halted, Progress, Run
from acausal.simulate.outcome import Outcome, Stats
from acausal.simulate.past import Past
from acausal.simulate.segments import explain_not_finite, stored_rows, without_unfinished
from acausal.simulate.settings import Settings
from acausal.simulate.signals import Signals
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.equations import Equations


def simulate(
    executable: "Executable",
    p: "Array",
    signals: Signals,
    settings: Settings,
    progress: Progress | None = None,
    variants: Variants | None = None,
    equations: "Equations | None" = None,
    halted: Halted | None = None,
    kept: Kept | None = None,
) -> Outcome:
    """The rows of a run at the output times and on both sides of each event.

    `p` is complete (`parameter_values`). `variants` gives the same model with other states,
    `equations` those behind the program, for messages; `kept` is what earlier runs of this executable left.
    SimulationError R001, R004 or E... where the first instant cannot be computed; what happens later ends
    the run with a `failure`, its rows up to then are kept.
    """
    begin = perf_counter()
    program, stand = executable.program, None if kept is None else kept.take()
    if stand is None:
        system = System(executable, p.copy(), signals, Past(program, settings.start, settings.stop), equations)
    else:
        past = Past(program, settings.start, settings.stop) if program.delays else stand.system.past
        system = stand.system.begin_again(p, signals, past, equations)
    run = Run(system, settings, variants, stand)
    run.go(progress, halted)
    run.driver.end()
    outcome = _concluded(run, p, begin)
    if kept is not None and not outcome.interrupted and outcome.failure is None:
        kept.give(run.leaves(system))
    return outcome


def _concluded(run: Run, p: "Array", begin: float) -> Outcome:
    """All variables at the rows of the run, as far as they can be computed and the model lets it go on."""
    rows = stored_rows(run.segments, run.passages)
    times, stored, failure = rows.times, rows.stored, run.failure
    if rows.failed:
        t = float(times[len(stored)])
        failure = rows.system.explain("variables", rows.failed, t, rows.last)
    notes = run.continued()
    wrong = None if failure is not None else explain_not_finite(run.segments, stored)
    if wrong is not None and wrong[1].code == "R004":
        notes.append(replace(wrong[1], severity=Severity.WARNING))
    elif wrong is not None:
        stored, failure = stored[: wrong[0]], wrong[1]
    if failure is not None:
        stored = without_unfinished(stored)
    program = run.segments[0].system.program
    stop = first_stop(program, times, stored) or run.stop(len(stored))
    if stop is not None:
        stored, failure = stored[: stop.rows], stop.failure
        notes += [] if stop.note is None else [stop.note]
    ending = failure, run.interrupted, tuple(notes), run.events
    return Outcome(program, times[: len(stored)].copy(), stored, p, _stats(run, begin), *ending)


def _stats(run: Run, begin: float) -> Stats:
    cost = run.driver.counts()
    calls = sum([system.rhs_calls for system in run.systems])
    seconds = perf_counter() - begin
    return Stats(run.driver.solver, cost.steps, calls, cost.jacobians, seconds, len(run.events), cost.matrix)
