"""One step of fixed length by Heun's, the classical Runge-Kutta, or the implicit Euler method.

The equations of the implicit method are solved by Newton's method with a bounded number of iterations.
(E. Hairer, S. P. Noersett, G. Wanner, Solving Ordinary Differential Equations I, 1993, section II.1;
E. Hairer, G. Wanner, volume II, 1996, section IV.8.)
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.linear import factor_linear, solve_factored
from acausal.runtime.cvode.callbacks import note_failure
from acausal.runtime.cvode.cvode_context import Predict
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.evaluate import are_finite
from acausal.runtime.kernel.language import Int, Real, Reals, kernel, tail
from acausal.runtime.limits import DIFFERENCE, SMALL
from acausal.runtime.steps.stability import StepJudgement
from acausal.runtime.steps.time_steps import TimeSolver

HEUN, RUNGE_KUTTA, IMPLICIT_EULER = range(3)
UNSOLVED, NOT_FINITE = -4, -10
"""Statuses: the derivatives, or the equations of a step, have no solution; a state is no finite number."""
CONVERGED = 1e-10
"""A step of Newton's method below this share of the states is the last one."""
ACCEPTED = 1e-6
"""The same where the bound of iterations is reached."""


class FixedSolver(TimeSolver):
    """Steps of one length; `slopes` has room for four derivatives."""

    loop: LoopContext
    step: Real
    method: Int
    iterations: Int
    """Bound of Newton iterations in a step."""
    steps: Int
    """Made since the last beginning."""
    most_steps: Int
    """So many in one call."""
    made: Int
    """Steps and parts of steps since the host has set it to 0, and the most that it allows."""
    most_made: Int
    is_slope_known: Int
    """1 where `slope` belongs to the states where it is."""
    slope: Reals
    begin_time: Real
    begin_states: Reals
    begin_slope: Reals
    end_time: Real
    end_states: Reals
    end_slope: Reals
    """The last step."""
    stage: Reals
    slopes: Reals
    judgement: StepJudgement
    matrix: Reals
    """Room for n*n + n + 1 numbers; with the implicit method."""
    end_step: Predict
    """`branches/branch_slopes.end_step`, which is compiled for models with nonlinear blocks only."""


@kernel
def attempt_step(c: FixedSolver, end: Real) -> Int:
    """States and derivatives at the end of a step; status."""
    status = step_implicitly(c, end) if c.method == IMPLICIT_EULER else step_explicitly(c, end)
    return status if status != 0 else find_derivatives(c, end, c.end_states, c.end_slope)


@kernel
def find_derivatives(c: FixedSolver, t: Real, y: Reals, out: Reals) -> Int:
    """The derivatives into `out`; status."""
    e = c.loop
    e.record.calls += 1.0
    status = e.derivatives(t, y, e.u, e.p, e.m, out)
    if status != 0:
        note_failure(e, t, status)
        return UNSOLVED
    return 0 if are_finite(out, e.states) else NOT_FINITE


@kernel
def step_explicitly(c: FixedSolver, end: Real) -> Int:
    """A step by Heun's or the classical Runge-Kutta method, into `end_states`."""
    n = c.loop.states
    h = end - c.begin_time
    k1 = c.begin_slope
    k2 = c.slopes
    k3 = tail(c.slopes, n)
    k4 = tail(c.slopes, 2 * n)
    if c.method == HEUN:
        status = find_stage(c, h, k1, end, k2)
        for i in range(n):
            c.end_states[i] = c.begin_states[i] + 0.5 * h * (k1[i] + k2[i])
        return status
    middle = c.begin_time + 0.5 * h
    status = find_stage(c, 0.5 * h, k1, middle, k2)
    if status == 0:
        status = find_stage(c, 0.5 * h, k2, middle, k3)
    if status == 0:
        status = find_stage(c, h, k3, end, k4)
    for i in range(n):
        c.end_states[i] = c.begin_states[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    return status


@kernel
def find_stage(c: FixedSolver, h: Real, slope: Reals, t: Real, out: Reals) -> Int:
    """The derivatives at t, so far from the begin with this slope."""
    for i in range(c.loop.states):
        c.stage[i] = c.begin_states[i] + h * slope[i]
    return find_derivatives(c, t, c.stage, out)


@kernel
def step_implicitly(c: FixedSolver, end: Real) -> Int:
    """A step by the implicit Euler method, into `end_states`: y - h*f(y) = y at the begin."""
    n = c.loop.states
    h = end - c.begin_time
    residual = c.slopes
    for i in range(n):
        c.end_states[i] = c.begin_states[i] + h * c.begin_slope[i]
    status = fill_matrix(c, h, end)
    if status != 0:
        return status
    last = 0.0
    for _ in range(c.iterations):
        status = find_derivatives(c, end, c.end_states, c.end_slope)
        if status != 0:
            return status
        for i in range(n):
            residual[i] = c.begin_states[i] + h * c.end_slope[i] - c.end_states[i]
        if solve_factored(n, c.matrix, residual) != 0:
            return UNSOLVED
        last = 0.0
        for i in range(n):
            c.end_states[i] = c.end_states[i] + residual[i]
            last = max(last, abs(residual[i]) / max(abs(c.end_states[i]), scale_of(c, i)))
        if not last < float("inf"):
            return NOT_FINITE
        if last <= CONVERGED:
            return 0
    return 0 if last <= ACCEPTED else UNSOLVED


@kernel
def fill_matrix(c: FixedSolver, h: Real, end: Real) -> Int:
    """The factors of I - h*J by differences of the derivatives at `end_states`."""
    n = c.loop.states
    base = c.slopes
    moved = tail(c.slopes, n)
    status = find_derivatives(c, end, c.end_states, base)
    copy_numbers(n, c.end_states, c.stage)
    for j in range(n):
        if status != 0:
            return status
        wanted = DIFFERENCE * max(abs(c.end_states[j]), scale_of(c, j))
        c.stage[j] = c.end_states[j] + wanted
        width = c.stage[j] - c.end_states[j]
        status = find_derivatives(c, end, c.stage, moved)
        c.stage[j] = c.end_states[j]
        for i in range(n):
            entry = -h * ((moved[i] - base[i]) / width)
            c.matrix[i * n + j] = entry + 1.0 if i == j else entry
    if status != 0:
        return status
    return UNSOLVED if factor_linear(n, c.matrix) != 0 else 0


@kernel
def scale_of(c: FixedSolver, state: Int) -> Real:
    """A value below which a state counts as small."""
    at = c.loop.nominal_at[state]
    return abs(c.loop.p[at]) if at >= 0 else SMALL
