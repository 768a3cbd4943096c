"""Executables: the routines of a program as functions on float64 arrays, whichever the back end.

Arrays are C-contiguous float64 of the lengths that `Program` gives, owned by the caller;
nothing is kept between calls but what the caller passes, so one executable serves
several threads. Each function returns 0, or the number of the block that could not be solved.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from acausal.ir.program.program import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    RowPlaces = tuple[int, int, int, int, int, int]
    """Addresses of t, y, u and memory of rows, and of p and m."""


class Executable(Protocol):
    """A compiled program."""

    @property
    def program(self) -> Program:
        """The compiled program."""
        ...

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p: computes bindings of parameters where `given` is 0, then the hoisted values."""
        ...

    def initial(self, t: float, u: "Array", p: "Array", m: "Array", states: "Array") -> int:
        """The states at the first instant, and start values of nonlinear blocks in m."""
        ...

    def derivatives(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """dy/dt."""
        ...

    def variables(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """All stored variables, then the conditions."""
        ...

    def bind(
        self, routine: str, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> Callable[[float], int]:
        """A routine with its arrays fixed: called with the time alone it costs least from Python."""
        ...

    def variables_many(
        self,
        t: "Array",
        y: "Array",
        u: "Array",
        p: "Array",
        m: "Array",
        out: "Array",
        memory: "Array",
        first: int = 0,
        places: "RowPlaces | None" = None,
    ) -> tuple[int, int]:
        """`variables` for every row of y and u from the first on into the rows of out; status and number of rows done.

        Where a row of `memory` differs from the one before, m has it there. `places` are the addresses of arrays, where
        they are known.
        """
        ...

    def end_step(self, m: "Array", t: float) -> None:
        """Behind a step of a solver to t, where the derivatives were evaluated last (`branches/branch_slopes`)."""
        ...

    def is_rough(self, m: "Array", t: float) -> bool:
        """True if solutions at t were predicted badly by the points before (`branches/branch_slopes`)."""
        ...

    def predict(self, m: "Array", t: float) -> None:
        """Solutions of nonlinear blocks at t into m, by those that the run has seen (`branches/branch_results`)."""
        ...

    def expect(self, done: float, ahead: float = 0.0) -> bool:
        """Counts so many calls of what a solver calls at every step; `ahead` are those that are to come.

        True where its code has been optimized for them: `address` and `bind` give the new one, with which the numbers
        are the same to the last bit.
        """
        ...

    def address(self, routine: str) -> int | None:
        """Address of the machine code `int32 f(double t, y, u, p, m, out)`, or None if there is none."""
        ...
