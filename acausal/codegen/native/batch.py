"""The derivatives of many states, or for many sets of parameters, in one call of native code.

Where the routine has no blocks of equations a vector of the processor holds several rows (`llvm_vectors`); other
routines are called row by row, in native code too.
"""

import ctypes
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.base.diagnostics import InternalError
from acausal.codegen.llvm.kernel_code import load_text, published
from acausal.codegen.llvm.vectors import fits_vectors, has_angles, sincos_name, sincos_text, vectors_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from acausal.codegen.executable import Array, Executable

CHUNK = 2**18
"""Numbers of parameters that are completed at once: they stay in the cache until they are used."""
AT_ONCE = 4000
"""Instructions of vectors that are optimized at once."""
OFTEN = 500_000
"""Rows from which on more are: those before have taken about as long as it takes, a second for the longest."""
_ROWS = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_void_p, ctypes.c_int64] * 3,
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p,
)  # fmt: skip
_VECTORS = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 5)


class Batch:
    """The derivatives of one executable, row by row of arrays that are C-contiguous float64."""

    def __init__(self, executable: "Executable") -> None:
        self.program = executable.program
        self._executable = executable
        self._engines: list[llvm.ExecutionEngine] = []
        self._functions: dict[tuple[bool, int], Callable[..., None]] = {}
        self._done = 0
        self.lanes = _lanes() if fits_vectors(self.program) else 1

    @property
    def rows(self) -> int:
        """Rows of parameters that are best completed at once."""
        return max(8, CHUNK // max(1, self.program.parameter_size) // 8 * 8)

    def setup(self, p: "Array", given: "Array") -> tuple[int, int]:
        """Completes each row of p; status and number of rows done."""
        import numpy as np

        nothing = np.zeros((1, 0))
        return self._by_rows("setup", np.zeros(len(p)), nothing, given[None, :], p, nothing[0], p)

    def derivatives(self, t: "Array", y: "Array", u: "Array", p: "Array", m: "Array", out: "Array") -> tuple[int, int]:
        """dy/dt for every row of t, y and u into the rows of out; status and number of rows done.

        p has one row for all, or a row each; m are start values of nonlinear blocks, the same for all rows.
        """
        if self.lanes == 1:
            return self._by_rows("derivatives", t, y, u, p, m, out)
        import numpy as np

        whole = len(t) - len(t) % self.lanes
        own = len(p) > 1
        self._by_vectors(t[:whole], y[:whole], u[:whole], p[:whole] if own else p, out[:whole])
        if whole < len(t):
            last = np.minimum(np.arange(whole, whole + self.lanes), len(t) - 1)
            rest = np.empty((self.lanes, y.shape[1]))
            self._by_vectors(t[last], y[last], u[last], p[last] if own else p, rest)
            out[whole:] = rest[: len(t) - whole]
        return 0, len(t)

    def _by_rows(
        self, routine: str, t: "Array", y: "Array", u: "Array", p: "Array", start: "Array", out: "Array"
    ) -> tuple[int, int]:
        self._executable.expect(len(t))
        address = self._executable.address(routine)
        if address is None:
            raise InternalError("run", "only machine code is called for many rows")
        return call_by_rows(address, self.program.memory_size, t, y, u, p, start, out)

    def _by_vectors(self, t: "Array", y: "Array", u: "Array", p: "Array", out: "Array") -> None:
        self._done += len(t)
        optimized = len(self.program.derivatives.code) <= AT_ONCE or self._done >= OFTEN
        function = self._compiled(len(p) > 1, 2 if optimized else 0)
        function(len(t) // self.lanes, *(a.ctypes.data for a in (t, y, u, p, out)))

    def _compiled(self, own_parameters: bool, level: int) -> "Callable[..., None]":
        """The code for parameters of all rows or of each; its numbers are the same at all levels."""
        found = self._functions.get((own_parameters, level))
        if found is None:
            fused = bool(_features().get("fma") or _features().get("neon"))
            if fused and has_angles(self.program):
                published(sincos_name(self.lanes), lambda: sincos_text(self.lanes))
            engine = load_text(vectors_text(self.program, self.lanes, own_parameters, fused), level)
            found = _VECTORS(engine.get_function_address("derivatives_vectors"))
            self._engines.append(engine)
            self._functions[own_parameters, level] = found
        return found


def call_by_rows(
    address: int, memory_size: int, t: "Array", y: "Array", u: "Array", p: "Array", start: "Array", out: "Array"
) -> tuple[int, int]:
    """Calls the machine code of a routine for every row of t, y and u; status and number of rows done.

    `start` are the start values of nonlinear blocks, the first of the `memory_size` numbers that the routine needs.
    Arrays with one row serve all.
    """
    import numpy as np

    m, done = np.zeros(memory_size), ctypes.c_int64(0)
    status = _rows()(
        address, len(t), t.ctypes.data, *_wide(y), *_wide(u), *_wide(p),
        start.ctypes.data, m.ctypes.data, len(start), *_wide(out), ctypes.addressof(done),
    )  # fmt: skip
    return int(status), done.value


def _wide(rows: "Array") -> tuple[int, int]:
    """The address of an array and how far apart its rows stand: one row serves all."""
    return rows.ctypes.data, rows.shape[1] if len(rows) > 1 else 0


@once
def _rows() -> "Callable[..., int]":
    from acausal.codegen.native.kernel_addresses import kernel_address
    from acausal.runtime.rows import evaluate_rows

    return _ROWS(kernel_address(evaluate_rows))


@once
def _features() -> dict[str, bool]:
    return dict(llvm.get_host_cpu_features())


def _lanes() -> int:
    """Numbers in the widest vector of the processor."""
    features = _features()
    return 8 if features.get("avx512f") else 4 if features.get("avx") else 2
