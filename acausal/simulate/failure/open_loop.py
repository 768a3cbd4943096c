"""A linkage that cannot be assembled: where its constraints are violated least, and which given coordinates forbid it.

The constraints are taken out (`causalize/loops/open_chain`), and their gaps minimized over the coordinates: first over
those that the run had to find, then also over default start values of states, at last over conditions too. The first
of these searches that closes all gaps says what to change; where none does, lengths or directions do not fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from acausal.base.frozen import dataclass
from acausal.causalize.loops.open_chain import OpenChain, open_chain
from acausal.codegen.numpy.numpy_homotopy import least_residuals
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.origin import Origin
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.sorted_equations import Values
from acausal.symbolic.slopes import NoSlopeError

STARTS = (0.0, 0.5, 1.5, 3.0)
"""Distances of the points that a search begins at from the guesses, one after the other."""
STEPS = 50
"""Steps of one search from one point."""
CLOSED = 1e-9
"""Gaps that count as none."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Remaining violation of the constraint with this origin; `path` is the submodel that holds it."""

    origin: Origin
    size: float


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """The largest gap, and the coordinates that `given` ones and the search led to.

    If `closes`, gaps vanish at `place`, where `released` coordinates have other values than they are given.
    """

    gap: Gap
    given: dict[Expr, float]
    place: dict[Expr, float]
    closes: bool
    released: tuple[Expr, ...]


def open_loop(
    equations: Equations, system: SortedSystem, known: Values, unknowns: Sequence[Expr], states: Sequence[Expr]
) -> OpenLoop | None:
    """Why these unknowns have no solution; None if they are no coordinates of a linkage, or it cannot be judged.

    `system` is what failed, `known` the values of parameters, time, inputs and what had been computed.
    """
    dae = equations.reduced.dae
    parameters = tuple([replace(p, value=known.get(p.symbol, p.value)) for p in dae.parameters])
    try:
        chain = open_chain(replace(dae, parameters=parameters))
        outside = {x: v for x, v in known.items() if x.op in ("time", "frozen") or x in {v.symbol for v in dae.inputs}}
        chain = replace(chain, known={**chain.known, **outside})
        if set(chain.coordinates).isdisjoint(unknowns) or not _belongs_to_submodels(chain):
            return None
        return _Search(chain).found(_given(system, chain, known, states))
    except NoSlopeError:
        return None


def _belongs_to_submodels(chain: OpenChain) -> bool:
    return all(chain.dae.equations[n].origin.path for n in chain.positions)


def _given(system: SortedSystem, chain: OpenChain, known: Values, states: Sequence[Expr]) -> list[dict[Expr, float]]:
    """Coordinates given by conditions, start values or as states; fewer of them from one search to the next."""
    fixed = {v.symbol for v in chain.dae.variables if v.attributes.fixed} | set(states)
    fixed |= {e.left for e in chain.dae.initial_equations}
    alone = {
        system.unknowns[b.vars[0]]
        for b in system.blocks
        if len(b.eqs) == 1 and len(system.equations[b.eqs[0]].variables) == 1
    }
    first = {x: known[x] for x in chain.coordinates if x in known and (x in alone or x in states)}
    second = {x: value for x, value in first.items() if x in fixed}
    return [first, second, {}]


class _Search:
    """Searches for coordinates with the least gaps."""

    def __init__(self, chain: OpenChain) -> None:
        self._chain = chain

    def found(self, levels: Sequence[dict[Expr, float]]) -> OpenLoop | None:
        """Result of searches with these coordinates given, one after the other.

        A gap that nothing closes is the one where conditions are kept and default start values are not.
        """
        open_: OpenLoop | None = None
        for number, given in enumerate(levels):
            if number and given == levels[number - 1]:
                continue
            size, place = min(self._minima(given), key=lambda item: item[0])
            closes = size <= CLOSED * (1.0 + max(map(abs, place.values()), default=0.0))
            if open_ is not None and closes:
                released = tuple([x for x in levels[0] if x not in given])
                return replace(open_, given=levels[0], place=place, closes=True, released=released)
            if open_ is None or number < len(levels) - 1:
                open_ = OpenLoop(self._largest(given | place), given, place, closes, ())
            if closes:
                break
        return open_

    def _minima(self, given: dict[Expr, float]) -> Iterator[tuple[float, dict[Expr, float]]]:
        """Local minima: the size of all gaps, and the free coordinates."""
        coordinates = self._chain.coordinates
        free = [k for k, x in enumerate(coordinates) if x not in given]
        for seed, away in enumerate(STARTS):
            begin = self._chain.near_the_guesses(seed, away)
            found = least_residuals(lambda x: self._gaps(given, free, x), [begin[k] for k in free], STEPS)
            place = {coordinates[k]: x for k, x in zip(free, found, strict=True)}
            size = hypot(*self._chain.at([(given | place)[x] for x in coordinates], 0).gaps)
            yield size, place
            if size <= CLOSED:
                return

    def _gaps(
        self, given: dict[Expr, float], free: Sequence[int], x: Sequence[float]
    ) -> tuple[list[float], list[list[float]]]:
        coordinates = self._chain.coordinates
        place = given | {coordinates[k]: value for k, value in zip(free, x, strict=True)}
        there = self._chain.at([place[c] for c in coordinates], 0)
        return there.gaps, [[row[k] for k in free] for row in there.slopes]

    def _largest(self, place: dict[Expr, float]) -> Gap:
        """The constraint with the largest gap; elements of one array equation belong together."""
        gaps = self._chain.at([place[x] for x in self._chain.coordinates], 0).gaps
        groups: dict[tuple[Name, object], list[tuple[Origin, float]]] = {}
        for number, gap in zip(self._chain.positions, gaps, strict=True):
            origin = self._chain.dae.equations[number].origin
            groups.setdefault((origin.path, origin.span), []).append((origin, gap))
        sizes = [Gap(group[0][0], hypot(*[gap for _, gap in group])) for group in groups.values()]
        return max(sizes, key=lambda gap: gap.size)
