"""Printer of routines with nonlinear blocks, in whose place kernels track branches (`runtime/branches/tracked`)."""

from acausal.codegen.llvm.loop_text import ARGUMENTS
from acausal.ir.program.program import Program
from acausal.runtime.branches.tracked import tracked_routine, tracker
from acausal.runtime.kernel.llvm.declarations import declaration, print_constant

_CALL = """\
define i32 @{name}({arguments}) {{
  %status = call i32 @{kernel}(ptr @{context}, double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out)
  ret i32 %status
}}"""


def tracked_text(program: Program, name: str, used: dict[str, None]) -> list[str]:
    """The function in the place of a routine, whose own name is then `NAME_untracked`; nothing where it needs none.

    It calls the kernel for the routine, of which it knows.
    """
    kernel = tracker(program, name)
    if kernel is None:
        return []
    context = f"{name}_context"
    used[declaration(kernel)] = None
    return [
        *print_constant(context, tracked_routine(program, name, f"{name}_untracked")),
        _CALL.format(name=name, arguments=ARGUMENTS, kernel=kernel.__name__, context=context),
    ]
