"""Optimized code for what a solver calls at every step, where many calls are expected.

The code of long programs is not optimized at first: that takes as long as it spares in some 100,000 calls, whatever the
length. The numbers are the same to the last bit, so that code may be replaced in the middle of a run.
"""

from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from acausal.base.lazy import lazy
from acausal.codegen.llvm.kernel_code import LOCK
from acausal.codegen.llvm.object_code import kept_objects, load_objects
from acausal.codegen.llvm.step_routines import SHORT, is_optimized_at_once, step_size
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.llvm.module_text import step_text
else:
    step_text = lazy("codegen.llvm.module_text", "step_text")

MOST = 30_000
"""Instructions and lines of text that are optimized at all: they take a second."""


def kept_code(digest: str) -> llvm.ExecutionEngine | None:
    """Optimized code that an earlier run has made for the program with this digest; under LOCK."""
    return kept_objects(_name(digest))


def optimized_code(program: Program, digest: str) -> llvm.ExecutionEngine | None:
    """Optimized code; None where the program has it from the beginning, or is too long."""
    if not SHORT <= step_size(program) <= MOST:
        return None
    text = step_text(program)
    if is_optimized_at_once(program, text) or text.count("\n") > MOST:
        return None
    with LOCK:
        return load_objects(_name(digest), lambda: [(llvm.parse_assembly(text), 2)])


def _name(digest: str) -> str:
    return f"optimized {digest}"
