"""The exact Jacobian in the matrices of CVODE, filled by pointer."""

from typing import TYPE_CHECKING

from acausal.codegen.address import address_of, words_of
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.native.exact_jacobian import ExactJacobian
    from acausal.simulate.jacobian.sundials_library import Sundials
    from acausal.simulate.jacobian.sundials_matrix import SundialsMatrix

    Numbers = NDArray[np.int64]


class ExactFiller:
    """The words of `native_tangent.WORDS` with the arrays that they point to; each solver has its own.

    `values` is the address of the matrix' numbers.
    """

    def __init__(self, library: "Sundials", matrix: "SundialsMatrix", exact: "ExactJacobian", system: System) -> None:
        import numpy as np

        from acausal.codegen.native.native_tangent import WORDS, exact_address

        plan, there = matrix.plan, matrix.matrix
        count = len(exact.rows)
        data, columns_apart = _numbers_of(library, matrix)
        self.values = data
        words: dict[str, int] = dict.fromkeys(WORDS, 0)
        words |= {"tangent": system.tangent(exact.address), "states": plan.size, "count": count, "values": data}
        words["memory_count"] = system.program.memory
        arrays = {
            "room": np.zeros(plan.size),
            "memory": np.zeros(exact.memory_size),
            "entries": np.zeros(count),
            "places": places(exact, plan, columns_apart),
        }
        if plan.kind == "sparse":
            words |= {"index_count": len(plan.rows), "pointer_count": plan.size + 1}
            words["indices_there"] = library.SUNSparseMatrix_IndexValues(there)
            words["pointers_there"] = library.SUNSparseMatrix_IndexPointers(there)
            arrays |= {"indices": plan.rows.astype(np.int32), "pointers": plan.first_of_column.astype(np.int32)}
        words |= {name: array.ctypes.data for name, array in arrays.items()}
        self._kept = arrays
        self._words = words_of([words[name] for name in WORDS])
        self.address = address_of(self._words)
        self.function = exact_address()
        self._count = WORDS.index("filled")

    @property
    def filled(self) -> int:
        """Number of times the matrix was filled."""
        return int(self._words[self._count])


def places(exact: "ExactJacobian", plan: NewtonMatrix, columns_apart: int) -> "Numbers":
    """Position of each entry among the numbers of a matrix, whose columns begin `columns_apart` from each other.

    In a band the diagonals of a column follow each other, the main one of column j where it would stand in a row of
    diagonals; a sparse matrix has the entries of the plan.
    """
    import numpy as np

    rows, columns = exact.rows, exact.columns
    if plan.kind == "sparse":
        size = plan.size
        there = np.repeat(np.arange(size), np.diff(plan.first_of_column)) * size + plan.rows
        return np.searchsorted(there, columns * size + rows)
    row_places, column_places = plan.place[rows], plan.place[columns]
    if plan.kind == "dense":
        return column_places * columns_apart + row_places
    middle = min(plan.size - 1, plan.lower + plan.upper)
    return column_places * columns_apart + row_places - column_places + middle


def _numbers_of(library: "Sundials", matrix: "SundialsMatrix") -> tuple[int, int]:
    """The address of a matrix' numbers, and how far apart its columns are."""
    there = matrix.matrix
    if matrix.plan.kind == "sparse":
        return int(library.SUNSparseMatrix_Data(there)), 0
    if matrix.plan.kind == "dense":
        return int(library.SUNDenseMatrix_Data(there)), matrix.plan.size
    return int(library.SUNBandMatrix_Data(there)), int(library.SUNBandMatrix_LDim(there))
