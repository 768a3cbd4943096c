"""Products and powers: constants and signs in front, powers of one base merged."""

from acausal.ir.expr import Expr, creation
from acausal.ir.interning import Interning

_FACTORED = frozenset(("const", "neg", "mul", "pow"))
"""Operators of factors that `mul` has to look into."""


class Products(Interning):
    """Negation, product, quotient and power of interned expressions."""

    def neg(self, a: Expr) -> Expr:
        """The negation; a double one vanishes."""
        op = a.op
        if op == "neg":
            return a.args[0]
        return self.const(-a.number) if op == "const" else self.node("neg", (a,))

    def split(self, term: Expr) -> tuple[float, Expr]:
        """A term as a number times the rest."""
        if term.op == "neg":
            factor, base = self.split(term.args[0])
            return -factor, base
        if term.op != "mul" or term.args[0].op != "const":
            return 1.0, term
        found = self._rest.get(term)
        if found is None:
            rest = term.args[1:]
            base = rest[0] if len(rest) == 1 else self.node("mul", rest)
            found = self._rest[term] = (term.args[0].number, base)
        return found

    def _scaled(self, factor: float, base: Expr) -> Expr:
        if factor == 1.0:
            return base
        if factor == -1.0:
            return self.neg(base)
        if base.op in _FACTORED or factor == 0.0:
            return self.mul(self.const(factor), base)
        product = self.node("mul", (self.const(abs(factor)), base))
        return self.node("neg", (product,)) if factor < 0 else product

    def mul(self, *factors: Expr) -> Expr:
        """The product: constants and signs in front, powers of one base merged."""
        if len(factors) == 2:
            simple = self._pair(*factors)
            if simple is not None:
                return simple
        constant = 1.0
        powers: dict[Expr, float] = {}
        for factor in self._open(factors):
            if factor.op == "const":
                constant *= factor.number
            elif factor.op == "pow" and factor.args[1].op == "const":
                base = factor.args[0]
                powers[base] = powers.get(base, 0.0) + factor.args[1].number
            else:
                powers[factor] = powers.get(factor, 0.0) + 1.0
        if constant == 0.0:
            return self.zero if powers.get(self.zero, 0.0) >= 0.0 else self._zero_by_zero(powers[self.zero])
        args = [b if e == 1.0 else self.pow(b, self.const(e)) for b, e in powers.items() if e != 0.0]
        if not args:
            return self.const(constant)
        args.sort(key=creation)
        if abs(constant) != 1.0:
            if len(args) == 1 and args[0].op == "mul":
                args = list(args[0].args)
            args.insert(0, self.const(abs(constant)))
        product = args[0] if len(args) == 1 else self.node("mul", tuple(args))
        return self.neg(product) if constant < 0 else product

    def _pair(self, a: Expr, b: Expr) -> Expr | None:
        """The product of two, where but for signs there is nothing to simplify: most products are of this kind."""
        if a is self.one:
            return b
        if b is self.one:
            return a
        negative = False
        if a.op == "neg":
            a, negative = a.args[0], True
        if b.op == "neg":
            b, negative = b.args[0], not negative
        if a.op == "const":
            a, b = b, a
        if b.op == "const":
            number = -b.number if negative else b.number
            if a.op == "const":
                return self.const(number * a.number)
            if a.op in _FACTORED:
                return None
            return self._scaled(number, a) if number else self.zero
        if b.op == "mul":
            a, b = b, a
        simple = a is not b and b.op not in _FACTORED and (a.op not in _FACTORED or self._goes_with(a, b))
        if not simple and not self._is_quotient(a, b) and not self._is_quotient(b, a):
            return None
        product = self.node("mul", (a, b) if a.serial < b.serial else (b, a))
        return self.node("neg", (product,)) if negative else product

    @staticmethod
    def _goes_with(product: Expr, factor: Expr) -> bool:
        """True if it is a product without a number in which no power of the factor stands."""
        if product.op != "mul" or product.args[0].op == "const":
            return False
        return not [a for a in product.args if a.op == "pow" and a.args[0] is factor]

    @staticmethod
    def _is_quotient(factor: Expr, power: Expr) -> bool:
        """True for a factor and a numeric power of another base, neither of which `mul` has to look into."""
        if power.op != "pow" or factor.op in _FACTORED:
            return False
        base, exponent = power.args
        return exponent.op == "const" and base is not factor and base.op not in _FACTORED

    def _zero_by_zero(self, exponent: float) -> Expr:
        """0*0^-n: no number, and it must stay so that the run can detect it."""
        return self.node("mul", (self.zero, self.node("pow", (self.zero, self.const(exponent)))))

    def _open(self, factors: tuple[Expr, ...]) -> list[Expr]:
        """The factors with signs and numbers taken out, inner products opened where something cancels."""
        flat: list[Expr] = []
        bases: set[Expr] = set()
        for factor in factors:
            number, base = self.split(factor)
            if number != 1.0:
                flat.append(self.const(number))
            flat.append(base)
            bases.add(base.args[0] if base.op == "pow" else base)
        if not [f for f in flat if f.op == "mul"]:
            return flat
        opened: list[Expr] = []
        inverses = {f.args[0] for f in flat if f.op == "pow"}
        for factor in flat:
            if factor.op == "mul" and self._cancels(factor, bases, inverses):
                opened.extend(factor.args)
            else:
                opened.append(factor)
        return opened

    @staticmethod
    def _cancels(product: Expr, bases: set[Expr], inverses: set[Expr]) -> bool:
        """True if a factor of the product meets its inverse, or its inverse's base, outside."""
        return bool([a for a in product.args if a in inverses or (a.op == "pow" and a.args[0] in bases)])

    def div(self, a: Expr, b: Expr) -> Expr:
        """a/b; two constants are divided exactly once."""
        if a.op == "const" and b.op == "const" and b.number != 0.0:
            return self.const(a.number / b.number)
        return self.mul(a, self.pow(b, self.const(-1)))

    def pow(self, base: Expr, exponent: Expr) -> Expr:
        """base^exponent."""
        if exponent.op == "const":
            n = exponent.number
            if n == 0.0:
                return self.one
            if n == 1.0:
                return base
            if base.op == "const":
                return self._constant_power(base, exponent)
            if n == int(n):
                return self._integer_power(base, int(n))
        return self.node("pow", (base, exponent))

    def _constant_power(self, base: Expr, exponent: Expr) -> Expr:
        try:
            value = base.number**exponent.number
        except (ArithmeticError, ValueError):
            value = None
        if isinstance(value, float):
            return self.const(value)
        return self.node("pow", (base, exponent))

    def _integer_power(self, base: Expr, n: int) -> Expr:
        if base.op == "neg":
            power = self.pow(base.args[0], self.const(n))
            return self.neg(power) if n % 2 else power
        if base.op == "pow" and base.args[1].op == "const" and base.args[1].number == int(base.args[1].number):
            return self.pow(base.args[0], self.const(base.args[1].number * n))
        if n == -1 and base.op == "mul" and base.args[0].op == "const":
            factor, rest = self.split(base)
            return self.mul(self.const(1 / factor), self.pow(rest, self.const(-1)))
        return self.node("pow", (base, self.const(n)))
