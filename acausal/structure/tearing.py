"""Tearing: the few variables of a block that, taken as known, make the rest a sequence of assignments.

    0: x y         tearing variable x:   (0: y), (2: z) in order, residual 1
    1: x z    ->
    2: y z

Both methods take the block as the bipartite graph of Cellier's causalization: an
equation that has one unknown left, and can be solved for it, is assigned; when there
is none, a heuristic chooses the next tearing variable. Finding the least number is
NP-complete; the smaller of two results is taken.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from acausal.ir.graph import Incidence

NOT_SOLVABLE, SOLVABLE_WITH_CARE, SOLVABLE = range(3)
"""Solvability of an equation for a variable: not at all, by a division that
may fail, by a constant or a parameter that is not zero."""

_Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tearing:
    """A torn block; as many residual equations as tearing variables.

    `inner` are pairs (equation, variable) in the order of assignment: with
    `tearing_vars` known each equation can be solved for its variable, and then
    `residual_eqs` have no unknown left.
    """

    tearing_vars: tuple[int, ...]
    residual_eqs: tuple[int, ...]
    inner: tuple[tuple[int, int], ...]


def tear(
    eqs: Sequence[int],
    variables: Sequence[int],
    incidence: Incidence,
    solvable: Mapping[tuple[int, int], int],
    least: int = SOLVABLE_WITH_CARE,
) -> Tearing:
    """Tear a square block by both heuristics; the result with fewer tearing variables, Cellier's if equal.

    Variables outside the block count as known. `solvable[eq, var]` is one of the
    classes above, NOT_SOLVABLE where it is missing; equations are solved only for
    variables of class `least` or above, those of class SOLVABLE first. Near-linear.
    """
    first = _Tearer(eqs, variables, incidence, solvable, least, cellier).run()
    if len(first.tearing_vars) <= 1:  # both assign alike what needs no tearing variable: there is no better one
        return first
    second = _Tearer(eqs, variables, incidence, solvable, least, modified_cellier).run()
    return second if len(second.tearing_vars) < len(first.tearing_vars) else first


def cellier(tearer: "_Tearer", var: int) -> _Key:
    """Cellier's heuristic, greatest first.

    Of the equations with the largest number of unknowns take the variables that
    occur in the largest number of equations, of these one that makes the largest number
    of equations causal. Source: F. E. Cellier, E. Kofman, Continuous System
    Simulation, 2006, chapter 7, the tearing algorithm.
    """
    unknowns = [tearer.unknowns_of_eq[eq] for eq in tearer.open_eqs(var)]
    return (max(unknowns, default=0), len(unknowns), tearer.causal_of_var[var])


def modified_cellier(tearer: "_Tearer", var: int) -> _Key:
    """The modified heuristic MC3 of OpenModelica, greatest first.

    The sum of equations that become causal and of equations that cannot be solved for
    the variable; of equals the one in the largest number of equations. Source:
    P. Täuber, L. Ochel, W. Braun, B. Bachmann, Practical realization and adaptation of
    Cellier's tearing method, EOOLT 2014, pp. 11-19.
    """
    eqs = tearer.open_eqs(var)
    unsolvable = sum([not tearer.can_solve(eq, var) for eq in eqs])
    return (unsolvable + tearer.causal_of_var[var], len(eqs))


class _Tearer:
    """One heuristic at work on one block.

    `unknowns_of_eq[e]` counts the unknowns left, `causal_of_var[v]` the
    equations that could be assigned at once if `v` were known.
    """

    def __init__(
        self,
        eqs: Sequence[int],
        variables: Sequence[int],
        incidence: Incidence,
        solvable: Mapping[tuple[int, int], int],
        least: int,
        key: Callable[["_Tearer", int], _Key],
    ) -> None:
        self.eqs, self.solvable, self.least, self.key = eqs, solvable, least, key
        self.unknown = dict.fromkeys(variables, True)
        self.vars_of_eq = {eq: [v for v in incidence.vars_of_eq[eq] if v in self.unknown] for eq in eqs}
        self.eqs_of_var: dict[int, list[int]] = {var: [] for var in variables}
        for eq, row in self.vars_of_eq.items():
            for var in row:
                self.eqs_of_var[var].append(eq)
        self.unknowns_of_eq = {eq: len(row) for eq, row in self.vars_of_eq.items()}
        self.assigned: dict[int, int] = {}
        self.tearing_vars: list[int] = []
        self.causal_of_var = dict.fromkeys(variables, 0)
        self.changed: dict[int, None] = {}
        self.place_of_var = {var: place for place, var in enumerate(variables)}
        self.ready: list[list[tuple[int, int]]] = [[], [], []]
        self.heap: list[tuple[_Key, int, int]] = []

    def run(self) -> Tearing:
        """Assign what can be assigned, tear, and again until nothing is unknown."""
        for eq in self.eqs:
            self._note(eq)
        for never in self._never_solved():
            self.tearing_vars.append(never)
            self._make_known(never)
        self._assign_ready()
        self.heap = [self._entry(var) for var, unknown in self.unknown.items() if unknown]
        heapify(self.heap)
        while (var := self._next_tearing_var()) is not None:
            self.tearing_vars.append(var)
            self._make_known(var)
            self._assign_ready()
        residual_eqs = [eq for eq in self.eqs if eq not in self.assigned]
        return Tearing(tuple(self.tearing_vars), tuple(residual_eqs), tuple(self.assigned.items()))

    def _never_solved(self) -> list[int]:
        """The variables that no equation can be solved for: every tearing contains them."""
        return [v for v, eqs in self.eqs_of_var.items() if not any(self.can_solve(eq, v) for eq in eqs)]

    def open_eqs(self, var: int) -> list[int]:
        """The equations of a variable that are not assigned."""
        return [eq for eq in self.eqs_of_var[var] if eq not in self.assigned]

    def can_solve(self, eq: int, var: int) -> bool:
        """True if the equation may be solved for the variable."""
        return self.solvable.get((eq, var), NOT_SOLVABLE) >= self.least

    def _entry(self, var: int) -> tuple[_Key, int, int]:
        return (tuple([-value for value in self.key(self, var)]), self.place_of_var[var], var)

    def _next_tearing_var(self) -> int | None:
        """The unknown of greatest key.

        Keys on the heap may be too great, since equations get fewer unknowns and
        are assigned; where `causal_of_var` grew a new entry is pushed. So the
        first entry that is still true is the greatest.
        """
        for var in self.changed:
            if self.unknown[var]:
                heappush(self.heap, self._entry(var))
        self.changed.clear()
        while self.heap:
            entry = heappop(self.heap)
            var = entry[-1]
            if not self.unknown[var]:
                continue
            now = self._entry(var)
            if now <= entry:
                return var
            heappush(self.heap, now)
        return None

    def _make_known(self, var: int) -> None:
        self.unknown[var] = False
        for eq in self.eqs_of_var[var]:
            self.unknowns_of_eq[eq] -= 1
            if eq in self.assigned:
                continue
            self._note(eq)
            if self.unknowns_of_eq[eq] == 1 and self.can_solve(eq, var):
                self.causal_of_var[self._unknowns(eq)[0]] -= 1

    def _note(self, eq: int) -> None:
        """Take note of an equation with one unknown left (it may be ready) or two (each would make it causal)."""
        if self.unknowns_of_eq[eq] == 1:
            (var,) = self._unknowns(eq)
            solvability = self.solvable.get((eq, var), NOT_SOLVABLE)
            if solvability >= self.least:
                self.ready[solvability].append((eq, var))
        elif self.unknowns_of_eq[eq] == 2:
            first, second = self._unknowns(eq)
            for var, other in ((first, second), (second, first)):
                if self.can_solve(eq, other):
                    self.causal_of_var[var] += 1
                    self.changed[var] = None

    def _unknowns(self, eq: int) -> list[int]:
        return [var for var in self.vars_of_eq[eq] if self.unknown[var]]

    def _assign_ready(self) -> None:
        """Assign the equations with one unknown, the safely solvable ones first."""
        while queue := self.ready[SOLVABLE] or self.ready[SOLVABLE_WITH_CARE] or self.ready[NOT_SOLVABLE]:
            eq, var = queue.pop()
            if self.unknown[var]:
                self.assigned[eq] = var
                self._make_known(var)
