"""The routines of a program on the arrays of one run: frozen values and inputs u, parameters p, memory m, states y."""

from collections.abc import Callable
from functools import cached_property
from math import isfinite, nan
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.runtime.inputs import WITH_INPUTS
from acausal.simulate.inputs.input_values import InputValues

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array, Executable


class SystemRoutines:
    """Routines answer with a status, 0 or the number of a block that was not solved.

    `frozen` is the part of u that events change; `next_sample` counts the instants of samples; `offset`, `sides` and
    `starts` belong to the root functions (`runtime/events/root_functions`), `widening` and `band` widen them
    (`solver/rest_band`). `numbers` are all that a run changes; `varying`, whether there are inputs or delays.
    """

    def __init__(self, executable: "Executable", p: "Array") -> None:
        import numpy as np

        self.program = program = executable.program
        self.executable = executable
        self._p = p
        m, u = program.memory_size, program.input_size
        crossings, frozen = program.table.crossings, len(program.table.frozen)
        self.numbers = np.zeros(m + u + 3 * crossings + 1 + 3 * frozen)
        self._m, self._u, others = self.numbers[:m], self.numbers[m : m + u], self.numbers[m + u :]
        self.offset, self.sides = others[:crossings], others[crossings : 2 * crossings]
        self.starts, of_frozen = others[2 * crossings : 3 * crossings + 1], others[3 * crossings + 1 :]
        self.starts[-1] = nan
        self.next_sample, self.band = of_frozen[:frozen], of_frozen[frozen : 2 * frozen]
        self.widening = of_frozen[2 * frozen :]
        self.frozen = self._u[: len(program.table.frozen)]
        self._y = np.zeros(len(program.state_slots))
        self._results = {
            "derivatives": np.zeros(len(program.state_slots)),
            "events": np.zeros(program.table.results),
            "crossings": np.zeros(program.table.crossings),
            "choices": np.zeros(program.choice_table.results),
            "variables": np.empty(program.stored_size),
            "delayed": np.zeros(program.result_size("delayed")),
            "initial": np.zeros(program.result_size("initial")),
        }
        self._bound: dict[str, Callable[[float], int]] = {}
        self.varying = bool(program.input_slots)
        self.inputs = InputValues(executable, self._u, p) if self.varying else None

    def _forget_numbers(self, p: "Array") -> None:
        """Everything as it was at first, for these parameters, which are copied."""
        self._p[:] = p
        self.numbers.fill(0.0)
        self.starts[-1] = nan
        self.row_memory.fill(0.0)

    def move_to(self, t: float, y: "Array | None" = None) -> None:
        """Set the states, unless they are None, and the inputs."""
        if y is not None:
            self._y[:] = y
        if self.varying:
            self.fill_inputs(t)

    def evaluate(self, routine: str, t: float, y: "Array | None" = None) -> int:
        """Status of a routine at these states, 0 or the number of a block that was not solved; then `results`."""
        if y is not None:
            self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        call = self._bound.get(routine)
        if call is None:
            call = self.executable.bind(routine, self._y, self._u, self._p, self._m, self._results[routine])
            self._bound[routine] = call
        return call(t)

    def results(self, routine: str) -> "Array":
        """The results of a routine, written by its next call."""
        return self._results[routine]

    def fill_inputs(self, t: float) -> None:
        """Inputs as they are at a time, and what was some time ago."""
        if self.inputs is not None:
            self.inputs.fill(t)

    def inputs_in_rows(self, times: "Array", frozen: "Array", before: float = nan) -> "Array":
        """u at rows: frozen values, inputs, and what was some time ago; `before` is the time of a row before."""
        import numpy as np

        if self.inputs is None:
            return frozen
        rows = np.empty((len(times), len(self._u)))
        rows[:, : len(self.frozen)] = frozen
        self.inputs.fill_rows(times, rows, before)
        return rows

    @cached_property
    def constants_are_finite(self) -> bool:
        """True if the variables that are numbers, whatever the parameters are, are finite ones."""
        values = [slot.value for slot in self.program.variable_slots]
        return isfinite(sum(values)) or all(map(isfinite, values))

    @property
    def states(self) -> "Array":
        """The states of the last call."""
        return self._y

    @property
    def arrays(self) -> "tuple[Array, Array, Array]":
        """u, p and m: machine code works on them directly."""
        return self._u, self._p, self._m

    def arrays_at(self, t: float) -> "tuple[Array, Array, Array]":
        """The same with the inputs of a time."""
        if self.varying:
            self.fill_inputs(t)
        return self.arrays

    def address(self, routine: str) -> int | None:
        """The address of machine code, which evaluates inputs first; None where there is none."""
        found = None if self.inputs is None or routine not in WITH_INPUTS else self.inputs.routine(routine)
        return found or self.executable.address(routine)

    def take_code(self) -> "FieldValues":
        """Goes on with code that has been optimized, which fields of contexts point to."""
        self._bound.clear()
        if self.inputs is not None:
            self.inputs.take_code()
        return {name: self.address(name) or 0 for name in ("derivatives", "crossings")}

    @property
    def routine_inputs(self) -> int:
        """The address that the routines at `address` get in the place of u."""
        return address_of(self._u) if self.inputs is None else self.inputs.context

    def tangent(self, address: int) -> int:
        """The address of the exact Jacobian, which evaluates inputs first; `address` is that of its code."""
        return address if self.inputs is None else self.inputs.tangent(address)

    def parameter(self, position: int) -> float:
        """The value of a parameter, or of a hoisted expression, in p."""
        return float(self._p[position])

    @property
    def memory(self) -> "Array":
        """The last solutions of nonlinear blocks."""
        return self._m[: self.program.memory]

    @cached_property
    def row_memory(self) -> "Array":
        """m for rows: they are stored while the run goes on."""
        import numpy as np

        return np.zeros(self.program.memory_size)

    @cached_property
    def row_places(self) -> tuple[int, int]:
        """The addresses of p and m for rows."""
        return address_of(self._p), address_of(self.row_memory)
