"""Nonlinear blocks followed along the steps of a solver in Python that reports their ends.

CVODE in machine code does the same by itself (`runtime/branches/tracked`); it takes smaller steps where blocks fail.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.simulate.system.follow_branch import follow

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.system.branches import Branches

    States = Callable[[float], Array]
    """The states within a step."""
    Slope = Callable[[float, Array, Array], int]
    """Derivatives at a time and states into an array; 0, or the number of a block that is not solved."""

PARTS = 4
"""A step is followed in so many parts where its end was predicted badly."""
JUMP, SAME = 0.1, 1e-6
"""Solutions at its end are the same if they differ by less, as a share of their change in it, or of themselves."""


class FollowedSteps:
    """The last two ends of steps, with their states; none where no solver reports them or no block is tracked.

    `m` begins with the solutions of the blocks; from `first` on it holds the record of the branches.
    """

    def __init__(self, branches: "Branches", m: "Array", first: int) -> None:
        self._branches, self._m, self._record = branches, m, m[first:]
        self._ends: list[tuple[float, Array]] = []

    def forget(self) -> None:
        """No step has been reported."""
        self._ends = []

    def __bool__(self) -> bool:
        """True if the ends of steps are reported."""
        return bool(self._ends)

    def begin(self, t: float, y: "Array", slope: "Slope") -> None:
        """A solver that reports the ends of its steps begins here; see `Branches.point_by_steps`."""
        self._branches.point_by_steps(True)
        self._ends = [(t, y.copy())] if self._branches.count else []
        if self._ends:
            slope(t, y, y.copy())

    def end(self, t: float, y: "Array", states: "States", slope: "Slope") -> bool:
        """False if a step to t, where the blocks are solved, has left the branch it was on."""
        is_rough = self._branches.is_rough(t)
        if is_rough:
            self._interpolate(t, states)
        on_branch = not is_rough or self._refine(t, y, states, slope)
        self._end_at(t, y)
        return on_branch

    def _end_at(self, t: float, y: "Array") -> None:
        self._branches.end_step(t)
        self._ends = [self._ends[-1], (t, y.copy())]

    def _interpolate(self, t: float, states: "States") -> None:
        """Have a solver evaluate now what it needs for states within its step: blocks lie between both of its ends."""
        kept = self._m.copy()
        self._branches.end_step(t)
        states(0.5 * (self._ends[-1][0] + t))
        self._m[:] = kept

    def _refine(self, t: float, y: "Array", states: "States", slope: "Slope") -> bool:
        """Points within a step, so that blocks are followed through it; False where that leads to other solutions."""
        count, out, begin = self._branches.count, y.copy(), self._ends[-1][0]
        found, first = self._m[:count].copy(), None
        for part in range(1, PARTS):
            middle = begin + part / PARTS * (t - begin)
            here = states(middle).copy()
            if not slope(middle, here, out):
                first = self._m[:count].copy() if first is None else first
                self._end_at(middle, here)
        if slope(t, y, out) or first is None:
            return True
        limit = JUMP * abs(found - first) + SAME * (1.0 + abs(found))
        return bool((abs(self._m[:count] - found) <= limit).all())

    def follow(self, t: float, y: "Array", solve: "Callable[[float, Array], bool]") -> bool:
        """True if blocks are solved at t by steps from the end of the last step before; `solve` solves them once."""
        before, start = max([end for end in self._ends if end[0] < t], key=lambda end: end[0], default=(t, y))
        record = self._record.copy()
        self._branches.point_by_steps(False)
        self._branches.drop_later(t)

        def go_on(share: float) -> bool:
            here = t if share == 1.0 else before + share * (t - before)
            return solve(here, start + share * (y - start))

        found = before < t and follow(go_on)
        self._record[:] = record
        if found:
            self._branches.end_slope(t)
        return found
