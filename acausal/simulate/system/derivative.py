"""The derivatives of a model as a function of arrays: for one state, or for many states and parameter sets at once.

f = motor.derivative        f(t, y)        f.batch(states)        f.batch(states, parameters={"arm.m": masses})
at = f.bind(y, out=slopes)  at(t)
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError, UsageError
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.simulate.failure.messages import block_failed
from acausal.simulate.inputs.inputs import need_no_units
from acausal.simulate.system.array_arguments import array_of, need_bindable, rows_of, wrong_shape
from acausal.simulate.system.parameters import places

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.batch import Batch
    from acausal.simulate.system.single_state import Bound, SingleState


class Derivative:
    """dy/dt. `states`, `inputs`, `parameters` are the names of the columns of the arrays.

    Inputs are known variables and, before them, values that only events change; parameters are those whose values
    may be chosen: not bound to others, no constants, not folded into the equations.
    """

    def __init__(self, executable: "Executable", folded: Collection[Name]) -> None:
        self._executable = executable
        self.program = program = executable.program
        need_no_units(program)
        self._dependents: dict[tuple[int, ...], list[int]] = {}
        self._folded = [program.parameter_positions[n] for n in folded if n in program.parameter_positions]
        self.states = tuple([show_derivative(*slot.symbol) for slot in program.state_slots])
        frozen = [show_name(slot.name) for slot in program.table.frozen]
        self.inputs = (*frozen, *(show_derivative(*symbol) for symbol in program.input_slots))
        fixed = {*self._folded, *(i for i, s in enumerate(program.parameter_slots) if s.bound or s.constant)}
        self._free = [i for i in range(len(program.parameter_slots)) if i not in fixed]
        self.parameters = tuple([show_name(program.parameter_slots[i].name) for i in self._free])

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_batch", "_single")}

    def __call__(
        self,
        time: float,
        states: "ArrayLike",
        inputs: "ArrayLike" = (),
        parameters: "ArrayLike | Mapping[str, ArrayLike] | None" = None,
    ) -> "Array":
        """dy/dt (n,) at one state (n,); see `batch`, from which sine and cosine may differ in the last digit.

        Arrays of float64, without parameters, take the least time; `bind` avoids their copies.
        """
        if parameters is None:
            quick = self._single(time, states, inputs) if type(time) is float else None
            if quick is not None:
                return quick
            y, u, t = self._one_row(states, inputs, time)
            slow = self._single(t, y, u)
            assert slow is not None
            return slow
        found: Array = self.batch(array_of("states", states)[None], inputs, parameters, time)[0]
        return found

    def _one_row(self, states: "ArrayLike", inputs: "ArrayLike", time: "ArrayLike") -> "tuple[Array, Array, float]":
        y, u, t = array_of("states", states), array_of("inputs", inputs), array_of("time", time)
        for what, array, names in (("states", y, self.states), ("inputs", u, self.inputs)):
            if array.shape != (len(names),) and (array is y or array.shape != (1, len(names))):
                raise wrong_shape(what, array.shape, f"({len(names)},)", names)
        if t.size != 1:
            raise wrong_shape("time", t.shape, "a number", ())
        return y, u.reshape(-1), float(t.reshape(())[()])

    def bind(self, states: "Array", inputs: "Array | None" = None, out: "Array | None" = None) -> "Bound":
        """A function of the time that writes dy/dt for what the arrays hold when it is called into `out`.

        states: (n,); inputs: (k,), needed where there are any; out: (n,), a new array if it is not given; all of them
        contiguous arrays of float64. The function returns `out` and is for one thread at a time; its parameters are
        those of the model. Raises UsageError F006 for arrays that do not fit.
        """
        import numpy as np

        self._executable.expect(0, inf)
        inputs = np.zeros(0) if inputs is None else inputs
        out = np.zeros(len(self.states)) if out is None else out
        for what, array, names in (("states", states, self.states), ("inputs", inputs, self.inputs), ("out", out, ())):
            need_bindable(what, array)
            size = len(names) if array is not out else len(self.states)
            if array.shape != (size,):
                raise wrong_shape(what, array.shape, f"({size},)", names)
        return self._single.bind(states, inputs, out)

    @cached_property
    def _single(self) -> "SingleState":
        from acausal.simulate.system.single_state import SingleState

        return SingleState(self._executable, self._defaults[0])

    def batch(
        self,
        states: "ArrayLike",
        inputs: "ArrayLike" = (),
        parameters: "ArrayLike | Mapping[str, ArrayLike] | None" = None,
        time: "ArrayLike" = 0.0,
    ) -> "Array":
        """dy/dt (m, n) at m states (m, n).

        inputs: (m, k), or (k,) for all; parameters: (m, p), or (p,) for all, or values by name, each a number or
        (m,), the others as in the model; time: a number or (m,). All rows are computed in one call of native code,
        several at a time in the vectors of the processor where the model has no system of equations to solve; sine and
        cosine may then differ in the last digit. Raises UsageError F006 for a wrong shape, F005 for a name,
        SimulationError R003 where a row has no solution.
        """
        import numpy as np

        y = array_of("states", states)
        if y.ndim != 2 or y.shape[1] != len(self.states):
            raise wrong_shape("states", y.shape, f"(m, {len(self.states)})", self.states)
        count = len(y)
        u = np.ascontiguousarray(
            np.broadcast_to(rows_of("inputs", inputs, self.inputs, count), (count, len(self.inputs)))
        )
        t = array_of("time", time)
        if t.shape not in ((), (count,)):
            raise wrong_shape("time", t.shape, f"a number or ({count},)", ())
        t = np.ascontiguousarray(np.broadcast_to(t, (count,)))
        out = np.empty_like(y)
        for rows, p in self._parameter_rows(parameters, count):
            status, done = self._batch.derivatives(t[rows], y[rows], u[rows], p, self._memory(t, u, p), out[rows])
            if status:
                row = (rows.start or 0) + done
                raise _failed(block_failed(self.program, status, float(t[row]), y[row]), row)
        return out

    @cached_property
    def _batch(self) -> "Batch":
        from acausal.codegen.native.batch import Batch

        return Batch(self._executable)

    def _memory(self, t: "Array", u: "Array", p: "Array") -> "Array":
        """Start values of nonlinear blocks: those of the first instant; zeros where it has no solution."""
        import numpy as np

        program = self.program
        m = np.zeros(program.memory_size)
        if program.memory and len(t):
            self._executable.initial(float(t[0]), u[0], p[0], m, np.zeros(program.result_size("initial")))
        return m[: program.memory]

    @cached_property
    def _defaults(self) -> "Array":
        """One row of complete parameters with the values of the model."""
        import numpy as np

        slots = self.program.parameter_slots
        p = np.zeros((1, self.program.parameter_size))
        p[0, : len(slots)] = [slot.value for slot in slots]
        self._completed(p, np.zeros(len(slots)))
        return p

    def _parameter_rows(
        self, given: "ArrayLike | Mapping[str, ArrayLike] | None", count: int
    ) -> "Iterator[tuple[slice, Array]]":
        """Rows of states with their complete parameters: one row for all, or a row each, some rows at a time."""
        import numpy as np

        if given is None:
            yield slice(0, count), self._defaults
            return
        chosen, values = self._values(given, count)
        folded = self._folded_dependents(tuple(chosen))
        flags = np.zeros(len(self.program.parameter_slots))
        flags[chosen] = 1.0
        shared = len(values) == 1
        rows = self._batch.rows
        p = self._defaults.repeat(min(rows, len(values)), axis=0)
        for start in range(0, len(values), rows):
            p = p[: len(values) - start]
            p[:, chosen] = values[start : start + rows]
            self._completed(p, flags)
            self._check_folded(p, folded)
            yield slice(0, count) if shared else slice(start, start + len(p)), p

    def _completed(self, p: "Array", flags: "Array") -> None:
        """Bound parameters and hoisted values of each row."""
        status, row = self._batch.setup(p, flags)
        if status:
            raise _failed(block_failed(self.program, status, self.program.experiment.start), row)

    def _values(self, given: "ArrayLike | Mapping[str, ArrayLike]", count: int) -> "tuple[list[int], Array]":
        """Positions in p, and their values: one row, or a row for each state."""
        import numpy as np

        if not isinstance(given, Mapping):
            return self._free, rows_of("parameters", given, self.parameters, count)
        columns = []
        for name, value in given.items():
            column = array_of(name, value)
            if column.shape not in ((), (count,)):
                raise wrong_shape(f"the parameter {name}", column.shape, f"a number or ({count},)", ())
            columns.append(column)
        size = count if any(c.ndim for c in columns) else 1
        rows = [np.broadcast_to(c, (size,)) for c in columns]
        return places(self.program, tuple(given)), np.stack(rows, axis=1) if rows else np.zeros((1, 0))

    def _folded_dependents(self, chosen: tuple[int, ...]) -> list[int]:
        """Folded parameters that depend on the chosen ones."""
        if chosen not in self._dependents:
            reached = _reached(self.program, chosen)
            self._dependents[chosen] = [i for i in self._folded if i in reached]
        return self._dependents[chosen]

    def _check_folded(self, p: "Array", folded: list[int]) -> None:
        """True if parameters that are part of the equations have kept their values."""
        kept = p[:, folded] == self._defaults[:, folded]
        if not kept.all():
            position = folded[int(kept.all(axis=0).argmin())]
            name = show_name(self.program.parameter_slots[position].name)
            message = f"{name} was folded into the equations: its value cannot differ between rows"
            hint = "t.simulate(parameters=...) retranslates for it; or change it in the text"
            raise UsageError(Diagnostic("F006", message, help=hint))


def _reached(program: Program, chosen: Collection[int]) -> set[int]:
    """Positions in p of the parameters that depend on those chosen, and of these."""
    changed, moving = set(chosen), set[int]()
    for register, (op, args, value) in enumerate(program.setup.code):
        if any(a in moving for a in args) or (op in ("parameter", "input") and value in changed):
            moving.add(register)
            if op == "store" and isinstance(value, int):
                changed.add(value)
    return changed


def _failed(error: SimulationError, row: int) -> SimulationError:
    """The same error with the row."""
    first, *others = error.report.diagnostics
    return SimulationError(replace(first, message=f"row {row}: {first.message}"), *others)
