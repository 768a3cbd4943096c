"""Jacobians of the derivatives as CVODE has them computed: by differences, and exactly.

    int jacobian(double t, N_Vector y, N_Vector dydt, SUNMatrix J, void *user, N_Vector, N_Vector, N_Vector)

By differences, for sparse matrices: no two columns of a group have an entry in the same row, so that one evaluation of
the derivatives gives them all. Exactly: what `codegen/tangent` computes, brought to its places in any matrix. There
what is no finite number counts as 0, as the slope of a square root at 0: a Jacobian only leads Newton's method.
SUNDIALS has cleared the matrix before, the places of a sparse one with it. (SUNDIALS 7, cvode_ls.h.)
"""

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.branches.beside import take_regular_point
from acausal.runtime.cvode.callbacks import note_failure
from acausal.runtime.cvode.cvode_context import CvodeContext, DifferencesContext, ExactContext, SparsePlaces, Vector
from acausal.runtime.kernel.language import Address, CInt, Int, Real, Reals, kernel, tail
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
        move_group(d, group, y.content.values)
        status = c.derivatives(t, d.moved, c.u, c.p, c.m, d.slopes)
        if status != 0:
            return note_failure(c, t, status)
        take_group(d, group, y.content.values, slope.content.values)
    copy_places(d)
    c.record.calls += float(d.group_count)
    return 0


@kernel
def move_group(d: DifferencesContext, group: Int, y: Reals) -> None:
    """The states of a group of columns, moved for their differences."""
    for number in range(d.first_of_group[group], d.first_of_group[group + 1]):
        column = d.columns[number]
        d.moved[column] = y[column] + DIFFERENCE * max(d.scales[column], abs(y[column]))


@kernel
def take_group(d: DifferencesContext, group: Int, y: Reals, slope: Reals) -> None:
    """The entries of a group of columns from the slopes where their states are moved, and the states back."""
    for number in range(d.first_of_group[group], d.first_of_group[group + 1]):
        column = d.columns[number]
        step = d.moved[column] - y[column]
        d.moved[column] = y[column]
        for entry in range(d.first_of_column[column], d.first_of_column[column + 1]):
            row = d.rows[entry]
            d.values[entry] = (d.slopes[row] - slope[row]) / step


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
    if c.is_ordered == 0:
        copy_numbers(c.states, y.content.values, e.given)
    else:
        gather_numbers(c.states, y.content.values, c.place, e.given)
    status = exact_entries(e, t, c.u, c.p, c.m, c.memory)
    if status != 0:
        return note_failure(c, t, status)
    for k in range(e.entry_count):
        e.values[e.places[k]] = e.entries[k]
    copy_places(e)
    return 0


@kernel
def exact_entries(e: ExactContext, t: Real, u: Reals, p: Reals, m: Reals, memory: Int) -> CInt:
    """The entries at the states `given`, start values those of m; the status of the routine."""
    copy_numbers(memory, m, e.memory)
    work = tail(m, e.motion.interpolation_start)
    at = take_regular_point(e.motion, t, e.given, m, work, e.states, e.memory)
    status = e.tangent(at, e.states, u, p, e.memory, e.entries)
    for k in range(e.entry_count):
        if e.entries[k] - e.entries[k] != 0.0:
            e.entries[k] = 0.0
    return status


@kernel
def copy_places(s: SparsePlaces) -> None:
    """The places of a sparse matrix' entries, which SUNDIALS has cleared; the matrix is filled once more."""
    for i in range(s.index_count):
        s.indices_there[i] = s.indices[i]
    for i in range(s.pointer_count):
        s.pointers_there[i] = s.pointers[i]
    s.filled += 1
