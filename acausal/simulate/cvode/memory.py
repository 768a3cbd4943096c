"""Memory that SUNDIALS has allocated for one solver."""

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sundials_library import Sundials
from acausal.simulate.jacobian.sundials_matrix import Filler, SundialsMatrix

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_METHODS = {"Adams": 1, "BDF": 2}


class SolverMemory:
    """Freed with this object."""

    def __init__(self, library: Sundials, method: str, size: int) -> None:
        self._library = library
        self._size = size
        self.context = library.context()
        self.cvode = c_void_p(library.CVodeCreate(_METHODS[method], self.context))
        # Made here: when the interpreter ends, names of modules are gone before the last objects.
        self._handles = byref(self.cvode), byref(self.context)
        self._vectors: list[int] = []
        self._matrix: SundialsMatrix | None = None
        self.filler: Filler | None = None

    def vector(self, numbers: "Array") -> int:
        """A vector that shows an array, which must outlive it.

        Operations on several vectors are done at once in it and in what CVODE makes like it.
        """
        made = self._library.N_VMake_Serial(self._size, address_of(numbers), self.context)
        self._library.N_VEnableFusedOps_Serial(made, 1)
        self._vectors.append(made)
        return int(made)

    def matrix(self, states: int, plan: NewtonMatrix) -> SundialsMatrix:
        """Newton's matrix with its solver."""
        self._matrix = SundialsMatrix(self._library, self.context, states, plan)
        return self._matrix

    def __del__(self) -> None:
        library = self._library
        cvode, context = self._handles
        library.CVodeFree(cvode)
        if self._matrix is not None:
            self._matrix.free(used=self.filler is not None and self.filler.filled > 0)
        for vector in self._vectors:
            library.N_VDestroy_Serial(vector)
        library.SUNContext_Free(context)
