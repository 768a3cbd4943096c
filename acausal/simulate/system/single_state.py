"""The derivatives at one state by calls from Python that take little more time than the machine code.

Arrays are checked and their addresses taken once: a call copies its arguments there.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.base.frozen import record
from acausal.codegen.address import view_of
from acausal.simulate.failure.messages import block_failed

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

Bound = Callable[[float], "Array"]
"""dy/dt at a time, for what an array of states and one of inputs hold then."""


ALL = slice(None)


@record(frozen=True, slots=True)
class _Arrays:
    """Arrays of a call, for one thread at a time; views of memory take arrays of floats of their length alone."""

    states: memoryview
    inputs: memoryview
    at: Bound


class SingleState:
    """dy/dt with the parameters p (complete); for several threads."""

    def __init__(self, executable: "Executable", p: "Array") -> None:
        program = executable.program
        self._executable, self._program, self._p = executable, program, p
        self._size, self._input_size = len(program.state_slots), program.input_size
        self._free: list[_Arrays] = []

    def __call__(self, t: float, states: object, inputs: object) -> "Array | None":
        """dy/dt (n,); SimulationError R003 where there is no solution.

        None unless both are arrays of floats of the right lengths; where there are no inputs, `inputs` may be a tuple.
        """
        try:
            arrays = self._free.pop()
        except IndexError:  # the first call, or others are under way
            arrays = self._made()
        try:
            arrays.states[ALL] = states  # type: ignore[call-overload]  # where it is a buffer
            if self._input_size or type(inputs) is not tuple:
                arrays.inputs[ALL] = inputs  # type: ignore[call-overload]
        except (TypeError, ValueError):
            self._free.append(arrays)
            return None
        found = arrays.at(t).copy()
        self._free.append(arrays)
        return found

    def _made(self) -> _Arrays:
        import numpy as np

        states, inputs = np.zeros(self._size), np.zeros(self._input_size)
        at = self.bind(states, inputs, np.zeros_like(states))
        return _Arrays(view_of(states), view_of(inputs), at)

    def bind(self, y: "Array", u: "Array", out: "Array") -> Bound:
        """A function that writes dy/dt for what y and u hold at a time into out, and returns that."""
        import numpy as np

        program, size = self._program, self._program.memory
        m = np.zeros(program.memory_size)
        call = self._executable.bind("derivatives", y, u, self._p, m, out)

        def at(t: float) -> "Array":
            status = call(t)
            if status:
                raise self._failed(status, t, y)
            return out

        if not size:
            return at
        start = np.zeros_like(m)
        found = np.zeros(program.result_size("initial"))
        initial = self._executable.bind("initial", found, u, self._p, start, found)

        def from_start(t: float) -> "Array":
            """Nonlinear blocks begin where they are solved at the first instant."""
            start.fill(0.0)
            initial(t)
            m.fill(0.0)
            m[:size] = start[:size]
            return at(t)

        return from_start

    def _failed(self, status: int, t: float, y: "Array") -> SimulationError:
        return block_failed(self._program, status, float(t), y.copy())
