"""Slopes of operators: the rules of differentiation, on registers.

%3 = sin %2        slopes of %3: cos(%2) times those of %2
"""

from collections.abc import Callable

from acausal.codegen.tangent.instruction_builder import Code
from acausal.ir.program.instructions import Instruction

Slopes = dict[int, int]
"""The registers of a value's slopes, by state."""


class OperatorSlopes:
    """Slopes of values from those of their arguments, emitted into `code`; without an entry a value does not move."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self._slopes: dict[int, Slopes] = {}

    def slopes_of(self, register: int) -> Slopes:
        """None of what no state moves."""
        return self._slopes.get(register, {})

    def set_slopes(self, register: int, slopes: Slopes) -> None:
        """The slopes of a value whose rule is not that of its operator."""
        self._slopes[register] = slopes

    def operator_slopes(self, op: str, args: tuple[int, ...], register: int) -> Slopes:
        """The slopes of a value, at `register`, of which some argument moves."""
        code = self.code
        first = self.slopes_of(args[0])
        if op == "neg":
            return {k: code.neg(s) for k, s in first.items()}
        if op == "if":
            return self._chosen(args)
        if op == "pow":
            return self._power(args, register)
        if len(args) == 1:
            (partial,) = code.partials(op, args)
            return {k: code.mul(partial, s) for k, s in first.items()}
        if op == "external":
            return self._external(args)
        second = self.slopes_of(args[1])
        if op == "add" or op == "sub":
            return together(first, second, code.zero, code.add if op == "add" else code.sub)
        if op == "mul":
            return self._weighted(first, args[1], second, args[0])
        if op == "div":
            return self._quotient(first, second, args[1], register)
        partials = code.partials(op, args)
        return self._weighted(first, partials[0], second, partials[1])

    def _weighted(self, first: Slopes, a: int, second: Slopes, b: int) -> Slopes:
        """a*first + b*second."""
        code = self.code
        left, right = ({k: code.mul(w, s) for k, s in x.items()} for x, w in ((first, a), (second, b)))
        return together(left, right, code.zero, code.add)

    def _quotient(self, first: Slopes, second: Slopes, below: int, register: int) -> Slopes:
        """(first - second*quotient)/below."""
        code = self.code
        above = together(first, {k: code.mul(register, s) for k, s in second.items()}, code.zero, code.sub)
        if len(above) == 1:
            return {k: code.div(s, below) for k, s in above.items()}
        inverse = code.div(code.one, below)
        return {k: code.mul(s, inverse) for k, s in above.items()}

    def _chosen(self, args: tuple[int, ...]) -> Slopes:
        condition, *ways = args
        first, second = self.slopes_of(ways[0]), self.slopes_of(ways[1])

        def choose(a: int, b: int) -> int:
            return a if a == b else self.code.emit(Instruction("if", (condition, a, b)))

        return together(first, second, self.code.zero, choose)

    def _power(self, args: tuple[int, ...], register: int) -> Slopes:
        """b*a^(b-1)*da + log(a)*a^b*db, the latter 0 where a is."""
        code, (base, exponent) = self.code, args
        lowered = code.sub(exponent, code.one)
        if code.code[exponent].op == "const":
            given = code.code[exponent].value
            assert isinstance(given, float)
            lowered = code.const(given - 1.0)
        by_base = code.mul(exponent, code.emit(Instruction("pow", (base, lowered))))
        if exponent not in self._slopes:
            return {k: code.mul(by_base, s) for k, s in self.slopes_of(base).items()}
        positive = code.emit(Instruction(">", (base, code.zero)))
        grown = code.mul(register, code.emit(Instruction("log", (base,))))
        by_exponent = code.emit(Instruction("if", (positive, grown, code.zero)))
        return self._weighted(self.slopes_of(base), by_base, self.slopes_of(exponent), by_exponent)

    def _external(self, args: tuple[int, ...]) -> Slopes:
        """Of the arguments of a unit's function some change with states."""
        total: Slopes = {}
        for partial, argument in zip(self.code.partials("external", args), args, strict=True):
            slopes = self.slopes_of(argument)
            if slopes:
                total = self._weighted(total, self.code.one, slopes, partial)
        return total


def together(first: Slopes, second: Slopes, zero: int, join: Callable[[int, int], int]) -> Slopes:
    """Both joined state by state."""
    return {k: join(first.get(k, zero), second.get(k, zero)) for k in {**first, **second}}
