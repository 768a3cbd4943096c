"""Instructions of one routine, each once: operations of two arguments for sums, products and powers."""

from acausal.ir.kinds import EffectOp, InstructionOp, LoadOp, ScalarOp
from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearFactor, LinearSolve, NewtonSolve

LARGEST_POWER = 64
"""Powers by larger whole numbers call `pow`."""

Solve = LinearSolve | LinearFactor | FactoredSolve | NewtonSolve
Payload = float | bool | int | Solve | None


class OperationBuilder:
    """The instructions of one routine as they grow; an equal one that is there already is used again."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self._numbers: dict[tuple[object, ...], int] = {}

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

    def half_straight(self, op: ScalarOp, x: int) -> int:
        """linexp, linlog: the sum of what is left and what is right of 0."""
        zero, one = self.const(0.0), self.const(1.0)
        right, left = self.emit("max", (x, zero)), self.emit("min", (x, zero))
        if op == "linexp":
            curved = self.emit("sub", (self.emit("exp", (right,)), one))
        else:
            curved = self.emit("log", (self.emit("add", (one, right)),))
        return self.emit("add", (curved, left))

    def sum(self, plus: list[int], minus: list[int]) -> int:
        """The registers added, and others subtracted."""
        if not plus:
            return self.emit("neg", (self.chain("add", minus),))
        total = self.chain("add", plus)
        for register in minus:
            total = self.emit("sub", (total, register))
        return total

    def power(self, base: int, exponent: float) -> int:
        """A power by a number: products and square roots where they are few."""
        if exponent < 0:
            return self.emit("div", (self.const(1.0), self.power(base, -exponent)))
        if exponent <= LARGEST_POWER and exponent == int(exponent):
            return self._whole_power(base, int(exponent))
        if exponent == 0.5:
            return self.emit("sqrt", (base,))
        if exponent == 1.5:
            return self.chain("mul", [base, self.emit("sqrt", (base,))])
        return self.emit("pow", (base, self.const(exponent)))

    def _whole_power(self, base: int, n: int) -> int:
        if n == 1:
            return base
        half = self._whole_power(base, n // 2)
        square = self.emit("mul", (half, half))
        return self.chain("mul", [square, base]) if n % 2 else square

    def chain(self, op: ScalarOp, registers: list[int]) -> int:
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
