"""Functions that CVODE calls, and its way to one time: no Python runs at a step.

    int cvode_slope(double t, N_Vector y, N_Vector dydt, void *user)
    int cvode_crossings(double t, N_Vector y, double *out, void *user)

`user` is a `CvodeContext`, by which nothing here depends on the model. A failure is recoverable, so that CVODE tries a
smaller step, unless a function of the host has failed. It is final where steps no longer change the time: a solution
that grows without bound would go on there up to 1e150, and might come out on the other side of its pole.
(SUNDIALS 7, cvode.h, nvector_serial.h.)
"""

from collections.abc import Callable

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.context import SolverRecord
from acausal.runtime.cvode.cvode_context import CvodeContext, Vector
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel
from acausal.runtime.limits import ILL_CONDITIONED, NEARLY_ILL_CONDITIONED, ROUNDING, STALLED

NORMAL, TOO_MUCH_WORK = 1, -1
"""CVODE's way to be called, and its status behind as many steps as it may take in a call."""
ILL_CONDITIONED_STATES = 1000
"""Status where states are ill-conditioned, which CVode never says."""
EVERY = 4
"""Steps after which states are judged, at most twice as many."""
TURNS = 1250
"""So often CVode is called again for one output time: between calls Python sees whether the user wants to stop."""


@kernel
def cvode_slope(t: Real, y: Vector, slope: Vector, c: CvodeContext) -> CInt:
    """dy/dt; its result is that of CVRhsFn."""
    c.record.calls += 1.0
    if is_stalled(c.record, c.states, t):
        return -1
    out = slope.content.values
    if c.is_ordered == 0:
        status = c.derivatives(t, y.content.values, c.u, c.p, c.m, out)
    else:
        gather_numbers(c.states, y.content.values, c.place, c.model_states)
        status = c.derivatives(t, c.model_states, c.u, c.p, c.m, c.model_slopes)
    if status != 0:
        return note_failure(c, t, status)
    if c.is_ordered != 0:
        gather_numbers(c.states, c.model_slopes, c.order, out)
    total = 0.0
    for i in range(c.states):
        total += out[i] * 0.0
    return 0 if total == 0.0 else 1


@kernel
def is_stalled(record: SolverRecord, states: Int, t: Real) -> Bool:
    """True if so many calls in a row were for one time that steps no longer change it.

    Times that differ by rounding are one: beside a fold steps of a rounding error would never stop.
    """
    if abs(t - record.last_time) <= ROUNDING * abs(t):
        record.repeated += 1.0
    else:
        record.last_time = t
        record.repeated = 0.0
    return record.repeated > float(4 * states + STALLED)


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
    c.watched_values[c.crossing_count] = t
    if t == c.starts[c.crossing_count]:
        copy_numbers(c.crossing_count, c.starts, out)
        copy_numbers(c.crossing_count, c.starts, c.watched_values)
        if c.has_hidden != 0:
            c.search_step(c.hidden_search, t, 1, out)
        return 0
    if c.is_ordered == 0:
        status = c.crossings(t, y.content.values, c.u, c.p, c.m, out)
    else:
        gather_numbers(c.states, y.content.values, c.place, c.model_states)
        status = c.crossings(t, c.model_states, c.u, c.p, c.m, out)
    for i in range(c.crossing_count):
        out[i] += c.offset[i]
        c.watched_values[i] = out[i]
    if status != 0:
        return note_failure(c, t, status)
    if c.has_hidden != 0:
        c.search_step(c.hidden_search, t, 0, out)
    return 0


@kernel
def cvode_advance(c: CvodeContext, t: Real) -> CInt:
    """CVODE to a time; its status. Where states were selected they are judged on the way.

    At output times, unless they were judged less than EVERY steps ago, and after so many steps, for which CVode then
    says that it is too much work; where they may soon be ill-conditioned, after each step.
    """
    turn = 0
    while True:
        status = c.solve(c.cvode, t, c.vector, c.reached, NORMAL)
        if c.is_monitored == 0 or (status != 0 and status != TOO_MUCH_WORK):
            return status
        if is_ill_conditioned(c, c.reached[0]):
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
        gather_numbers(c.states, c.numbers, c.place, c.model_states)
        status = c.choices(t, c.model_states, c.u, c.p, c.m, c.choice_results)
    if status != 0:
        note_failure(c, t, status)
        return ILL_CONDITIONED
    return c.monitor(c.choice_results, c.selections)


KERNELS: tuple[Callable[..., object], ...] = (cvode_slope, cvode_crossings, cvode_advance)
"""Kernels called from outside."""
