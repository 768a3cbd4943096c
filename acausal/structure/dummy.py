"""State selection by dummy derivatives: which derivatives become algebraic unknowns.

    pendulum: x, y with x'' , y'' and the length constraint differentiated twice
        level 1: row f'', candidates x'' y''  ->  dummy y''
        level 2: row f',  candidates y'       ->  dummy y'          states x, x'

Source: S. E. Mattsson, G. Söderlind, Index reduction in differential-algebraic
equations using dummy derivatives, SIAM J. Sci. Comput. 14(3), 1993, pp. 677-692;
the algorithm of section 3. Each block of the system of highest derivatives is taken on its own.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from acausal.ir.graph import Incidence, Matching, Reduction
from acausal.structure.augment import Augmenter
from acausal.structure.state_order import highest_blocks, predecessors, tied_blocks

NONE: Mapping[int, Sequence[int]] = {}


@dataclass(frozen=True, slots=True)
class Selection:
    """One choice: for the differentiated equations `eqs` as many `dummies` among the derivatives `candidates`.

    `eqs` are all of one block and one level; `dummies` are in the order chosen.
    Each equation and each candidate has a predecessor, of which it is the derivative.
    """

    eqs: tuple[int, ...]
    candidates: tuple[int, ...]
    dummies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DummyDerivatives:
    """All choices, block by block and from the highest level down.

    `dummies` (ascending) are derivatives that are unknowns like any other;
    `states` (ascending) the variables whose derivative is none of these. All
    other variables are unknowns of the equations, as many as there are.
    """

    selections: tuple[Selection, ...]
    dummies: tuple[int, ...]
    states: tuple[int, ...]


def select_states(
    incidence: Incidence,
    reduced: Reduction,
    order: Iterable[int],
    by_hand: Mapping[int, Sequence[int]] = NONE,
    preferred: Collection[int] = (),
) -> DummyDerivatives:
    """Choose dummy derivatives; of the derivatives that can be chosen, those first in `order`.

    `incidence` holds all equations of `reduced`, derivatives included, over all its
    variables, derivatives included. `order` lists derivatives, see
    `order_by_preference`; each level takes the first of them that are structurally independent
    (greedy in a transversal matroid, so that no better choice exists), then
    any not listed. A caller that knows numerical ranks lists an independent set first.

    `by_hand[e]` are derivatives that equation `e`, a derivative given by its author, may choose from; where a
    level above it has chosen others, those of them that have no derivative, which would be a state, are candidates
    besides. Blocks that a differentiated equation
    with one of the variables `preferred` (or a derivative of it) ties together count as one: there is more to choose
    from. So do blocks whose lower levels may begin again with the same derivative.
    """
    chooser = _Chooser(incidence, reduced, {var: place for place, var in enumerate(order)}, by_hand)
    blocks = tied_blocks(highest_blocks(incidence, reduced), incidence, reduced, by_hand, preferred)
    late, shared = frozenset(chooser.late), chooser.shared
    for block in blocks:
        chooser.choose([eq for eq in block.eqs if eq not in late], [var for var in block.vars if var not in shared])
    for block in blocks:
        chooser.choose([eq for eq in block.eqs if eq in chooser.late], block.vars)
    dummies = {var for selection in chooser.selections for var in selection.dummies}
    states = [var for var, der in enumerate(reduced.var_derivative) if der is not None and der not in dummies]
    return DummyDerivatives(tuple(chooser.selections), tuple(sorted(dummies)), tuple(states))


class _Chooser:
    """The selections made so far, and equations that are `late`.

    These speak only of derivatives that an equation given by hand chooses from as well, a level below its own: of
    a place that is no integral of velocities, as a quaternion. They are chosen for together with it.
    """

    def __init__(
        self,
        incidence: Incidence,
        reduced: Reduction,
        place: Mapping[int, int],
        by_hand: Mapping[int, Sequence[int]],
    ) -> None:
        self.incidence, self.by_hand, self.derivative = incidence, by_hand, reduced.var_derivative
        self.place, self.last = place, len(place)
        self.eq_below, self.var_below = predecessors(reduced.eq_derivative), predecessors(reduced.var_derivative)
        self.selections: list[Selection] = []
        above = [row for eq, row in by_hand.items() if reduced.eq_derivative[eq] is not None]
        begun = {var for row in above for var in row if reduced.var_derivative[var] is None}
        plain = [eq for eq, below in enumerate(self.eq_below) if begun and below is not None and eq not in by_hand]
        self.late = dict.fromkeys([eq for eq in plain if (row := self._highest(eq)) and begun.issuperset(row)])
        self.shared = {var for eq in self.late for var in self._highest(eq)}

    def choose(self, eqs: Sequence[int], candidates: Sequence[int]) -> None:
        """The dummies of a block, level by level."""
        while eqs := [eq for eq in eqs if self.eq_below[eq] is not None]:
            selection = self._selection(eqs, [var for var in candidates if self.var_below[var] is not None])
            self.selections.append(selection)
            eqs = _present(self.eq_below[eq] for eq in selection.eqs)
            candidates = _present(self.var_below[var] for var in selection.dummies)
            lone = [self.by_hand[eq] for eq in eqs if eq in self.by_hand]
            more = [var for row in lone if not set(candidates).intersection(row) for var in row]
            begun = [var for var in more if self.derivative[var] is None]
            eqs, candidates = self._joined(eqs, candidates, begun or more)

    def _selection(self, eqs: Sequence[int], candidates: Sequence[int]) -> Selection:
        selection = _select(self.incidence, eqs, self._ordered(candidates))
        if selection is None:  # as where a velocity is no derivative: that of the place begins again
            known = [var for eq in eqs for var in self.by_hand.get(eq, ())]
            begun = [var for var in known if self.derivative[var] is None]
            eqs, candidates = self._joined(eqs, candidates, begun)
            selection = _select(self.incidence, eqs, self._ordered(candidates))
        if selection is None:  # as where one of two names of a velocity is chosen twice above, and counts once here
            candidates = list(dict.fromkeys([*candidates, *known]))
            selection = _select(self.incidence, eqs, self._ordered(candidates))
        if selection is None:
            raise ValueError("a differentiated equation lacks derivatives that Pantelides' algorithm made")
        return selection

    def _joined(
        self, eqs: Sequence[int], candidates: Sequence[int], begun: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        """Besides, candidates that begin again, and the equations that have waited for these."""
        waiting = [eq for eq in self.late if not set(begun).isdisjoint(self._highest(eq))]
        for eq in waiting:
            del self.late[eq]
        more = [var for eq in waiting for var in self._highest(eq)]
        return [*eqs, *waiting], list(dict.fromkeys([*candidates, *begun, *more]))

    def _highest(self, eq: int) -> list[int]:
        """The derivatives in an equation that have no derivative."""
        row = self.incidence.vars_of_eq[eq]
        return [var for var in row if self.var_below[var] is not None and self.derivative[var] is None]

    def _ordered(self, candidates: Iterable[int]) -> list[int]:
        return sorted(candidates, key=lambda var: (self.place.get(var, self.last), var))


def _select(incidence: Incidence, eqs: Sequence[int], ordered: Sequence[int]) -> Selection | None:
    """Match the candidates one by one to the equations until all are used; None where there are too few."""
    eqs_of_candidate = incidence.select(eqs, ordered).transposed()
    augmenter = Augmenter(eqs_of_candidate, Matching((None,) * len(eqs), (None,) * len(ordered)))
    dummies: list[int] = []
    for candidate, var in enumerate(ordered):
        if len(dummies) == len(eqs):
            break
        if augmenter.search(candidate):
            dummies.append(var)
    if len(dummies) < len(eqs):
        return None
    return Selection(tuple(eqs), tuple(sorted(ordered)), tuple(dummies))


def _present(numbers: Iterable[int | None]) -> list[int]:
    return [number for number in numbers if number is not None]
