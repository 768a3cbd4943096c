"""Machine code of kernels, and of texts that belong to no program: compiled once for the process.

Programs call kernels by name; what a program needs is published before it is linked.
"""

import ctypes
import hashlib
import threading
from collections.abc import Callable, Sequence

import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.cache.sources import source_digest
from acausal.codegen.llvm.object_code import linked, load_objects, machine
from acausal.codegen.llvm.shipped_code import Request, shipped
from acausal.ir.program.program import Program

LOCK = threading.Lock()
"""Held while LLVM compiles."""
_PUBLISHED: dict[str, llvm.ExecutionEngine] = {}

_C_LIBRARY = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "pow",
)  # fmt: skip
"""Functions of the C library that intrinsics and calls may use."""

CALLS = ("cvode_slope", "cvode_crossings", "cvode_advance", "variables_many", "call_bound", "nothing")
"""Names of the functions shared by all models."""


def publish_kernels(program: Program) -> None:
    """Make the kernels known that the routines of a program call; under LOCK."""
    initialize()
    if program.blocks:
        _publish_solvers(program)
    if program.memory:
        _tracking()
    if program.unit_calls:
        from acausal.codegen.llvm.external_calls import publish_external

        publish_external(program)


def _publish_solvers(program: Program) -> None:
    from acausal.codegen.lower.band import BAND_FROM
    from acausal.codegen.lower.workspace import STRAIGHT, USE_LAPACK

    kinds = {b.kind for b in program.blocks}
    if "nonlinear" in kinds or any(len(b.targets) > STRAIGHT for b in program.blocks):
        _solvers()
    if "nonlinear" in kinds:
        _newton()
    if any(b.kind == "linear" and len(b.targets) >= USE_LAPACK for b in program.blocks):
        _lapack()
    if any(b.redundant for b in program.blocks):
        _least_norm()
    if any(b.kind == "linear" and len(b.targets) >= BAND_FROM for b in program.blocks):
        _band()


@once
def initialize() -> None:
    """Make LLVM ready for this computer."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    library = ctypes.CDLL("ucrtbase" if hasattr(ctypes, "WinDLL") else None)
    for name in _C_LIBRARY:
        if llvm.address_of_symbol(name) is None:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            assert address is not None
            llvm.add_symbol(name, address)


def publish_all() -> None:
    """Make all kernels known that need no library but that of C."""
    with LOCK:
        initialize()
        for publish in (_solvers, _newton, _tracking, _band, shared_calls):
            publish()


@once
def shared_calls() -> dict[str, int]:
    """The addresses of `CALLS`, compiled once for all programs."""

    def text() -> str:
        from acausal.runtime import rows
        from acausal.runtime.cvode import callbacks

        return kernels_text((*callbacks.KERNELS, *rows.KERNELS))

    engine = _PUBLISHED["calls"] = _publish(f"calls {source_digest()}", text, ())
    return {name: engine.get_function_address(name) for name in CALLS}


@once
def _solvers() -> llvm.ExecutionEngine:
    """The kernels that solve linear blocks, compiled once for all programs."""
    from acausal.runtime.blocks import linear, refined

    return _kernels("solvers", (*linear.KERNELS, refined.solve_refined))


@once
def _newton() -> llvm.ExecutionEngine:
    from acausal.runtime.blocks import newton, pivots

    return _kernels("newton", (newton.solve_newton, pivots.note_pivots))


def _kernels(name: str, kernels: Sequence[Callable[..., object]]) -> llvm.ExecutionEngine:
    """Machine code of kernels that programs may call by name."""
    names = tuple([kernel.__name__ for kernel in kernels])
    return _publish(f"{name} {source_digest()}", lambda: kernels_text(kernels), names)


def kernels_text(kernels: Sequence[Callable[..., object]]) -> str:
    """A module of kernels, and of those that they call."""
    from acausal.runtime.kernel.check import typed_kernels
    from acausal.runtime.kernel.llvm.printer import print_llvm

    return print_llvm(typed_kernels(kernels), [kernel.__name__ for kernel in kernels])


@once
def _tracking() -> llvm.ExecutionEngine:
    from acausal.runtime.branches.tracked import KERNELS

    return _kernels("tracking", KERNELS)


def tracking_address(function: str) -> int:
    """Address of a kernel of `runtime/branches/tracked`."""
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
    from acausal.runtime.blocks.least_norm_slopes import solve_least_norm_slopes

    llvm.add_symbol("dgesvd", lapack_address("dgesvd"))
    return _kernels("least norm", (solve_least_norm, solve_least_norm_slopes))


@once
def _band() -> llvm.ExecutionEngine:
    from acausal.runtime.blocks.band import solve_band

    return _kernels("band", (solve_band,))


def published(name: str, text: Callable[[], str], level: int = 2) -> llvm.ExecutionEngine:
    """The engine of one function that no program calls by name, compiled once for all.

    Two threads must not make one each: the code of the second would be freed while it is used.
    """
    with LOCK:
        initialize()
        found = _PUBLISHED.get(name)
        if found is None:
            found = _PUBLISHED[name] = _publish(f"{name} {source_digest()}", text, (name,), level)
        return found


def load_text(text: str, level: int = 2) -> llvm.ExecutionEngine:
    """A module of its own, optimised unless `level` is 0."""
    with LOCK:
        initialize()
        return load_objects(f"text {level} {digest_of(text)}", lambda: [(llvm.parse_assembly(text), level)])


def load_plain(name: str, text: Callable[[], str]) -> llvm.ExecutionEngine:
    """A module of its own, not optimised; its text is made only where its object code is not kept under this name."""
    with LOCK:
        initialize()
        return load_objects(name, lambda: [(llvm.parse_assembly(text()), 0)])


def digest_of(text: str) -> str:
    """The name of a text among kept object code."""
    return hashlib.sha256(text.encode()).hexdigest()


def _publish(digest: str, text: Callable[[], str], names: tuple[str, ...], level: int = 2) -> llvm.ExecutionEngine:
    """Compiles functions that programs may call by name, unless the wheel has their code."""
    code = shipped(Request(digest, text, level))
    if code is not None:
        engine = linked([code])
    else:
        engine = load_objects(digest, lambda: [(module_of(text(), level, machine), level)])
    for name in names:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine


def module_of(text: str, level: int, target: Callable[[int], llvm.TargetMachine]) -> llvm.ModuleRef:
    """The module; if `level` is not 0 after the few passes that matter to kernels.

    All of LLVM's passes take ten times as long, and the code is hardly faster: kernels are branches and calls of
    routines, with loops too short to unroll.
    """
    module = llvm.parse_assembly(text)
    if not level:
        return module
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_new_gvn_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target(2), llvm.create_pipeline_tuning_options(2)))
    return module
