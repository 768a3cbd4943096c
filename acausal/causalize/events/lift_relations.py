"""Relations and functions with kinks and jumps -> frozen values.

if u > 0 then a else b     ->     if $1 then a else b,    frozen $1: u > 0
abs(x)                     ->     if $1 then x else -x,   frozen $1: x >= 0
floor(x)                   ->     $1,                     frozen $1: the whole part of x
"""

from acausal.causalize.events.time_events import need_discrete
from acausal.ir.events import Frozen
from acausal.ir.expr import EVENT, MOVES, Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.kinds import ExprOp, FrozenKind, NoRelation, RelationOp, ValueType
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.ir.walk import marked
from acausal.symbolic.linear import linear_in_time
from acausal.symbolic.substitute import rebuild, rewrite_marked, substitute

_MIRRORED: dict[ExprOp, RelationOp] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DECIDED_BY: dict[ExprOp, RelationOp] = {"min": "<=", "max": ">="}


class Relations:
    """The frozen values made so far; `equations` and `variables` are what derivatives in them need."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.frozen: dict[Expr, Frozen] = {}
        self.variables: list[Variable] = []
        self.equations: list[Equation] = []
        self._memo: dict[Expr, Expr] = {}
        self._symbol_of: dict[tuple[str, Expr], Expr] = {}
        self._available: dict[Expr, Expr] = {}

    def hold(self, expr: Expr, origin: Origin) -> Expr:
        """The expression with frozen values for all that makes events."""
        return rewrite_marked(expr, EVENT, lambda node, args: self._node(node, args, origin), self._memo)

    def hold_instants(self, expr: Expr, origin: Origin) -> Expr:
        """Only `sample` and `initial` are frozen: relations are taken as they are at the event."""

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if node.op in ("sample", "initial"):
                return self._instant(node, args, origin)
            if node.op == "new":
                need_discrete(args[0], origin)
            return node if args == node.args else rebuild(self.pool, node, args)

        return rewrite_marked(expr, EVENT, change, {})

    def at_start(self, expr: Expr) -> Expr:
        """The expression in the first instant, where `initial()` is true."""
        return rewrite_marked(expr, EVENT, self._at_start, {})

    def _at_start(self, node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.op == "initial":
            return self.pool.true
        return node if args == node.args else rebuild(self.pool, node, args)

    def before(self, condition: Expr, written: Expr, origin: Origin) -> Expr:
        """Value of the condition at the end of the previous event."""
        symbol = self._symbol("before")
        self.frozen[symbol] = Frozen(symbol, "before", "boolean", (condition,), origin, written=written)
        return symbol

    def available(self, expr: Expr, origin: Origin) -> Expr:
        """Introduce a variable for an expression with derivatives, so that they are computed."""
        if not any(n.op == "variable" and n.order for n in marked([expr], MOVES)):
            return expr
        found = self._available.get(expr)
        if found is None:
            found = self._available[expr] = self.pool.variable((f"event${len(self.variables) + 1}",))
            self.variables.append(Variable(found, "local", "real", origin))
            self.equations.append(Equation(found, expr, origin))
        return found

    def available_leaves(self, expr: Expr, origin: Origin) -> Expr:
        """The same for each derivative in the expression by itself."""
        leaves = [n for n in marked([expr], MOVES) if n.op == "variable" and n.order]
        if not leaves:
            return expr
        return substitute(self.pool, expr, {leaf: self.available(leaf, origin) for leaf in leaves})

    def _node(self, node: Expr, args: tuple[Expr, ...], origin: Origin) -> Expr:
        pool, op = self.pool, node.op
        if op == "<" or op == "<=" or op == ">" or op == ">=":
            return self._relation(op, args[0], args[1], node, origin)
        if op in _DECIDED_BY:
            first, second = args
            return pool.if_(self._relation(_DECIDED_BY[op], first, second, node, origin), first, second)
        if op == "abs":
            return pool.if_(self._relation(">=", args[0], pool.zero, node, origin), args[0], pool.neg(args[0]))
        if op == "sign":
            below = self._relation("<", args[0], pool.zero, node, origin)
            above = self._relation(">", args[0], pool.zero, node, origin)
            return pool.if_(above, pool.one, pool.if_(below, pool.const(-1), pool.zero))
        if op == "floor":
            return self._step(args[0], node, origin)
        if op == "ceil":
            return pool.neg(self._step(pool.neg(args[0]), node, origin))
        if op == "mod":
            return pool.sub(args[0], pool.mul(args[1], self._step(pool.div(args[0], args[1]), node, origin)))
        if op in ("sample", "initial"):
            return self._instant(node, args, origin)
        if op == "new":
            need_discrete(args[0], origin)
        return node if args == node.args else rebuild(pool, node, args)

    def _relation(self, op: RelationOp, left: Expr, right: Expr, written: Expr, origin: Origin) -> Expr:
        """The frozen truth of `left op right`; the relation itself where it changes at events only."""
        difference = self.pool.sub(left, right)
        if not difference.flags & MOVES:
            return self.pool.call(op, left, right)
        if difference.op == "neg":
            op, difference = _MIRRORED[op], difference.args[0]
        return self._moving("relation", difference, written, origin, op)

    def _step(self, argument: Expr, written: Expr, origin: Origin) -> Expr:
        if not argument.flags & MOVES:
            return self.pool.call("floor", argument)
        return self._moving("step", argument, written, origin)

    def _moving(
        self, kind: FrozenKind, now: Expr, written: Expr, origin: Origin, relation: RelationOp | NoRelation = ""
    ) -> Expr:
        key = kind + relation, now
        found = self._symbol_of.get(key)
        if found is None:
            now = self.available(now, origin)
            found = self._symbol_of[key] = self._symbol(kind)
            type_: ValueType = "boolean" if relation else "real"
            clock = linear_in_time(self.pool, now)
            self.frozen[found] = Frozen(found, kind, type_, (now,), origin, relation, clock, written=written)
        return found

    def _symbol(self, kind: str) -> Expr:
        return self.pool.frozen((f"{kind}${len(self.frozen) + 1}",))

    def _instant(self, node: Expr, args: tuple[Expr, ...], origin: Origin) -> Expr:
        """`initial()`, and each `sample` with its times."""
        kind: FrozenKind = "sample" if node.op == "sample" else "initial"
        key = kind, node
        found = self._symbol_of.get(key)
        if found is None:
            found = self._symbol_of[key] = self._symbol(kind)
            self.frozen[found] = Frozen(found, kind, "boolean", args, origin, written=node)
        return found
