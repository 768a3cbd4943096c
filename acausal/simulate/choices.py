"""Whether the states are still well chosen.

A choice is judged by the columns of its dummy derivatives in the matrix of the differentiated
constraints: their determinant beside that of the best columns, found by QR with column pivoting
(P. Businger, G. H. Golub, Numer. Math. 7 (1965)). Below `POOR` others are to be taken.
"""

from collections.abc import Callable, Mapping
from math import isfinite, prod
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
    """Asked at every output time: LAPACK itself, as what SciPy puts around it takes longer than the steps."""
    rows, columns = len(slot.dummies), len(slot.candidates)
    values = results[slot.position : slot.position + rows * columns]
    if not isfinite(values.sum()):
        return False
    if rows == 1:
        return bool(abs(values[slot.dummies[0]]) < POOR * max(map(abs, values.tolist())))
    from scipy.linalg.lapack import dgeqp3, dgetrf

    matrix = values.reshape(rows, columns)
    best = abs(prod(dgeqp3(matrix)[0].diagonal().tolist()))
    return bool(abs(prod(dgetrf(matrix[:, slot.dummies])[0].diagonal().tolist())) < POOR * best)
