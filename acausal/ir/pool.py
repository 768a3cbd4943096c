"""The pool: makes all expressions of one translation, simplified as they are built.

It folds constants, zeros and ones, merges equal terms and factors and puts arguments into one order, so that common
subexpressions are shared without looking for them:

    p.add(x, y) is p.add(y, x)        p.mul(x, p.pow(x, p.const(-1))) is p.const(1)

Nested sums and products are kept as they were built (flattening would lose shared parts). The order of arguments is
that of creation, hence the same in every run.
"""

from collections.abc import Callable

from acausal.ir.expr import Expr
from acausal.ir.kinds import ExprOp, ScalarOp
from acausal.ir.operator import Value
from acausal.ir.ops import OPS
from acausal.ir.sums import Sums


class Pool(Sums):
    """The maker of expressions of one translation."""

    def call(self, op: ExprOp, *args: Expr) -> Expr:
        """Any operator of the table by its name."""
        special = _SPECIAL.get(op)
        if special is not None:
            return special(self, *args)
        if op in OPS and all(a.op == "const" or a.op == "boolean" for a in args):
            folded = self._fold(op, args)
            if folded is not None:
                return folded
        return self.node(op, args)

    def _fold(self, op: ExprOp, args: tuple[Expr, ...]) -> Expr | None:
        try:
            value: Value = OPS[op].evaluate(*(a.value for a in args))
        except (ArithmeticError, ValueError):
            return None
        return self.boolean(value) if isinstance(value, bool) else self.const(value)

    def if_(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        """`if condition then ... else ...`; a known condition or equal branches vanish."""
        if condition.op == "boolean":
            return then if condition.value else otherwise
        return then if then is otherwise else self.node("if", (condition, then, otherwise))

    def not_(self, a: Expr) -> Expr:
        """`not a`."""
        if a.op == "boolean":
            return self.boolean(not a.value)
        return a.args[0] if a.op == "not" else self.node("not", (a,))

    def _logic(self, op: ScalarOp, absorbing: Expr, args: tuple[Expr, ...]) -> Expr:
        kept = list(dict.fromkeys(a for a in args if a.op != "boolean" or a is absorbing))
        if absorbing in kept:
            return absorbing
        if not kept:
            return self.not_(absorbing)
        return kept[0] if len(kept) == 1 else self.node(op, tuple(kept))

    def and_(self, *args: Expr) -> Expr:
        """`a and b and ...`."""
        return self._logic("and", self.false, args)

    def or_(self, *args: Expr) -> Expr:
        """`a or b or ...`."""
        return self._logic("or", self.true, args)


_SPECIAL: dict[str, Callable[..., Expr]] = {
    "add": Pool.add,
    "mul": Pool.mul,
    "neg": Pool.neg,
    "pow": Pool.pow,
    "if": Pool.if_,
    "not": Pool.not_,
    "and": Pool.and_,
    "or": Pool.or_,
}
