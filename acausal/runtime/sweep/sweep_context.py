"""The structure that runs of a sweep work on (`runtime/sweep/sweep`)."""

from typing import Protocol

from acausal.runtime.cvode.cvode_context import SetTime
from acausal.runtime.divisor_bounds import DivisorBounds
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.language import Address, CInt, Int, Ints, Real, Reals
from acausal.runtime.kernel.routines import ModelRoutine

FALLBACK, SOLVER_DIRTY, UNBOUNDED = 1, 2, 3
"""Results: a run is left to Python; and the solver is not to be used again after it; or its rows are to be examined."""
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
    passes_over: Int
    """1 where runs with divisors that may be zero are not done."""
    bounds: DivisorBounds
    # the first instant
    has_events: Int
    start_time: Real
    system_size: Int
    system_numbers: Reals
    found_count: Int
    first_states: Reals
    slope: Reals
    # the solver
    root_function: Address
    absolute: Reals
    """Absolute tolerances."""
    wanted: Reals
    """Tolerances of a run, in the order of the system."""
    tolerances: Address
    """The vector of `absolute`."""
    has_differences: Int
    """1 where the solver fills its matrix by differences, whose scales are nominal values."""
    relative: Real
    nominal_share: Real
    """The absolute tolerance of a state as a share of its nominal value."""
    rate_count: Int
    rates: Ints
    """Where in p the angular velocities of sines of time stand."""
    wave_first: Ints
    wave_conditions: Ints
    wave_decays: Ints
    """When sine i is there (`step_limits`): pairs of places from 2*wave_first[i] to 2*wave_first[i + 1], and a pair."""
    longest: Real
    """The longest step as it was set last."""
    shortest: Real
    set_tolerances: SetTolerances
    set_longest: SetTime
    set_roots: SetRoots
    # rows
    row_count: Int
    """Output times of a run; the loop over events goes to `count`, where `halted` is checked."""
    halted: Ints
    """Not 0 where the run is to end: another thread sets it."""
    most_run_steps: Int
    """A run that takes so many is left to Python, which may choose another method; 0 where there is none."""
    ready_rows: Ints
    input_count: Int
    row_inputs: Reals
    """Frozen values and inputs of all rows, if there are inputs from outside."""
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
