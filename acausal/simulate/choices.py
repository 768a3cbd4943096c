"""Whether the states are still well chosen.

A choice is judged by the columns of its dummy derivatives in the matrix of the differentiated
constraints: their determinant beside that of the best columns, found by QR with column pivoting
(P. Businger, G. H. Golub, Numer. Math. 7 (1965)). Below `POOR` others are to be taken.
"""

from collections.abc import Callable, Mapping
from math import isfinite, sqrt
from operator import mul
from typing import TYPE_CHECKING

from acausal.ir.program import ChoiceSlot, ChoiceTable, Symbol

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.signals import Signals

Variants = Callable[[Mapping[Symbol, float]], "tuple[Executable, Array, Signals]"]
"""The executable whose states are well chosen where variables have these values, with its parameters and inputs."""

POOR = 0.2
FEW = 3
"""Constraints of a choice that are judged without matrices."""


def poor(table: ChoiceTable, results: "Array") -> bool:
    """Whether a choice has become a bad one; `results` are those of the routine `choices`."""
    return any(_poor(slot, results) for slot in table.slots)


def _poor(slot: ChoiceSlot, results: "Array") -> bool:
    import numpy as np

    rows, columns = len(slot.dummies), len(slot.candidates)
    matrix = results[slot.position : slot.position + rows * columns].reshape(rows, columns)
    if rows <= FEW:
        return _poor_few(slot, matrix.T.tolist())
    if not np.isfinite(matrix).all():
        return False
    from scipy.linalg import qr

    factor, _ = qr(matrix, mode="r", pivoting=True)
    best = abs(np.prod(np.diag(factor)))
    return bool(best > 0.0 and abs(np.linalg.det(matrix[:, slot.dummies])) < POOR * best)


def _poor_few(slot: ChoiceSlot, columns: list[list[float]]) -> bool:
    """The same for few constraints: it is asked at every output time, and SciPy takes longer than the steps."""
    if not all(isfinite(x) for column in columns for x in column):
        return False
    best = _volume(columns, len(slot.dummies))
    return best > 0.0 and _volume([columns[d] for d in slot.dummies], len(slot.dummies)) < POOR * best


def _volume(columns: list[list[float]], count: int) -> float:
    """The product of the pivots of QR with column pivoting: of as many columns as rows the absolute determinant."""
    left, volume = columns, 1.0
    for _ in range(count):
        squares = [sum([x * x for x in column]) for column in left]
        largest = max(squares)
        if largest == 0.0:
            return 0.0
        volume *= sqrt(largest)
        pivot = left[squares.index(largest)]
        shares = [sum(map(mul, pivot, column)) / largest for column in left]
        left = [[x - s * p for x, p in zip(column, pivot, strict=True)] for column, s in zip(left, shares, strict=True)]
    return volume
