"""The columns of a run of a sweep: its rows are stored, its conditions checked."""

from math import nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.events.relations.evaluate import are_finite
from acausal.runtime.inputs import acausal_evaluate_rows
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, tail
from acausal.runtime.rows import variables_many
from acausal.runtime.sweep.sweep_context import FINAL, LARGEST, PARAMETER, SMALLEST, STORED, TIME, SweepContext


@kernel
def evaluate_row_inputs(c: SweepContext) -> Int:
    """Frozen values and inputs of all rows; not 0 where an input has no value."""
    width = c.frozen_count + c.input_count
    for row in range(c.rows):
        copy_numbers(c.frozen_count, tail(c.row_frozen, row * c.frozen_count), tail(c.row_inputs, row * width))
    return acausal_evaluate_rows(c.inputs, c.row_times, c.rows, c.row_inputs, width, 0, nan)


@kernel
def store_rows(c: SweepContext) -> Bool:
    """The stored variables of all rows; False if one is not finite or a condition ends the run."""
    c.ready_rows[0] = 0
    frozen = c.row_frozen
    if c.input_count != 0:
        if evaluate_row_inputs(c) != 0:
            return False
        frozen = c.row_inputs
    status = variables_many(
        c.rows,
        c.row_times,
        c.row_states,
        frozen,
        c.p,
        c.m,
        c.stored,
        c.ready_rows,
        c.row_memory,
        c.variables,
        c.states,
        c.frozen_count + c.input_count,
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
