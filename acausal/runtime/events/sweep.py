"""Many runs of a model, as they are in a sweep: no Python runs in between.

Each run sets parameters (as `simulate/system/parameters.Setter`), takes the first instant (`System.start`), goes
through the output times (`DirectIntegrator.through`) or over events as well, stores its rows, checks conditions
(`first_stop`), and reads the columns (`sweep/columns.Reader`): these are the reference, with the same numbers to the
last bit. What is out of the ordinary is left to Python, which repeats such a run.
"""

from math import inf, nan, tau
from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.branch import ACTIVE
from acausal.runtime.context import DONE, LoopContext, SetTime
from acausal.runtime.cvode import CvodeContext, cvode_rows
from acausal.runtime.events.evaluate import are_finite
from acausal.runtime.events.event_loop import (
    STOPPED,
    acausal_begin_events,
    acausal_run_events,
    acausal_start_events,
)
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Ints, Real, Reals, kernel, tail
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.runtime.limits import WITHOUT_END
from acausal.runtime.rows import variables_many

FALLBACK, SOLVER_DIRTY = 1, 2
"""Results: a run is left to Python; and the solver is not to be used again after it."""
FIXED, PARAMETER, TIME, STORED = range(4)
"""Sources of columns."""
FINAL, SMALLEST, LARGEST = range(3)
"""Kinds of columns."""


class SetTolerances(Protocol):
    """CVodeSVtolerances."""

    def __call__(self, cvode: Address, relative: Real, absolute: Address, /) -> CInt:
        """Status."""
        ...


class SetRoots(Protocol):
    """CVodeRootInit."""

    def __call__(self, cvode: Address, count: CInt, function: Address, /) -> CInt:
        """Status."""
        ...


class SweepContext(LoopContext):
    """A system, its solver, and the runs of one call."""

    # of one call: `done` runs are in `table`, which took `steps_made`; from `most_steps` on no further one begins
    run_count: Int
    done: Int
    steps_made: Int
    most_steps: Int
    given: Reals
    """The values of the parameters that vary, run by run."""
    table: Reals
    """The columns, run by run."""
    # parameters
    names: Int
    """So many of them vary."""
    parameters: Int
    setup: ModelRoutine
    defaults: Reals
    is_given: Reals
    places: Ints
    """Where in p those stand that vary."""
    limited_count: Int
    limited: Ints
    low: Reals
    high: Reals
    folded_count: Int
    folded: Ints
    expected: Reals
    """Values that the equations have, and where in p."""
    setup_room: Reals
    # the first instant
    has_events: Int
    start_time: Real
    system_size: Int
    system_numbers: Reals
    found_count: Int
    first_states: Reals
    slope: Reals
    # the solver
    user: CvodeContext
    root_function: Address
    absolute: Reals
    """Absolute tolerances, those of states without nominal values for `small`."""
    wanted: Reals
    tolerances: Address
    """The vector of `absolute`."""
    fixed_tolerances: Int
    """1 where the solver cannot take others."""
    relative: Real
    nominal_share: Real
    """The absolute tolerance of a state as a share of its nominal value."""
    small: Real
    rate_count: Int
    rates: Ints
    """Where in p the angular velocities of sines of time stand."""
    steps_in_period: Real
    longest: Real
    """The longest step as it was set last."""
    shortest: Real
    set_tolerances: SetTolerances
    set_longest: SetTime
    set_roots: SetRoots
    # rows
    output_times: Int
    grid: Reals
    ready_rows: Ints
    variables: ModelRoutine
    stored_size: Int
    stored: Reals
    condition_count: Int
    condition_at: Ints
    condition_asserts: Ints
    # columns
    column_count: Int
    column_source: Ints
    column_position: Ints
    column_kind: Ints
    column_sign: Reals
    fixed: Reals
    """Values that no run changes."""


@kernel
def acausal_runs(c: SweepContext) -> CInt:
    """Runs until all are done or took enough steps; FALLBACK or SOLVER_DIRTY where the next one is left to Python."""
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
    if not first_row(c) or not begin_solver(c):
        return FALLBACK
    is_complete = through_events(c) if c.has_events != 0 else through_times(c)
    if not is_complete:
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
    return True


@kernel
def first_row(c: SweepContext) -> Bool:
    """The states of the first instant as the first row, from which there is a slope."""
    for i in range(c.system_size):
        c.system_numbers[i] = 0.0
    if c.memory != 0:
        c.m[c.memory + ACTIVE] = 1.0
    found = c.first_states
    if c.has_events != 0:
        c.reached[0] = c.start_time
        if acausal_start_events(c) != DONE:
            return False
        copy_numbers(c.states, c.y, found)
    else:
        status = c.initial(c.start_time, found, c.u, c.p, c.m, found)
        if status != 0 or not are_finite(found, c.found_count):
            return False
    copy_numbers(c.states, found, c.row_states)
    copy_numbers(c.held_count, c.held, c.row_held)
    copy_numbers(c.memory, c.m, c.row_memory)
    status = c.derivatives(c.start_time, found, c.u, c.p, c.m, c.slope)
    return status == 0 and are_finite(c.slope, c.states)


@kernel
def begin_solver(c: SweepContext) -> Bool:
    """The solver at the first row, as `DirectIntegrator.begin`; False if it cannot have the tolerances."""
    if c.crossing_count != 0:  # else CVODE would ignore those that were zero at last
        c.set_roots(c.cvode, 0, c.root_function)
        c.set_roots(c.cvode, c.crossing_count, c.root_function)
    if not limit_error(c):
        return False
    limit_steps(c)
    if c.has_events != 0:
        c.set_least(c.cvode, c.shortest)
        c.set_first(c.cvode, 0.0)
    for i in range(c.states):
        c.numbers_there[i] = c.first_states[c.order[i]]
    c.reinit(c.cvode, c.start_time, c.vector)
    return True


@kernel
def limit_error(c: SweepContext) -> Bool:
    """Absolute tolerances where they follow from parameters; False if the solver cannot have them."""
    differs = False
    for i in range(c.states):
        at = c.nominal_at[c.order[i]]
        nominal = 0.0
        if at >= 0:
            nominal = abs(c.p[at])
        c.wanted[i] = c.nominal_share * (c.small if nominal == 0.0 else nominal)
        if c.wanted[i] != c.absolute[i]:
            differs = True
    if differs:
        if c.fixed_tolerances != 0:
            return False
        copy_numbers(c.states, c.wanted, c.absolute)
        c.set_tolerances(c.cvode, c.relative, c.tolerances)
    return True


@kernel
def limit_steps(c: SweepContext) -> None:
    """The longest step where it follows from parameters."""
    fastest = 0.0
    for i in range(c.rate_count):
        fastest = max(fastest, abs(c.p[c.rates[i]]))
    longest = inf
    if fastest > 0.0:
        longest = tau / fastest / c.steps_in_period
    wanted = max(min(c.stop - c.start_time, longest), c.shortest)
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
def through_times(c: SweepContext) -> Bool:
    """States and memory of all rows; False where the solver did not come to the end."""
    c.set_stop(c.cvode, c.stop)
    c.rows = c.output_times
    count = c.output_times - 1
    c.ready_rows[0] = 0
    states = tail(c.row_states, c.states)
    memory = tail(c.row_memory, c.memory)
    status = cvode_rows(c.user, tail(c.grid, 1), count, c.reached, states, memory, c.ready_rows)
    count_run_steps(c)
    made = c.ready_rows[0]
    if status == 0:
        return made == count
    if status != STOPPED or made + 1 != count or c.reached[0] != c.grid[count]:
        return False
    for i in range(c.states):
        c.row_states[count * c.states + i] = c.numbers_there[c.place[i]]
    copy_numbers(c.memory, c.m, tail(c.row_memory, count * c.memory))
    return True


@kernel
def through_events(c: SweepContext) -> Bool:
    """The same over events, with rows on both sides of each; the first row is there."""
    c.reached[0] = c.start_time
    c.last_row = c.start_time
    c.solver_limit = nan
    if acausal_begin_events(c) != DONE:
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
        if acausal_run_events(c) < 0:
            return False
        if c.number == c.count:
            break
        if c.event_count != c.event_room:
            return False
        for i in range(WITHOUT_END - 1):
            c.event_times[i] = c.event_times[c.event_count + i]
        c.event_count = 0
    count_run_steps(c)
    return True


@kernel
def store_rows(c: SweepContext) -> Bool:
    """The stored variables of all rows; False if one is not finite or a condition ends the run."""
    c.ready_rows[0] = 0
    status = variables_many(
        c.rows,
        c.row_times,
        c.row_states,
        c.row_held,
        c.p,
        c.m,
        c.stored,
        c.ready_rows,
        c.row_memory,
        c.variables,
        c.states,
        c.held_count,
        c.memory,
        c.stored_size,
    )
    if status != 0 or not are_finite(c.stored, c.rows * c.stored_size):
        return False
    for i in range(c.condition_count):
        values = tail(c.stored, c.condition_at[i])
        for row in range(c.rows):
            if (values[row * c.stored_size] == 0.0) == (c.condition_asserts[i] != 0):
                return False
    return True


@kernel
def read_columns(c: SweepContext, out: Reals) -> None:
    """The columns of a run."""
    for i in range(c.column_count):
        out[i] = column_value(c, i)


@kernel
def column_value(c: SweepContext, column: Int) -> Real:
    """The final, smallest or largest value of a column."""
    source = c.column_source[column]
    values = tail(c.fixed, c.column_position[column])
    apart = 0
    if source == STORED:
        values = tail(c.stored, c.column_position[column])
        apart = c.stored_size
    elif source == TIME:
        values = c.row_times
        apart = 1
    elif source == PARAMETER:
        values = tail(c.p, c.column_position[column])
    sign = c.column_sign[column]
    kind = c.column_kind[column]
    if kind == FINAL:
        return values[(c.rows - 1) * apart] * sign
    best = values[0] * sign
    for row in range(1, c.rows):
        value = values[row * apart] * sign
        if (kind == SMALLEST and value < best) or (kind == LARGEST and value > best):
            best = value
    return best
