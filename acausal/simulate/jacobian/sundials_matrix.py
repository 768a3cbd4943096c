"""Newton's matrix and its solver as SUNDIALS has them, and what fills the matrix."""

import ctypes
from contextlib import suppress
from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.kernel_addresses import kernel_address
from acausal.runtime.cvode.cvode_context import DifferencesContext
from acausal.runtime.cvode.jacobian import jacobian_by_differences
from acausal.runtime.kernel.signature import fields
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sum_solver import SumSolver
from acausal.simulate.jacobian.sundials_library import Sundials, use_one_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.context_memory import FieldValues

_BY_COLUMNS = 0
THREADS = 1
LAPACK_FROM = 100
"""States from which a dense matrix is factored by LAPACK: 3 times faster runs with 640, no gain with 60."""


class SundialsMatrix:
    """A matrix of the kind that `plan` says, and its direct solver; `sums` where that is one of dense sums."""

    def __init__(self, library: Sundials, context: ctypes.c_void_p, states: int, plan: NewtonMatrix) -> None:
        self._library, self.plan = library, plan
        self._lapack: ctypes.CDLL | None = None
        self.sums: SumSolver | None = None
        size = plan.size
        if plan.kind == "band":
            self.matrix = library.SUNBandMatrix(size, plan.upper, plan.lower, context)
            self.solver = library.SUNLinSol_Band(states, self.matrix, context)
        elif plan.kind == "sparse":
            assert library.superlu is not None
            use_one_thread()
            self.matrix = library.SUNSparseMatrix(size, size, len(plan.rows), _BY_COLUMNS, context)
            self.solver = library.superlu.SUNLinSol_SuperLUMT(states, self.matrix, THREADS, context)
        else:
            self.matrix = library.SUNDenseMatrix(size, size, context)
            self._lapack = library.lapack if size >= LAPACK_FROM else None
            if self._lapack is None:
                self.solver = library.SUNLinSol_Dense(states, self.matrix, context)
            else:
                use_one_thread()
                self.solver = self._lapack.SUNLinSol_LapackDense(states, self.matrix, context)
                with suppress(OSError):  # then all matrices are factored
                    entries = int(library.SUNDenseMatrix_Data(self.matrix))
                    self.sums = SumSolver(self._lapack, self.solver, entries, size)

    def free(self, *, used: bool) -> None:
        """Free what SUNDIALS has allocated; a SuperLU that has never been used cannot be freed."""
        library, kind = self._library, self.plan.kind.capitalize()
        if kind == "Sparse":
            assert library.superlu is not None
            if used:
                library.superlu.SUNLinSolFree_SuperLUMT(self.solver)
        elif self._lapack is not None:
            if self.sums is not None:
                self.sums.give_back()
            self._lapack.SUNLinSolFree_LapackDense(self.solver)
        else:
            getattr(library, f"SUNLinSolFree_{kind}")(self.solver)
        getattr(library, f"SUNMatDestroy_{kind}")(self.matrix)


def sparse_places(library: Sundials, matrix: SundialsMatrix) -> "FieldValues":
    """The fields of `SparsePlaces`."""
    import numpy as np

    plan, there = matrix.plan, matrix.matrix
    return {
        "indices": plan.rows.astype(np.int32),
        "indices_there": int(library.SUNSparseMatrix_IndexValues(there)),
        "index_count": len(plan.rows),
        "pointers": plan.first_of_column.astype(np.int32),
        "pointers_there": int(library.SUNSparseMatrix_IndexPointers(there)),
        "pointer_count": plan.size + 1,
    }


def group_fields(plan: NewtonMatrix, scales: "NDArray[np.float64]") -> "FieldValues":
    """The fields of `DifferencesContext` for groups of columns, without the matrix."""
    import numpy as np

    return {
        **{name: getattr(plan, name) for name in ("first_of_group", "columns", "first_of_column", "rows")},
        "group_count": plan.groups,
        "scales": scales,
        **{name: np.zeros(plan.size) for name in ("moved", "slopes")},
    }


class Filler:
    """Fills the Jacobian in place of CVODE; each solver has its own.

    `field` is that of `CvodeContext` with its structure, `function` the address of its kernel, `values` that of the
    matrix' numbers.
    """

    def __init__(self, field: str, kernel: "Callable[..., object]", memory: ContextMemory, values: int) -> None:
        self.field, self.values = field, values
        self.function = kernel_address(kernel)
        self._memory, self._filled = memory, memory.place("filled")
        self.address = memory.address

    @property
    def filled(self) -> int:
        """Number of times the matrix was filled."""
        return int(self._memory.words[self._filled])


class DifferencesFiller(Filler):
    """By differences; `scales` are the values below which states count as small."""

    def __init__(self, library: Sundials, matrix: SundialsMatrix, scales: "NDArray[np.float64]") -> None:
        values = int(library.SUNSparseMatrix_Data(matrix.matrix))
        places = sparse_places(library, matrix)
        found: FieldValues = {**places, **group_fields(matrix.plan, scales), "values": values}
        memory = ContextMemory(tuple(fields(DifferencesContext)), found)
        self.scales = scales
        super().__init__("differences", jacobian_by_differences, memory, values)
