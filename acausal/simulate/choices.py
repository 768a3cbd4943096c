"""Whether the states are still well chosen.

A choice is judged by the columns of its dummy derivatives in the matrix of the differentiated
constraints: their determinant beside that of the best columns, found by QR with column pivoting
(P. Businger, G. H. Golub, Numer. Math. 7 (1965)). Below `POOR` others are to be taken.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.ir.program import ChoiceSlot, ChoiceTable, Symbol

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.signals import Signals

Variants = Callable[[Mapping[Symbol, float]], "tuple[Executable, Array, Signals]"]
"""The executable whose states are well chosen where variables have these values, with its parameters and inputs."""

POOR = 0.2


def poor(table: ChoiceTable, results: "Array") -> bool:
    """Whether a choice has become a bad one; `results` are those of the routine `choices`."""
    return any(_poor(slot, results) for slot in table.slots)


def _poor(slot: ChoiceSlot, results: "Array") -> bool:
    import numpy as np
    from scipy.linalg import qr

    rows, columns = len(slot.dummies), len(slot.candidates)
    matrix = results[slot.position : slot.position + rows * columns].reshape(rows, columns)
    if not np.isfinite(matrix).all():
        return False
    factor, _ = qr(matrix, mode="r", pivoting=True)
    best = abs(np.prod(np.diag(factor)))
    return bool(best > 0.0 and abs(np.linalg.det(matrix[:, slot.dummies])) < POOR * best)
