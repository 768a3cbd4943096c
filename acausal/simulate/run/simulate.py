"""From an executable to the rows of a run, whatever happens in it."""

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.base.lazy import lazy
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import NO_UNITS, InputValue, Signals, make_signals
from acausal.simulate.run.outcome import Outcome, Stats
from acausal.simulate.run.row_stream import Portions, RowSink, checked
from acausal.simulate.run.run import Halted, Progress, Run
from acausal.simulate.run.solver_pool import SolverPool
from acausal.simulate.run.variants import Variants
from acausal.simulate.state.run_part import WHOLE, Part
from acausal.simulate.system.settings import Settings, resumed_at
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.fmu.start import StepReports, start_units
    from acausal.simulate.state.restore import require_model
    from acausal.simulate.state.state import State, state_of
else:
    require_model = lazy("simulate.state.restore", "require_model")
    state_of = lazy("simulate.state.state", "state_of")
    start_units = lazy("simulate.fmu.start", "start_units")
    StepReports = lazy("simulate.fmu.start", "StepReports")


def simulate(
    executable: "Executable",
    p: "Array",
    inputs: Mapping[str, InputValue],
    settings: Settings,
    progress: Progress | None = None,
    variants: Variants | None = None,
    equations: "Equations | None" = None,
    halted: Halted | None = None,
    pool: SolverPool | None = None,
    sink: RowSink | None = None,
    part: Part = WHOLE,
) -> Outcome:
    """The rows of a run at the output times and on both sides of each event.

    `p` is complete (`parameter_values`), `inputs` are by name. `variants` gives the same model with other states,
    `equations` those behind the program, for messages; `pool` is what earlier runs of this executable left.
    With a `sink` the rows go there, and the outcome has the last ones only. A `part` of a run goes on from a state
    (UsageError A011 for one of another model), or leaves one.
    SimulationError R001, R004 or E... where the first instant cannot be computed; what happens later ends
    the run with a `failure`, its rows up to then are kept.
    """

    def signals_of(executable: "Executable", p: "Array") -> Signals:
        return make_signals(executable.program, inputs, p, settings.start, settings.stop, units)

    begin = perf_counter()
    if part.start_state is not None:
        require_model(executable.program, part.start_state)
        settings = resumed_at(settings, part.start_state.time)
    running = start_units(executable.program, settings) if executable.program.units else {}
    units = running or NO_UNITS
    signals = signals_of(executable, p)
    program, context = executable.program, None if pool is None else pool.take()
    if context is None:
        system = System(executable, p.copy(), signals, Delays(program, settings.start, settings.stop), equations)
    else:
        delays = Delays(program, settings.start, settings.stop) if program.delays else context.system.delays
        system = context.system.begin_again(p, signals, delays, equations)
    portions = None if sink is None else Portions(sink)
    end_run = None if portions is None else portions.end_run
    run = Run(system, settings, variants, signals_of, context, end_run, part.start_state, part.instants)
    run.steps = StepReports(running) if running else None
    run.go(progress, halted)
    state = state_of(run.rows, part.given, run.dummies) if part.keeps else None
    outcome = _concluded(run, p, begin, portions, state)
    if state is not None and (not len(outcome.time) or outcome.time[-1] < state.time) and sink is None:
        outcome = replace(outcome, state=None)  # it ends before, as its rows show
    if pool is not None and not outcome.interrupted and outcome.failure is None:
        pool.give(run.leaves(system))
    return outcome


def _concluded(run: Run, p: "Array", begin: float, portions: Portions | None, state: "State | None") -> Outcome:
    """All variables at the rows of the run, as far as they can be computed and the model lets it go on."""
    first = run.rows.segments[0].system if portions is None else portions.first(run)
    found = None if portions is None else portions.end
    if found is None:
        found = checked(run, first) if portions is None else portions.check(run)
        if portions is not None:
            portions.hand_on(found)
    notes = dict.fromkeys([*run.notes(), *([] if portions is None else portions.notes), *found.notes])
    ending = found.failure, run.interrupted, tuple(notes), run.events
    return Outcome(first.program, found.times.copy(), found.stored, p, _stats(run, begin), *ending, state)


def _stats(run: Run, begin: float) -> Stats:
    cost = run.driver.counts()
    calls = sum([system.rhs_calls for system in run.rows.systems])
    seconds = perf_counter() - begin
    return Stats(run.driver.solver, cost.steps, calls, cost.jacobians, seconds, len(run.events), cost.matrix)
