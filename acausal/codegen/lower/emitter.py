"""Instructions for expressions: every value computed once, in the order asked for.

    x - 2*p*q/z   ->   %3 = parameter 5 { 2*p*q, hoisted }   %4 = div %3 %z   %5 = sub %x %4

Sums and products become operations of two arguments. An equal pair already computed is
used again; parameter factors and terms are gathered and hoisted; signs go into sums and
coefficients; a reciprocal used by one product is a division there.
"""

from collections.abc import Callable

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.instruction_patterns import InstructionPattern, Opener
from acausal.codegen.optimize.liveness import Uses
from acausal.ir.expr import VARIES, Expr
from acausal.ir.kinds import EffectOp, InstructionOp, LoadOp, ScalarOp
from acausal.ir.names import Symbol
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearFactor, LinearSolve, NewtonSolve

LARGEST_POWER = 64
"""Powers by larger whole numbers call `pow`."""

Solve = LinearSolve | LinearFactor | FactoredSolve | NewtonSolve
Payload = float | bool | int | Solve | None


class Emitter:
    """The code of one routine as it grows.

    `outer` is asked first for each expression but constants, with the emitter: a register, or None to have it
    computed here. If it `hoists`, factors and terms without variables are joined before.
    """

    def __init__(self, pool: Pool, uses: Uses, outer: "Outer", hoists: bool = True) -> None:
        self.pool = pool
        self.outer = outer
        self.code: list[Instruction] = []
        self.names: list[tuple[int, Symbol]] = []
        self.registers: dict[Expr, int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._uses = uses
        self._open = Opener(pool, uses, self.registers, hoists).open

    def emit(self, op: InstructionOp, args: tuple[int, ...] = (), value: Payload = None) -> int:
        """The register of an instruction, a new one unless it is there already."""
        key = op, args, value  # equal to the instruction, and made in less time
        register = self._numbers.get(key)
        if register is None:
            register, instruction = len(self.code), tuple.__new__(Instruction, key)
            self._numbers[instruction] = register  # one object is held, not two
            self.code.append(instruction)
        return register

    def append(self, op: InstructionOp, args: tuple[int, ...], value: Payload = None) -> int:
        """The register of an instruction that stands nowhere else, as the solution of a block."""
        self.code.append(tuple.__new__(Instruction, (op, args, value)))
        return len(self.code) - 1

    def effect(self, op: EffectOp, register: int, position: int) -> None:
        """A store to out or memory."""
        self.code.append(tuple.__new__(Instruction, (op, (register,), position)))

    def load(self, op: LoadOp, position: int, boolean: bool) -> int:
        """A load; truth values are numbers in arrays."""
        register = self.emit(op, (), position)
        return self.emit("<>", (register, self.const(0.0))) if boolean else register

    def const(self, value: float) -> int:
        """A number."""
        return self.emit("const", (), value)

    def define(self, leaf: Expr, register: int) -> None:
        """A variable has the value of a register."""
        self.registers[leaf] = register
        self.names.append((register, (leaf.name, leaf.order)))

    def define_parameter(self, leaf: Expr, register: int) -> None:
        """A parameter has the value of a register."""
        self.registers[leaf] = register

    def register(self, root: Expr) -> int:
        """The register that holds an expression."""
        registers = self.registers
        found = registers.get(root)
        if found is not None:
            return found
        known, opened, compute = self._known, self._open, self._compute
        if not root.args:  # most are leaves
            found = known(root)
            if found is not None:
                registers[root] = found
                return found
        else:
            found = self._of_registers(root)
            if found is not None:
                registers[root] = found
                return found
        stack: list[tuple[Expr, InstructionPattern | None]] = [(root, None)]
        while stack:
            node, pattern = stack.pop()
            if node in registers:
                continue
            if pattern is None:
                found = known(node)
                if found is not None:
                    registers[node] = found
                    continue
                pattern = opened(node)
                missing = [a for a in pattern.parts if a not in registers]
                if missing:
                    stack.append((node, pattern))
                    stack.extend([(a, None) for a in reversed(missing)])
                    continue
            registers[node] = compute(pattern)
        return registers[root]

    def _of_registers(self, node: Expr) -> int | None:
        """A sum of variables, or one that has a register times parameters: most values are; None for others."""
        if node.op == "mul":
            return self._scaled(node.args)
        turned = node.op == "neg" and self._uses.get(node.args[0], 0) <= 1
        total = node.args[0] if turned else node
        if total.op != "add":
            return None
        plus: list[Expr] = []
        minus: list[Expr] = []
        for term in total.args:
            negative = term.op == "neg"
            leaf = term.args[0] if negative else term
            if leaf.args or not leaf.flags & VARIES:
                return None
            (minus if negative else plus).append(leaf)
        if turned and not minus:
            return None
        if turned:
            plus, minus = minus, plus
        loaded = [self._leaf(leaf) for leaf in plus]
        return self._sum(loaded, [self._leaf(leaf) for leaf in minus])

    def _leaf(self, leaf: Expr) -> int:
        """The register of a leaf."""
        register = self.registers.get(leaf)
        if register is None:
            register = self._known(leaf)
            assert register is not None  # a leaf without value has raised
            self.registers[leaf] = register
        return register

    def _scaled(self, factors: tuple[Expr, ...]) -> int | None:
        """A variable that has a register times what does not vary."""
        if len(factors) != 2:
            return None
        fixed, leaf = factors if factors[1].flags & VARIES else factors[::-1]
        register = None if leaf.args else self.registers.get(leaf)
        if register is None or not leaf.flags & VARIES or fixed.flags & VARIES or fixed.op == "const":
            return None
        coefficient = self.registers.get(fixed)
        if coefficient is None:
            coefficient = self._known(fixed)
            if coefficient is None:
                return None
            self.registers[fixed] = coefficient
        return self._chain("mul", [register, coefficient])

    def _known(self, node: Expr) -> int | None:
        """The register of a leaf and of what is computed elsewhere; None if it is computed here."""
        if node.op == "const":
            return self.const(node.number)
        if node.op == "boolean":
            return self.emit("boolean", (), bool(node.value))
        known = self.outer(self, node)
        if known is None and not node.args:
            raise InternalError("lower", f"{node} has no value where it is used")
        return known

    # ------------------------------------------------------- computing

    def _compute(self, pattern: InstructionPattern) -> int:
        op = pattern.op
        if op == "mul":
            return self._product(pattern)
        registers = [self.registers[a] for a in pattern.first]
        if op == "add":
            return self._sum(registers, [self.registers[a] for a in pattern.second])
        if op == "power":
            assert pattern.coefficient is not None
            return self._power(registers[0], pattern.coefficient.number)
        if op == "and" or op == "or":
            return self._chain(op, registers)
        if op == "noevent":
            return registers[0]
        if op == "mod":
            quotient = self.emit("floor", (self.emit("div", (registers[0], registers[1])),))
            return self.emit("sub", (registers[0], self.emit("mul", (registers[1], quotient))))
        if op == "linexp" or op == "linlog":
            return self._half_straight(op, registers[0])
        return self.emit(op, tuple(registers))

    def _half_straight(self, op: ScalarOp, x: int) -> int:
        """linexp, linlog: the sum of what is left and what is right of 0."""
        zero, one = self.const(0.0), self.const(1.0)
        right, left = self.emit("max", (x, zero)), self.emit("min", (x, zero))
        if op == "linexp":
            curved = self.emit("sub", (self.emit("exp", (right,)), one))
        else:
            curved = self.emit("log", (self.emit("add", (one, right)),))
        return self.emit("add", (curved, left))

    def _sum(self, plus: list[int], minus: list[int]) -> int:
        if not plus:
            return self.emit("neg", (self._chain("add", minus),))
        total = self._chain("add", plus)
        for register in minus:
            total = self.emit("sub", (total, register))
        return total

    def _product(self, pattern: InstructionPattern) -> int:
        product = self._chain("mul", [self.registers[a] for a in pattern.first]) if pattern.first else None
        if product is not None and pattern.coefficient is not None and pattern.coefficient.value == 2.0:
            product = self.emit("add", (product, product))
        elif pattern.coefficient is not None:
            factor = self.registers[pattern.coefficient]
            product = factor if product is None else self._chain("mul", [product, factor])
        negative = pattern.negative
        if product is None:
            product = self.const(-1.0 if negative else 1.0)
            negative = False
        if pattern.second:
            powers = [self._power(self.registers[p.args[0]], -p.args[1].number) for p in pattern.second]
            product = self.emit("div", (product, self._chain("mul", powers)))
        return self.emit("neg", (product,)) if negative else product

    def _power(self, base: int, exponent: float) -> int:
        """A power by a number: products and square roots where they are few."""
        if exponent < 0:
            return self.emit("div", (self.const(1.0), self._power(base, -exponent)))
        if exponent <= LARGEST_POWER and exponent == int(exponent):
            return self._whole_power(base, int(exponent))
        if exponent == 0.5:
            return self.emit("sqrt", (base,))
        if exponent == 1.5:
            return self._chain("mul", [base, self.emit("sqrt", (base,))])
        return self.emit("pow", (base, self.const(exponent)))

    def _whole_power(self, base: int, n: int) -> int:
        if n == 1:
            return base
        half = self._whole_power(base, n // 2)
        square = self.emit("mul", (half, half))
        return self._chain("mul", [square, base]) if n % 2 else square

    def _chain(self, op: ScalarOp, registers: list[int]) -> int:
        """All registers joined by an operator, from the left, beginning with a pair that is there already."""
        if len(registers) == 1:
            return registers[0]
        if len(registers) == 2:
            a, b = registers
            return self.emit(op, (a, b) if a <= b else (b, a))
        left = sorted(registers)
        pair = self._known_pair(op, left)
        if pair is not None:
            left.remove(pair[0])
            left.remove(pair[1])
            left.insert(0, self.emit(op, pair))
        total = left[0]
        for register in left[1:]:
            total = self.emit(op, (total, register) if total <= register else (register, total))
        return total

    def _known_pair(self, op: ScalarOp, registers: list[int]) -> tuple[int, int] | None:
        for i, a in enumerate(registers[:8]):
            for b in registers[i + 1 : 8]:
                if (op, (a, b), None) in self._numbers:
                    return a, b
        return None


Outer = Callable[[Emitter, Expr], int | None]
