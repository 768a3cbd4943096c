"""Jacobians of the derivatives as CVODE has them computed: by differences, and exactly.

    int jacobian(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

By differences, for sparse matrices: no two columns of a group have an entry in the same row, so that one evaluation of
the derivatives gives them all. Exactly: what `codegen/tangent` computes, brought to its places in any matrix. There
what is no finite number counts as 0, as the slope of a square root at 0: a Jacobian only leads Newton's method.
SUNDIALS has cleared the matrix before, the places of a sparse one with it. (SUNDIALS 7, cvode_ls.h.)
"""

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.blocks.beside import take_regular_point
from acausal.runtime.cvode import note_failure
from acausal.runtime.cvode_context import CvodeContext, SparsePlaces, Vector
from acausal.runtime.kernel.language import Address, CInt, Int, Real, kernel, tail
from acausal.runtime.limits import DIFFERENCE


@kernel
def jacobian_by_differences(
    t: Real,
    y: Vector,
    slope: Vector,
    matrix: Address,  # noqa: ARG001 - as CVODE calls
    c: CvodeContext,
    first_room: Address,  # noqa: ARG001
    second_room: Address,  # noqa: ARG001
    third_room: Address,  # noqa: ARG001
) -> CInt:
    """The sparse Jacobian by differences of groups of columns; its result is that of CVLsJacFn."""
    d = c.differences
    copy_numbers(c.states, y.content.values, d.moved)
    for group in range(d.group_count):
        for number in range(d.first_of_group[group], d.first_of_group[group + 1]):
            column = d.columns[number]
            x = y.content.values[column]
            d.moved[column] = x + DIFFERENCE * max(d.scales[column], abs(x))
        status = c.derivatives(t, d.moved, c.u, c.p, c.m, d.slopes)
        if status != 0:
            return note_failure(c, t, status)
        for number in range(d.first_of_group[group], d.first_of_group[group + 1]):
            take_column(c, y, slope, d.columns[number])
    copy_places(d)
    c.record.calls += float(d.group_count)
    return 0


@kernel
def take_column(c: CvodeContext, y: Vector, slope: Vector, column: Int) -> None:
    """The entries of a column from the slopes where its state is moved, and the state back."""
    d = c.differences
    step = d.moved[column] - y.content.values[column]
    d.moved[column] = y.content.values[column]
    for entry in range(d.first_of_column[column], d.first_of_column[column + 1]):
        row = d.rows[entry]
        d.values[entry] = (d.slopes[row] - slope.content.values[row]) / step


@kernel
def exact_jacobian(
    t: Real,
    y: Vector,
    slope: Vector,  # noqa: ARG001 - as CVODE calls
    matrix: Address,  # noqa: ARG001
    c: CvodeContext,
    first_room: Address,  # noqa: ARG001
    second_room: Address,  # noqa: ARG001
    third_room: Address,  # noqa: ARG001
) -> CInt:
    """The exact Jacobian; its result is that of CVLsJacFn."""
    e = c.exact
    copy_numbers(c.memory, c.m, e.memory)
    if c.is_ordered == 0:
        copy_numbers(c.states, y.content.values, e.given)
    else:
        gather_numbers(c.states, y.content.values, c.place, e.given)
    work = tail(c.m, e.motion.interpolation_start)
    at = take_regular_point(e.motion, t, e.given, c.m, work, e.states, e.memory)
    status = e.tangent(at, e.states, c.u, c.p, e.memory, e.entries)
    if status != 0:
        return note_failure(c, t, status)
    for k in range(e.entry_count):
        entry = e.entries[k]
        e.values[e.places[k]] = entry if entry - entry == 0.0 else 0.0
    copy_places(e)
    return 0


@kernel
def copy_places(s: SparsePlaces) -> None:
    """The places of a sparse matrix' entries, which SUNDIALS has cleared; the matrix is filled once more."""
    for i in range(s.index_count):
        s.indices_there[i] = s.indices[i]
    for i in range(s.pointer_count):
        s.pointers_there[i] = s.pointers[i]
    s.filled += 1
