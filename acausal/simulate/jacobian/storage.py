"""Jacobian storage.

The matrix of Newton's equations is dense, banded or sparse, by the pattern and size of the Jacobian.

    dense    few states, or each derivative depends on most of them: many are factored by LAPACK, or solved as the
             sum of a diagonal and an outer product (`runtime/cvode/matrix_sum`)
    band     chains and grids, states put into another order: a ladder of 1000 cells has three diagonals
    sparse   large networks that no order makes a narrow band: SuperLU

Where the derivatives solve blocks or contain exponentials the exact Jacobian fills any of them (`simulate.exact`).
Else CVODE fills dense and band matrices itself: it knows how much noise the derivatives have and moves the states as
far as that asks for. For sparse ones, which it cannot fill, columns that have no row in common are found by one
difference quotient (`structure.color_columns`).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.base.caches import LOCK
from acausal.base.frozen import dataclass
from acausal.base.gc_pause import gc_paused
from acausal.ir.program.program import Program
from acausal.simulate.jacobian.sparsity import Pattern, find_pattern
from acausal.structure.coloring import color_columns
from acausal.structure.cuthill_mckee import reverse_cuthill_mckee, symmetric, width

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Executable

    Numbers = NDArray[np.int64]

FULL = 0.5
"""With a larger share of entries no order is searched for."""
BAND_FROM = 30
"""Fewer states are not worth another order: their matrix is dense."""
SPARSE_FROM = 200
"""Fewer states are not worth the time to load SuperLU."""
SPARSE_ENTRY = 5000
"""Cost of SuperLU for an entry of the Jacobian, 0.3 microseconds, in operations on a band or a dense matrix.

SUNDIALS passes over zeros in bands, hence so many: a grid of 50 x 50 takes as long either way, a tree half as long."""
LASTING = 51
"""After so many steps CVODE makes a new Jacobian, even if it converges with the old one."""
SHARE = 4
"""A Jacobian is kept for so many steps for each evaluation of the derivatives that it takes, if that is more.

(Dense, 51 states: 0.66 of the evaluations with as many steps. Where it is cheap an old one rather costs steps.)"""


@dataclass(frozen=True, slots=True, eq=False)
class NewtonMatrix:
    """`order[i]` is the state at place i of the matrix, `place` the inverse; `lower`, `upper`: diagonals of a band.

    The entries of column j (in the order of states) are those from `first_of_column[j]` on in `rows`. Group g has
    the `columns` from `first_of_group[g]` on; no groups where CVODE fills the matrix itself.
    """

    kind: str
    order: "Numbers"
    place: "Numbers"
    lower: int
    upper: int
    first_of_column: "Numbers"
    rows: "Numbers"
    first_of_group: "Numbers"
    columns: "Numbers"

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.order)

    @property
    def groups(self) -> int:
        """The number of groups, 0 where CVODE fills the matrix."""
        return max(0, len(self.first_of_group) - 1)

    @property
    def lasting(self) -> int:
        """For so many steps a Jacobian is kept; where Newton's method does not converge CVODE makes one at once."""
        return max(LASTING, SHARE * self._evaluations)

    @property
    def _evaluations(self) -> int:
        """Of the derivatives, for one Jacobian."""
        return self.groups or (self.lower + 1 + self.upper if self.kind == "band" else self.size)

    @property
    def text(self) -> str:
        """Text for statistics."""
        return f"band {self.lower}+1+{self.upper}" if self.kind == "band" else self.kind


_CHOSEN: "WeakKeyDictionary[Executable, NewtonMatrix]" = WeakKeyDictionary()


def choose_matrix(executable: "Executable", has_sparse: Callable[[], bool]) -> NewtonMatrix:
    """The matrix for a program, chosen once for its executable; `has_sparse` says whether SuperLU is at hand."""
    with LOCK:
        found = _CHOSEN.get(executable)
    if found is None:
        made = _choose(executable.program, has_sparse)
        with LOCK:
            found = _CHOSEN.setdefault(executable, made)
    return found


def dense_matrix(size: int) -> NewtonMatrix:
    """The matrix whose columns are all full."""
    return _matrix("dense", range(size), (0, 0), (), ())


def _choose(program: Program, has_sparse: Callable[[], bool]) -> NewtonMatrix:
    size = len(program.state_slots)
    if program.slopes:
        return _of_blocks(program, 1 + program.slopes, has_sparse)
    if size < BAND_FROM:
        return dense_matrix(size)
    with gc_paused():
        pattern = find_pattern(program)
        if sum(map(len, pattern)) > FULL * size**2:
            return dense_matrix(size)
        order = reverse_cuthill_mckee(symmetric(pattern))
        place = _inverse(order)
        diagonals = width(pattern, place)
        kind = _kind(pattern, diagonals, has_sparse)
        if kind == "band":
            return _matrix(kind, order, diagonals, (), ())
        if kind == "dense":
            return _matrix(kind, range(size), (0, 0), (), ())
        columns = _transposed(pattern)
        return _matrix(kind, range(size), (0, 0), columns, color_columns(columns, size, order))


def _of_blocks(program: Program, count: int, has_sparse: Callable[[], bool]) -> NewtonMatrix:
    """A matrix of equal blocks on the diagonal: a band, or as sparse as the blocks are."""
    size = len(program.state_slots) // count
    with gc_paused():
        pattern = find_pattern(program)[:size]
        order = reverse_cuthill_mckee(symmetric(pattern)) if size >= BAND_FROM else range(size)
        diagonals = width(pattern, _inverse(order))
        kind = _kind(pattern, diagonals, has_sparse) if size >= BAND_FROM else "band"
        whole = [k * size + state for k in range(count) for state in order]
        if kind != "sparse":
            return _matrix("band", whole, diagonals, (), ())
        repeated = tuple([tuple([k * size + state for state in row]) for k in range(count) for row in pattern])
        columns = _transposed(repeated)
        return _matrix(kind, range(size * count), (0, 0), columns, ())


def _kind(pattern: Pattern, diagonals: tuple[int, int], has_sparse: Callable[[], bool]) -> str:
    """The cheapest, by the operations of a factorisation."""
    size, (lower, upper) = len(pattern), diagonals
    costs = {"dense": 2 / 3 * size**3, "band": 2.0 * size * (lower + 1) * (lower + upper + 1)}
    sparse = SPARSE_ENTRY * float(sum(map(len, pattern)))
    if size >= SPARSE_FROM and sparse < min(costs.values()) and has_sparse():
        return "sparse"
    return min(costs, key=costs.__getitem__)


def _matrix(
    kind: str,
    order: Sequence[int],
    diagonals: tuple[int, int],
    columns: Sequence[Sequence[int]],
    group: Sequence[int],
) -> NewtonMatrix:
    import numpy as np

    def numbers(values: Sequence[int]) -> "Numbers":
        return np.array(values, dtype=np.int64)

    by_group = sorted(range(len(group)), key=group.__getitem__)
    sizes = [0] * (max(group, default=-1) + 1)
    for g in group:
        sizes[g] += 1
    return NewtonMatrix(
        kind,
        numbers(order),
        numbers(_inverse(order)),
        *diagonals,
        numbers([0, *map(len, columns)]).cumsum(),
        numbers([row for column in columns for row in column]),
        numbers([0, *sizes]).cumsum(),
        numbers(by_group),
    )


def _transposed(pattern: Pattern) -> list[list[int]]:
    """For each column its rows in ascending order."""
    columns: list[list[int]] = [[] for _ in pattern]
    for row, found in enumerate(pattern):
        for column in found:
            columns[column].append(row)
    return columns


def _inverse(order: Sequence[int]) -> list[int]:
    place = [0] * len(order)
    for i, state in enumerate(order):
        place[state] = i
    return place
