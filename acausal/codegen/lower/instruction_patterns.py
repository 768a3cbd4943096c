"""Instruction patterns of expressions: negated sums, common denominators, hoisted terms.

-(a - b)   ->   b - a            2*p*x*(1/z)   ->   x times the coefficient 2*p, over z
"""

from collections.abc import Container, Sequence
from typing import Literal

from acausal.base.diagnostics import InternalError
from acausal.base.frozen import dataclass
from acausal.codegen.optimize.common_factors import take_out
from acausal.codegen.optimize.liveness import Uses
from acausal.ir.expr import VARIES, Expr
from acausal.ir.kinds import ScalarOp
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool


@dataclass(slots=True)
class InstructionPattern:
    """Instruction pattern of a node.

    `op` add: the sum of `first` less those of `second`; mul: `first` times `coefficient`
    with the powers `second` below the line, negated if `negative`; power: `first` to the
    constant `coefficient`; any other: the operator itself on `first`. `parts` must be in registers before.
    """

    op: ScalarOp | Literal["power"]
    parts: Sequence[Expr]
    first: Sequence[Expr]
    second: Sequence[Expr] = ()
    coefficient: Expr | None = None
    negative: bool = False


class Opener:
    """Finds forms; what is `computed` has a register already.

    If it `hoists`, factors and terms without variables are joined.
    """

    def __init__(self, pool: Pool, uses: Uses, computed: Container[Expr], hoists: bool) -> None:
        self.pool = pool
        self.uses = uses
        self.computed = computed
        self.hoists = hoists

    def open(self, node: Expr) -> InstructionPattern:
        """The form of a node; InternalError for array operators."""
        op = node.op
        if op == "mul":
            return self._open_product(node, False)
        if op == "add":
            return self._open_sum(self._terms(node), False)
        if op == "neg":
            return self._open_negation(node.args[0])
        if op == "pow" and node.args[1].op == "const":
            base = node.args[:1]
            return InstructionPattern("power", base, base, (), node.args[1])
        row = OPS.get(op)
        if row is None:
            raise InternalError("lower", f"the operator {op} reached the generated code")
        return InstructionPattern(row.name, node.args, node.args)

    def _open_negation(self, a: Expr) -> InstructionPattern:
        """A sum that is wanted with the other sign only is turned; a coefficient takes a sign."""
        if self.uses.get(a, 0) <= 1:
            if a.op == "mul":
                return self._open_product(a, True)
            if a.op == "add":
                terms = self._terms(a)
                if "neg" in [t.op for t in terms]:
                    return self._open_sum(terms, True)
        return InstructionPattern("neg", (a,), (a,))

    def _terms(self, node: Expr) -> Sequence[Expr]:
        """The terms, those without variables gathered into one at the end."""
        if not self.hoists:
            return node.args
        fixed = [t for t in node.args if not t.flags & VARIES]
        if not fixed:
            return take_out(self.pool, node.args, self._is_free)
        gathered = fixed[0] if len(fixed) == 1 else self.pool.add(*fixed)
        return [*take_out(self.pool, [t for t in node.args if t.flags & VARIES], self._is_free), gathered]

    def _is_free(self, product: Expr) -> bool:
        return self.uses.get(product, 0) <= 1 and product not in self.computed

    @staticmethod
    def _open_sum(terms: Sequence[Expr], turned: bool) -> InstructionPattern:
        plain = [t for t in terms if t.op != "neg"]
        if len(plain) == len(terms) and not turned:
            return InstructionPattern("add", plain, plain)
        negated = [t.args[0] for t in terms if t.op == "neg"]
        plus, minus = (negated, plain) if turned else (plain, negated)
        return InstructionPattern("add", plus + minus, plus, minus)

    def _open_product(self, node: Expr, negative: bool) -> InstructionPattern:
        """Factors, powers below the line, and the coefficient: all without variables in one."""
        above: list[Expr] = []
        below: list[Expr] = []
        fixed: list[Expr] = []
        for factor in node.args:
            if factor.op == "const" or (self.hoists and not factor.flags & VARIES):
                fixed.append(factor)
            elif factor.op == "pow" and self._divides(factor):
                below.append(factor)
            else:
                above.append(factor)
        parts = above + [p.args[0] for p in below] if below else above
        if not fixed:
            return InstructionPattern("mul", parts, above, below, None, negative)
        coefficient = fixed[0] if len(fixed) == 1 else self.pool.mul(*fixed)
        if negative:
            coefficient = self.pool.neg(coefficient)
        return InstructionPattern("mul", [*parts, coefficient], above, below, coefficient)

    def _divides(self, power: Expr) -> bool:
        """True if a power goes below the line: a reciprocal that nothing else uses."""
        exponent = power.args[1]
        negative = exponent.op == "const" and exponent.number < 0
        return negative and self.uses.get(power, 0) <= 1 and power not in self.computed
