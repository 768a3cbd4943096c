"""Machine code of a program, made in memory by LLVM.

The fewer instructions, the more they are optimised: compiling shall not take longer than
the run it is made for.
"""

import ctypes
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from acausal.codegen.llvm_text import llvm_text
from acausal.codegen.scratch import USE_LAPACK
from acausal.diagnostics import InternalError
from acausal.ir.program import ROUTINES, LinearSolve, Program
from acausal.ir.show_program import routine_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_POINTERS = (ctypes.c_void_p,) * 5
_ROUTINE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *_POINTERS)
_MANY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, *_POINTERS, ctypes.c_void_p, ctypes.c_void_p)
_LOCK = threading.Lock()

_C_LIBRARY = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "pow",
)  # fmt: skip
"""What intrinsics and calls may end in."""

OPTIMIZED_UP_TO = 4000
"""Instructions of a program that are optimised; more are translated as they are."""


def compile_llvm(program: Program) -> "LlvmExecutable":
    """The program as machine code for this computer."""
    size = sum(len(routine_of(program, name).code) for name in ROUTINES)
    with _LOCK:
        _initialize()
        modules = [_optimized(llvm_text(program), 2 if size <= OPTIMIZED_UP_TO else 0)]
        if _has_solvers(program):
            modules.append(_optimized(_solvers(_has_large_block(program)), 2))
        engine = llvm.create_mcjit_compiler(modules[0], _machine(2 if size <= OPTIMIZED_UP_TO else 0))
        for module in modules[1:]:
            engine.add_module(module)
        engine.finalize_object()
    return LlvmExecutable(program, engine)


class LlvmExecutable:
    """The routines as machine code; see `Executable`. Keeps the code alive as long as itself."""

    def __init__(self, program: Program, engine: llvm.ExecutionEngine) -> None:
        self.program = program
        self._engine = engine
        self._functions = {name: _ROUTINE(engine.get_function_address(name)) for name in ROUTINES}
        self._many = _MANY(engine.get_function_address("variables_many"))

    def setup(self, p: "Array", given: "Array") -> int:
        """Completes p."""
        sizes = self.program.parameter_size, len(self.program.parameter_slots)
        place = _pointer("p", p, sizes[0])
        return int(self._functions["setup"](0.0, None, _pointer("given", given, sizes[1]), place, None, place))

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
        results = program.stored_size if routine == "variables" else len(program.state_slots)
        yp = _pointer("y", y, len(program.state_slots))
        up = _pointer("u", u, len(program.input_slots))
        pp = _pointer("p", p, program.parameter_size)
        mp = _pointer("m", m, program.memory_size)
        op = _pointer("out", out, results)
        function = self._functions[routine]
        arrays = (y, u, p, m, out)

        def call(t: float) -> int:
            assert arrays  # kept alive as long as their addresses
            return function(t, yp, up, pp, mp, op)  # type: ignore[no-any-return]  # ctypes gives an int

        return call

    def variables_many(
        self, t: "Array", y: "Array", u: "Array", p: "Array", m: "Array", out: "Array"
    ) -> tuple[int, int]:
        """`variables` row by row; status and number of rows done."""
        program, count = self.program, len(t)
        done = ctypes.c_int64(0)
        status = self._many(
            count,
            _pointer("t", t, count),
            _pointer("y", y, count * len(program.state_slots)),
            _pointer("u", u, count * len(program.input_slots)),
            _pointer("p", p, program.parameter_size),
            _pointer("m", m, program.memory_size),
            _pointer("out", out, count * program.stored_size),
            ctypes.addressof(done),
        )
        return int(status), done.value

    def address(self, routine: str) -> int | None:
        """The address of the machine code."""
        return int(self._engine.get_function_address(routine))


def _pointer(name: str, array: "Array", size: int) -> int:
    """The address of an array that has at least `size` numbers; InternalError if it is not what the code expects."""
    if array.dtype.char != "d" or not array.flags.c_contiguous or array.size < size:
        raise InternalError("run", f"the array {name} is not {size} contiguous float64")
    return int(array.ctypes.data)


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


def _machine(level: int) -> llvm.TargetMachine:
    """This computer with all its instructions."""
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=level)


def _optimized(text: str, level: int) -> llvm.ModuleRef:
    module = llvm.parse_assembly(text)
    if level:
        builder = llvm.create_pass_builder(_machine(level), llvm.create_pipeline_tuning_options(level))
        builder.getModulePassManager().run(module, builder)
    return module


@cache
def _solvers(lapack: bool) -> str:
    from acausal.codegen.lapack import dgesv_address
    from acausal.codegen.native_solvers import native_solvers

    return native_solvers(dgesv_address() if lapack else None)


def _has_solvers(program: Program) -> bool:
    return program.scratch > 0


def _has_large_block(program: Program) -> bool:
    code = (i.value for name in ROUTINES for i in routine_of(program, name).code)
    return any(isinstance(v, LinearSolve) and v.size >= USE_LAPACK for v in code)
