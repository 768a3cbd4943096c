"""Printer of routines with nonlinear blocks, in whose place kernels track branches (`runtime/blocks/tracked`)."""

from acausal.codegen.llvm.loop_text import ARGUMENTS
from acausal.ir.program import Program
from acausal.runtime.blocks.tracked import Tracker, tracked_routine, tracked_row, tracker
from acausal.runtime.kernel.llvm.declarations import declaration, print_constant

_CALL = """\
define i32 @{name}({arguments}) {{
  %status = call i32 @{kernel}(ptr @{context}, double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out)
  ret i32 %status
}}"""


def tracked_text(program: Program, name: str, used: dict[str, None]) -> list[str]:
    """The function in the place of a routine, whose own name is then `NAME_untracked`; nothing where it needs none."""
    kernel = tracker(program, name)
    return [] if kernel is None else _called(program, name, kernel, name, f"{name}_untracked", used)


def row_text(program: Program, name: str, used: dict[str, None]) -> list[str]:
    """`variables_of_row` behind the routine `variables`, where the derivatives do not solve all of its blocks."""
    if name != "variables" or not program.follows_rows:
        return []
    return _called(program, name, tracked_row, "variables_of_row", name, used)


def _called(
    program: Program, name: str, kernel: Tracker, function: str, routine: str, used: dict[str, None]
) -> list[str]:
    """A function that calls the kernel for the routine, of which it knows."""
    context = f"{function}_context"
    used[declaration(kernel)] = None
    return [
        *print_constant(context, tracked_routine(program, name, routine)),
        _CALL.format(name=function, arguments=ARGUMENTS, kernel=kernel.__name__, context=context),
    ]
