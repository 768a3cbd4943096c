"""Inputs of a model as functions of time: numbers, expressions, tables and functions of the host.

Routines of a model get the values of its inputs in u, behind the frozen values. Where inputs come from outside, solvers
and kernels call `acausal_derivatives`, `acausal_events` and so on instead of the routines of the model, with an
`InputContext` in the place of u: each of them evaluates the inputs at its time first. So whatever calls a routine
sees the inputs of that time.
"""

from collections.abc import Callable
from math import inf
from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.delays import DelayHistory, begin_history, delayed_value
from acausal.runtime.kernel.language import CInt, Int, Ints, Real, Reals, Struct, kernel
from acausal.runtime.kernel.routines import ModelRoutine

CONSTANT, EXPRESSION, TABLE, FUNCTION, DELAY, RECORDED = range(6)
"""Kinds of inputs."""
NO_PAST = -1
"""Status where delayed values before the start have no solution, or a delay is not positive."""
MOST_PASSES = 200
"""So often the first instant is computed, until what is delayed agrees with itself."""


class HostFunctions(Protocol):
    """The values of all inputs that are functions of the host; not 0 where one fails, and the run is to end."""

    def __call__(self, t: Real, values: Reals, /) -> CInt:
        """Status."""
        ...


class InputContext(Struct):
    """The inputs of a system, input i in u[first + i]."""

    u: Reals
    p: Reals
    first: Int
    count: Int
    kind: Ints
    number: Ints
    """Number of the expression, table, function, delay or recorded value."""
    order: Ints
    """Of a table, delay or recorded value: which derivative."""
    constant: Reals
    expressions: ModelRoutine
    """Their values by time and p."""
    expression_count: Int
    expression_values: Reals
    functions: HostFunctions
    function_count: Int
    function_values: Reals
    # tables: table k has its points from `table_first[k]` to `table_first[k + 1]`
    table_first: Ints
    table_times: Reals
    table_values: Reals
    table_segment: Ints
    """The point at the end of the segment of the last call."""
    history: DelayHistory
    """Flag of delays."""
    recorded: DelayHistory
    """Values of another run."""
    memory_size: Int
    memory_aside: Reals
    delayed_results: Reals
    """Room for a first instant with delays."""
    # routines of the model, which get u
    initial: ModelRoutine
    derivatives: ModelRoutine
    events: ModelRoutine
    crossings: ModelRoutine
    choices: ModelRoutine
    delayed: ModelRoutine
    tangent: ModelRoutine


@kernel
def evaluate_inputs(c: InputContext, t: Real) -> Int:
    """The values of all inputs at a time into u; not 0 where a function of the host fails."""
    if c.expression_count > 0:
        c.expressions(t, c.u, c.u, c.p, c.u, c.expression_values)
    status = 0
    if c.function_count > 0:
        status = c.functions(t, c.function_values)
    for i in range(c.count):
        kind = c.kind[i]
        if kind == CONSTANT:
            c.u[c.first + i] = c.constant[i]
        elif kind == EXPRESSION:
            c.u[c.first + i] = c.expression_values[c.number[i]]
        elif kind == TABLE:
            c.u[c.first + i] = table_value(c, c.number[i], c.order[i], t)
        elif kind == FUNCTION:
            c.u[c.first + i] = c.function_values[c.number[i]]
        elif kind == DELAY:
            c.u[c.first + i] = delayed_value(c.history, c.number[i], c.order[i], t)
        else:
            c.u[c.first + i] = delayed_value(c.recorded, c.number[i], c.order[i], t)
    return status


@kernel
def table_value(c: InputContext, table: Int, order: Int, t: Real) -> Real:
    """The value of a table, linear between its points, or a derivative: the slope is piecewise constant.

    Behind the last point it is constant; of two values at one time the second counts from then on.
    """
    if order > 1:
        return 0.0
    last = c.table_first[table + 1] - 1
    if order == 0 and t >= c.table_times[last]:
        return c.table_values[last]
    at = table_segment(c, table, t)
    width = c.table_times[at] - c.table_times[at - 1]
    slope = 0.0
    if width != 0.0:
        slope = (c.table_values[at] - c.table_values[at - 1]) / width
    if order == 1:
        return slope
    return c.table_values[at - 1] + slope * (t - c.table_times[at - 1])


@kernel
def table_segment(c: InputContext, table: Int, t: Real) -> Int:
    """The point at the end of the segment of t: the first one after t, the second or last one at the ends.

    The search begins at the segment of the last call on: time goes in steps that are short beside a table.
    """
    first = c.table_first[table]
    last = c.table_first[table + 1] - 1
    at = c.table_segment[table]
    while at < last and c.table_times[at] <= t:
        at += 1
    while at > first + 1 and c.table_times[at - 1] > t:
        at -= 1
    c.table_segment[table] = at
    return at


@kernel
def acausal_evaluate_rows(
    c: InputContext, times: Reals, count: Int, rows: Reals, width: Int, has_delays: Int, before: Real
) -> Int:
    """The inputs at the times of rows of u, `width` numbers apart; not 0 where a function of the host fails.

    Of two rows at one time the second is that behind an event; `before` is the time of a row before the first one, NaN
    if there is none.
    """
    for row in range(count):
        if has_delays != 0 and (row > 0 or before == before):
            last = times[row - 1] if row > 0 else before
            c.history.seen = times[row] if last == times[row] else -inf
        status = evaluate_inputs(c, times[row])
        if status != 0:
            return status
        for i in range(c.count):
            rows[row * width + c.first + i] = c.u[c.first + i]
    return 0


@kernel
def acausal_evaluate_inputs(c: InputContext, t: Real) -> Int:
    """The inputs at a time."""
    return evaluate_inputs(c, t)


@kernel
def call_with_inputs(c: InputContext, routine: ModelRoutine, t: Real, y: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """A routine of the model with the inputs of its time; -1 where a function of the host fails."""
    return routine(t, y, c.u, p, m, out) if evaluate_inputs(c, t) == 0 else -1


@kernel
def acausal_initial(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`initial` with the inputs of its time."""
    return call_with_inputs(c, c.initial, t, y, p, m, out)


@kernel
def initial_with_history(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`initial`, until delayed values before the start agree with the states; NO_PAST where they do not."""
    for _ in range(MOST_PASSES):
        status = call_with_inputs(c, c.initial, t, y, p, m, out)
        if status != 0:
            return status
        copy_numbers(c.memory_size, m, c.memory_aside)
        status = call_with_inputs(c, c.delayed, t, out, p, c.memory_aside, c.delayed_results)
        if status != 0:
            return status
        is_known = begin_history(c.history, c.delayed_results)
        for k in range(c.history.late):
            if not c.history.times[k] > 0.0:
                return NO_PAST
        if is_known:
            return 0
    return NO_PAST


@kernel
def acausal_derivatives(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`derivatives` with the inputs of its time."""
    return call_with_inputs(c, c.derivatives, t, y, p, m, out)


@kernel
def acausal_events(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`events` with the inputs of its time."""
    return call_with_inputs(c, c.events, t, y, p, m, out)


@kernel
def acausal_crossings(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`crossings` with the inputs of its time."""
    return call_with_inputs(c, c.crossings, t, y, p, m, out)


@kernel
def acausal_choices(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`choices` with the inputs of its time."""
    return call_with_inputs(c, c.choices, t, y, p, m, out)


@kernel
def acausal_delayed(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """`delayed` with the inputs of its time."""
    return call_with_inputs(c, c.delayed, t, y, p, m, out)


@kernel
def acausal_tangent(t: Real, y: Reals, c: InputContext, p: Reals, m: Reals, out: Reals) -> CInt:
    """The exact Jacobian with the inputs of its time."""
    return call_with_inputs(c, c.tangent, t, y, p, m, out)


WITH_INPUTS = {
    "initial": acausal_initial,
    "derivatives": acausal_derivatives,
    "events": acausal_events,
    "crossings": acausal_crossings,
    "choices": acausal_choices,
    "delayed": acausal_delayed,
    "tangent": acausal_tangent,
}
"""The kernels by the routines that they call: each stands for its routine where only its address is passed on."""
KERNELS: tuple[Callable[..., object], ...] = (acausal_evaluate_inputs, acausal_evaluate_rows, *WITH_INPUTS.values())
