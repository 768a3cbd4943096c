"""The solution between two rows, on the cubic through them (Hermite), and a divisor there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.simulate.rows.divisor_values import Points, values_at
from acausal.simulate.rows.divisors import Divisor, divisors_of, has_solutions, needed_for
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SMOOTH, SMALL = 10.0, 1e-3
"""Way by the rate at a row, as a share of the change between the rows and of the largest state."""


class Between:
    """The way from row `ends[0]` of the points to row `ends[1]`; `size` is the largest state so far.

    Where the rate at a row is that of a pole the way is a line. `frozen` are the frozen values there, `memory` the
    solutions of blocks at both rows, which blocks are solved from where the divisor depends on them.
    """

    def __init__(
        self,
        system: System,
        divisor: Divisor,
        points: Points,
        ends: tuple[int, int],
        frozen: "Array",
        memory: "tuple[Array, Array]",
        size: float,
    ) -> None:
        import numpy as np

        self._system, self._divisor, self._frozen, self._memory, self.size = system, divisor, frozen, memory, size
        self._needed, self._columns = needed_for(system.program, divisor), divisors_of(system.executable).columns
        self.has_solutions = has_solutions(system.program, self._needed)
        self._begin, end = points.times[list(ends)].tolist()
        self._states = points.states[ends[0]]
        self._change: Array = points.states[ends[1]] - self._states
        self.width: float = end - self._begin
        self._bends: Array = np.zeros((2, len(self._change)))
        with np.errstate(all="ignore"):
            rates = [self.rates(share) for share in (0.0, 1.0)]
            bends = [0.0 * self._change if rate is None else self.width * rate - self._change for rate in rates]
        if all((np.abs(bend) <= SMOOTH * np.abs(self._change) + SMALL * size).all() for bend in bends):
            self._bends = np.array(bends)

    @property
    def change(self) -> "Array":
        """The change of the states."""
        return self._change

    @property
    def program(self) -> Program:
        """The program of the system."""
        return self._system.program

    @property
    def divisor(self) -> Divisor:
        """The divisor in question."""
        return self._divisor

    def values(self, shares: Sequence[float]) -> "Array":
        """The divisor at shares of the way; of a matrix the sign of its determinant."""
        import numpy as np

        points = [self._at(share) for share in shares]
        rows = Points(*[np.array(column) for column in zip(*points, strict=True)])
        program, p = self._system.program, self._system.arrays[1]
        (found,) = values_at(program, [self._divisor], self._needed, self._columns, rows, p)
        return found

    def rates(self, share: float) -> "Array | None":
        """The derivatives of the states there; None where a block cannot be solved.

        So it is beside a dead center where the divisor depends on blocks: they are not solved exactly enough there.
        """
        t, y, _, _ = self._at(share)
        return self._system.rates_beside(t, y, regular=self.has_solutions)

    def _at(self, share: float) -> "tuple[float, Array, Array, Array]":
        rest = 1.0 - share
        t = self._begin + share * self.width
        y = self._states + share * self._change + share * rest * (rest * self._bends[0] - share * self._bends[1])
        system = self._system
        system.frozen[:], system.memory[:] = self._frozen, self._memory[0]
        inputs, stored = system.arrays_at(t)[0].copy(), y[:0]
        if self.has_solutions:
            start = rest * self._memory[0] + share * self._memory[1]
            system.branches.forget()
            system.memory[:] = start
            stored = system.variables(t, y).copy()
            system.branches.forget()
            system.memory[:] = start
        return t, y, inputs, stored
