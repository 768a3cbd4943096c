"""One routine of a model for many rows."""

from acausal.runtime.kernel.language import CInt, Int, Ints, Reals, kernel, tail
from acausal.runtime.kernel.routines import ModelRoutine


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
        for j in range(memory):
            m[j] = start[j]
        status = routine(
            t[i], tail(y, i * y_width), tail(u, i * u_width), tail(p, i * p_width), m, tail(out, i * out_width)
        )
        if status != 0:
            return status
    done[0] = count
    return 0
