"""Newton's matrix of many states that all act on each other, in place of CVODE's own.

    int newton_system(double t, N_Vector y, N_Vector dydt, SUNMatrix M, int is_kept, int *is_new, double gamma,
                      void *user, N_Vector, N_Vector, N_Vector)

CVODE asks for I - gamma J at least every 20 steps, and makes it from a copy of all n^2 entries. Here that takes a few
operations for each state where the Jacobian is a diagonal and an outer product (`matrix_sum`).
(SUNDIALS 7, cvode_ls.h: CVLsLinSysFn.)
"""

from acausal.runtime.cvode.callbacks import cvode_slope
from acausal.runtime.cvode.cvode_context import CvodeContext, Vector
from acausal.runtime.cvode.jacobian import exact_jacobian
from acausal.runtime.cvode.matrix_sum import make_matrix, split_sum
from acausal.runtime.kernel.language import Address, CInt, CInts, Real, kernel, tail
from acausal.runtime.limits import DIFFERENCE
from acausal.runtime.step_limits import absolute_tolerance


@kernel
def newton_system(
    t: Real,
    y: Vector,
    slope: Vector,
    matrix: Address,
    is_kept: CInt,
    is_new: CInts,
    gamma: Real,
    c: CvodeContext,
    room: Vector,
    second_room: Address,
    third_room: Address,
) -> CInt:
    """I - gamma J, with the last Jacobian if `is_kept`; its result is that of CVLsLinSysFn."""
    n = c.newton
    is_new[0] = 1 - int(is_kept)
    if is_new[0] != 0:
        if n.has_exact != 0:
            status = exact_jacobian(t, y, slope, matrix, c, second_room, second_room, third_room)
        else:
            status = dense_by_differences(t, y, slope, c, room)
        if status != 0:
            return status
        n.is_sum = 1 if split_sum(n) else 0
    make_matrix(n, gamma)
    return 0


@kernel
def dense_by_differences(t: Real, y: Vector, slope: Vector, c: CvodeContext, room: Vector) -> CInt:
    """The Jacobian, column by column; the status of the derivatives."""
    n = c.newton
    here = slope.content.values
    moved = room.content.values
    states = y.content.values
    for j in range(n.size):
        state = states[j]
        states[j] = state + DIFFERENCE * max(absolute_tolerance(c.p, c.nominal_at[j], 1.0), abs(state))
        step = states[j] - state
        status = cvode_slope(t, y, room, c)
        states[j] = state
        if status != 0:
            return status
        column = tail(n.jacobian, j * n.size)
        for i in range(n.size):
            column[i] = (moved[i] - here[i]) / step
    return 0
