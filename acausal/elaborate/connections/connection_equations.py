"""Connection sets become equations (language page, section 4, rules 1 to 8).

Across: the values in one place are equal. Through: the signed values in one place sum
to zero; a cut of the enclosing model, seen from inside, counts the other way. In a
set with ladders the first place alone gives equalities; a plain variable in a later
place equals the derivative of its own cut's first place.
"""

from collections.abc import Collection, Iterator, Sequence

from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.model.classes import Place
from acausal.ir.model.instance import CutEnd, JoinedSet
from acausal.ir.names import Name
from acausal.ir.origin import How, Origin
from acausal.ir.pool import Pool

Cuts = tuple[CutEnd, ...]
"""The cuts of a set."""


def connection_equations(pool: Pool, sets: Sequence[JoinedSet]) -> tuple[Equation, ...]:
    """The equations of all connection sets."""
    ladders = _with_ladder(sets)
    tied: dict[Expr, None] = {}
    equations: list[Equation] = []
    for number, joined in enumerate(sets):
        cuts = joined.cuts
        if cuts:
            equations += _across(pool, joined, cuts, ladders[number], tied)
            equations += _through(pool, joined, cuts)
    return tuple(equations)


def _with_ladder(sets: Sequence[JoinedSet]) -> list[bool]:
    """For each set whether a ladder belongs to it, or to a set joined with it through a cut of an enclosing model."""
    cuts = {id(end.cut): end.cut for joined in sets for end in joined.ends if isinstance(end, CutEnd)}
    if not any(place.order for cut in cuts.values() for place in cut.across):
        return [False] * len(sets)
    group = list(range(len(sets)))

    def root(k: int) -> int:
        while group[k] != k:
            group[k] = k = group[group[k]]
        return k

    first_of: dict[Name, int] = {}
    for number, joined in enumerate(sets):
        for end in joined.cuts:
            group[root(number)] = root(first_of.setdefault(end.name, number))
    has = {root(n) for n, joined in enumerate(sets) for end in joined.cuts if any(p.order for p in end.cut.across)}
    return [root(n) in has for n in range(len(sets))]


def _leaf(end: CutEnd, place: Place, pool: Pool) -> Expr:
    leaf = end.instance.values[place.name or ""]
    return pool.variable(leaf.name, leaf.order + place.order, leaf.shape) if place.order else leaf


def _origin(joined: JoinedSet, how: How) -> Origin:
    first = joined.statements[0]
    return Origin(first.span, first.path, how, joined.statements)


def _across(pool: Pool, joined: JoinedSet, cuts: Cuts, ladder: bool, tied: dict[Expr, None]) -> Iterator[Equation]:
    origin = _origin(joined, How.CONNECTED)
    for number in range(len(cuts[0].cut.across)):
        if ladder and number:
            yield from _ladder_ties(pool, joined, number, tied)
            continue
        leaves = _values(pool, cuts, number)
        for other in leaves[1:]:
            yield Equation(leaves[0], _alike(pool, other, leaves[0]), origin)


def _values(pool: Pool, cuts: Cuts, number: int) -> list[Expr]:
    """The across values in one place; of several grounds that say the same one."""
    leaves: list[Expr] = []
    grounds: list[CutEnd] = []
    for end in cuts:
        place = end.cut.across[number]
        if place.name is None:
            continue
        through = end.cut.through
        ground = bool(through) and not [p for p in through if not p.nothing]
        if not (ground and any(_says_the_same(end, other) for other in grounds)):
            leaves.append(_leaf(end, place, pool))
        if ground:
            grounds.append(end)
    return list(dict.fromkeys(leaves))


def _says_the_same(one: CutEnd, other: CutEnd) -> bool:
    """True if two grounds have the very same equations: those of one class, without parameters."""
    first, second = [
        [s.node for s in e.instance.template.behaviour]
        if all(v.kind not in ("parameter", "constant") for v in e.instance.template.values.values())
        else None
        for e in (one, other)
    ]
    return first is not None and first == second


def _ladder_ties(pool: Pool, joined: JoinedSet, number: int, tied: dict[Expr, None]) -> Iterator[Equation]:
    origin = _origin(joined, How.LADDER)
    for end in joined.cuts:
        place, first = end.cut.across[number], end.cut.across[0]
        if place.name is None or place.order or first.name is None:
            continue
        plain, base = _leaf(end, place, pool), _leaf(end, first, pool)
        if plain not in tied and plain.name != base.name:
            tied[plain] = None
            yield Equation(plain, pool.variable(base.name, base.order + number, base.shape), origin)


def _through(pool: Pool, joined: JoinedSet, cuts: Cuts) -> Iterator[Equation]:
    origin = _origin(joined, How.FLOW_SUM)
    for number in range(len(cuts[0].cut.through)):
        places = [(end, end.cut.through[number]) for end in cuts]
        if any(place.nothing for _, place in places):
            continue
        shape = end_shape(places)
        terms = []
        for end, place in places:
            sign = -place.sign if end.inside else place.sign
            leaf = _alike(pool, _leaf(end, place, pool), None)
            terms.append(_signed(pool, leaf, sign))
        yield Equation(_total(pool, terms, shape), _zeros(pool, shape), origin)


def end_shape(places: Sequence[tuple[CutEnd, Place]]) -> tuple[int, ...]:
    """The shape of a through place, () for one element."""
    end, place = places[0]
    shape = end.instance.values[place.name or ""].shape
    return () if all(n == 1 for n in shape) else shape


def _alike(pool: Pool, leaf: Expr, model: Expr | None) -> Expr:
    """An array of one element as a scalar, where the other side is one."""
    if leaf.shape and all(n == 1 for n in leaf.shape) and (model is None or model.shape != leaf.shape):
        return pool.node("index", (leaf,), (0,), ())
    return leaf


def _signed(pool: Pool, leaf: Expr, sign: int) -> Expr:
    if sign > 0:
        return leaf
    return pool.node("array_neg", (leaf,), None, leaf.shape) if leaf.shape else pool.neg(leaf)


def _total(pool: Pool, terms: list[Expr], shape: tuple[int, ...]) -> Expr:
    if len(terms) == 1:
        return terms[0]
    return pool.node("array_add", tuple(terms), None, shape) if shape else pool.add(*terms)


def _zeros(pool: Pool, shape: tuple[int, ...]) -> Expr:
    count = 1
    for size in shape:
        count *= size
    return pool.node("array", (pool.zero,) * count, None, shape) if shape else pool.zero


def signed_throughs(sets: Sequence[JoinedSet]) -> set[tuple[Name, int]]:
    """The through variables of connected cuts, each with its sign."""
    return {
        (end.instance.values[place.name].name, place.sign)
        for joined in sets
        for end in joined.cuts
        if not end.inside
        for place in end.cut.through
        if place.name is not None
    }


def unconnected_equations(
    pool: Pool,
    ends: Sequence[CutEnd],
    default: dict[Expr, Expr],
    known: Collection[Name],
    sets: Sequence[JoinedSet],
) -> tuple[Equation, ...]:
    """Through variables of cuts that nothing is connected to are zero, or their default (rule 4), each once.

    Where the across variable has a default, it takes this, and the through variable is what results.
    A cut of which a variable is known is interface: nothing is said of it. Where a cut of the connection `sets` has a
    through variable with the same sign, this is the same cut under another name.
    """
    equations: dict[Name, Equation] = {}
    carried = signed_throughs(sets) if ends else set()
    for end in ends:
        leaves = [_leaf(end, p, pool) for p in (*end.cut.across, *end.cut.through) if p.name is not None]
        if any(leaf.name in known for leaf in leaves):
            continue
        for number, place in enumerate(end.cut.through):
            if place.name is None:
                continue
            leaf = _leaf(end, place, pool)
            if (leaf.name, place.sign) in carried:
                continue
            across = end.cut.across[number] if number < len(end.cut.across) else None
            if across is not None and across.name is not None and _leaf(end, across, pool) in default:
                leaf = _leaf(end, across, pool)
            origin = Origin(end.cut.span, end.instance.path, How.UNCONNECTED)
            equations.setdefault(leaf.name, Equation(leaf, default.get(leaf, _zeros(pool, leaf.shape)), origin))
    return tuple(equations.values())
