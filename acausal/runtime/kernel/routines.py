"""Routines of a model as kernels call them."""

from typing import Protocol

from acausal.runtime.kernel.language import CInt, Real, Reals


class ModelRoutine(Protocol):
    """A routine of the model: its results at a time and states; not 0 where a block cannot be solved."""

    def __call__(self, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, /) -> CInt:
        """Status."""
        ...
