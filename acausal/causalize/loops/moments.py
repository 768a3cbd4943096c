"""Moments between events at known times: what holds at one of each holds always."""

from collections.abc import Mapping
from itertools import pairwise

from acausal.base.frozen import dataclass
from acausal.ir.dae import Dae
from acausal.ir.events import Frozen
from acausal.ir.expr import Expr
from acausal.symbolic.slopes import Point

MOST = 20
"""Events at known times that are examined."""
GOLDEN = 0.6180339887498949
"""Share of an interval at which it is examined: no period of a source divides it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, and the relations that depend on time alone."""

    time: float
    modes: Mapping[Expr, bool]


def moments(dae: Dae, known: Mapping[Expr, float]) -> list[Moment]:
    """One before, between and behind the events at known times; empty where there are no such events."""
    point = Point(dae.pool, 0, 1.0, known)
    clocks = [h for h in dae.events.frozen if h.kind == "relation" and h.clock is not None]
    rates = [[point.value(x) for x in h.clock or ()] for h in clocks]
    times = sorted({-rest / rate for rate, rest in rates if rate})[:MOST]
    if not times:
        return []
    between = [times[0] - GOLDEN, *[a + GOLDEN * (b - a) for a, b in pairwise(times)], times[-1] + GOLDEN]
    return [
        Moment(t, {h.symbol: _holds(h, rate * t + rest) for h, (rate, rest) in zip(clocks, rates, strict=True)})
        for t in between
    ]


def _holds(relation: Frozen, difference: float) -> bool:
    return difference < 0.0 if relation.relation.startswith("<") else difference > 0.0
