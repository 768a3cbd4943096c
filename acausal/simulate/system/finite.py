"""True if numbers are finite."""

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

FEW = 64
"""For so many numbers Python takes less time than NumPy."""


def all_finite(numbers: "Array") -> bool:
    """True if none of them is infinite or NaN."""
    if numbers.size <= FEW:
        return all(map(isfinite, numbers.ravel().tolist()))
    import numpy as np

    return int(np.count_nonzero(np.isfinite(numbers))) == numbers.size
