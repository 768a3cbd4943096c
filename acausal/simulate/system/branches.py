"""Tracked branches of a system's nonlinear blocks: their record is a part of m (`runtime/branches/branch_record`)."""

from typing import TYPE_CHECKING

from acausal.runtime.blocks.pivots import NEAR
from acausal.runtime.branches.branch_points import activate, drop_later
from acausal.runtime.branches.branch_record import BranchRecord, last_pivot
from acausal.runtime.branches.branch_slopes import departure, end_slope
from acausal.runtime.kernel.overlay import overlay

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable


class Branches:
    """Record behind the solutions in `m`; nothing is done where no block is tracked."""

    def __init__(self, executable: "Executable", m: "Array") -> None:
        self._executable, self._m = executable, m
        program = executable.program
        self.count = program.followed
        self._first, self._end = program.memory, program.work
        self._head = overlay(BranchRecord, m, self._first)

    def forget(self) -> None:
        """Forget all points."""
        if self._first:
            activate(self._m, self._first)

    def point_by_steps(self, by_steps: bool) -> None:
        """True if a solver reports the ends of its steps, by `System.end_step`, to predict solutions."""
        if self.count:
            self._head.by_steps = float(by_steps)

    def end_step(self, t: float) -> None:
        """The solutions in `memory` are those at the end of a step, at t."""
        self._executable.end_step(self._m, t)

    def drop_later(self, t: float) -> None:
        """Only the points before t remain."""
        drop_later(self._m, self._first, self.count, t)

    def is_rough(self, t: float) -> bool:
        """True if the solutions at t were not predicted well by the points before."""
        return self._executable.is_rough(self._m, t)

    def departs(self, t: float) -> bool:
        """True if a step to t is to be shorter, as a solution departs from its prediction."""
        return departure(self._m, self._first, self.count, t) >= 0

    def end_slope(self, t: float) -> None:
        """The solutions in `memory` are those of derivatives at t."""
        end_slope(self._m, self._first, self.count, t)

    @property
    def record(self) -> "Array":
        """Points of the branches, without workspace."""
        return self._m[self._first : self._end]

    @property
    def crossing(self) -> bool:
        """True if the run begins, or goes on from an event, where branches of nonlinear blocks cross."""
        return self.count > 0 and bool(self._head.crossing)

    @property
    def is_beside_center(self) -> bool:
        """True if blocks with several solutions were nearly singular when derivatives were solved last."""
        program = self._executable.program
        has_way = bool(program.moving or program.driven) or program.is_timed
        return self.count > 0 and has_way and not last_pivot(self._m, self._first, self.count) >= NEAR

    @property
    def is_after_event(self) -> bool:
        """True if derivatives have not been solved since an event."""
        return self.count > 0 and bool(self._head.after_event)

    def predict(self, t: float) -> None:
        """Bring `memory` to t, which the run has reached."""
        if self.count:
            self._executable.predict(self._m, t)
