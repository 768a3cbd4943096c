"""States within the last step of a CVODE that scikit-sundae made, which does not interpolate itself."""

from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.simulate.jacobian.sundials_library import sundials_library

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Interpolation:
    """By pointer, as machine code does it.

    The vector that CVODE fills must not outlive the solver's context, which scikit-sundae owns and replaces: it lives
    while CVODE calls.
    """

    def __init__(self, size: int) -> None:
        import numpy as np

        self._states = np.zeros(size)
        self._solver: tuple[int, int] | None = None

    def begin(self, solver: tuple[int, int] | None) -> None:
        """Begin with CVODE's memory and context; None where they are unknown."""
        self._solver = solver

    def states(self, t: float) -> "Array | None":
        """The states at t as CVODE has them, None where this is not in its last step."""
        library = sundials_library()
        if self._solver is None or library is None:
            return None
        memory, context = self._solver
        vector = library.N_VMake_Serial(len(self._states), address_of(self._states), context)
        try:
            return self._states if library.CVodeGetDky(memory, t, 0, vector) == 0 else None
        finally:
            library.N_VDestroy_Serial(vector)
