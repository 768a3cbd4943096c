"""Continuous switches: both branches agree where the relation that chooses between them changes.

    if u > 0.1 then g*(u - 0.1) else 0      both are 0 at u = 0.1
    if u > 0.1 then g*u else 0              jumps by 0.1*g

Agreement is tested at random points of the set where the sides of the relation are equal: what agrees there agrees
everywhere, but with probability zero (J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial
identities, J. ACM 27 (1980)). What cannot be tested counts as a jump.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import isnan

from acausal.ir.evaluate import evaluated
from acausal.ir.events import Frozen
from acausal.ir.expr import FROZEN, MOVES, Expr
from acausal.ir.operator import Value
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of, postorder
from acausal.symbolic.isolate import isolate
from acausal.symbolic.linear import linear_form
from acausal.symbolic.samples import Fingerprints

SAMPLES = 3
MOST_INSIDE = 3
"""Relations inside the branches, all of whose combinations are tested."""
AGREE = 1e-9
"""Values that differ by this share of their size are one value."""
BESIDE = 1e-9
"""On the edge of a function's domain values are examined this far beside it, where they agree less well."""
AGREE_BESIDE = 1e-4
Known = dict[Expr, Value]


class Continuity:
    """Tests the switches that `relations` decide, each given by its frozen leaf."""

    def __init__(self, pool: Pool, relations: Mapping[Expr, Frozen]) -> None:
        self._pool = pool
        self._relations = relations
        self._found: dict[Expr, bool] = {}

    def continuous(self, switch: Expr) -> bool:
        """True if the value of an `if` stays the same when any of the relations in its condition changes."""
        found = self._found.get(switch)
        if found is None:
            leaves = leaves_of([switch.args[0]], FROZEN)
            found = self._found[switch] = all(self.agrees(switch, x) for x in leaves)
        return found

    def agrees(self, switch: Expr, leaf: Expr) -> bool:
        """True if the leaf is a relation, and both branches are equal wherever its sides are."""
        if leaf not in self._relations:
            return False
        (difference,) = self._relations[leaf].now
        test = _Test(self._pool, self._relations, switch, difference)
        if len(test.inside) > MOST_INSIDE:
            return False
        if test.is_multiple():
            return True
        if difference.flags & FROZEN:
            return False
        moving = leaves_of([difference], MOVES)
        formulas = {x: isolate(self._pool, difference, self._pool.zero, x) for x in moving}
        for x, formula in formulas.items():
            form = linear_form(self._pool, difference, (x,))
            if formula is not None and form is not None and not form.coefficients[x].flags & MOVES:
                return test.is_equal(x, formula)
        return all(f is not None and test.is_equal(x, f) for x, f in formulas.items())


class _Test:
    """The branches of one switch at sample points; `inside` are the frozen leaves in them."""

    def __init__(self, pool: Pool, relations: Mapping[Expr, Frozen], switch: Expr, difference: Expr) -> None:
        self._pool, self._relations = pool, relations
        self._branches = switch.args[1], switch.args[2]
        self._difference = difference
        roots = [*self._branches, difference]
        self.inside = leaves_of(roots, FROZEN)
        inner = [h.now[0] for x in self.inside if (h := relations.get(x)) is not None]
        leaves = [x for x in postorder([*roots, *inner]) if not x.args and x.op not in ("const", "boolean")]
        fingerprints = Fingerprints()
        self._points: list[Known] = [{x: _sample(fingerprints, x, s) for x in leaves} for s in range(SAMPLES)]

    def is_multiple(self) -> bool:
        """True if the branches differ by a multiple of the difference of the sides: those of abs, min and max do."""
        ratios = []
        for point in self._points:
            for known in self._combinations(point, self.inside):
                d, gap = evaluated(self._difference, known), self._gap(known)
                if isnan(gap) or not abs(d) > AGREE:
                    return False
                ratios.append(gap / d)
        return max(ratios) - min(ratios) <= AGREE * max(map(abs, ratios))

    def is_equal(self, x: Expr, formula: Expr) -> bool:
        """True if they are equal with x by the formula, whatever the other leaves are."""
        places = [{**point, x: evaluated(formula, point)} for point in self._points]
        free = [leaf for leaf in self.inside if not self._is_determined(leaf, places)]
        return all(self._is_equal_at(known, x) for p in places for known in self._combinations(p, free))

    def _is_equal_at(self, known: Known, x: Expr) -> bool:
        share = self._share(known)
        if share <= AGREE:
            return True
        step = BESIDE * (1.0 + abs(known[x]))
        beside = [self._share({**known, x: known[x] + side}) for side in (step, -step)]
        return isnan(share) and min([s for s in beside if not isnan(s)], default=1.0) <= AGREE_BESIDE

    def _share(self, known: Known) -> float:
        first, second = self._values(known)
        return abs(first - second) / (1.0 + abs(first) + abs(second))

    def _gap(self, known: Known) -> float:
        first, second = self._values(known)
        return first - second

    def _values(self, known: Known) -> tuple[float, float]:
        then, other = self._branches
        return evaluated(then, known), evaluated(other, known)

    def _is_determined(self, leaf: Expr, places: Iterable[Known]) -> bool:
        """True if a relation inside is the same at all the places, where it can be seen."""
        frozen = self._relations.get(leaf)
        if frozen is None or frozen.now[0].flags & FROZEN:
            return False
        found = [evaluated(frozen.now[0], place) for place in places]
        if not max(found) - min(found) <= AGREE or not abs(found[0]) > AGREE:
            return False
        assert frozen.relation
        for place in places:
            place[leaf] = bool(evaluated(self._pool.call(frozen.relation, frozen.now[0], self._pool.zero), place))
        return True

    def _combinations(self, point: Known, free: list[Expr]) -> Iterator[Known]:
        """The point with all values of these leaves, zero (false) and another one."""
        for values in product((0.0, 1.3), repeat=len(free)):
            yield {**point, **dict(zip(free, values, strict=True))}


def _sample(fingerprints: Fingerprints, leaf: Expr, seed: int) -> float:
    """Parameters are positive, like most that are."""
    number = fingerprints.sample(leaf, seed)
    return 1.25 + 0.25 * number if leaf.op == "parameter" else 1.7 * number
