"""Sines of time in the equations: a solver must not step over their periods, as long as they are there.

    u = 12*sin(2*pi*50*time + phase)                             2*pi*50 rad/s, always
    u = if time < t0 then 0 else exp(-d*(time - t0))*sin(w*time)     w, from t0 until the exponential is nothing

Between two pulses of a rectifier the equations look as if nothing would ever come; only the source knows better.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from acausal.ir.dae import Dae
from acausal.ir.expr import MOVES, Expr
from acausal.ir.kinds import NoRelation, RelationOp
from acausal.ir.plan import Wave
from acausal.ir.pool import Pool
from acausal.ir.walk import marked
from acausal.symbolic.linear import linear_in_time

MOST = 8
"""Places where a sine occurs that are distinguished; with more of them it counts as always there."""
_TRANSPARENT = frozenset({"add", "neg", "mul", "if", "noevent"})
"""Operators whose value keeps what a factor does to the size of a sine."""

Line = tuple[Expr, Expr]
"""rate*time + rest."""

_Clocks = Mapping[Expr, tuple[RelationOp | NoRelation, Line]]
_Facts = tuple[_Clocks, Collection[Expr]]
"""Relations that time alone decides by what they hold, and expressions that may be linear in time."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in an equation, which counts where all `conditions` are positive.

    Its size goes with exp(`decay`), unless that is None.
    """

    conditions: tuple[Line, ...]
    decay: Line | None


def waves(dae: Dae) -> tuple[Wave, ...]:
    """The sines and cosines that depend on time alone, each once for each place where it occurs."""
    pool = dae.pool
    linear = _linear([node.args[0] for node in pool.operations("sin", "cos", "exp")])
    sines = [node for node in pool.operations("sin", "cos") if node.args[0] in linear]
    lines = {node: linear_in_time(pool, node.args[0]) for node in sines}
    rate_of = {node: line[0] for node, line in lines.items() if line is not None and not line[0].varies}
    if not rate_of:
        return ()
    clocks = {
        frozen.symbol: (frozen.relation, frozen.clock) for frozen in dae.events.frozen if frozen.clock is not None
    }
    nodes = marked([side for e in dae.equations for side in (e.left, e.right)], MOVES)
    places = _places(pool, dae, nodes, rate_of.keys(), (clocks, linear))
    found = [(rate_of[node], place) for node in nodes if node in rate_of for place in places[node]]
    return tuple(dict.fromkeys([Wave(rate, place.conditions, _no_zero(pool, place.decay)) for rate, place in found]))


def _no_zero(pool: Pool, decay: Line | None) -> Line | None:
    return None if decay is None or decay[0] is pool.zero else decay


def _places(
    pool: Pool,
    dae: Dae,
    nodes: list[Expr],
    sines: Iterable[Expr],
    facts: _Facts,
) -> dict[Expr, list[_Place]]:
    """For each sine, and each node above one, where it occurs: from the equations down."""
    above: set[Expr] = set(sines)
    for node in nodes:
        if not above.isdisjoint(node.args):
            above.add(node)
    everywhere = _Place((), (pool.zero, pool.zero))
    places: dict[Expr, list[_Place]] = {
        side: [everywhere] for e in dae.equations for side in (e.left, e.right) if side in above
    }
    for node in reversed(nodes):
        if node in above:
            own = list(dict.fromkeys(places.get(node, [])))
            places[node] = own = own if len(own) <= MOST else [_Place((), None)]
            for arg in node.args:
                if arg in above:
                    places.setdefault(arg, []).extend(_inside(pool, node, arg, own, facts))
    return places


def _inside(pool: Pool, node: Expr, arg: Expr, places: list[_Place], facts: _Facts) -> Iterator[_Place]:
    """The places of an argument, from those of the node."""
    clocks, linear = facts
    for place in places:
        if node.op == "if" and arg is not node.args[0]:
            line = _condition(pool, node.args[0], clocks, holds=arg is node.args[1])
            both = node.args[1] is node.args[2]
            yield (
                place
                if line is None or both or len(place.conditions) == MOST
                else replace(place, conditions=(*place.conditions, line))
            )
        elif node.op == "mul" and place.decay is not None:
            yield replace(place, decay=_times(pool, place.decay, [a for a in node.args if a is not arg], linear))
        else:
            yield place if node.op in _TRANSPARENT else replace(place, decay=None)


def _condition(pool: Pool, condition: Expr, clocks: _Clocks, *, holds: bool) -> Line | None:
    """Linear function that is positive while the condition holds or does not; None where it is unknown."""
    if condition.op == "not":
        condition, holds = condition.args[0], not holds
    relation, line = clocks.get(condition, ("", None))
    if line is None or relation not in ("<", "<=", ">", ">="):
        return None
    return line if relation.startswith(">") == holds else (pool.neg(line[0]), pool.neg(line[1]))


def _times(pool: Pool, decay: Line, factors: Iterable[Expr], linear: Collection[Expr]) -> Line | None:
    """The exponent with those of other factors; None where one of them may grow otherwise."""
    rate, rest = decay
    for factor in factors:
        if not factor.flags & MOVES or factor.op in ("sin", "cos"):
            continue
        line = linear_in_time(pool, factor.args[0]) if factor.op == "exp" and factor.args[0] in linear else None
        if line is None or line[0].varies or line[1].varies:
            return None
        rate, rest = pool.add(rate, line[0]), pool.add(rest, line[1])
    return rate, rest


def _linear(exprs: Sequence[Expr]) -> set[Expr]:
    """The nodes below these that may be linear in time and move with nothing else, each looked at once."""
    linear: set[Expr] = set()
    for node in marked(exprs, MOVES):
        moving = [arg for arg in node.args if arg.flags & MOVES]
        if not moving:
            fits = node.op == "time"
        else:
            fits = node.op in ("add", "neg", "noevent", "if") or (node.op == "mul" and len(moving) == 1)
        if fits and linear.issuperset(moving):
            linear.add(node)
    return linear
