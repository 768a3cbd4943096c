"""Relations in loops that chatter at rest, as rounding errors decide them, though their branches agree.

i = if u > 0 then g*u else 0, u = v - R*i      at v = 0 either branch gives the same solution

Such a relation gets a band: its crossings are seen only beyond errors that the solver makes anyway. These depend on the
values of relations (the voltage of a blocking diode is a current divided by 1e-9), and so does the band, which
`events/root_functions.set_bands` computes.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from acausal.causalize.events.continuity import Continuity
from acausal.ir.expr import FROZEN, Expr
from acausal.ir.names import Name
from acausal.ir.walk import leaves_of, marked
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.system.system import System

_LOGIC = ("and", "or", "not")
WIDER, WIDEST = 10.0, 1e4
"""A band that does not suffice becomes so many times as wide, up to so many errors of the solver."""


def give_bands(system: System, slots: Iterable[int]) -> bool:
    """True if all of these frozen values are such relations; their bands are set or widened behind the event then."""
    table, slots = system.program.table, list(slots)
    frozen = [(i, table.frozen[i]) for i in slots if table.frozen[i].kind == "relation"]
    found = [i for i, slot in frozen if slot.crossing is not None]
    names = [slot.name for _, slot in frozen if not slot.continuous]
    if not slots or len(found) < len(slots) or system.equations is None or not _agree(system.equations, names):
        return False
    wider = [max(1.0, WIDER * float(system.widening[i])) for i in found]
    if max(wider) > WIDEST:
        return False
    system.widening[found] = wider
    return True


def _agree(equations: Equations, names: Iterable[Name]) -> bool:
    """True if these relations decide only between branches that are equal where their sides are."""
    dae = equations.reduced.dae
    wanted = {dae.pool.frozen(name) for name in names}
    relations = {h.symbol: h for h in dae.events.frozen if h.kind == "relation"}
    continuity = Continuity(dae.pool, relations)
    events = dae.events
    others: list[Expr] = [e for h in events.frozen for e in h.now]
    others += [e for r in events.restarts for e in (r.target, r.value, r.fired)]
    others += [e for a in events.announcements for e in (a.fired, a.condition)]
    if wanted.intersection(leaves_of(others, FROZEN)):
        return False
    for node in marked([side for e in equations.reduced.equations for side in (e.left, e.right)], FROZEN):
        if node.op in _LOGIC:
            continue
        if node.op == "if":
            read = wanted.intersection(leaves_of([node.args[0]], FROZEN))
            if not all(continuity.agrees(node, leaf) for leaf in read):
                return False
        if any(_is_decided(arg, wanted) for arg in (node.args[1:] if node.op == "if" else node.args)):
            return False
    return True


def _is_decided(value: Expr, wanted: AbstractSet[Expr]) -> bool:
    """True if the value is one of these relations, or a combination of relations with one of them."""
    return value in wanted or (value.op in _LOGIC and not wanted.isdisjoint(leaves_of([value], FROZEN)))
