"""A model with its constraints taken out: all places and velocities are formulas of coordinates and speeds.

four-bar        ->    crank and coupler on one side, rocker on the other; six gaps between their ends
cart on wheels  ->    place and rotation of the cart; gaps between wheels and ground, and slips of the wheels

Differentiated variables are taken as known, and each equation with one unknown left gives it. An equation without
unknowns left is a constraint, and so is each with derivatives given by hand: of positions where it has no speeds, else
of velocities. Speeds are the derivatives of coordinates that have second ones, and differentiated variables whose
derivatives do not follow, as the angular velocity of a ball joint. In networks that store nothing there potentials are
coordinates too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import NamedTuple

from acausal.base.frozen import dataclass
from acausal.causalize.loops.formula_search import FormulaSearch
from acausal.causalize.loops.moments import Moment, moments
from acausal.ir.dae import Dae
from acausal.ir.expr import VARIES, Expr
from acausal.ir.flat import numbers_of
from acausal.ir.plan import Assign
from acausal.ir.walk import marked, postorder
from acausal.symbolic.slopes import Point, Slope, summed


@dataclass(frozen=True, slots=True)
class Gaps:
    """The residuals of constraints, and their derivatives by coordinates or speeds."""

    gaps: list[float]
    slopes: list[list[float]]


class Walk(NamedTuple):
    """The nodes of an expression that no earlier walk has, in the order of their evaluation, and those that vary."""

    nodes: tuple[Expr, ...]
    varying: list[Expr]


class Walks:
    """Walks through expressions that are evaluated at many points in the same order: each is made once."""

    def __init__(self) -> None:
        self._seen: set[Expr] = set()
        self._walks: dict[Expr, Walk] = {}

    def of(self, expr: Expr) -> Walk:
        """The walk through an expression."""
        found = self._walks.get(expr)
        if found is None:
            nodes = tuple(postorder([expr], self._seen.__contains__))
            self._seen.update(nodes)
            found = self._walks[expr] = Walk(nodes, marked([expr], VARIES))
        return found


@dataclass(frozen=True, slots=True)
class OpenChain:
    """The formulas in their order: `places` that constraints of positions need, the `rest`, `rates` with speeds.

    `positions` and `velocities` are the numbers of the equations of `dae` that are constraints, `coordinates` those
    that the positions depend on. Parameters and discrete variables have the values in `known`, relations those in
    `modes`; what is in neither is generic. `later` are further moments, each with its time and relations of the time.
    """

    dae: Dae
    positions: tuple[int, ...]
    velocities: tuple[int, ...]
    coordinates: tuple[Expr, ...]
    speeds: tuple[Expr, ...]
    places: tuple[Assign, ...]
    rest: tuple[Assign, ...]
    rates: tuple[Assign, ...]
    known: Mapping[Expr, float]
    modes: Mapping[Expr, bool] = field(default_factory=dict)
    later: tuple[Moment, ...] = ()
    walks: Walks = field(default_factory=Walks, compare=False)

    def near_the_guesses(self, seed: int, away: float) -> list[float]:
        """Coordinates where the model starts, moved by at most `away`."""
        starts = {v.symbol: v.attributes.start for v in self.dae.variables}
        starts |= {e.left: e.right for e in self.dae.initial_equations if e.left in starts}
        point, shift = Point(self.dae.pool, seed, 1.0, self.known), Point(self.dae.pool, seed, away)
        values = [(shift.value(x), starts.get(x)) for x in self.coordinates]
        return [near + (0.0 if start is None else point.value(start)) for near, start in values]

    def at(self, place: Sequence[float], seed: int) -> Gaps:
        """The constraints of positions there; what is no coordinate, as time, is a generic number by `seed`."""
        point = self._point(place, seed, self.places, self.walks)
        slopes = _slopes(point, self.coordinates, self.places, self.walks)
        residuals = self._residuals(self.positions)
        values = [point.value(gap, self.walks.of(gap).nodes) for gap in residuals]
        rows = [_through(point, gap, slopes, self.walks) for gap in residuals]
        return Gaps(values, [[row.get(x, 0.0) for x in self.coordinates] for row in rows])

    def rates_at(self, place: Sequence[float], seed: int, kept: Sequence[int]) -> Gaps:
        """The derivatives of the `kept` constraints of positions there, behind them the constraints of velocities."""
        pool, point = self.dae.pool, self.point(place, seed)
        by_speed = _slopes(point, self.speeds, self.rates)
        by_place = _slopes(point, (*self.coordinates, pool.time), self.places)
        gaps, rows = [], []
        for residual in self._residuals(kept):
            gradient = _through(point, residual, by_place)
            moving = [(pool.derivative(x), s) for x, s in gradient.items() if x is not pool.time]
            gaps.append(gradient.get(pool.time, 0.0) + sum([s * point.value(rate) for rate, s in moving]))
            rows.append(summed([(s, by_speed[rate]) for rate, s in moving if rate in by_speed]))
        for residual in self._residuals(self.velocities):
            gaps.append(point.value(residual))
            rows.append(_through(point, residual, by_speed))
        return Gaps(gaps, [[row.get(x, 0.0) for x in self.speeds] for row in rows])

    def point(self, place: Sequence[float], seed: int) -> Point:
        """All that is explicit where the coordinates are these."""
        return self._point(place, seed, (*self.places, *self.rest, *self.rates))

    def at_moment(self, moment: Moment) -> "OpenChain":
        """The same then."""
        return replace(self, known={**self.known, self.dae.pool.time: moment.time}, modes=moment.modes, later=())

    def _residuals(self, numbers: Iterable[int]) -> list[Expr]:
        return [self.dae.pool.sub(e.left, e.right) for e in (self.dae.equations[n] for n in numbers)]

    def _point(self, place: Sequence[float], seed: int, assigns: Iterable[Assign], walks: Walks | None = None) -> Point:
        known = {**self.known, **dict(zip(self.coordinates, place, strict=True))}
        point = Point(self.dae.pool, seed, 1.0, known, self.modes)
        for assign in assigns:  # each before it is used: no value of the point changes
            known[assign.target] = point.value(assign.value, walks.of(assign.value).nodes if walks else None)
        return point


def open_chain(dae: Dae, potentials: Iterable[Expr] = (), *, driven: bool = False) -> OpenChain:
    """The formulas and constraints of a model; `potentials` that do not follow from others are coordinates too.

    Rates that are functions of time are formulas, or, if `driven`, constraints of velocities.
    """
    moving = _differentiated(dae)
    search = FormulaSearch(dae, moving, driven=driven)
    search.take([*moving, *potentials])
    slow = len(search.places)
    speeds = _speeds(dae, search, moving, driven=driven)
    search.take(speeds)
    fast = set(speeds)
    rest, rates = [], []
    for place, (number, assign) in enumerate(search.places):
        if place < slow and fast.isdisjoint(dae.equations[number].variables):
            rest.append((number, assign))
        else:
            fast.add(assign.target)
            rates.append(assign)
    constraints = search.constraints()
    velocities = [n for n in constraints if not fast.isdisjoint(dae.equations[n].variables)]
    positions = [n for n in constraints if fast.isdisjoint(dae.equations[n].variables)]
    needed = _needed(dae, positions, rest)
    known = _known(dae)
    now, *later = (driven and moments(dae, known)) or (None,)
    chain = OpenChain(
        dae,
        tuple(positions),
        tuple(velocities),
        tuple([x for x in search.coordinates if x in needed]),
        tuple([x for x in search.coordinates if x in fast]),
        tuple([a for _, a in rest if a.target in needed]),
        tuple([a for _, a in rest if a.target not in needed]),
        tuple(rates),
        known,
    )
    return chain if now is None else replace(chain.at_moment(now), later=tuple(later))


def _known(dae: Dae) -> dict[Expr, float]:
    """Values of parameters; discrete variables that are real are zero, as the directions of friction of a joint.

    So constraints and the combinations of reactions that do no work are those without friction.
    """
    discrete = {h.symbol: 0.0 for h in dae.events.frozen if h.kind == "discrete" and h.type == "real"}
    return numbers_of(dae.parameters) | discrete


def _differentiated(dae: Dae) -> list[Expr]:
    """Variables with derivatives in the equations, in the order of the model."""
    names = {x.name for e in dae.equations for x in e.variables if x.order}
    return [v.symbol for v in dae.variables if v.symbol.name in names]


def _speeds(dae: Dae, search: FormulaSearch, moving: Iterable[Expr], *, driven: bool) -> list[Expr]:
    """Derivatives of coordinates with second ones, and coordinates without a derivative that follows.

    Where rates are `driven` they are speeds.
    """
    twice = {x.name for e in dae.equations for x in e.all_variables if x.order > 1}
    found = []
    for x in moving:
        if dae.pool.derivative(x) not in search.known:
            found.append(dae.pool.derivative(x) if driven or x.name in twice else x)
    return found


def _needed(dae: Dae, wanted: Iterable[int], places: Sequence[tuple[int, Assign]]) -> set[Expr]:
    """The variables of the wanted equations, with those that they are computed from."""
    needed = {x for n in wanted for x in dae.equations[n].variables}
    for number, assign in reversed(places):
        if assign.target in needed:
            needed.update(dae.equations[number].variables)
    return needed


def _slopes(
    point: Point, by: Iterable[Expr], assigns: Iterable[Assign], walks: Walks | None = None
) -> dict[Expr, Slope]:
    """The derivatives of what is explicit by some variables."""
    slopes: dict[Expr, Slope] = {x: {x: 1.0} for x in by}
    for assign in assigns:
        slopes[assign.target] = _through(point, assign.value, slopes, walks)
    return slopes


def _through(point: Point, expr: Expr, slopes: Mapping[Expr, Slope], walks: Walks | None = None) -> Slope:
    """The derivatives of an expression, through what its variables depend on."""
    own = point.slope(expr, slopes.keys(), walks.of(expr).varying if walks else None)
    return summed([(factor, slopes[x]) for x, factor in own.items()])
