"""Newton's matrix and its solver as SUNDIALS has them, and what fills the matrix."""

import ctypes
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of, words_of
from acausal.codegen.native.native_jacobian import WORDS, jacobian_address
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sundials_library import Sundials, use_one_thread
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BY_COLUMNS = 0
THREADS = 1


class SundialsMatrix:
    """A matrix of the kind that `plan` says, and its direct solver."""

    def __init__(self, library: Sundials, context: ctypes.c_void_p, states: int, plan: NewtonMatrix) -> None:
        self._library, self.plan = library, plan
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
            self.solver = library.SUNLinSol_Dense(states, self.matrix, context)

    def free(self, *, used: bool) -> None:
        """Free what SUNDIALS has allocated; a SuperLU that has never been used cannot be freed."""
        library, kind = self._library, self.plan.kind.capitalize()
        if kind == "Sparse":
            assert library.superlu is not None
            if used:
                library.superlu.SUNLinSolFree_SuperLUMT(self.solver)
        else:
            getattr(library, f"SUNLinSolFree_{kind}")(self.solver)
        getattr(library, f"SUNMatDestroy_{kind}")(self.matrix)


class Filler:
    """The words of `native_jacobian.WORDS` for a sparse matrix, with the arrays that they point to.

    `scales` are the values below which states count as small; `values` is the address of the matrix' numbers.
    """

    def __init__(
        self, library: Sundials, matrix: SundialsMatrix, system: System, scales: "NDArray[np.float64]"
    ) -> None:
        import numpy as np

        plan, there = matrix.plan, matrix.matrix
        self.values = int(library.SUNSparseMatrix_Data(there))
        room = np.zeros((4, plan.size))
        derivatives = system.address("derivatives")
        assert derivatives is not None
        words: dict[str, int] = dict.fromkeys(WORDS, 0)
        words |= {"derivatives": derivatives, "states": plan.size, "groups": plan.groups, "values": self.values}
        words |= {"index_count": len(plan.rows), "pointer_count": plan.size + 1}
        words["indices_there"] = library.SUNSparseMatrix_IndexValues(there)
        words["pointers_there"] = library.SUNSparseMatrix_IndexPointers(there)
        arrays = {name: getattr(plan, name) for name in ("first_of_group", "columns", "first_of_column", "rows")}
        arrays |= {"indices": plan.rows.astype(np.int32), "pointers": plan.first_of_column.astype(np.int32)}
        arrays |= {"scales": scales, **dict(zip(("room", "base", "slopes", "steps"), room, strict=True))}
        words |= {name: array.ctypes.data for name, array in arrays.items()}
        self._kept = arrays
        self._words = words_of([words[name] for name in WORDS])
        self.address = address_of(self._words)
        self.function = jacobian_address()

    @property
    def filled(self) -> int:
        """Number of times the matrix was filled."""
        return int(self._words[WORDS.index("filled")])
