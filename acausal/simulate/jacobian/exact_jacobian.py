"""Programs that have an exact Jacobian."""

import threading
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.simulate.jacobian.storage import NewtonMatrix

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable
    from acausal.codegen.native.exact_jacobian import ExactJacobian

_MADE: "WeakKeyDictionary[Executable, ExactJacobian | None]" = WeakKeyDictionary()
_LOCK = threading.Lock()
"""Threads of a sweep begin together: one makes the code."""


def exact_jacobian(executable: "Executable") -> "ExactJacobian | None":
    """The exact Jacobian of a program, made once for its executable.

    None where differences serve as well (`codegen.exact_jacobian`), where it is too long, and without machine code.
    """
    with _LOCK:
        if executable not in _MADE:
            _MADE[executable] = _made(executable)
        return _MADE[executable]


def matrix_text(executable: "Executable", plan: NewtonMatrix) -> str:
    """The matrix and how it is filled, as statistics show it."""
    return plan.text if exact_jacobian(executable) is None else f"{plan.text}, exact"


def _made(executable: "Executable") -> "ExactJacobian | None":
    from acausal.codegen.llvm.llvm_executable import LlvmExecutable
    from acausal.codegen.native.exact_jacobian import compile_exact, is_wanted

    if not isinstance(executable, LlvmExecutable) or not is_wanted(executable.program):
        return None
    return compile_exact(executable.program, executable.digest)
