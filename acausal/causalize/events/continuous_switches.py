"""Conditions of switches without frozen values, as far as a switch may have them.

if $1 then x else -x            if x >= 0 then ...               continuous: evaluated directly
if $1 then sqrt(x) + 1 else 0   if $1 and x > 0 then ...         guarded: sqrt(x) is never asked for x < 0
if $1 then 1 else 0             stays as it is
"""

from collections.abc import Iterable, Mapping

from acausal.causalize.events.continuity import Continuity
from acausal.ir.events import Frozen
from acausal.ir.expr import FROZEN, MOVES, Expr
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of, marked
from acausal.symbolic.substitute import Memo, rebuild, rewrite_marked

_LIMITED = ("log", "log10", "sqrt", "asin", "acos")


class Switches:
    """The switches that `relations` decide, each given by its frozen leaf."""

    def __init__(self, pool: Pool, relations: Mapping[Expr, Frozen]) -> None:
        self.pool = pool
        self._relations = relations
        self._continuity = Continuity(pool, relations)
        self._live: Memo = {}
        self._conditions: dict[Expr, Expr | None] = {}

    def condition(self, switch: Expr) -> Expr | None:
        """The condition with its relations in place of frozen values; None where the switch stays as it is."""
        if switch not in self._conditions:
            found = self._condition(switch)
            self._conditions[switch] = None if found is switch.args[0] else found
        return self._conditions[switch]

    def continuous(self, switch: Expr) -> bool:
        """True if its value stays the same when its relations change."""
        return self._continuity.continuous(switch)

    def _condition(self, switch: Expr) -> Expr | None:
        frozen, then, other = switch.args
        live = self._evaluated(frozen)
        if self.continuous(switch):
            return live
        moving = leaves_of([live], MOVES)
        first, second = is_limited(then, moving), is_limited(other, moving)
        if first and second:
            return live
        if first:
            return self.pool.and_(frozen, live)
        return self.pool.or_(frozen, live) if second else None

    def _evaluated(self, condition: Expr) -> Expr:
        """The relations in place of their frozen values, and so in these relations."""
        pool, live = self.pool, self._live
        stack = [leaf for leaf in leaves_of([condition], FROZEN) if leaf not in live]
        while stack:
            leaf = stack[-1]
            frozen = self._relations.get(leaf)
            missing = [] if frozen is None else [x for x in leaves_of(frozen.now, FROZEN) if x not in live]
            if missing:
                stack += missing
                continue
            stack.pop()
            if frozen is None:
                live[leaf] = leaf
            else:
                assert frozen.relation
                live[leaf] = pool.call(frozen.relation, self._rewritten(frozen.now[0]), pool.zero)
        return self._rewritten(condition)

    def _rewritten(self, expr: Expr) -> Expr:
        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            return node if args == node.args else rebuild(self.pool, node, args)

        return rewrite_marked(expr, FROZEN, change, self._live)


def is_limited(expr: Expr, moving: Iterable[Expr]) -> bool:
    """True if a part of it has no value for some numbers, or divides by what holds one of these leaves."""
    return any(is_limit(node, moving) for node in marked([expr], MOVES))


def is_limit(node: Expr, moving: Iterable[Expr]) -> bool:
    """True if the function has no value for some numbers; a quotient counts where its divisor holds such a leaf."""
    if node.op in _LIMITED:
        return True
    if node.op != "pow":
        return False
    base, exponent = node.args
    if exponent.op != "const" or exponent.number != int(exponent.number):
        return True
    return exponent.number < 0 and any(leaf in leaves_of([base], MOVES) for leaf in moving)
