"""Machine code of a program, made in memory by LLVM.

Straight-line code whose equal values are shared already gains nothing from LLVM's passes over
the intermediate code. Its code generator takes 20 to 40 microseconds a line when it optimises, 3 when it
does not, and the code is then half as fast: worth it for what a solver calls at every step, unless that is long, or
so short that the solver itself takes nearly all of the time.
"""

import ctypes
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence

import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.cache.sources import source_digest
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.llvm.module_text import module_texts, setup_text
from acausal.codegen.llvm.object_code import Made, load_objects, machine
from acausal.codegen.lower.band import BAND_FROM
from acausal.codegen.lower.workspace import STRAIGHT, USE_LAPACK
from acausal.ir.program import Program

_LOCK = threading.Lock()
_PUBLISHED: dict[str, llvm.ExecutionEngine] = {}

_C_LIBRARY = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "pow",
)  # fmt: skip
"""Functions of the C library that intrinsics and calls may use."""

OPTIMIZED_UP_TO, TURNS = 1500, 4
"""Lines of text that are optimised unless a level is asked for; more where loops run each of them so often.

Optimising a line takes as long as it spares in some 100,000 calls, where it runs once a call.
"""
CALLS = ("cvode_slope", "cvode_crossings", "cvode_advance", "cvode_rows", "variables_many", "nothing")
"""Names of the functions shared by all models."""


def compile_llvm(program: Program, level: int | None = None, digest: str | None = None) -> LlvmExecutable:
    """The program as machine code for this computer.

    `level` 0 compiles fastest, 2 gives the fastest code; None is 2 for what a solver calls at every step, unless that
    is long or short, 0 for the rest. `digest` is that of the program's text, where it is known from an executable of
    the same program.
    """
    with _LOCK:
        _initialize()
        if any(b.kind == "nonlinear" or len(b.targets) > STRAIGHT for b in program.blocks):
            _solvers()
        if any(b.kind == "linear" and len(b.targets) >= USE_LAPACK for b in program.blocks):
            _lapack()
        if any(b.redundant for b in program.blocks):
            _least_norm()
        if any(b.kind == "linear" and len(b.targets) >= BAND_FROM for b in program.blocks):
            _band()
        if program.memory:
            _tracking()
        texts = None if digest else module_texts(program)
        digest = digest or _digest("".join(texts or ()))
        engine = load_objects(f"program {level} {digest}", lambda: _modules(program, texts, level))
        return LlvmExecutable(program, engine, digest, _calls(), lambda: _setup(program, level or 0))


def _setup(program: Program, level: int) -> llvm.ExecutionEngine:
    """The routine `setup` alone."""
    text = setup_text(program)
    with _LOCK:
        return load_objects(f"setup {level} {_digest(text)}", lambda: [(llvm.parse_assembly(text), level)])


def _modules(program: Program, texts: tuple[str, ...] | None, level: int | None) -> Iterator[Made]:
    """The modules of a program with their levels; what a solver calls at every step is the first of two."""
    texts = texts or module_texts(program)
    for text in texts:
        lines, size = text.count("\n"), len(program.derivatives.code) + len(program.crossings.code)
        fast = len(texts) > 1 and text is texts[0] and (lines <= OPTIMIZED_UP_TO or TURNS * lines <= size)
        yield llvm.parse_assembly(text), 2 if fast and level is None else level or 0


# ------------------------------------------------------------------ compiling


@once
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library = ctypes.CDLL("ucrtbase" if hasattr(ctypes, "WinDLL") else None)
    for name in _C_LIBRARY:
        if llvm.address_of_symbol(name) is None:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            assert address is not None
            llvm.add_symbol(name, address)


@once
def _calls() -> dict[str, int]:
    """The addresses of `CALLS`, compiled once for all programs."""

    def text() -> str:
        from acausal.runtime import cvode, rows
        from acausal.runtime.kernel.check import check_kernels
        from acausal.runtime.kernel.llvm_printer import print_llvm

        kernels = *cvode.KERNELS, *rows.KERNELS
        return print_llvm(check_kernels(kernels), [kernel.__name__ for kernel in kernels])

    engine = _PUBLISHED["calls"] = _publish(f"calls {source_digest()}", text, ())
    return {name: engine.get_function_address(name) for name in CALLS}


@once
def _solvers() -> llvm.ExecutionEngine:
    """The kernels that solve blocks, compiled once for all programs."""
    from acausal.runtime.blocks import linear, newton, pivots, refined

    kernels = *linear.KERNELS, refined.solve_refined, newton.solve_newton, pivots.note_pivots
    return _kernels("solvers", kernels)


def _kernels(name: str, kernels: Sequence[Callable[..., object]]) -> llvm.ExecutionEngine:
    """Machine code of kernels that programs may call by name."""
    names = tuple([kernel.__name__ for kernel in kernels])

    def text() -> str:
        from acausal.runtime.kernel.check import check_kernels
        from acausal.runtime.kernel.llvm_printer import print_llvm

        return print_llvm(check_kernels(kernels), names)

    return _publish(f"{name} {source_digest()}", text, names)


@once
def _tracking() -> llvm.ExecutionEngine:
    from acausal.runtime.blocks.tracked import KERNELS

    return _kernels("tracking", KERNELS)


def tracking_address(function: str) -> int:
    """Address of a kernel of `runtime/blocks/tracked`."""
    return int(_tracking().get_function_address(function))


@once
def _lapack() -> llvm.ExecutionEngine:
    from acausal.codegen.llvm.lapack import lapack_address
    from acausal.runtime.blocks.linear import solve_by_lapack

    llvm.add_symbol("dgesv", lapack_address("dgesv"))
    return _kernels("lapack", (solve_by_lapack,))


@once
def _least_norm() -> llvm.ExecutionEngine:
    from acausal.codegen.llvm.lapack import lapack_address
    from acausal.runtime.blocks.least_norm import solve_least_norm

    llvm.add_symbol("dgesvd", lapack_address("dgesvd"))
    return _kernels("least norm", (solve_least_norm,))


@once
def _band() -> llvm.ExecutionEngine:
    from acausal.runtime.blocks.band import solve_band

    return _kernels("band", (solve_band,))


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
        return load_objects(f"text {_digest(text)}", lambda: [(llvm.parse_assembly(text), 2)])


def load_plain(name: str, text: Callable[[], str]) -> llvm.ExecutionEngine:
    """A module of its own, not optimised; its text is made only where its object code is not kept under this name."""
    with _LOCK:
        _initialize()
        return load_objects(name, lambda: [(llvm.parse_assembly(text()), 0)])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _publish(digest: str, text: Callable[[], str], names: tuple[str, ...], level: int = 2) -> llvm.ExecutionEngine:
    """Compiles functions that programs may call by name."""
    engine = load_objects(digest, lambda: [(_improved(text()) if level else llvm.parse_assembly(text()), level)])
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
