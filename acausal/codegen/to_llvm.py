"""Machine code of a program, made in memory by LLVM.

Straight-line code whose equal values are shared already gains nothing from LLVM's passes over
the intermediate code. Its code generator takes 20 to 40 microseconds a line when it optimises, 3 when it
does not, and the code is then half as fast: worth it for what a solver calls at every step, unless that is long.
"""

import ctypes
import hashlib
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from acausal.cache.sources import source_digest
from acausal.codegen.address import address_of
from acausal.codegen.llvm_band import BAND_FROM
from acausal.codegen.llvm_cvode import cvode_text
from acausal.codegen.llvm_text import rest_text, step_text
from acausal.codegen.object_code import load_objects, machine
from acausal.codegen.scratch import STRAIGHT, USE_LAPACK
from acausal.diagnostics import InternalError
from acausal.ir.program import ROUTINES, Program
from acausal.ir.show_program import routine_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_POINTERS = (ctypes.c_void_p,) * 5
_ROUTINE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *_POINTERS)
_ROWS = ctypes.c_int32, ctypes.c_int64, *_POINTERS, *[ctypes.c_void_p] * 3
_MANY = ctypes.CFUNCTYPE(*_ROWS)
_BRIEF = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.c_double, *_POINTERS)
_FEW = ctypes.PYFUNCTYPE(*_ROWS)
BRIEF = 5000
"""Instructions that take so little time that the interpreter's lock is not given up for them.

Giving it up and having it back takes longer where several threads run.
"""
_LOCK = threading.Lock()
_PUBLISHED: dict[str, llvm.ExecutionEngine] = {}

_C_LIBRARY = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "pow",
)  # fmt: skip
"""What intrinsics and calls may end in."""

OPTIMIZED_UP_TO, TURNS = 1500, 4
"""Lines of text that are optimised unless a level is asked for; more where loops run each of them so often.

Optimising a line takes as long as it spares in some 100,000 calls, where it runs once a call.
"""
MANY_STATES = 200
"""For so many states what CVODE calls is optimised, too: that takes as long as a thousand other lines."""


def compile_llvm(program: Program, level: int | None = None, digest: str | None = None) -> "LlvmExecutable":
    """The program as machine code for this computer.

    `level` 0 compiles fastest, 2 gives the fastest code; None is 2 for what a solver calls at every step, unless that
    is long, 0 for the rest. `digest` is that of the program's text, where it is known from an executable of the same
    program.
    """
    with _LOCK:
        _initialize()
        if any(b.kind == "nonlinear" or len(b.targets) > STRAIGHT for b in program.blocks):
            _solvers()
        if any(b.kind == "linear" and len(b.targets) >= USE_LAPACK for b in program.blocks):
            _lapack()
        if any(b.kind == "linear" and len(b.targets) >= BAND_FROM for b in program.blocks):
            _band()
        texts = None if digest else (step_text(program), rest_text(program))
        digest = digest or _digest("".join(texts or ()))

        def step() -> tuple[llvm.ModuleRef, int]:
            text = texts[0] if texts else step_text(program)
            lines, size = text.count("\n"), len(program.derivatives.code) + len(program.crossings.code)
            fast = level is None and (lines <= OPTIMIZED_UP_TO or TURNS * lines <= size)
            return llvm.parse_assembly(text), 2 if fast else level or 0

        def rest() -> tuple[llvm.ModuleRef, int]:
            return llvm.parse_assembly(texts[1] if texts else rest_text(program)), level or 0

        solver = cvode_text(program)

        def calls() -> tuple[llvm.ModuleRef, int]:
            return llvm.parse_assembly(solver), 2 if len(program.state_slots) > MANY_STATES else 0

        made = {f"step {level} {digest}": step, f"rest {level} {digest}": rest, f"calls {_digest(solver)}": calls}
        engine = load_objects(made)
    return LlvmExecutable(program, engine, digest)


class LlvmExecutable:
    """The routines as machine code; see `Executable`. Keeps the code alive as long as itself."""

    def __init__(self, program: Program, engine: llvm.ExecutionEngine, digest: str) -> None:
        self.program = program
        self.digest = digest
        self._engine = engine
        self._addresses: dict[str, int] = {}
        self._functions = {
            name: (_BRIEF if len(routine_of(program, name).code) <= BRIEF else _ROUTINE)(self._address(name))
            for name in ROUTINES
        }
        self._sizes = (
            *(len(program.state_slots), program.input_size, program.parameter_size),
            *(program.memory, program.memory_size, program.stored_size),
        )
        self._many = _MANY(self._address("variables_many"))
        self._few = _FEW(self._address("variables_many"))

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p."""
        import numpy as np

        sizes = self.program.parameter_size, len(self.program.parameter_slots)
        place, frame = _pointer("p", p, sizes[0]), np.empty(self.program.memory_size)
        given_at = _pointer("given", given, sizes[1])
        return int(self._functions["setup"](0.0, None, given_at, place, frame.ctypes.data, place))

    def initial(self, t: float, u: "Array", p: "Array", m: "Array", states: "Array") -> int:
        """States and start values."""
        return self.bind("initial", states, u, p, m, states)(t)

    def derivatives(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """dy/dt."""
        return self.bind("derivatives", y, u, p, m, out)(t)

    def variables(self, t: float, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> int:
        """Stored variables, then the conditions."""
        return self.bind("variables", y, u, p, m, out)(t)

    def bind(
        self, routine: str, y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> Callable[[float], int]:
        """A routine with its arrays fixed."""
        program = self.program
        yp = _pointer("y", y, len(program.state_slots))
        up = _pointer("u", u, program.input_size)
        pp = _pointer("p", p, program.parameter_size)
        mp = _pointer("m", m, program.memory_size)
        op = _pointer("out", out, program.result_size(routine))
        function = self._functions[routine]
        alive = (self, y, u, p, m, out)

        def call(t: float) -> int:
            assert alive  # as long as their addresses are used
            return function(t, yp, up, pp, mp, op)  # type: ignore[no-any-return]  # ctypes gives an int

        return call

    def variables_many(
        self, t: "Array", y: "Array", u: "Array", p: "Array", m: "Array", out: "Array", memory: "Array", first: int = 0
    ) -> tuple[int, int]:
        """`variables` row by row; status and number of rows done."""
        program, count = self.program, len(t)
        states, inputs, parameters, start, work, results = self._sizes
        done = ctypes.c_int64(first)
        brief = count * len(program.variables.code) <= BRIEF
        status = (self._few if brief else self._many)(
            count,
            _pointer("t", t, count),
            _pointer("y", y, count * states),
            _pointer("u", u, count * inputs),
            _pointer("p", p, parameters),
            _pointer("m", m, work),
            _pointer("out", out, count * results),
            ctypes.addressof(done),
            _pointer("memory", memory, count * start),
        )
        return int(status), done.value

    def address(self, routine: str) -> int | None:
        """The address of the machine code."""
        return self._address(routine)

    def _address(self, name: str) -> int:
        """Asked once: llvmlite answers one thread at a time."""
        found = self._addresses.get(name)
        if found is None:
            found = self._addresses[name] = int(self._engine.get_function_address(name))
        return found


def _pointer(name: str, array: "Array", size: int) -> int:
    """The address of an array that has at least `size` numbers; InternalError if it is not what the code expects."""
    if array.dtype.char != "d" or not array.flags.c_contiguous or array.size < size:
        raise InternalError("run", f"the array {name} is not {size} contiguous float64")
    return address_of(array)


# ------------------------------------------------------------------ compiling


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library = ctypes.CDLL("ucrtbase" if hasattr(ctypes, "WinDLL") else None)
    for name in _C_LIBRARY:
        if llvm.address_of_symbol(name) is None:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            assert address is not None
            llvm.add_symbol(name, address)


@cache
def _solvers() -> llvm.ExecutionEngine:
    """The loops that solve blocks, compiled once for all programs."""

    def text() -> str:
        from acausal.codegen.native_solvers import native_solvers

        return native_solvers()

    names = ("acausal_solve", "acausal_newton", "acausal_factor", "acausal_substitute")
    return _publish(f"solvers {source_digest()}", text, names)


@cache
def _lapack() -> llvm.ExecutionEngine:
    from acausal.codegen.lapack import dgesv_address

    def text() -> str:
        from acausal.codegen.native_solvers import native_lapack

        return native_lapack()

    llvm.add_symbol("acausal_dgesv", dgesv_address())
    return _publish(f"lapack {source_digest()}", text, ("acausal_lapack",))


@cache
def _band() -> llvm.ExecutionEngine:
    def text() -> str:
        from acausal.codegen.native_band import native_band

        return native_band()

    return _publish(f"band {source_digest()}", text, ("acausal_band",))


def published(name: str, text: Callable[[], str], level: int = 2) -> llvm.ExecutionEngine:
    """The engine of one function that no program calls by name, compiled once for all.

    Two threads must not make one each: the code of the second would be freed while it is used.
    """
    with _LOCK:
        _initialize()
        found = _PUBLISHED.get(name)
        if found is None:
            found = _PUBLISHED[name] = _publish(f"{name} {source_digest()}", text, (name,), level)
        return found


def load_text(text: str) -> llvm.ExecutionEngine:
    """A module of its own, optimised."""
    with _LOCK:
        _initialize()
        return load_objects({f"text {_digest(text)}": lambda: (llvm.parse_assembly(text), 2)})


def load_plain(name: str, text: Callable[[], str]) -> llvm.ExecutionEngine:
    """A module of its own, not optimised; its text is made only where its object code is not kept under this name."""
    with _LOCK:
        _initialize()
        return load_objects({name: lambda: (llvm.parse_assembly(text()), 0)})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _publish(digest: str, text: Callable[[], str], names: tuple[str, ...], level: int = 2) -> llvm.ExecutionEngine:
    """Compiles functions that programs may call by name."""
    engine = load_objects({digest: lambda: (_improved(text()) if level else llvm.parse_assembly(text()), level)})
    for name in names:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine


def _improved(text: str) -> llvm.ModuleRef:
    """The module after LLVM's passes over functions."""
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine(2), llvm.create_pipeline_tuning_options(2))
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    return module
