"""Explicit steps of fixed length that are too long, found at no further evaluation.

The last stage of a step and its end belong to one time. From the difference of their derivatives beside that of their
states follows the rate of the fastest motion that takes part, as a multiple of the length of the step.
(E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., 1996, section IV.2, equation (2.26).)
States are measured by the largest values that they have had.
"""

from acausal.runtime.kernel.language import Int, Real, Reals, Struct, kernel

HEUN_LIMIT, RUNGE_KUTTA_LIMIT = 2.0, 2.785
"""Steps times decay rate up to which the methods are stable (same, section IV.2, figure 2.1)."""
ROUNDING = 1e-10
"""Relative differences of states below which their ratio says nothing."""
IN_A_ROW = 5
"""So many steps one after the other are beyond the limit before they count: a state may be small at its begin."""
LARGE = 0.6
"""With this share of a state between stage and end such a step counts at once: it follows no solution."""


class StepJudgement(Struct):
    """The number of steps that were too long; `beyond` the limit of stability are the last ones."""

    beyond: Int
    too_long: Int
    largest: Reals
    """The largest values of the states so far."""


@kernel
def judge_step(
    n: Int, h: Real, is_heun: Int, stage: Reals, stage_slope: Reals, end: Reals, end_slope: Reals, c: StepJudgement
) -> None:
    """Counts a step if it is too long.

    `stage` and `stage_slope` are states and derivatives of the last stage, `end` and `end_slope` those at the end of
    the step, all of n numbers.
    """
    states = 0.0
    slopes = 0.0
    for i in range(n):
        c.largest[i] = max(c.largest[i], abs(end[i]))
        if c.largest[i] > 0.0:
            states = max(states, abs(end[i] - stage[i]) / c.largest[i])
            slopes = max(slopes, h * abs(end_slope[i] - stage_slope[i]) / c.largest[i])
    limit = RUNGE_KUTTA_LIMIT if is_heun == 0 else HEUN_LIMIT
    c.beyond = c.beyond + 1 if states > ROUNDING and slopes > limit * states else 0
    if c.beyond >= IN_A_ROW or (c.beyond > 0 and slopes > LARGE):
        c.too_long += 1
