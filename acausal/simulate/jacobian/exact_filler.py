"""The exact Jacobian in the matrices of CVODE, filled by pointer."""

from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, memory_of
from acausal.runtime.branches.tracked import tracked_routine
from acausal.runtime.cvode.cvode_context import ExactContext
from acausal.runtime.cvode.jacobian import exact_jacobian
from acausal.runtime.kernel.signature import fields
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sundials_matrix import Filler, SundialsMatrix, sparse_places
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.native.exact_jacobian import ExactJacobian
    from acausal.simulate.jacobian.sundials_library import Sundials

    Numbers = NDArray[np.int64]


class ExactFiller(Filler):
    """By the exact Jacobian, in a matrix of any kind."""

    def __init__(self, library: "Sundials", matrix: SundialsMatrix, exact: "ExactJacobian", system: System) -> None:
        plan = matrix.plan
        values, columns_apart = _numbers_of(library, matrix)
        self._motion = memory_of(tracked_routine(system.program, "derivatives", 0))
        found: FieldValues = {
            **(sparse_places(library, matrix) if plan.kind == "sparse" else {}),
            **entry_fields(system, exact, self._motion),
            "places": places(exact, plan, columns_apart),
            "values": values,
        }
        super().__init__("exact", exact_jacobian, ContextMemory(tuple(fields(ExactContext)), found), values)


def entry_fields(system: System, exact: "ExactJacobian", motion: ContextMemory) -> "FieldValues":
    """The fields of `ExactContext` for the entries, without their places; `motion` is that of the derivatives."""
    import numpy as np

    states, count = len(system.program.state_slots), len(exact.rows)
    return {
        "tangent": system.tangent(exact.address),
        "motion": motion.address,
        "given": np.zeros(states),
        "states": np.zeros(states),
        "memory": np.zeros(exact.memory_size),
        "entry_count": count,
        "entries": np.zeros(count),
    }


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


def _numbers_of(library: "Sundials", matrix: SundialsMatrix) -> tuple[int, int]:
    """The address of a matrix' numbers, and how far apart its columns are."""
    there = matrix.matrix
    if matrix.plan.kind == "sparse":
        return int(library.SUNSparseMatrix_Data(there)), 0
    if matrix.sums is not None:
        return address_of(matrix.sums.jacobian), matrix.plan.size
    if matrix.plan.kind == "dense":
        return int(library.SUNDenseMatrix_Data(there)), matrix.plan.size
    return int(library.SUNBandMatrix_Data(there)), int(library.SUNBandMatrix_LDim(there))
