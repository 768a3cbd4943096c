"""The homotopy of large nonlinear blocks in machine code: of its kernels, and of the residuals of one block."""

import ctypes
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING

from acausal.codegen.llvm.kernel_code import digest_of, load_plain
from acausal.codegen.llvm.lapack import lapack_address
from acausal.codegen.llvm.module_text import residuals_text
from acausal.codegen.native.kernel_addresses import kernel_address
from acausal.ir.program.instructions import NewtonSolve
from acausal.runtime.homotopy.solve_start import homotopy_work, solve_by_homotopy

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_RESIDUALS = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
_SOLVE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, _RESIDUALS, *[ctypes.c_void_p] * 6)


def native_homotopy(
    solve: NewtonSolve, captured: Sequence[float], start: Sequence[float], most: int
) -> list[float] | None:
    """A solution from `start`, or None where no way comes to one with `most` evaluations of the residuals.

    Behind these the residuals are no numbers, with which every way ends.
    """
    import numpy as np

    n, left = solve.size, most
    text = residuals_text(solve)
    engine = load_plain(f"residuals {digest_of(text)}", lambda: text)
    function = _RESIDUALS(int(engine.get_function_address("residuals")))
    nothing = np.full(n + n * n, nan)

    def counted(given: int, x: int, values: int) -> None:
        nonlocal left
        left -= 1
        if left >= 0:
            function(given, x, values)
        else:
            ctypes.memmove(values, nothing.ctypes.data, nothing.nbytes)

    x = np.array(start, dtype=float)
    integers = np.zeros(6, dtype=np.int32)
    numbers: list[Array] = [np.array(captured, dtype=float), x, np.array(solve.nominals), np.zeros(homotopy_work(n))]
    places = [array.ctypes.data for array in numbers]
    kernel = _SOLVE(kernel_address(solve_by_homotopy))
    failed = kernel(n, _RESIDUALS(counted), *places, integers.ctypes.data, lapack_address("dgesvd"))
    return None if failed or left < 0 else x.tolist()
