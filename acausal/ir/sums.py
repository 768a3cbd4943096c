"""Sums: constants folded, equal terms merged."""

from acausal.ir.expr import Expr, creation
from acausal.ir.products import Products

_GATHERED = frozenset(("const", "neg", "add"))
"""Operators of terms, signs taken off, that `add` has to look into; so it has to into products with a number."""


class Sums(Products):
    """Sum and difference of interned expressions."""

    def add(self, *terms: Expr) -> Expr:
        """The sum: constants folded, equal terms merged, first term positive."""
        if len(terms) > 2 and self.zero in terms:
            terms = tuple([t for t in terms if t is not self.zero])
        if len(terms) == 2:
            simple = self._sum_of_two(*terms)
            if simple is not None:
                return simple
        constant = 0.0
        factors: dict[Expr, float] = {}
        opens = False
        for term in terms:
            op = term.op
            if op == "const":
                constant += term.number
                continue
            factor = 1.0
            if op == "neg":
                factor, term = -1.0, term.args[0]
                op = term.op
            if op == "mul" and term.args[0].op == "const":
                number, term = self.split(term)
                op, factor = term.op, factor * number
            opens = opens or op == "add"
            factors[term] = factors.get(term, 0.0) + factor
        if opens and len(factors) > 1:
            constant += self._open_sums(factors)
        bases = sorted(factors, key=creation) if 0.0 not in factors.values() else _without_zeros(factors)
        if not bases:
            return self.const(constant)
        if len(bases) == 1 and constant == 0.0:
            return self._scaled(factors[bases[0]], bases[0])
        flip = factors[bases[0]] < 0
        sign = -1.0 if flip else 1.0
        args = [b if factors[b] == sign else self._scaled(sign * factors[b], b) for b in bases]
        if constant != 0.0:
            args.append(self.const(sign * constant))
        total = self.node("add", tuple(args))
        return self.node("neg", (total,)) if flip else total

    def _sum_of_two(self, a: Expr, b: Expr) -> Expr | None:
        """The sum of two, where but for signs there is nothing to simplify: most sums are of this kind."""
        if a.op == "const":
            a, b = b, a
        flip = a.op == "neg"
        if flip:
            a = a.args[0]
        if a.op in _GATHERED or (a.op == "mul" and a.args[0].op == "const"):
            return None
        if b.op == "const":
            number = -b.number if flip else b.number
            total = self.node("add", (a, self.const(number))) if number else a
            return self.node("neg", (total,)) if flip else total
        negative = b.op == "neg"
        if negative:
            b = b.args[0]
        if a is b or b.op in _GATHERED or (b.op == "mul" and b.args[0].op == "const"):
            return None
        same = flip == negative
        if b.serial < a.serial:
            a, b, flip = b, a, negative
        total = self.node("add", (a, b if same else self.node("neg", (b,))))
        return self.node("neg", (total,)) if flip else total

    def _open_sums(self, factors: dict[Expr, float]) -> float:
        """Opens the sums among the terms that hold the negative of another term; their constants."""
        constant = 0.0
        for base in [b for b in factors if b.op == "add"]:
            factor = factors[base]
            inner = [self.split(t) for t in base.args]
            if [b for f, b in inner if factors.get(b, 0.0) == -factor * f]:
                del factors[base]
                for f, b in inner:
                    if b.op == "const":
                        constant += factor * f * b.number
                    else:
                        factors[b] = factors.get(b, 0.0) + factor * f
        return constant

    def sub(self, a: Expr, b: Expr) -> Expr:
        """a - b."""
        return self.add(a, self.neg(b))


def _without_zeros(factors: dict[Expr, float]) -> list[Expr]:
    """The terms that count, in the order of creation."""
    return sorted([b for b, f in factors.items() if f != 0.0], key=creation)
