"""Relations that may rest: they only decide between branches that are equal where their sides are.

    i = if u > 0 then g*u else 0, u = v - R*i     `u > 0` may rest: at v = 0 either branch gives the same solution

Rounding errors decide such a relation where its loop is at rest; a run then sees its crossings only beyond errors that
its solver makes anyway (`runtime/events/relations/rest_bands`).
"""

from collections.abc import Iterable

from acausal.causalize.events.continuity import Continuity
from acausal.ir.dae import ReducedDae
from acausal.ir.expr import FROZEN, Expr
from acausal.ir.names import Name
from acausal.ir.walk import leaves_of, marked

_LOGIC = ("and", "or", "not")


def relations_that_may_rest(reduced: ReducedDae, names: Iterable[Name]) -> frozenset[Name]:
    """Names of those frozen relations, among these, that may rest."""
    dae = reduced.dae
    relations = {h.symbol: h for h in dae.events.frozen if h.kind == "relation"}
    found = {leaf: name for name in names if (leaf := dae.pool.frozen(name)) in relations}
    continuity = Continuity(dae.pool, relations)
    for leaf in leaves_of(_read_at_events(reduced), FROZEN):
        found.pop(leaf, None)
    for node in marked([side for e in reduced.equations for side in (e.left, e.right)], FROZEN):
        if not found:
            break
        if node.op in _LOGIC:
            continue
        values = node.args
        if node.op == "if":
            values = node.args[1:]
            for leaf in leaves_of([node.args[0]], FROZEN):
                if leaf in found and not continuity.agrees(node, leaf):
                    del found[leaf]
        for value in values:
            for leaf in [value] if value.op not in _LOGIC else leaves_of([value], FROZEN):
                found.pop(leaf, None)
    return frozenset(found.values())


def _read_at_events(reduced: ReducedDae) -> list[Expr]:
    """Expressions that frozen values, restarts and announcements are computed from."""
    events = reduced.dae.events
    found: list[Expr] = [e for h in events.frozen for e in h.now]
    found += [e for r in events.restarts for e in (r.target, r.value, r.fired)]
    return found + [e for a in events.announcements for e in (a.fired, a.condition)]
