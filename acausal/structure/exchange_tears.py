"""Two tearing variables for one, where a heuristic chose so badly that none of them alone can be taken back.

    0: a b x      tearing variables a, b: x from 0
    1: a x        neither alone is enough, as 1 and 2 cannot be solved for x
    2: b x        x alone: a from 1, b from 2

So the linear systems of plane four-bars have the size of the two forces of their pin.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from acausal.ir.graph import Incidence
from acausal.structure.tearing import NOT_SOLVABLE, Tearing

WORK = 20_000
"""So many equations are examined in all: this is for small blocks, of which each variable counts."""


def exchange_tears(
    tearing: Tearing, incidence: Incidence, solvable: Mapping[tuple[int, int], int], least: int
) -> Tearing:
    """The tearing of a whole block with as many pairs of its variables replaced by one other as can be found.

    `solvable` and `least` as in `tear`.
    """
    search = _Search(incidence, solvable, least)
    while len(tearing.tearing_vars) > max(search.never, 1) and (fewer := search.exchanged(tearing.tearing_vars)):
        tearing = fewer
    return tearing


class _Search:
    """A block, and how much work is left."""

    def __init__(self, incidence: Incidence, solvable: Mapping[tuple[int, int], int], least: int) -> None:
        self.rows, self.columns = incidence.vars_of_eq, incidence.eqs_of_var()
        self.solvable, self.least, self.work = solvable, least, WORK
        found = {v for (_, v), how in solvable.items() if how >= least}
        self.never = incidence.variable_count - len(found)

    def exchanged(self, tears: Sequence[int]) -> Tearing | None:
        """The first tearing with one variable less that is found, None if there is none or the work is too much."""
        for pair in combinations(reversed(tears), 2):
            if self.work < 0:
                return None
            if found := self._one_for(pair, [v for v in tears if v not in pair]):
                return found
        return None

    def _one_for(self, pair: tuple[int, int], others: Sequence[int]) -> Tearing | None:
        start = _Reachable(self)
        start.take(others)
        failed = dict.fromkeys(pair)
        for var in start.hinges():
            if var in failed or self.work < 0:
                continue
            trial = start.copy()
            trial.take([var])
            if len(trial.known) == len(self.columns):
                residuals = tuple([e for e in range(len(self.rows)) if e not in trial.inner])
                return Tearing((*others, var), residuals, tuple(trial.inner.items()))
            failed.update(dict.fromkeys(trial.known))
        return None


class _Reachable:
    """Variables that follow from known ones, one equation after the other."""

    def __init__(self, search: _Search) -> None:
        self.search = search
        self.left = [len(row) for row in search.rows]
        self.known: dict[int, None] = {}
        self.inner: dict[int, int] = {}
        self._go([], [e for e, count in enumerate(self.left) if count == 1])

    def copy(self) -> "_Reachable":
        """The same, to go on from."""
        other = object.__new__(_Reachable)
        other.search, other.left = self.search, self.left.copy()
        other.known, other.inner = self.known.copy(), self.inner.copy()
        return other

    def hinges(self) -> Iterator[int]:
        """The variables with which one more equation would have a single unknown."""
        narrow = (row for row, count in zip(self.search.rows, self.left, strict=True) if count == 2)
        return (v for row in narrow for v in row if v not in self.known)

    def take(self, variables: Sequence[int]) -> None:
        """Mark variables as known, too."""
        self.known.update(dict.fromkeys(variables))
        self._go(list(variables), [])

    def _go(self, new: list[int], todo: list[int]) -> None:
        search, left, known = self.search, self.left, self.known
        while new or todo:
            if new:
                equations = search.columns[new.pop()]
                search.work -= len(equations)
                for e in equations:
                    left[e] -= 1
                    if left[e] == 1:
                        todo.append(e)
                continue
            e = todo.pop()
            var = next((v for v in search.rows[e] if v not in known), None)
            if var is not None and search.solvable.get((e, var), NOT_SOLVABLE) >= search.least:
                self.inner[e] = var
                known[var] = None
                new.append(var)
