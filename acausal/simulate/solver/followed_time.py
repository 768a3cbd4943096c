"""Nonlinear blocks of a model without states, followed through time.

No solver's error limits the steps: they are as long as each solution agrees with its prediction by the points before
(`runtime/blocks/branch_slopes`). A step is halved where it does not or a block is not solved, else the next is doubled.
"""

from math import ceil
from typing import TYPE_CHECKING

from acausal.simulate.solver.integrator import StuckError
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

FIRST = 1e-4
"""The first step, where no prediction can be judged yet, as a share of the way."""
SHORTEST = 2.0**-40
"""A step as short, as a share of the way, is not made shorter."""
RESOLUTION = 2.0**-50
"""The same as a share of the time."""
SHORTER = 2.0**-6
"""A bad prediction makes a step no shorter than this share of the last one: a near point improves the next one."""
LONGER = 4.0
"""So many times as long as before is the next one that is not made shorter, where none helps: there is a kink."""
JUMP = 1e-6
"""An input that changes by more within the shortest step, as a share, jumps there: solutions may do so, too."""


class FollowedTime:
    """Goes from time to time; it does nothing where no block is tracked."""

    def __init__(self, system: System, y: "Array") -> None:
        self._system, self._y = system, y
        self._t, self._step, self._last = 0.0, 0.0, 0.0

    def begin(self, t: float) -> None:
        """The run begins at t, or goes on from an event there."""
        system = self._system
        self._t, self._step = t, 0.0
        if system.branches.count:
            system.branches.point_by_steps(True)
            if system.slope(t, self._y, self._y.copy()):
                raise StuckError("", t, self._y)

    def go_on(self, end: float) -> None:
        """Solve the blocks at times up to `end`, by steps of equal length while none is rejected."""
        branches, out = self._system.branches, self._y.copy()
        way = end - self._t
        if not branches.count or not way > 0.0:
            return
        is_first, step = self._step == 0.0, self._step or FIRST * way
        shortest = floor = max(SHORTEST * way, RESOLUTION * abs(end))
        while self._t < end:
            left = end - self._t
            goal = end if step >= left else self._t + left / ceil(left / step)
            taken = goal - self._t
            if self._system.slope(goal, self._y, out):
                if taken > shortest:
                    step = 0.5 * taken
                    continue
                self._jump(goal)
            elif not is_first and branches.is_rough(goal):
                if taken > max(floor, SHORTER * self._last):
                    step = 0.5 * taken
                    continue
                floor *= LONGER
            else:
                floor = max(shortest, 0.5 * floor)
            branches.end_step(goal)
            self._last = taken
            self._t, is_first, step = goal, False, max(step, 2.0 * taken)
        self._step = step

    def _jump(self, goal: float) -> None:
        """Where an input jumps solutions go on free of the points before; else a branch ends."""
        import numpy as np

        system = self._system
        system.fill_inputs(self._t)
        before = system.arrays[0].copy()
        system.fill_inputs(goal)
        after = system.arrays[0]
        if not np.any(abs(after - before) > JUMP * (abs(before) + abs(after))):
            raise StuckError("", self._t, self._y)
        system.branches.predict(self._t)
        system.branches.forget()
        if system.slope(goal, self._y, self._y.copy()):
            raise StuckError("", self._t, self._y)
