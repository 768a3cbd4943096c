"""The values of inputs at a time: `runtime/inputs` as machine code where there is some, else as Python."""

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory
from acausal.runtime.inputs import (
    EXPRESSION,
    WITH_INPUTS,
    InputContext,
    acausal_evaluate_rows,
    evaluate_inputs,
)
from acausal.runtime.kernel.signature import fields
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.input_sources import _kind, described_sources
from acausal.simulate.inputs.inputs import RecordedInput, Signal, Signals

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.codegen.native.native_inputs import InputCode
    from acausal.ir.expr import Expr
    from acausal.ir.operator import Value
    from acausal.simulate.inputs.recording import Recording

_FIELDS = tuple(fields(InputContext))
_EVALUATE = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double)
_EVALUATE_ROWS = ctypes.PYFUNCTYPE(
    *(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
    *(ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_double),
)
_FUNCTIONS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, ctypes.POINTER(ctypes.c_double))


class InputValues:
    """Evaluates the inputs of one system into u, behind its frozen values; `p` are the parameters."""

    def __init__(self, executable: "Executable", u: "Array", p: "Array") -> None:
        self._executable, self._u, self._p = executable, u, p
        program = executable.program
        self._first, self._count = len(program.table.frozen), len(program.input_slots)
        self._functions = _HostFunctions()
        self._native: ContextMemory | None = None
        self._code: InputCode | None = None
        self._recording: Recording | None = None
        if executable.address("derivatives") is not None:
            from acausal.codegen.native.native_inputs import input_addresses

            self._addresses = input_addresses()
            self._evaluate = _EVALUATE(self._addresses["acausal_evaluate_inputs"])
            self._evaluate_rows = _EVALUATE_ROWS(self._addresses["acausal_evaluate_rows"])
            self._callback = _FUNCTIONS(self._functions.call)
            self._native = ContextMemory(_FIELDS, {})

    def begin(self, signals: Signals, delays: Delays) -> None:
        """The inputs of another run, and its delays."""
        self._functions.begin([s for s in signals.sources if callable(s)])
        found = described_sources(signals.sources)
        found |= {"u": self._u, "p": self._p, "first": self._first, "count": self._count}
        expressions = [cast("Expr", s) for s in signals.sources if _kind(s) == EXPRESSION]
        self._has_delays = bool(self._executable.program.delays)
        recording = next((s.recording for s in signals.sources if isinstance(s, RecordedInput)), None)
        if self._native is None:
            found["history"] = delays.history if self._has_delays else None
            found["recorded"] = None if recording is None else recording.history
            self._context = self._in_python(found, expressions, signals)
            return
        from acausal.codegen.native.native_inputs import InputCode

        assert signals.pool is not None or not expressions
        self._code = InputCode(signals.pool, expressions, signals.places) if signals.pool else None
        found |= {**self._routines(), "expressions": self._code.address if self._code else 0}
        if self._has_delays:
            found["history"] = delays.memory.address
        if recording is not None:
            found["recorded"] = recording.memory.address
        self._recording = recording
        found["functions"] = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        self._native.fill(found)

    def take_code(self) -> None:
        """Go on with code that has been optimized."""
        if self._native is not None:
            self._native.fill(self._routines())

    def _routines(self) -> dict[str, int]:
        return {name: self._executable.address(name) or 0 for name in WITH_INPUTS if name != "tangent"}

    def _in_python(self, found: dict[str, Any], expressions: "Sequence[Expr]", signals: Signals) -> InputContext:
        import numpy as np

        from acausal.ir.evaluate import evaluated

        known: dict[Expr, Value] = {parameter: float(self._p[place]) for parameter, place in signals.places.items()}
        pool = signals.pool

        def evaluate(t: float, *arrays: "Array") -> int:
            assert pool is not None
            known[pool.time] = t
            arrays[-1][:] = [evaluated(expression, known) for expression in expressions]
            return 0

        def nothing(*_: object) -> int:
            return 0

        routines = dict.fromkeys(WITH_INPUTS, nothing)
        room = {"memory_size": 0, "memory_aside": np.zeros(0), "delayed_results": np.zeros(0)}  # first instants in C
        return InputContext(**found, **room, **routines, expressions=evaluate, functions=self._functions.call)

    def end(self) -> None:
        """Functions of the host are no longer held."""
        self._functions.begin([])

    def fill(self, t: float) -> None:
        """The inputs at a time into u; what a function of the host raises."""
        native = self._native
        if evaluate_inputs(self._context, t) if native is None else self._evaluate(native.address, t):
            self.check()

    def fill_rows(self, times: "Array", rows: "Array", before: float) -> None:
        """The inputs at the times of rows of u; `before` is the time of a row before the first one, NaN without."""
        last = int(self._has_delays), before
        if self._native is None:
            given = times, len(times), rows.reshape(-1), rows.shape[1]
            status = acausal_evaluate_rows(self._context, *given, *last)
        else:
            places = address_of(times), len(times), address_of(rows), rows.shape[1]
            status = self._evaluate_rows(self._native.address, *places, *last)
        if status:
            self.check()

    def check(self) -> None:
        """Raises what a function of the host has raised since the run began."""
        self._functions.check()

    @property
    def context(self) -> int:
        """The address of the context, which routines with inputs get in the place of u."""
        assert self._native is not None
        return self._native.address

    def routine(self, name: str) -> int | None:
        """The address of a routine with inputs; None without machine code."""
        return None if self._native is None else self._addresses[WITH_INPUTS[name].__name__]

    def tangent(self, address: int) -> int:
        """The address of the exact Jacobian with inputs; `address` is that of the routine itself."""
        assert self._native is not None
        self._native.fill({"tangent": address})
        return self._addresses[WITH_INPUTS["tangent"].__name__]


class _HostFunctions:
    """Calls functions of the host; the first that fails is the last one that is called."""

    def __init__(self) -> None:
        self._functions: Sequence[Signal] = ()
        self._error: BaseException | None = None

    def begin(self, functions: Sequence[Signal]) -> None:
        """Set the functions of another run."""
        self._functions, self._error = functions, None

    def call(self, t: float, values: "Array") -> int:
        """Their values at a time; 1 where one has failed."""
        if self._error is not None:
            return 1
        try:
            for i, function in enumerate(self._functions):
                found = function(t)
                try:
                    values[i] = found
                except (TypeError, ValueError, OverflowError):
                    raise _no_number(found, t) from None
        except BaseException as error:
            self._error = error
            return 1
        return 0

    def check(self) -> None:
        """Raises what was raised."""
        if self._error is not None:
            raise self._error


def _no_number(found: object, t: float) -> UsageError:
    message = f"the function of an input returned {repr(found)[:40]} at t = {t:g}"
    return UsageError(Diagnostic("F006", message, help="it must return a number"))
