"""The tracked branches of a system's nonlinear blocks (`runtime/blocks/branch`): their record is a part of m."""

from typing import TYPE_CHECKING

from acausal.runtime.blocks.branch import BY_STEPS, CROSSING, RUN_BEGINS, end_slope, is_rough

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable


class Branches:
    """Record behind the solutions in `m`; nothing is done where no block is tracked."""

    def __init__(self, executable: "Executable", m: "Array") -> None:
        self._executable, self._m = executable, m
        program = executable.program
        self.count = program.followed
        self._first, self._end = program.memory, program.work

    def forget(self) -> None:
        """Forget all points."""
        if self._first:
            self._m[self._first : self._first + len(RUN_BEGINS)] = RUN_BEGINS

    def point_by_steps(self, by_steps: bool) -> None:
        """True if a solver reports the ends of its steps, by `System.end_step`, to predict solutions."""
        if self.count:
            self._m[self._first + BY_STEPS] = float(by_steps)

    def end_step(self, t: float) -> None:
        """The solutions in `memory` are those at the end of a step, at t."""
        self._executable.end_step(self._m, t)

    def is_rough(self, t: float) -> bool:
        """True if the solutions at t were not predicted well by the points before."""
        return bool(is_rough(self._m, self._first, self.count, t))

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
        return self.count > 0 and bool(self._m[self._first + CROSSING])

    def predict(self, t: float) -> None:
        """Bring `memory` to t, which the run has reached."""
        if self.count:
            self._executable.predict(self._m, t)
