"""Code that grows by value: equal instructions are one, and what multiplies by 0 or 1 is none."""

from collections.abc import Mapping
from functools import reduce
from types import MappingProxyType

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.operation_count import count
from acausal.ir.expr import Expr
from acausal.ir.names import Symbol
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import Instruction, Routine
from acausal.ir.walk import postorder

Names = tuple[tuple[int, Symbol], ...]
NOTHING: Mapping[int, int] = MappingProxyType({})
MOST_FACTORS = 8
"""A power with a larger exponent is no product."""


class Code:
    """Instructions under construction; registers are their numbers, as in `ir.instructions`."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self._numbers: dict[Instruction, int] = {}
        self._pool = Pool()
        self.zero, self.one = self.const(0.0), self.const(1.0)

    def emit(self, instruction: Instruction) -> int:
        """The register of an instruction, a new one unless it is there already."""
        new = len(self.code)
        register = self._numbers.setdefault(instruction, new)
        if register == new:
            self.code.append(instruction)
        return register

    def const(self, value: float) -> int:
        """A number."""
        return self.emit(Instruction("const", (), value))

    def add(self, a: int, b: int) -> int:
        """a + b."""
        if self.zero in (a, b):
            return a if b == self.zero else b
        if self.code[b].op == "neg":
            return self.sub(a, self.code[b].args[0])
        if self.code[a].op == "neg":
            return self.sub(b, self.code[a].args[0])
        return self.emit(Instruction("add", (a, b) if a <= b else (b, a)))

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        if b == self.zero:
            return a
        if a == self.zero:
            return self.neg(b)
        if self.code[b].op == "neg":
            return self.add(a, self.code[b].args[0])
        return self.zero if a == b else self.emit(Instruction("sub", (a, b)))

    def neg(self, a: int) -> int:
        """-a."""
        op, args, value = self.code[a]
        if op == "const":
            assert isinstance(value, float)
            return a if a == self.zero else self.const(-value)
        return args[0] if op == "neg" else self.emit(Instruction("neg", (a,)))

    def mul(self, a: int, b: int) -> int:
        """a*b."""
        if self.zero in (a, b):
            return self.zero
        if self.one in (a, b):
            return a if b == self.one else b
        if a == self.const(-1.0):
            return self.neg(b)
        if b == self.const(-1.0):
            return self.neg(a)
        return self.emit(Instruction("mul", (a, b) if a <= b else (b, a)))

    def div(self, a: int, b: int) -> int:
        """a/b."""
        return a if a == self.zero or b == self.one else self.emit(Instruction("div", (a, b)))

    def partials(self, op: str, args: tuple[int, ...]) -> list[int]:
        """The derivatives of an operator with respect to its arguments, as `ir.ops` has them."""
        partials = OPS[op].partials
        if partials is None:
            raise InternalError("tangent", f"no derivative is known for {op}")
        leaves = tuple([self._pool.variable(("r",), a) for a in args])
        registers = dict(zip(leaves, args, strict=True))
        return [self._lowered(e, registers) for e in partials(self._pool, leaves)]

    def _lowered(self, expr: Expr, registers: dict[Expr, int]) -> int:
        """The register of a partial derivative: a few operators deep."""
        known = registers.get(expr)
        if known is not None:
            return known
        op = expr.op
        if op == "const":
            return self.const(expr.number)
        if op == "pow":
            return self._power(self._lowered(expr.args[0], registers), expr.args[1].number)
        args = [self._lowered(a, registers) for a in expr.args]
        if op == "mul" or op == "add":
            total = args[0]
            for other in args[1:]:
                total = self.mul(total, other) if op == "mul" else self.add(total, other)
            return total
        return self.neg(args[0]) if op == "neg" else self.emit(Instruction(OPS[op].name, tuple(args)))

    def expression(self, expr: Expr, registers: Mapping[Expr, int]) -> int:
        """The register of an expression whose leaves have these `registers`."""
        known = dict(registers)
        for node in postorder([expr]):
            if node in known:
                continue
            args = tuple([known[a] for a in node.args])
            exponent = node.args[1].number if node.op == "pow" and node.args[1].op == "const" else 0.0
            if node.op == "const":
                known[node] = self.const(node.number)
            elif node.op in ("add", "mul"):
                join = self.add if node.op == "add" else self.mul
                known[node] = reduce(join, args)
            elif exponent == 0.5 or (exponent and exponent == int(exponent) and abs(exponent) <= MOST_FACTORS):
                known[node] = self._power(args[0], exponent)
            else:
                known[node] = self.neg(args[0]) if node.op == "neg" else self.emit(Instruction(OPS[node.op].name, args))
        return known[expr]

    def _power(self, base: int, exponent: float) -> int:
        if exponent < 0:
            return self.div(self.one, self._power(base, -exponent))
        if exponent == 0.5:
            return self.emit(Instruction("sqrt", (base,)))
        power = base
        for _ in range(int(exponent) - 1):
            power = self.mul(power, base)
        return power

    def routine(self, results: list[int], keeps: Mapping[int, int] = NOTHING, names: Names = ()) -> Routine:
        """Instructions that the results need, and their stores; `keeps` are registers by their positions in m.

        `names` are those of registers, which the routine has as far as it needs them.
        """
        live = bytearray(len(self.code))
        for register in (*results, *keeps.values()):
            live[register] = 1
        for register in range(len(self.code) - 1, -1, -1):
            if live[register] or self.code[register].op == "linear_factor":
                live[register] = 1
                for arg in self.code[register].args:
                    live[arg] = 1
        place = [0] * len(self.code)
        code: list[Instruction] = []
        for register, (op, args, value) in enumerate(self.code):
            if live[register]:
                place[register] = len(code)
                code.append(Instruction(op, tuple([place[a] for a in args]), value))
        code += [Instruction("keep", (place[r],), i) for i, r in keeps.items()]
        code += [Instruction("store", (place[r],), i) for i, r in enumerate(results)]
        made = tuple(code)
        named = tuple([(place[register], symbol) for register, symbol in names if live[register]])
        return Routine(made, count(made), named)
