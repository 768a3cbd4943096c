"""Pairs of variables of the cuts at a node that give a power."""

from collections.abc import Iterator
from dataclasses import replace

from acausal.analyses.power.nodes import Node
from acausal.analyses.power.run_values import Quantity, RunValues
from acausal.base.frozen import dataclass
from acausal.units.dimension import SECOND, product, quotient
from acausal.units.parse_unit import parse_unit

WATT = parse_unit("W").dimension


@dataclass(frozen=True, slots=True)
class Pair:
    """Places of cuts whose product is a power; a `through` variable that is a power by itself has no `across`.

    It is `assumed` where units are not known, and there is no other pair.
    """

    through: int
    across: int | None = None
    assumed: bool = False


def pairs_of(node: Node, values: RunValues) -> Iterator[Pair]:
    """The pairs at a node: by their units, else the only across with the only through variable."""
    cut = node.ends[0].cut
    for through in range(len(cut.through)):
        flow = _known([values.quantity(end.through(through)) for end in node.ends])
        if flow is None:
            continue
        if flow.dimension is WATT:
            yield Pair(through)
            continue
        places = [1] if node.ladder and len(cut.across) > 1 else range(len(cut.across))
        only = len(places) == 1 and len(cut.through) == 1
        for across in places:
            potential = _known([values.quantity(end.across(across)) for end in node.ends])
            if potential is None and node.ladder:
                potential = _rate(_known([values.quantity(end.across(0)) for end in node.ends]))
            if potential is None or potential.size != flow.size:
                continue
            known = potential.dimension is not None and flow.dimension is not None
            if _is_power(potential, flow) if known else only:
                yield Pair(through, across, not known)
                break


def _known(found: list[Quantity | None]) -> Quantity | None:
    """The first variable, if possible with a unit."""
    there = [q for q in found if q is not None]
    return next((q for q in there if q.dimension is not None), there[0] if there else None)


def _rate(position: Quantity | None) -> Quantity | None:
    """The derivative of a variable."""
    if position is None or position.dimension is None:
        return position
    return replace(position, dimension=quotient(position.dimension, SECOND))


def _is_power(across: Quantity, through: Quantity) -> bool:
    first, second = across.dimension, through.dimension
    return first is not None and second is not None and product(first, second) is WATT
