"""A routine of the model next to a dead center, and how states move there.

Points lie on a straight line: states whose rate is another state move with it, those that formulas move by the rate
that they have at the point, inputs with their derivatives, if these are inputs, too; all others stay.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_record import BranchRecord, set_strict, watch_pivots
from acausal.runtime.branches.polynomial import FIELDS, NODES
from acausal.runtime.kernel.language import Bool, Int, Ints, Real, Reals, Struct, kernel, tail
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.kernel.routines import ModelRoutine


class Motion(Struct):
    """A routine of the model, and how states move: of `moving` ones the last `driven` have no rate that is a state.

    Time moves, too; alone in a model without states.
    """

    routine: ModelRoutine
    base: Int
    followed: Int
    states: Int
    results: Int
    moving: Int
    driven: Int
    is_timed: Int
    """1 where time moves blocks."""
    position: Ints
    rate: Ints
    """Places of the rates: in the states; of driven states in m, where they stay while a routine is interpolated."""
    inputs: Int
    inputs_start: Int
    """Place of moved inputs in the workspace."""
    moving_inputs: Int
    turning: Int
    """Number of moving states whose position moves blocks and whose rate is a state, which an event may change."""
    turned: Ints
    """These, as numbers of moving states."""
    input_position: Ints
    input_rate: Ints
    first_block: Int
    """Place of the largest pivot of the first block."""
    in_run: Int
    """1 where m has the record of the run: rows are evaluated behind it."""
    is_row: Int
    """1 where solutions move from those of a row by their rates, and not by the record of the run."""


class TrackedRoutine(Motion):
    """A routine of the model and the record of its nonlinear blocks."""

    interpolation_start: Int
    """Place of the workspace of interpolation in m."""
    is_near: Int
    """1 where the results are interpolated next to singular blocks."""
    is_judged: Int
    """1 where a solution that departs from its prediction shortens the step: no error of the states does."""
    block_of: Ints
    """The numbers of the blocks of the solutions."""


def workspace_size(followed: int, states: int, results: int, inputs: int = 0) -> int:
    """Numbers for states, for those in the middle of the last nodes, for solutions, for results, and for inputs.

    Solutions are those at the nodes, at the last nodes, direct ones, interpolated ones, and without interpolation. Of
    results there are FIELDS (`runtime/branches/polynomial`). Speeds of states before an event and before
    the last one that has stopped them follow.
    """
    return 4 * states + 2 * (NODES + 1) * followed + FIELDS * results + followed + inputs


@kernel
def is_way_known(c: Motion) -> Bool:
    """True if it is known how the run moves, so that routines can be evaluated a little before and behind."""
    return c.moving > 0 or c.is_timed != 0


@kernel
def rate_of(c: Motion, k: Int, y: Reals, m: Reals) -> Real:
    """The rate of a moving state."""
    return y[c.rate[k]] if k < c.moving - c.driven else m[c.rate[k]]


@kernel
def hold_rates(c: Motion, m: Reals) -> None:
    """Rates of driven states from here on: the last ones of those that are followed."""
    first = c.moving - c.driven
    for k in range(c.driven):
        m[c.rate[first + k]] = m[c.followed - c.driven + k]


@kernel
def center_at(c: Motion) -> Int:
    """Place of the states in the middle of the last nodes."""
    return c.states


@kernel
def nodes_at(c: Motion) -> Int:
    """Place of the solutions at the nodes."""
    return 2 * c.states


@kernel
def last_nodes_at(c: Motion) -> Int:
    """Place of the solutions at the last nodes."""
    return nodes_at(c) + NODES * c.followed


@kernel
def start_at(c: Motion) -> Int:
    """Place of the solutions from which the routine began."""
    return nodes_at(c) + 2 * NODES * c.followed


@kernel
def interpolated_at(c: Motion) -> Int:
    """Place of the interpolated solutions."""
    return nodes_at(c) + (2 * NODES + 1) * c.followed


@kernel
def results_at(c: Motion) -> Int:
    """Place of the fields of results."""
    return nodes_at(c) + 2 * (NODES + 1) * c.followed


@kernel
def direct_at(c: Motion) -> Int:
    """Place of the solutions without interpolation."""
    return results_at(c) + FIELDS * c.results


@kernel
def speeds_at(c: Motion) -> Int:
    """Place of the speeds before an event."""
    return direct_at(c) + c.followed


@kernel
def stopped_at(c: Motion) -> Int:
    """Place of the speeds before the event that has stopped the motion."""
    return speeds_at(c) + c.states


@kernel
def time_from_center(c: Motion, t: Real, y: Reals, m: Reals, work: Reals) -> Real:
    """The time for which the states have moved since the middle of the last nodes.

    On the path of the run it is that since then. An implicit solver tries states of one time at another one, too; but
    states that return much later have other nodes: solutions may be whole turns away.
    """
    record = overlay(BranchRecord, m, c.base)
    since = t - record.center
    if abs(since) > float(NODES) * record.width:
        return since
    way = 0.0
    speed = 0.0
    center = tail(work, center_at(c))
    for k in range(c.moving):
        rate = rate_of(c, k, y, m)
        way = way + rate * (y[c.position[k]] - center[c.position[k]])
        speed = speed + rate * rate
    if speed > 0.0:
        return way / speed
    return since


@kernel
def move(c: Motion, shift: Real, y: Reals, m: Reals, work: Reals) -> None:
    """States that have moved for a time, into `work`."""
    for i in range(c.states):
        work[i] = y[i]
    for k in range(c.moving):
        work[c.position[k]] = y[c.position[k]] + shift * rate_of(c, k, y, m)


@kernel
def move_inputs(c: Motion, shift: Real, u: Reals, inputs: Reals) -> None:
    """Inputs that have moved for a time."""
    copy_numbers(c.inputs, u, inputs)
    for k in range(c.moving_inputs):
        inputs[c.input_position[k]] = u[c.input_position[k]] + shift * u[c.input_rate[k]]


@kernel
def evaluate(c: Motion, t: Real, shift: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> Int:
    """Results of the routine where the states have moved for a time; not 0 where the start values in m lead to none."""
    move(c, shift, y, m, work)
    return evaluate_moved(c, t, shift, u, p, m, out, work, 1.0)


@kernel
def evaluate_moved(
    c: Motion, t: Real, shift: Real, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, strict: Real
) -> Int:
    """Results of the routine at the states in `work`, some time after t."""
    watch_pivots(m, c.base, c.followed, c.first_block)
    set_strict(m, c.base, c.followed, strict)
    inputs = u
    if c.moving_inputs > 0:
        inputs = tail(work, c.inputs_start)
        move_inputs(c, shift, u, inputs)
    status = c.routine(t + shift, work, inputs, p, m, out)
    set_strict(m, c.base, c.followed, 0.0)
    return status
