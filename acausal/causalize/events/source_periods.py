"""Sines of time in the equations: a solver must not step over their periods, as long as they are there.

    u = 12*sin(2*pi*50*time + phase)                             2*pi*50 rad/s, always
    u = if time < t0 then 0 else exp(-d*(time - t0))*sin(w*time)     w, from t0 until the exponential is nothing
    angle = 2*pi*50*time; u = sin(angle)                         2*pi*50 rad/s: assigned variables are searched

Between two pulses of a rectifier the equations look as if nothing would ever come; only the source knows better.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.ir.dae import Dae
from acausal.ir.expr import MOVES, Expr
from acausal.ir.kinds import NoRelation, RelationOp
from acausal.ir.plan import Assign, Step, Wave
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of, marked
from acausal.symbolic.linear import linear_in_time
from acausal.symbolic.substitute import substitute

MOST = 8
"""Places where a sine occurs that are distinguished; with more of them it counts as always there."""
_TRANSPARENT = frozenset({"add", "neg", "mul", "if", "noevent"})
"""Operators whose value keeps what a factor does to the size of a sine."""
_LINEAR = frozenset({"add", "neg", "mul", "if", "noevent"})
"""Operators whose value may be linear in time."""

Line = tuple[Expr, Expr]
"""rate*time + rest."""

_Clocks = Mapping[Expr, tuple[RelationOp | NoRelation, Line]]
_Facts = tuple[_Clocks, Mapping[Expr, Line]]
"""Relations that time alone decides by what they hold, and arguments that are linear in time."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in an equation, which counts where all `conditions` are positive.

    Its size goes with exp(`decay`), unless that is None.
    """

    conditions: tuple[Line, ...]
    decay: Line | None


def waves(dae: Dae, steps: Sequence[Step]) -> tuple[Wave, ...]:
    """The sines and cosines that depend on time alone, each once for each place where it occurs.

    `steps` are those of the run: variables that they assign are searched.
    """
    pool = dae.pool
    arguments = [node.args[0] for node in pool.operations("sin", "cos", "exp")]
    values = _values(arguments, steps)
    lines = _lines(pool, arguments, values, {})
    rates = _lines(pool, arguments, values, _drives(pool, values)) if values else lines
    sines = [(node, rates[node.args[0]]) for node in pool.operations("sin", "cos") if node.args[0] in rates]
    rate_of = {node: rate for node, (rate, _) in sines if not rate.varies}
    if not rate_of:
        return ()
    clocks = {
        frozen.symbol: (frozen.relation, frozen.clock) for frozen in dae.events.frozen if frozen.clock is not None
    }
    sides = [side for e in dae.equations for side in (e.left, e.right) if side.args and _may_hold(side, rate_of)]
    nodes = marked(sides, MOVES)
    places = _places(pool, sides, nodes, rate_of.keys(), (clocks, lines))
    found = [(rate_of[node], place) for node in nodes if node in rate_of for place in places[node]]
    return tuple(dict.fromkeys([Wave(rate, place.conditions, _no_zero(pool, place.decay)) for rate, place in found]))


def _may_hold(side: Expr, sines: Collection[Expr]) -> bool:
    """False if the side is short and holds none of the sines: most sides are a sum or product of leaves."""
    for arg in side.args:
        if arg.args and (arg.op != "neg" or arg.args[0].args):
            return True
    return side in sines


def _no_zero(pool: Pool, decay: Line | None) -> Line | None:
    return None if decay is None or decay[0] is pool.zero else decay


def _places(
    pool: Pool,
    sides: Sequence[Expr],
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
    places: dict[Expr, list[_Place]] = {side: [everywhere] for side in sides if side in above}
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
    clocks, lines = facts
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
            yield replace(place, decay=_times(pool, place.decay, [a for a in node.args if a is not arg], lines))
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


def _times(pool: Pool, decay: Line, factors: Iterable[Expr], lines: Mapping[Expr, Line]) -> Line | None:
    """The exponent with those of other factors; None where one of them may grow otherwise."""
    rate, rest = decay
    for factor in factors:
        if not factor.flags & MOVES or factor.op in ("sin", "cos"):
            continue
        line = lines.get(factor.args[0]) if factor.op == "exp" else None
        if line is None or line[0].varies or line[1].varies:
            return None
        rate, rest = pool.add(rate, line[0]), pool.add(rest, line[1])
    return rate, rest


def _values(exprs: Sequence[Expr], steps: Sequence[Step]) -> dict[Expr, Expr]:
    """Assigned variables with their values; none where these expressions hold no variable."""
    if all(node.op != "variable" for node in leaves_of(exprs, MOVES)):
        return {}
    return {step.target: step.value for step in steps if isinstance(step, Assign)}


def _drives(pool: Pool, values: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """States that go on at a constant rate, as rate*time: what they begin with is left out."""
    rates = [(x, value) for x, value in values.items() if x.order > 0 and not value.varies and value is not pool.zero]
    return {pool.variable(x.name, x.order - 1): pool.mul(value, pool.time) for x, value in rates}


def _lines(pool: Pool, exprs: Sequence[Expr], values: Mapping[Expr, Expr], known: dict[Expr, Expr]) -> dict[Expr, Line]:
    """Expressions that are linear in time and move with nothing else, by what is known of variables."""
    known = dict(known)
    for variable in _looked_through(exprs, values):
        value = values[variable]
        if value in _linear([value], known):
            known[variable] = substitute(pool, value, known)
    linear = _linear(exprs, known)
    found = {e: linear_in_time(pool, substitute(pool, e, known) if known else e) for e in exprs if e in linear}
    return {e: line for e, line in found.items() if line is not None}


def _looked_through(exprs: Sequence[Expr], values: Mapping[Expr, Expr]) -> list[Expr]:
    """Assigned variables that linear operators lead to, in the order of their assignments."""
    found: dict[Expr, None] = {}
    seen: set[Expr] = set()
    waiting = list(exprs)
    while waiting:
        node = waiting.pop()
        if node in seen or not node.flags & MOVES:
            continue
        seen.add(node)
        if node in values:
            found[node] = None
            waiting.append(values[node])
        elif node.op in _LINEAR:
            waiting += node.args
    return [variable for variable in values if variable in found] if found else []


def _linear(exprs: Sequence[Expr], known: Collection[Expr]) -> set[Expr]:
    """The nodes below these that may be linear in time and in known variables, each examined once."""
    linear: set[Expr] = set()
    for node in marked(exprs, MOVES):
        moving = [arg for arg in node.args if arg.flags & MOVES]
        if not moving:
            fits = node.op == "time" or node in known
        else:
            fits = node.op in _LINEAR and (node.op != "mul" or len(moving) == 1)
        if fits and linear.issuperset(moving):
            linear.add(node)
    return linear
