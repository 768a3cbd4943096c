"""Functions that CVODE calls, and the loop over output times: no Python runs at a step.

    int cvode_slope(double t, N_Vector y, N_Vector dydt, void *user)
    int cvode_crossings(double t, N_Vector y, double *out, void *user)

`user` is a `CvodeContext`, by which nothing here depends on the model. A failure is recoverable, so that CVODE tries a
smaller step, unless a function of the host has failed. It is final where steps no longer change the time: a solution
that grows without bound would go on there up to 1e150, and might come out on the other side of its pole.
(SUNDIALS 7, cvode.h, nvector_serial.h.)
"""

from collections.abc import Callable
from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.blocks.branch import predict
from acausal.runtime.blocks.tracked import TrackedRoutine
from acausal.runtime.context import Count, Solve, SolverRecord
from acausal.runtime.kernel.language import Address, Bool, CInt, CInts, Int, Ints, Real, Reals, Struct, kernel
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.runtime.limits import ILL_CONDITIONED, NEARLY_ILL_CONDITIONED, ROUNDING, STALLED

NORMAL, TOO_MUCH_WORK = 1, -1
"""CVODE's way to be called, and its status behind as many steps as it may take in a call."""
ILL_CONDITIONED_STATES = 1000
"""Status where states are ill-conditioned, which CVode never says."""
EVERY = 4
"""Steps after which states are judged, at most twice as many."""
TURNS = 1250
"""So often CVode is called again for one output time: between calls Python sees whether the user wants to stop."""


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


class CvodeContext(Struct):
    """A system and its solver."""

    u: Reals
    p: Reals
    m: Reals
    offset: Reals
    """Of each root function, as in `EventContext`."""
    record: SolverRecord
    place: Ints
    """Where a state stands in CVODE's vectors; null where they are in the same order."""
    order: Ints
    """State at that place."""
    is_ordered: Int
    """1 where CVODE has another order, to have a narrow Jacobian."""
    states: Reals
    slopes: Reals
    """Room for numbers in the order of the model."""
    differences: DifferencesContext
    exact: ExactContext
    """Each null unless it fills the Jacobian in place of CVODE (`runtime/jacobian`)."""
    watched: Reals
    """Root functions as CVODE has seen them last, and their time."""
    starts: Reals
    """Root functions as CVODE is given them where it begins, and the time."""
    derivatives: ModelRoutine
    crossings: ModelRoutine
    choices: ModelRoutine
    state_count: Int
    memory_count: Int
    crossing_count: Int
    followed: Int
    """So many numbers of m are solutions that the derivatives follow."""
    # the solver
    cvode: Address
    vector: Address
    numbers: Reals
    """Numbers of the vector."""
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


@kernel
def cvode_slope(t: Real, y: Vector, slope: Vector, c: CvodeContext) -> CInt:
    """dy/dt; its result is that of CVRhsFn."""
    c.record.calls += 1.0
    if is_stalled(c, t):
        return -1
    out = slope.content.values
    if c.is_ordered == 0:
        status = c.derivatives(t, y.content.values, c.u, c.p, c.m, out)
    else:
        gather_numbers(c.state_count, y.content.values, c.place, c.states)
        status = c.derivatives(t, c.states, c.u, c.p, c.m, c.slopes)
    if status != 0:
        return note_failure(c, t, status)
    if c.is_ordered != 0:
        gather_numbers(c.state_count, c.slopes, c.order, out)
    total = 0.0
    for i in range(c.state_count):
        total += out[i] * 0.0
    return 0 if total == 0.0 else 1


@kernel
def is_stalled(c: CvodeContext, t: Real) -> Bool:
    """True if so many calls in a row were for one time that steps no longer change it.

    Times that differ by rounding are one: beside a fold steps of a rounding error would never stop.
    """
    if abs(t - c.record.last_time) <= ROUNDING * abs(t):
        c.record.repeated += 1.0
    else:
        c.record.last_time = t
        c.record.repeated = 0.0
    return c.record.repeated > float(4 * c.state_count + STALLED)


@kernel
def note_failure(c: CvodeContext, t: Real, status: Int) -> Int:
    """Notes the block that was not solved; 1 so that CVODE tries again, -1 so that it gives up."""
    if status < 0:
        return -1
    c.record.failed_block = float(status)
    c.record.failed_time = t
    return 1


@kernel
def cvode_crossings(t: Real, y: Vector, out: Reals, c: CvodeContext) -> CInt:
    """Root functions with their offsets; where CVODE begins, as `starts` has them."""
    c.watched[c.crossing_count] = t
    if t == c.starts[c.crossing_count]:
        copy_numbers(c.crossing_count, c.starts, out)
        copy_numbers(c.crossing_count, c.starts, c.watched)
        return 0
    if c.is_ordered == 0:
        status = c.crossings(t, y.content.values, c.u, c.p, c.m, out)
    else:
        gather_numbers(c.state_count, y.content.values, c.place, c.states)
        status = c.crossings(t, c.states, c.u, c.p, c.m, out)
    for i in range(c.crossing_count):
        out[i] += c.offset[i]
        c.watched[i] = out[i]
    return 0 if status == 0 else note_failure(c, t, status)


@kernel
def cvode_advance(c: CvodeContext, t: Real, reached: Reals) -> CInt:
    """CVODE to a time; its status. Where states were selected they are judged on the way.

    At output times, unless they were judged less than EVERY steps ago, and after so many steps, for which CVode then
    says that it is too much work; where they may soon be ill-conditioned, after each step.
    """
    turn = 0
    while True:
        status = c.solve(c.cvode, t, c.vector, reached, NORMAL)
        if c.is_monitored == 0 or (status != 0 and status != TOO_MUCH_WORK):
            return status
        if is_ill_conditioned(c, reached[0]):
            return ILL_CONDITIONED_STATES
        turn += 1
        if status == 0 or turn >= TURNS:
            return status


@kernel
def is_ill_conditioned(c: CvodeContext, t: Real) -> Bool:
    """True if states are ill-conditioned, if it is time to judge them."""
    c.counted[0] = 0
    c.count_steps(c.cvode, c.counted)
    steps = c.counted[0]
    if steps - c.judged_at < EVERY:
        return False
    verdict = judge_states(c, t)
    c.judged_at = steps - (EVERY - 1 if verdict == NEARLY_ILL_CONDITIONED else 0)
    c.set_most_steps(c.cvode, 1 if verdict == NEARLY_ILL_CONDITIONED else EVERY)
    return verdict == ILL_CONDITIONED


@kernel
def judge_states(c: CvodeContext, t: Real) -> Int:
    """The verdict at a time, where CVODE's vector has the states."""
    if c.is_ordered == 0:
        status = c.choices(t, c.numbers, c.u, c.p, c.m, c.choice_results)
    else:
        gather_numbers(c.state_count, c.numbers, c.place, c.states)
        status = c.choices(t, c.states, c.u, c.p, c.m, c.choice_results)
    if status != 0:
        note_failure(c, t, status)
        return ILL_CONDITIONED
    return c.monitor(c.choice_results, c.selections)


@kernel
def cvode_rows(
    c: CvodeContext, times: Reals, count: Int, reached: Reals, states: Reals, memory: Reals, done: Ints
) -> CInt:
    """States and memory at one time after the other, until CVODE says anything but success; `done` counts them."""
    for row in range(count):
        done[0] = row
        status = cvode_advance(c, times[row], reached)
        if status != 0:
            return status
        if c.followed > 0:
            predict(c.m, c.memory_count, c.followed, times[row])
        for i in range(c.state_count):
            states[row * c.state_count + i] = c.numbers[i] if c.is_ordered == 0 else c.numbers[c.place[i]]
        for i in range(c.memory_count):
            memory[row * c.memory_count + i] = c.m[i]
    done[0] = count
    return 0


KERNELS: tuple[Callable[..., object], ...] = (cvode_slope, cvode_crossings, cvode_advance, cvode_rows)
"""Kernels called from outside."""
