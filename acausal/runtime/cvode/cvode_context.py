"""The structure that functions called by CVODE work on, and CVODE's own functions.

(SUNDIALS 7, cvode.h, cvode_ls.h, nvector_serial.h.)
"""

from typing import Protocol

from acausal.runtime.branches.moved_routine import TrackedRoutine
from acausal.runtime.context import EventContext
from acausal.runtime.kernel.language import Address, CInt, CInts, Int, Ints, Real, Reals, Struct
from acausal.runtime.kernel.routines import ModelRoutine


class VectorContent(Struct):
    """The content of a serial N_Vector with indices of 32 bits."""

    length: Int
    """And, in its upper half, the owner of the numbers."""
    values: Reals


class Vector(Struct):
    """N_Vector."""

    content: VectorContent


class StateMonitor(Protocol):
    """The verdict on states by the results of the routine `choices`."""

    def __call__(self, results: Reals, selections: Address, /) -> CInt:
        """Verdict."""
        ...


class SetCount(Protocol):
    """A function of CVODE that takes a number."""

    def __call__(self, cvode: Address, count: Int, /) -> CInt:
        """Status."""
        ...


class SparsePlaces(Struct):
    """The rows (`indices`) and beginnings of columns (`pointers`) of a sparse matrix, here and as SUNDIALS has them."""

    indices: CInts
    indices_there: CInts
    index_count: Int
    pointers: CInts
    pointers_there: CInts
    pointer_count: Int
    filled: Int
    """So often the matrix was filled."""


class DifferencesContext(SparsePlaces):
    """A Jacobian by differences: the entries of column j are those from `first_of_column[j]` on in `rows`."""

    group_count: Int
    first_of_group: Ints
    columns: Ints
    first_of_column: Ints
    rows: Ints
    scales: Reals
    """Values below which states count as small."""
    moved: Reals
    slopes: Reals
    values: Reals
    """The matrix' numbers, column by column."""


class ExactContext(SparsePlaces):
    """An exact Jacobian: entry k goes to place `places[k]` of `values`, the matrix' numbers."""

    tangent: ModelRoutine
    motion: TrackedRoutine
    """Of the derivatives: how states move to a point where blocks are regular."""
    given: Reals
    states: Reals
    """Room for the states in the order of the model, and for those at which the routine is evaluated."""
    memory: Reals
    """Memory of the routine, with the start values of the run."""
    entry_count: Int
    entries: Reals
    places: Ints
    values: Reals


class SetUp(Protocol):
    """SUNLinSolSetup of LAPACK."""

    def __call__(self, solver: Address, matrix: Address, /) -> CInt:
        """Status."""
        ...


class NewtonContent(Struct):
    """The content of the solver of a dense Newton matrix M = I - gamma*J, J = diag(d) + l r' where `is_sum`.

    It begins as that of LAPACK's solver, which serves M where that is no such sum.
    """

    length: Int
    pivots: Address
    last_flag: Int
    solver: Address
    set_up: SetUp
    solve: Ints
    """Where the solver has its function to solve."""
    by_factors: Int
    by_sum: Int
    """The addresses of LAPACK's function and of `solve_sum`."""
    size: Int
    has_exact: Int
    """1 where the Jacobian is exact, else it is made by differences."""
    entries: Reals
    """M, column by column, where it is factored."""
    jacobian: Reals
    """J, column by column."""
    is_sum: Int
    left: Reals
    right: Reals
    errors: Reals
    """Of each row of J, beside the sum, without the diagonal."""
    gamma: Real
    diagonal: Reals
    """The diagonal of M without the outer product."""
    is_regular: Int
    """1 where M is solved as a sum."""
    one_plus: Real
    """1 - gamma r' diag(diagonal)^-1 l."""


class Solve(Protocol):
    """CVode."""

    def __call__(self, cvode: Address, goal: Real, vector: Address, reached: Reals, task: CInt, /) -> CInt:
        """Status."""
        ...


class SetTime(Protocol):
    """A function of CVODE that takes a time."""

    def __call__(self, cvode: Address, time: Real, /) -> CInt:
        """Status."""
        ...


class RootInfo(Protocol):
    """CVodeGetRootInfo."""

    def __call__(self, cvode: Address, roots: CInts, /) -> CInt:
        """Status."""
        ...


class Reinit(Protocol):
    """CVodeReInit."""

    def __call__(self, cvode: Address, t: Real, vector: Address, /) -> CInt:
        """Status."""
        ...


class Count(Protocol):
    """A function of CVODE that counts something."""

    def __call__(self, cvode: Address, count: Ints, /) -> CInt:
        """Status."""
        ...


class Interpolate(Protocol):
    """CVodeGetDky: derivative `order` of the states at a time in the last step."""

    def __call__(self, cvode: Address, t: Real, order: CInt, vector: Address, /) -> CInt:
        """Status."""
        ...


class Predict(Protocol):
    """`branches/branch_results.predict`, which is compiled for models with nonlinear blocks only."""

    def __call__(self, m: Reals, base: Int, count: Int, t: Real, /) -> None:
        """Start values of blocks at a time."""
        ...


class SearchStep(Protocol):
    """`hidden_steps.search_step`, which is compiled for models with crossings of unknown turning points only."""

    def __call__(self, search: Address, t: Real, is_begin: Int, out: Reals, /) -> None:
        """Look for two crossings in the step up to a time."""
        ...


class CvodeContext(EventContext):
    """A system and its solver; without events only few of the fields before these are used."""

    place: Ints
    """Where a state stands in CVODE's vectors."""
    order: Ints
    """State at that place."""
    is_ordered: Int
    """1 where CVODE has another order, to have a narrow Jacobian."""
    model_states: Reals
    model_slopes: Reals
    """Room for numbers in the order of the model."""
    differences: DifferencesContext
    exact: ExactContext
    """Each null unless it fills the Jacobian in place of CVODE (`runtime/cvode/jacobian`)."""
    choices: ModelRoutine
    followed: Int
    """So many numbers of memory are solutions that the derivatives follow."""
    predict: Predict
    address: Address
    """The address of this structure, for kernels that are called by theirs."""
    # the solver
    cvode: Address
    vector: Address
    numbers: Reals
    """Numbers of the vector."""
    reached: Reals
    """The time that it has reached."""
    counted: Ints
    solve: Solve
    count_steps: Count
    set_most_steps: SetCount
    # states that were selected
    is_monitored: Int
    choice_results: Reals
    selections: Address
    monitor: StateMonitor
    judged_at: Int
    """The number of steps behind which states were judged last."""
    # states within a step, of delays and of hidden crossings
    interpolate: Interpolate
    between: Address
    """A vector for states in a step, whose numbers are `between_there`."""
    between_there: Reals
    has_hidden: Int
    """1 where root functions have unknown turning points."""
    search_step: SearchStep
    hidden_search: Address
    """A `HiddenSearch`."""
    newton: NewtonContent
    """Null unless the Newton matrix is dense and large."""
