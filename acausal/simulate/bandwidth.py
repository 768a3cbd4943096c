"""An order of the states in which the Jacobian of the derivatives is a narrow band, where there is one.

A ladder of 1000 cells has a dense Jacobian of a million entries, 3000 of which are not zero.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acausal.ir.program import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FROM = 30
"""Fewer states are not worth it."""
NARROW = 0.3
"""The largest width of a band as a share of the number of states."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """`order[i]` is the state at place i of the band, `place` the inverse; diagonals below and above the main one."""

    order: "NDArray[np.intp]"
    place: "NDArray[np.intp]"
    lower: int
    upper: int


def find_band(program: Program) -> Band | None:
    """The band that reverse Cuthill-McKee finds, None where it is not narrow."""
    size = len(program.state_slots)
    if size < FROM:
        return None
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    rows, columns = _entries(_pattern(program))
    graph = csr_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    order = np.asarray(reverse_cuthill_mckee(graph, symmetric_mode=False), dtype=np.intp)
    place = np.empty_like(order)
    place[order] = np.arange(size)
    distance = place[columns] - place[rows]
    lower, upper = max(0, int(-distance.min())), max(0, int(distance.max()))
    return Band(order, place, lower, upper) if lower + upper + 1 <= NARROW * size else None


def _pattern(program: Program) -> list[int]:
    """For each derivative the set of states it depends on, one bit a state."""
    sets: list[int] = []
    pattern = [0] * len(program.state_slots)
    for op, args, value in program.derivatives.code:
        found = 0
        if op == "state":
            assert isinstance(value, int)
            found = 1 << value
        else:
            for arg in args:
                found |= sets[arg]
        sets.append(found)
        if op == "store":
            assert isinstance(value, int)
            pattern[value] = found
    return pattern


def _entries(pattern: list[int]) -> "tuple[NDArray[np.intp], NDArray[np.intp]]":
    """Rows and columns of the entries, the diagonal included."""
    import numpy as np

    rows: list[int] = []
    columns: list[int] = []
    for row, bits in enumerate(pattern):
        found = [row]
        while bits:
            low = bits & -bits
            found.append(low.bit_length() - 1)
            bits ^= low
        rows += [row] * len(found)
        columns += found
    return np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp)
