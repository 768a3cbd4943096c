"""Frozen values that agree with their relations, where passes over the relations go in circles.

First, where both sides of a relation are equal within rounding, either value is accepted, unless a crossing was
located: that leads to one side. Then, values that agree a little later: a switch and a diode beside it change places
where the current turns, but each voltage is the difference of large ones, whose rounding error decides at the event
itself, or with neither conducting nothing can be solved. Last, combinations near those that there are: behind the fold
of a positive feedback without dynamics (a Schmitt trigger without time constant) the solution jumps to another branch,
which no passes from this one find.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING

from acausal.runtime.context import CONTRADICTORY, DONE, RELATION, STEP, EventContext
from acausal.runtime.events.discrete import value_now
from acausal.runtime.events.fixed_point import UNKNOWN, find_value, propose, update_kinks
from acausal.runtime.limits import SMALL

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ROUNDING = 1e-3
"""Errors of states by this share of their tolerance are rounding errors."""
MOST_TIES = 100
"""Passes, and so many more for each frozen value, in which ties are resolved."""
REACHES = (1.0, 16.0, 256.0, 4096.0)
"""Times in which values come to agree, as multiples of the look-ahead time."""
MOST_BEGINS = 100
"""Combinations from which such values are searched for."""
MOST_PASSES, PASSES_EACH = 3000, 8
"""Passes over all combinations, and from each of them."""


def search_relations(e: EventContext, t: float, y: "Array") -> int:
    """DONE with frozen values that agree, and `results` there, else CONTRADICTORY with these as they were."""
    search = _Search(e, t, y)
    begin = search.frozen
    if search.resolves_ties():
        return DONE
    search.frozen = begin
    if search.agrees_later():
        return DONE
    search.frozen = begin
    if search.jumps():
        return DONE
    search.frozen = begin
    return CONTRADICTORY


class _Search:
    def __init__(self, e: EventContext, t: float, y: "Array") -> None:
        self._e, self._t, self._y = e, t, y
        self._own = [i for i in range(e.frozen_count) if e.kind[i] <= STEP and e.clock[i] < 0 and not e.continuous[i]]

    @property
    def frozen(self) -> tuple[float, ...]:
        """All frozen values."""
        return tuple([float(self._e.u[i]) for i in range(self._e.frozen_count)])

    @frozen.setter
    def frozen(self, values: Iterable[float]) -> None:
        for i, value in enumerate(values):
            self._e.u[i] = value

    def resolves_ties(self) -> bool:
        """Least index first; a relation whose sides are equal within rounding keeps its value.

        One whose sides no rounding error moves has its exact value, as `fire <= 0` for a `fire` that is 0 or 1.
        """
        e, seen = self._e, set()
        for _ in range(MOST_TIES + e.frozen_count):
            noise = self._noise()
            if noise is None or self.frozen in seen:
                return False
            seen.add(self.frozen)
            for i in self._own:
                value = e.u[i] if self._is_tie(i, noise) else find_value(e, i, self._t, self._y)
                if value != e.u[i]:
                    e.u[i] = value
                    break
            else:
                update_kinks(e)
                return True
        return False

    def agrees_later(self) -> bool:
        """Values with which the variables, as they go on, agree with all relations within the look-ahead time.

        That becomes longer until something is found, from these values or those nearest to them.
        """
        e, begin = self._e, self.frozen
        for reach in REACHES:
            for flips in chain([()], islice(self._flips(), MOST_BEGINS)):
                self.frozen = [1.0 - value if i in flips else value for i, value in enumerate(begin)]
                if self._finds_later(reach * e.ahead) and self._evaluate():
                    e.agrees_later, e.located_time = 1, self._t
                    update_kinks(e)
                    return True
        return False

    def _finds_later(self, ahead: float) -> bool:
        import numpy as np

        e, t = self._e, self._t
        seen: set[tuple[float, ...]] = set()
        while self.frozen not in seen and len(seen) < PASSES_EACH:
            seen.add(self.frozen)
            moved = self._y
            for share in (0.0, 0.5):  # the midpoint rule: at rest states begin to move with their acceleration
                if e.derivatives(t + share * ahead, moved, e.u, e.p, e.m, e.rate):
                    return False
                moved = self._y + (0.5 + share) * ahead * np.asarray(e.rate)
            if e.events_ahead(t + ahead, moved, e.u, e.p, e.m, e.later):
                return False
            wrong = [(i, value_now(e, i, e.later[e.now[i]])) for i in self._own]
            wrong = [(i, value) for i, value in wrong if value != e.u[i]]
            if not wrong:
                return True
            for i, value in wrong:
                e.u[i] = value
        return False

    def _is_tie(self, i: int, noise: list[float]) -> bool:
        now = self._e.results[self._e.now[i]]
        away = now if self._e.kind[i] == RELATION else now - round(now)
        error = noise[self._e.now[i]]
        return self._e.direction[i] == 0.0 and error > 0.0 and abs(away) <= error

    def _noise(self) -> list[float] | None:
        """By how much rounding errors of states move each result; None where there are no results."""
        e = self._e
        moved = self._y.copy()
        for k in range(e.states):
            scale = abs(e.p[e.nominal_at[k]]) if e.nominal_at[k] >= 0 else SMALL
            moved[k] += ROUNDING * e.tolerance * max(abs(moved[k]), scale) * (0.5 + (0.618 * k) % 1.0)
        if not self._evaluate() or e.events_ahead(self._t, moved, e.u, e.p, e.m, e.later):
            return None
        e.is_ahead = UNKNOWN
        return [abs(e.later[i] - e.results[i]) for i in range(e.results_count)]

    def _evaluate(self) -> bool:
        e = self._e
        e.is_ahead = UNKNOWN
        return not e.events_ahead(self._t, self._y, e.u, e.p, e.m, e.results)

    def jumps(self) -> bool:
        """The nearest combinations first, with some passes from each."""
        begin, passes = self.frozen, 0
        for flips in self._flips():
            self.frozen = [1.0 - value if i in flips else value for i, value in enumerate(begin)]
            for _ in range(PASSES_EACH):
                passes += 1
                if not self._evaluate():
                    break
                propose(self._e, self._t, self._y, is_single=False)
                if not self._e.wrong:
                    update_kinks(self._e)
                    return True
                self.frozen = [self._e.fresh[i] for i in range(self._e.frozen_count)]
            if passes > MOST_PASSES:
                break
        return False

    def _flips(self) -> Iterator[tuple[int, ...]]:
        relations = [i for i in self._own if self._e.kind[i] == RELATION]
        for distance in range(1, len(relations) + 1):
            yield from combinations(relations, distance)
