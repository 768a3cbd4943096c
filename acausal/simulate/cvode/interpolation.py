"""States within the last step of a CVODE that scikit-sundae made, which does not interpolate itself."""

from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.simulate.jacobian.sundials_library import sundials_library

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Interpolation:
    """By pointer, as machine code does it."""

    def __init__(self, size: int) -> None:
        import numpy as np

        self._states = np.zeros(size)
        self._library = sundials_library()
        self._memory: int | None = None
        self._vector: int | None = None

    def begin(self, solver: tuple[int, int] | None) -> None:
        """Begin with CVODE's memory and context; None where they are unknown."""
        self._free()
        if solver is not None and self._library is not None:
            self._memory, context = solver
            self._vector = self._library.N_VMake_Serial(len(self._states), address_of(self._states), context)

    def states(self, t: float) -> "Array | None":
        """The states at t as CVODE has them, None where this is not in its last step."""
        if self._vector is None or self._library is None:
            return None
        return self._states if self._library.CVodeGetDky(self._memory, t, 0, self._vector) == 0 else None

    def _free(self) -> None:
        if self._vector is not None and self._library is not None:
            self._library.N_VDestroy_Serial(self._vector)
        self._vector = None

    def __del__(self) -> None:
        self._free()
