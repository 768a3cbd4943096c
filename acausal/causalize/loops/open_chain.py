"""A mechanism with its loops opened: every place is a formula of the joints' coordinates.

four-bar    ->    crank and coupler on one side, rocker on the other; six gaps between their ends
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from acausal.causalize.loops.drop_closures import closures_of
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Loop
from acausal.ir.plan import Assign
from acausal.ir.walk import variables_of
from acausal.symbolic.isolate import isolate
from acausal.symbolic.slopes import Point, Slope, summed


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the closures lack, and the derivatives of that by the coordinates."""

    gaps: list[float]
    slopes: list[list[float]]


@dataclass(frozen=True, slots=True)
class OpenChain:
    """The places as formulas in their order; `rest` are those of all else that is explicit.

    `closures` are numbers of equations of `dae`.
    """

    dae: Dae
    closures: tuple[int, ...]
    coordinates: tuple[Expr, ...]
    places: tuple[Assign, ...]
    rest: tuple[Assign, ...]

    def near_the_guesses(self, seed: int, away: float) -> list[float]:
        """Coordinates where the model starts, moved by at most `away`."""
        starts = {v.symbol: v.attributes.start for v in self.dae.variables}
        starts |= {e.left: e.right for e in self.dae.initial_equations if e.left in starts}
        point, shift = Point(self.dae.pool, seed, 1.0, self._parameters()), Point(self.dae.pool, seed, away)
        values = [(shift.value(x), starts.get(x)) for x in self.coordinates]
        return [near + (0.0 if start is None else point.value(start)) for near, start in values]

    def at(self, place: Sequence[float], seed: int) -> Gaps:
        """The gaps there; what is no coordinate, as time, is made up by `seed`."""
        known = self._known(place, seed, self.places)
        point = Point(self.dae.pool, seed, 1.0, known)
        slopes: dict[Expr, Slope] = {x: {x: 1.0} for x in self.coordinates}
        for assign in self.places:
            slopes[assign.target] = _through(point, assign.value, slopes)
        pool, equations = self.dae.pool, [self.dae.equations[e] for e in self.closures]
        gaps = [pool.sub(e.left, e.right) for e in equations]
        rows = [_through(point, gap, slopes) for gap in gaps]
        matrix = [[row.get(x, 0.0) for x in self.coordinates] for row in rows]
        return Gaps([point.value(gap) for gap in gaps], matrix)

    def point(self, place: Sequence[float], seed: int) -> Point:
        """All that is explicit where the coordinates are these."""
        return Point(self.dae.pool, seed, 1.0, self._known(place, seed, (*self.places, *self.rest)))

    def _known(self, place: Sequence[float], seed: int, assigns: Iterable[Assign]) -> Mapping[Expr, float]:
        known = self._parameters() | dict(zip(self.coordinates, place, strict=True))
        for assign in assigns:
            known[assign.target] = Point(self.dae.pool, seed, 1.0, known).value(assign.value)
        return known

    def _parameters(self) -> dict[Expr, float]:
        return {p.symbol: float(p.value) for p in self.dae.parameters if isinstance(p.value, float | bool)}


def open_chain(dae: Dae, loops: Sequence[Loop]) -> OpenChain | None:
    """None without closures or coordinates, or where closures do not follow from coordinates by formulas."""
    closures = closures_of(dae, loops, range(len(dae.equations)))
    if not closures:
        return None
    search = _Search(dae, frozenset(closures))
    wanted = {x for e in closures for x in _leaves(dae.equations[e])}
    for x in _differentiated(dae):
        if wanted <= search.known:
            break
        search.take(x)
    if not wanted <= search.known:
        return None
    needed = _needed(wanted, search.places)
    coordinates = tuple([x for x in search.coordinates if x in needed])
    if not coordinates:
        return None
    places = tuple([s for s in search.places if s.target in needed])
    rest = tuple([s for s in search.places if s.target not in needed])
    return OpenChain(dae, tuple(closures), coordinates, places, rest)


class _Search:
    """Which variables follow from coordinates: each equation with one unknown left gives it."""

    def __init__(self, dae: Dae, closures: frozenset[int]) -> None:
        self.dae = dae
        self.known: set[Expr] = set()
        self.coordinates: list[Expr] = []
        self.places: list[Assign] = []
        self._open = {n: set(_leaves(e)) for n, e in enumerate(dae.equations) if n not in closures}
        self._with: dict[Expr, list[int]] = {}
        for n, leaves in self._open.items():
            for x in leaves:
                self._with.setdefault(x, []).append(n)
        self._follow([n for n, leaves in self._open.items() if len(leaves) == 1])

    def take(self, x: Expr) -> None:
        """Make it a coordinate, if it does not follow from others."""
        if x not in self.known:
            self.coordinates.append(x)
            self._follow(self._found(x))

    def _found(self, x: Expr) -> list[int]:
        """The equations that have one unknown left now that this one is known."""
        self.known.add(x)
        for n in self._with.get(x, ()):
            self._open[n].discard(x)
        return [n for n in self._with.get(x, ()) if len(self._open[n]) == 1]

    def _follow(self, queue: list[int]) -> None:
        while queue:
            number = queue.pop()
            equation = self.dae.equations[number]
            for x in tuple(self._open[number]):
                value = isolate(self.dae.pool, equation.left, equation.right, x)
                if value is not None:
                    self.places.append(Assign(x, value, equation.origin))
                    queue += self._found(x)


def _leaves(equation: Equation) -> Iterable[Expr]:
    return variables_of((equation.left, equation.right))


def _differentiated(dae: Dae) -> list[Expr]:
    """Variables with derivatives in the equations, in the order of the model."""
    names = {x.name for e in dae.equations for x in _leaves(e) if x.order}
    return [v.symbol for v in dae.variables if v.symbol.name in names]


def _needed(wanted: Iterable[Expr], places: Sequence[Assign]) -> set[Expr]:
    """The wanted variables, with those that they are computed from."""
    needed = set(wanted)
    for assign in reversed(places):
        if assign.target in needed:
            needed.update(variables_of((assign.value,)))
    return needed


def _through(point: Point, expr: Expr, slopes: Mapping[Expr, Slope]) -> Slope:
    """The derivatives of an expression by the coordinates, through what its variables depend on."""
    return summed([(factor, slopes[x]) for x, factor in point.slope(expr, slopes.keys()).items()])
