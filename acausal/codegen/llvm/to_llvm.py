"""Machine code of a program, made in memory by LLVM.

Straight-line code whose equal values are shared already gains nothing from LLVM's passes over
the intermediate code. Its code generator takes 20 to 40 microseconds a line when it optimises, 3 when it
does not, and the code is then half as fast: worth it for what a solver calls at every step, unless that is so short
that the solver itself takes nearly all of the time, or long: then it is optimized once many calls are expected.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from acausal.base.lazy import lazy
from acausal.codegen.llvm.kernel_code import LOCK, digest_of, publish_kernels
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.llvm.object_code import Made, load_objects
from acausal.codegen.llvm.optimized_code import kept_code, optimized_code
from acausal.codegen.llvm.step_routines import is_optimized_at_once
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.llvm.module_text import module_texts, setup_text
else:  # needless where the object code is kept
    module_texts = lazy("codegen.llvm.module_text", "module_texts")
    setup_text = lazy("codegen.llvm.module_text", "setup_text")


def compile_llvm(program: Program, level: int | None = None, digest: str | None = None) -> LlvmExecutable:
    """The program as machine code for this computer.

    `level` 0 compiles fastest, 2 gives the fastest code; None is 2 for what a solver calls at every step, unless that
    is long or short, 0 for the rest. `digest` is that of the program's text, where it is known from an executable of
    the same program.
    """
    with LOCK:
        publish_kernels(program)
        texts = None if digest else module_texts(program)
        digest = digest or digest_of("".join(texts or ()))
        engine = load_objects(f"program {level} {digest}", lambda: _modules(program, texts, level))
        optimized = kept_code(digest) if level is None else None
    made = LlvmExecutable(program, engine, digest, compile_llvm, lambda: _setup(program, level or 0))
    if optimized is not None:
        made.use(optimized)
    elif level is None:
        made.optimize = partial(optimized_code, program, digest)
    return made


def _setup(program: Program, level: int) -> llvm.ExecutionEngine:
    """The routine `setup` alone."""
    text = setup_text(program)
    with LOCK:
        return load_objects(f"setup {level} {digest_of(text)}", lambda: [(llvm.parse_assembly(text), level)])


def _modules(program: Program, texts: tuple[str, ...] | None, level: int | None) -> Iterator[Made]:
    """The modules of a program with their levels; what a solver calls at every step is the first of two."""
    texts = texts or module_texts(program)
    for text in texts:
        fast = len(texts) > 1 and text is texts[0] and is_optimized_at_once(program, text)
        yield llvm.parse_assembly(text), 2 if fast and level is None else level or 0
