"""The structure that the loop over output times and events works on."""

from typing import Protocol

from acausal.runtime.cvode.cvode_context import Count, CvodeContext, Reinit, RootInfo, SetTime
from acausal.runtime.inputs import InputContext
from acausal.runtime.kernel.language import Address, CInts, Int, Ints, Real, Reals
from acausal.runtime.slope_context import SlopeContext, SlopeTask


class StepWithHistory(Protocol):
    """`events/single_steps.step_to`, which is compiled for models with delays only."""

    def __call__(self, context: Address, goal: Real, /) -> Int:
        """Status."""
        ...


class LoopContext(CvodeContext):
    """A run over output times and events: rows, and the solver.

    `times[number]` is the next of the `count` output times; up to `rows` and `event_count` are there; `steps` and
    `jacobians` count what the solver forgets where it begins again. Event k is at k + WITHOUT_END - 1 of `event_times`,
    behind those of earlier calls.
    """

    # of one call, up to `solver_limit`: that of the last row, and beyond which CVODE must not go (NaN: nothing)
    times: Reals
    count: Int
    number: Int
    row_room: Int
    rows: Int
    row_times: Reals
    row_states: Reals
    row_frozen: Reals
    row_memory: Reals
    event_room: Int
    event_count: Int
    steps: Int
    jacobians: Int
    last_row: Real
    solver_limit: Real
    stop: Real
    """The end of the run."""
    chattering_time: Real
    """Within so short a time events do not end."""
    # the system
    watched: Int
    inputs: InputContext
    """Inputs from outside and delays, if there are any."""
    has_delays: Int
    goes_on: Int
    """1 where an event may leave the motion as it is (`simulate/system/derivative_inputs`)."""
    moves: Ints
    """Flags of the frozen values that the derivatives read."""
    states_before: Reals
    frozen_before: Reals
    samples_before: Reals
    band_before: Reals
    sides_before: Reals
    starts_before: Reals
    offset_before: Reals
    memory_before: Reals
    # the solver
    set_stop: SetTime
    root_info: RootInfo
    reinit: Reinit
    set_least: SetTime
    set_first: SetTime
    count_jacobians: Count
    # delays: CVODE makes single steps, and the states within are interpolated
    step_with_history: StepWithHistory
    delay_memory: Reals
    """m for delayed expressions."""
    delayed_results: Reals
    ready: Int
    """1 where CVODE has come to `ready_time`, which is later than `reached`, with `ready_status`."""
    ready_time: Real
    ready_status: Int
    # events
    event_times: Reals
    event_frozen: Reals
    event_roots: CInts
    # slopes
    has_slopes: Int
    slope_task: SlopeTask
    slope_context: SlopeContext
