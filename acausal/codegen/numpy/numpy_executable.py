"""Routines as NumPy code behind the interface of executables."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.branch_slopes import end_step, is_rough
from acausal.runtime.branches.tracked import tracked

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, RowPlaces

_Function = Callable[[float, object, object, object, object, object], int]


class NumpyExecutable:
    """The routines as NumPy code; see `Executable`."""

    def __init__(self, program: Program, functions: dict[str, _Function]) -> None:
        self.program = program
        self._functions = functions

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p."""
        return self._call("setup", 0.0, None, given, p, None, p)

    def initial(self, t: float, u: "Array", p: "Array", m: "Array", states: "Array") -> int:
        """States and start values."""
        return self._call("initial", t, None, u, p, m, states)

    def derivatives(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """dy/dt."""
        return self._call("derivatives", t, y, u, p, m, out)

    def variables(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """Stored variables, then the conditions."""
        return self._call("variables", t, y, u, p, m, out)

    def bind(
        self, routine: str, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> Callable[[float], int]:
        """A routine with its arrays fixed."""
        return lambda t: self._call(routine, t, y, u, p, m, out)

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
        places: "RowPlaces | None" = None,  # noqa: ARG002 - no machine code
    ) -> tuple[int, int]:
        """`variables` row by row; status and number of rows done."""
        for row in range(first, len(t)):
            new = memory[row] != memory[row - 1] if row else slice(None)
            m[: self.program.memory][new] = memory[row][new]
            status = self.variables(float(t[row]), y[row], u[row], p, m, out[row])
            if status:
                return status, row
        return 0, len(t)

    def end_step(self, m: "Array", t: float) -> None:
        """Behind a step to t."""
        end_step(m, self.program.memory, self.program.followed, t)

    def is_rough(self, m: "Array", t: float) -> bool:
        """True if solutions at t were predicted badly."""
        return bool(is_rough(m, self.program.memory, self.program.followed, t))

    def predict(self, m: "Array", t: float) -> None:
        """Solutions of nonlinear blocks at t."""
        predict(m, self.program.memory, self.program.followed, t)

    def expect(self, done: float, ahead: float = 0.0) -> bool:  # noqa: ARG002 - as the Protocol has it
        """NumPy code is never optimized."""
        return False

    def address(self, routine: str) -> int | None:  # noqa: ARG002 - as the Protocol has it
        """None: there is no machine code."""
        return None

    def _call(self, routine: str, t: float, *arrays: "Array | None") -> int:
        import numpy as np

        y, u, p, m, out = arrays
        with np.errstate(all="ignore"):
            function = self._functions[routine]
            if m is None:
                return function(np.float64(t), y, u, p, m, out)
            return tracked(self.program, routine, function)(np.float64(t), y, u, p, m, out)
