"""The routines of a program as machine code, called from Python."""

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm

from acausal.base.diagnostics import InternalError
from acausal.codegen.address import address_of
from acausal.codegen.default_parameters import is_plain
from acausal.codegen.llvm.kernel_code import shared_calls, tracking_address
from acausal.codegen.llvm.step_routines import AT_EVERY_STEP, ENOUGH
from acausal.ir.program.program import Program, routine_of
from acausal.runtime.kernel.signature import fields
from acausal.runtime.rows import BoundRoutine

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, RowPlaces

_POINTERS = (ctypes.c_void_p,) * 5
_ROUTINE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *_POINTERS)
_BRIEF = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_double, *_POINTERS)
_BOUND = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
_BOUND_BRIEF = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
_CONTEXT = ctypes.c_int64 * len(fields(BoundRoutine))
_TRACK = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
_ASK = ctypes.PYFUNCTYPE(ctypes.c_uint8, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
_ROWS = ctypes.c_int32, ctypes.c_int64, *_POINTERS, *[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 4
_MANY = ctypes.CFUNCTYPE(*_ROWS)
_FEW = ctypes.PYFUNCTYPE(*_ROWS)
BRIEF = 5000
"""Instructions that take so little time that the interpreter's lock is not given up for them.

Giving it up and having it back takes longer where several threads run.
"""


class LlvmExecutable:
    """The routines as machine code; see `Executable`. Keeps the code alive as long as itself.

    `compile_program` makes another one of the same program; `setup` compiles that routine, if it is not among the
    others. `optimize` makes optimized code of what a solver calls at every step, None where that is not to be had.
    """

    def __init__(
        self,
        program: Program,
        engine: llvm.ExecutionEngine,
        digest: str,
        compile_program: Callable[[Program], "LlvmExecutable"],
        setup: Callable[[], llvm.ExecutionEngine],
    ) -> None:
        self.program = program
        self.digest = digest
        self._engines = {"": engine}
        self._calls = 0.0
        self.optimize: Callable[[], llvm.ExecutionEngine | None] | None = None
        self._compile_setup = setup
        self._addresses = calls = dict(shared_calls())
        if program.followed:
            calls["predict"] = tracking_address("predict")
        self._compile = compile_program
        self._functions: dict[str, Callable[..., Any]] = {}
        self._many, self._few = _MANY(calls["variables_many"]), _FEW(calls["variables_many"])
        self._sizes = (
            *(len(program.state_slots), program.input_size, program.parameter_size),
            *(program.memory, program.memory_size, program.stored_size),
        )

    def __reduce__(self) -> tuple[object, ...]:
        return self._compile, (self.program,)

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p."""
        import numpy as np

        sizes = self.program.parameter_size, len(self.program.parameter_slots)
        place, frame = _pointer("p", p, sizes[0]), np.empty(self.program.memory_size)
        given_at = _pointer("given", given, sizes[1])
        return int(self._function("setup")(0.0, None, given_at, place, frame.ctypes.data, place))

    def initial(self, t: float, u: "Array", p: "Array", m: "Array", states: "Array") -> int:
        """States and start values."""
        return self._call("initial", t, states, u, p, m, states)

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
        context = _CONTEXT(0, self._address(routine), *self._places(routine, y, u, p, m, out))
        place, clock = ctypes.addressof(context), memoryview(context).cast("B").cast("d")
        brief = len(routine_of(self.program, routine).code) <= BRIEF
        function = (_BOUND_BRIEF if brief else _BOUND)(self._addresses["call_bound"])
        alive = (self, y, u, p, m, out)

        def call(t: float) -> int:
            assert alive  # as long as their addresses are used
            clock[0] = t
            return function(place)  # type: ignore[no-any-return]  # ctypes gives an int

        return call

    def _call(self, routine: str, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        return int(self._function(routine)(t, *self._places(routine, y, u, p, m, out)))

    def _places(
        self, routine: str, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> tuple[int, int, int, int, int]:
        """The addresses of the arrays of a call, which are checked."""
        program = self.program
        return (
            _pointer("y", y, len(program.state_slots)),
            _pointer("u", u, program.input_size),
            _pointer("p", p, program.parameter_size),
            _pointer("m", m, program.memory_size),
            _pointer("out", out, program.result_size(routine)),
        )

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
        """`variables` row by row; status and number of rows done."""
        count, done = len(t), ctypes.c_int64(first)
        states, inputs, parameters, start, work, results = self._sizes
        if places is None:
            places = (
                _pointer("t", t, count),
                _pointer("y", y, count * states),
                _pointer("u", u, count * inputs),
                _pointer("memory", memory, count * start),
                _pointer("p", p, parameters),
                _pointer("m", m, work),
            )
        t_at, y_at, u_at, memory_at, p_at, m_at = places
        status = (self._few if count * len(self.program.variables.code) <= BRIEF else self._many)(
            *(count, t_at, y_at, u_at, p_at, m_at),
            _pointer("out", out, count * results),
            ctypes.addressof(done),
            memory_at,
            *(self._address("variables"), states, inputs, start, results),
        )
        return int(status), done.value

    def end_step(self, m: "Array", t: float) -> None:
        """Behind a step to t."""
        self._track("end_step", m, t)

    def is_rough(self, m: "Array", t: float) -> bool:
        """True if solutions at t were predicted badly."""
        base, n = self.program.memory, self.program.followed
        call = self._functions.get("is_rough")
        if call is None:
            call = self._functions["is_rough"] = _ASK(tracking_address("is_rough"))
        return bool(call(_pointer("m", m, self.program.memory_size), base, n, t) & 1)

    def predict(self, m: "Array", t: float) -> None:
        """Solutions of nonlinear blocks at t."""
        self._track("predict", m, t)

    def _track(self, function: str, m: "Array", t: float) -> None:
        """A function of `runtime/branches/branch_slopes` or `branch_results`."""
        base, n = self.program.memory, self.program.followed
        call = self._functions.get(function)
        if call is None:
            call = self._functions[function] = _TRACK(tracking_address(function))
        call(_pointer("m", m, self.program.memory_size), base, n, t)

    def expect(self, done: float, ahead: float = 0.0) -> bool:
        """Counts calls; True where code has been optimized for as many, or for those ahead."""
        self._calls += done
        if self.optimize is None or max(self._calls, ahead) < ENOUGH:
            return False
        optimize, self.optimize = self.optimize, None
        made = optimize()
        if made is None:
            return False
        self.use(made)
        return True

    def use(self, optimized: llvm.ExecutionEngine) -> None:
        """Take optimized code; that before stays, as others may have its addresses."""
        engine = self._engines.setdefault("optimized", optimized)  # of two threads, both take what the first has made
        for name in AT_EVERY_STEP:
            if routine_of(self.program, name).code:
                self._addresses[name] = int(engine.get_function_address(name))
                self._functions.pop(name, None)

    def address(self, routine: str) -> int | None:
        """The address of the machine code."""
        return self._address(routine)

    def _function(self, routine: str) -> Callable[..., Any]:
        found = self._functions.get(routine)
        if found is None:
            brief = len(routine_of(self.program, routine).code) <= BRIEF
            found = self._functions[routine] = (_BRIEF if brief else _ROUTINE)(self._address(routine))
        return found

    def _address(self, name: str) -> int:
        """Asked once: llvmlite answers one thread at a time."""
        found = self._addresses.get(name)
        if found is None:
            found = self._found(name) if routine_of(self.program, name).code else self._addresses["nothing"]
            self._addresses[name] = found
        return found

    def _found(self, name: str) -> int:
        engines = self._engines
        if name != "setup" or not is_plain(self.program.setup):
            engine = engines[""]
        else:  # of two threads that compile it at once, both take what the first has made
            engine = engines.get(name) or engines.setdefault(name, self._compile_setup())
        return int(engine.get_function_address(name))


def _pointer(name: str, array: "Array", size: int) -> int:
    """The address of an array that has at least `size` numbers; InternalError if it is not what the code expects."""
    if array.dtype.char != "d" or not array.flags.c_contiguous or array.size < size:
        raise InternalError("run", f"the array {name} is not {size} contiguous float64")
    return address_of(array)
