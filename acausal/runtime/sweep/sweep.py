"""Many runs of a model, as they are in a sweep: no Python runs in between.

Each run sets parameters (as `simulate/system/parameters.Setter`), takes the first instant (`System.start`), goes
through the output times (`DirectIntegrator.through`) or over events as well, stores its rows, checks conditions
(`first_stop`), and reads the columns (`sweep/columns.Reader`): these are the reference, with the same numbers to the
last bit. What is out of the ordinary is left to Python, which repeats such a run.
"""

from math import inf, nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.context import DONE
from acausal.runtime.cvode.callbacks import EVERY
from acausal.runtime.divisor_bounds import are_bounded
from acausal.runtime.events.event_loop import acausal_begin_events, acausal_run_events, acausal_start_events
from acausal.runtime.events.mode_tolerances import acausal_find_tolerances
from acausal.runtime.events.relations.consistency import is_sample_left
from acausal.runtime.events.relations.evaluate import are_finite
from acausal.runtime.kernel.language import Bool, CInt, Int, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.limits import ILL_CONDITIONED, WITHOUT_END
from acausal.runtime.slope_context import ENDING, STARTING
from acausal.runtime.step_limits import absolute_tolerance, longest_step_of, wave_begin, wave_end
from acausal.runtime.sweep.sweep_columns import read_columns, store_rows
from acausal.runtime.sweep.sweep_context import FALLBACK, SOLVER_DIRTY, UNBOUNDED, SweepContext

ROWS_AT_ONCE = 64
"""After so many output times `halted` is checked."""


@kernel
def acausal_runs(c: SweepContext) -> CInt:
    """Runs until all are done or took enough steps; another status where the next one is left to Python."""
    while c.done != c.run_count and c.steps_made < c.most_steps:
        status = one_run(c, c.done)
        if status != 0:
            return status
        c.done += 1
    return 0


@kernel
def one_run(c: SweepContext, run: Int) -> Int:
    """A run from its parameters to its columns."""
    if not set_parameters(c, tail(c.given, run * c.names)):
        return FALLBACK
    if c.passes_over != 0 and not are_bounded(c.bounds, c.p):
        return UNBOUNDED
    if not first_row(c):
        return FALLBACK
    begin_solver(c)
    if not go_through(c):
        return SOLVER_DIRTY
    if not store_rows(c):
        return FALLBACK
    read_columns(c, tail(c.table, run * c.column_count))
    return 0


@kernel
def set_parameters(c: SweepContext, given: Reals) -> Bool:
    """Completes p; False if values are beyond their limits or the equations have others."""
    copy_numbers(c.parameters, c.defaults, c.p)
    for i in range(c.names):
        c.p[c.places[i]] = given[i]
    if c.setup(0.0, c.p, c.is_given, c.p, c.setup_room, c.p) != 0 or not are_finite(c.p, c.parameters):
        return False
    for i in range(c.limited_count):
        value = c.p[c.limited[i]]
        if not (value >= c.low[i] and value <= c.high[i]):
            return False
    for i in range(c.folded_count):
        if c.p[c.folded[i]] != c.expected[i]:
            return False
    return are_waves_lasting(c)


@kernel
def are_waves_lasting(c: SweepContext) -> Bool:
    """True if the sines of time are there throughout: else the longest step changes on the way."""
    for i in range(c.rate_count):
        conditions = tail(c.wave_conditions, 2 * c.wave_first[i])
        count = c.wave_first[i + 1] - c.wave_first[i]
        end = wave_end(c.p, conditions, count, c.wave_decays[2 * i], c.wave_decays[2 * i + 1])
        if not (wave_begin(c.p, conditions, count) <= c.start_time and end >= c.stop):
            return False
    return True


@kernel
def first_row(c: SweepContext) -> Bool:
    """The states of the first instant as the first row, from which there is a slope."""
    for i in range(c.system_size):
        c.system_numbers[i] = 0.0
    if c.memory != 0:
        record = overlay(BranchRecord, c.m, c.memory)
        record.active = 1.0
    found = c.first_states
    if c.has_events != 0:
        c.reached[0] = c.start_time
        if acausal_start_events(c) != DONE:
            return False
        copy_numbers(c.found_count, c.y, found)
        if c.has_slopes != 0 and c.slope_task(c.address, c.start_time, STARTING) != DONE:
            return False
    else:
        status = c.initial(c.start_time, found, c.u, c.p, c.m, found)
        if status != 0 or not are_finite(found, c.found_count):
            return False
    if c.followed > 0:
        c.predict(c.m, c.memory, c.followed, c.start_time)
    copy_numbers(c.states, found, c.row_states)
    copy_numbers(c.frozen_count, c.frozen, c.row_frozen)
    copy_numbers(c.memory, c.m, c.row_memory)
    if c.is_monitored != 0 and c.monitor(tail(found, c.states), c.selections) == ILL_CONDITIONED:
        return False
    status = c.derivatives(c.start_time, found, c.u, c.p, c.m, c.slope)
    return status == 0 and are_finite(c.slope, c.states)


@kernel
def begin_solver(c: SweepContext) -> None:
    """The solver at the first row, as `DirectIntegrator.begin`."""
    if c.crossing_count != 0:  # else CVODE would ignore those that were zero at last
        c.set_roots(c.cvode, 0, c.root_function)
        c.set_roots(c.cvode, c.crossing_count, c.root_function)
    limit_error(c)
    limit_steps(c)
    if c.has_events != 0:
        c.set_least(c.cvode, c.shortest)
        c.set_first(c.cvode, c.usual_first)
    if c.is_monitored != 0:
        c.judged_at = 0
        c.set_most_steps(c.cvode, EVERY)
    for i in range(c.states):
        c.numbers[i] = c.first_states[c.order[i]]
    c.reinit(c.cvode, c.start_time, c.vector)


@kernel
def limit_error(c: SweepContext) -> None:
    """Absolute tolerances, which follow from parameters and the first instant."""
    acausal_find_tolerances(c, c.start_time, c.first_states, c.nominal_share, c.wanted)
    differs = False
    for i in range(c.states):
        wanted = c.wanted[c.order[i]]
        differs = differs or wanted != c.absolute[i]
        c.absolute[i] = wanted
    if differs:
        c.set_tolerances(c.cvode, c.relative, c.tolerances)
    if c.has_differences != 0:
        for i in range(c.states):
            c.differences.scales[i] = absolute_tolerance(c.p, c.nominal_at[i], 1.0)


@kernel
def limit_steps(c: SweepContext) -> None:
    """The longest step where it follows from parameters."""
    fastest = 0.0
    for i in range(c.rate_count):
        fastest = max(fastest, abs(c.p[c.rates[i]]))
    wanted = max(min(c.stop - c.start_time, longest_step_of(fastest)), c.shortest)
    if wanted != c.longest:
        c.longest = wanted
        c.set_longest(c.cvode, wanted)


@kernel
def count_run_steps(c: SweepContext) -> None:
    """Counts the steps that the solver knows, and those that it forgot at events."""
    c.counted[0] = 0
    c.count_steps(c.cvode, c.counted)
    c.steps_made += c.steps + c.counted[0]


@kernel
def is_long(c: SweepContext) -> Bool:
    """True if the run has taken so many steps that its method may be another one (`simulate/run/method_choice`)."""
    if c.most_run_steps == 0:
        return False
    c.counted[0] = 0
    c.count_steps(c.cvode, c.counted)
    return c.counted[0] >= c.most_run_steps


@kernel
def go_through(c: SweepContext) -> Bool:
    """The rows of the output times and on both sides of events; the first row is there."""
    c.reached[0] = c.start_time
    c.last_row = c.start_time
    c.solver_limit = nan
    c.limit = inf
    if c.has_events != 0 and acausal_begin_events(c) != DONE:
        return False
    c.row_times[0] = c.start_time
    c.number = 0
    c.rows = 1
    c.event_count = 0
    c.steps = 0
    c.jacobians = 0
    for i in range(WITHOUT_END - 1):
        c.event_times[i] = -inf
    while True:
        c.count = min(c.row_count, c.number + ROWS_AT_ONCE)
        if acausal_run_events(c) < 0:
            return False
        if c.number == c.row_count:
            break
        if c.halted[0] != 0 or is_long(c):
            return False
        if c.number == c.count:
            continue
        if c.event_count != c.event_room:
            return False
        for i in range(WITHOUT_END - 1):
            c.event_times[i] = c.event_times[c.event_count + i]
        c.event_count = 0
    if is_long(c):
        return False
    count_run_steps(c)
    return c.has_events == 0 or ends_well(c)


@kernel
def ends_well(c: SweepContext) -> Bool:
    """False if an event is left at the end of the run, or slopes depend on one."""
    if c.has_slopes != 0 and c.slope_task(c.address, c.reached[0], ENDING) != DONE:
        return False
    return not is_sample_left(c, c.reached[0], c.y)
