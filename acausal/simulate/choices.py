"""Whether the states are well chosen, and which ones would be better.

A choice is judged by the columns of its dummy derivatives in the matrix of the differentiated
constraints: their determinant beside that of the best columns, found by QR with column pivoting
(P. Businger, G. H. Golub, Numer. Math. 7 (1965)). Below `POOR` the best columns are taken.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.ir.program import ChoiceSlot, ChoiceTable, Symbol

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.signals import Signals

Variants = Callable[[tuple[Symbol, ...]], "tuple[Executable, Array, Signals]"]
"""The executable in which these derivatives are dummies, with its parameters and inputs."""

POOR = 0.2
WEIGHTS = (100.0, 3.0, 1.0, 1 / 3, 1e-6)
"""For a variable never, unwillingly, indifferently, preferably or always wanted as a state (`structure.dummy`)."""


def better_dummies(table: ChoiceTable, results: "Array") -> tuple[Symbol, ...] | None:
    """The dummy derivatives to have from now on, None while the present ones are good enough.

    `results` are those of the routine `choices`.
    """
    chosen = [_better(slot, results) for slot in table.slots]
    if all(c is None for c in chosen):
        return None
    return tuple(
        [
            slot.candidates[i]
            for slot, found in zip(table.slots, chosen, strict=True)
            for i in (slot.dummies if found is None else found)
        ]
    )


def _better(slot: ChoiceSlot, results: "Array") -> tuple[int, ...] | None:
    import numpy as np
    from scipy.linalg import qr

    rows, columns = len(slot.dummies), len(slot.candidates)
    matrix = results[slot.position : slot.position + rows * columns].reshape(rows, columns)
    if not np.isfinite(matrix).all():
        return None
    now = abs(np.linalg.det(matrix[:, slot.dummies]))
    weights = np.array([WEIGHTS[round(w)] for w in slot.wanted])
    order = qr(matrix * weights, mode="r", pivoting=True)[1]
    best = tuple(sorted(order[:rows].tolist()))
    there = abs(np.linalg.det(matrix[:, best]))
    if there == 0.0 or now >= POOR * there or set(best) == set(slot.dummies):
        return None
    return best
