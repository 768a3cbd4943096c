"""A routine of a model for many rows or with fixed arrays, and the routine that a model has none of."""

from collections.abc import Callable

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.kernel.language import CInt, Int, Ints, Real, Reals, Struct, kernel, tail
from acausal.runtime.kernel.routines import ModelRoutine


class BoundRoutine(Struct):
    """A routine with its arguments."""

    t: Real
    routine: ModelRoutine
    y: Reals
    u: Reals
    p: Reals
    m: Reals
    out: Reals


@kernel
def call_bound(c: BoundRoutine) -> CInt:
    """Calls a routine: from Python one argument takes a third of the time of six."""
    return c.routine(c.t, c.y, c.u, c.p, c.m, c.out)


@kernel
def evaluate_rows(
    routine: ModelRoutine,
    count: Int,
    t: Reals,
    y: Reals,
    y_width: Int,
    u: Reals,
    u_width: Int,
    p: Reals,
    p_width: Int,
    start: Reals,
    m: Reals,
    memory: Int,
    out: Reals,
    out_width: Int,
    done: Ints,
) -> CInt:
    """Calls a routine for each row with the start values of nonlinear blocks; `done` counts the rows before a failure.

    Rows of an array are its width apart: 0 where all rows share one.
    """
    for i in range(count):
        done[0] = i
        copy_numbers(memory, start, m)
        status = routine(
            t[i], tail(y, i * y_width), tail(u, i * u_width), tail(p, i * p_width), m, tail(out, i * out_width)
        )
        if status != 0:
            return status
    done[0] = count
    return 0


@kernel
def take_start_values(row: Int, rows: Reals, m: Reals, memory: Int) -> None:
    """Copies the start values of a row into m where they differ from those of the row before."""
    first = row * memory
    for i in range(memory):
        if row == 0 or rows[first + i] != rows[first + i - memory]:
            m[i] = rows[first + i]


@kernel
def variables_many(
    count: Int,
    t: Reals,
    y: Reals,
    u: Reals,
    p: Reals,
    m: Reals,
    out: Reals,
    done: Ints,
    rows: Reals,
    variables: ModelRoutine,
    states: Int,
    inputs: Int,
    memory: Int,
    stored: Int,
) -> CInt:
    """Calls `variables` for each row from done[0] on, which counts them; its status where that is not 0.

    Start values go from row to row, but where those in `rows` change.
    """
    for row in range(done[0], count):
        done[0] = row
        take_start_values(row, rows, m, memory)
        status = variables(t[row], tail(y, row * states), tail(u, row * inputs), p, m, tail(out, row * stored))
        if status != 0:
            return status
    done[0] = count
    return 0


@kernel
def nothing(t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:  # noqa: ARG001  # a `ModelRoutine`
    """Computes nothing, in the place of a routine that a model does not have."""
    return 0


KERNELS: tuple[Callable[..., object], ...] = (variables_many, call_bound, nothing)
"""Kernels that are the same for all models."""
