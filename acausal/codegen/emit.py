"""Instructions for expressions: every value computed once, in the order asked for.

    x - 2*p*q/z   ->   %3 = parameter 5 { 2*p*q, hoisted }   %4 = div %3 %z   %5 = sub %x %4

Sums and products become operations of two arguments. An equal pair already computed is
used again; parameter factors and terms are gathered and hoisted; signs go into sums and
coefficients; a reciprocal used by one product is a division there.
"""

from collections.abc import Callable
from dataclasses import dataclass

from acausal.codegen.layout import Layout
from acausal.codegen.needs import Uses
from acausal.diagnostics import InternalError
from acausal.ir.expr import VARIES, Expr, Pool
from acausal.ir.ops import ARRAY_OPS
from acausal.ir.program import Instruction, LinearSolve, NewtonSolve, Symbol

LARGEST_POWER = 64
"""Powers by larger whole numbers call `pow`."""

Payload = float | bool | int | LinearSolve | NewtonSolve | None
Outer = Callable[[Expr], int | None]


@dataclass(slots=True)
class Form:
    """How a node is computed.

    `op` add: the sum of `first` less those of `second`; mul: `first` times `coefficient`
    with the powers `second` below the line, negated if `negative`; power: `first` to the
    constant `coefficient`; any other: the operator itself on `first`.
    """

    op: str
    first: list[Expr]
    second: list[Expr]
    coefficient: Expr | None = None
    negative: bool = False

    def parts(self) -> list[Expr]:
        """What must be in registers before."""
        if self.op == "add":
            return self.first + self.second if self.second else self.first
        if self.op != "mul":
            return self.first
        parts = self.first + [p.args[0] for p in self.second] if self.second else self.first
        return parts if self.coefficient is None else [*parts, self.coefficient]


class Emitter:
    """The code of one routine as it grows.

    `outer` is asked first for each expression but constants: a register, or None to have it
    computed here. If it `hoists`, factors and terms without variables are joined before.
    """

    def __init__(self, pool: Pool, layout: Layout, uses: Uses, outer: Outer, hoists: bool = True) -> None:
        self.pool = pool
        self.hoists = hoists
        self.layout = layout
        self.uses = uses
        self.outer = outer
        self.code: list[Instruction] = []
        self.names: list[tuple[int, Symbol]] = []
        self.registers: dict[Expr, int] = {}
        self._numbers: dict[Instruction, int] = {}

    def emit(self, op: str, args: tuple[int, ...] = (), value: Payload = None) -> int:
        """The register of an instruction, a new one unless it is there already."""
        instruction = Instruction(op, args, value)
        new = len(self.code)
        register = self._numbers.setdefault(instruction, new)
        if register == new:
            self.code.append(instruction)
        return register

    def append(self, op: str, args: tuple[int, ...], value: LinearSolve | NewtonSolve) -> int:
        """The register of the solution of a block."""
        self.code.append(Instruction(op, args, value))
        return len(self.code) - 1

    def effect(self, op: str, register: int, position: int) -> None:
        """A store to out or memory."""
        self.code.append(Instruction(op, (register,), position))

    def load(self, op: str, position: int, boolean: bool) -> int:
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
        stack: list[tuple[Expr, Form | None]] = [(root, None)]
        while stack:
            node, form = stack.pop()
            if node in registers:
                continue
            if form is None:
                known = self._known(node)
                if known is not None:
                    registers[node] = known
                    continue
                form = self._open(node)
                missing = [a for a in form.parts() if a not in registers]
                if missing:
                    stack.append((node, form))
                    stack.extend([(a, None) for a in reversed(missing)])
                    continue
            registers[node] = self._compute(form)
        return registers[root]

    def _known(self, node: Expr) -> int | None:
        """The register of a leaf and of what is computed elsewhere; None if it is computed here."""
        if node.op == "const":
            return self.const(node.number)
        if node.op == "boolean":
            return self.emit("boolean", (), bool(node.value))
        known = self.outer(node)
        if known is None and not node.args:
            raise InternalError("lower", f"{node} has no value where it is used")
        return known

    # ------------------------------------------------------- opening

    def _open(self, node: Expr) -> Form:
        op = node.op
        if op == "mul":
            return self._open_product(node, False)
        if op == "add":
            return self._open_sum(self._terms(node), False)
        if op == "neg":
            return self._open_negation(node.args[0])
        if op == "pow" and node.args[1].op == "const":
            return Form("power", [node.args[0]], [], node.args[1])
        if op in ARRAY_OPS:
            raise InternalError("lower", f"the array operator {op} reached the generated code")
        return Form(op, list(node.args), [])

    def _open_negation(self, a: Expr) -> Form:
        """A sum that is wanted with the other sign only is turned; a coefficient takes a sign."""
        if self.uses.get(a, 0) <= 1:
            if a.op == "mul":
                return self._open_product(a, True)
            if a.op == "add":
                terms = self._terms(a)
                if any(t.op == "neg" for t in terms):
                    return self._open_sum(terms, True)
        return Form("neg", [a], [])

    def _terms(self, node: Expr) -> list[Expr]:
        """The terms, those without variables gathered into one at the end."""
        fixed = [t for t in node.args if not t.flags & VARIES] if self.hoists else []
        if not fixed:
            return list(node.args)
        gathered = fixed[0] if len(fixed) == 1 else self.pool.add(*fixed)
        return [*(t for t in node.args if t.flags & VARIES), gathered]

    @staticmethod
    def _open_sum(terms: list[Expr], turned: bool) -> Form:
        plus: list[Expr] = []
        minus: list[Expr] = []
        for term in terms:
            negative = term.op == "neg"
            (minus if negative != turned else plus).append(term.args[0] if negative else term)
        return Form("add", plus, minus)

    def _open_product(self, node: Expr, negative: bool) -> Form:
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
        if not fixed:
            return Form("mul", above, below, None, negative)
        coefficient = fixed[0] if len(fixed) == 1 else self.pool.mul(*fixed)
        return Form("mul", above, below, self.pool.neg(coefficient) if negative else coefficient)

    def _divides(self, power: Expr) -> bool:
        """Whether a power goes below the line: a reciprocal that nothing else uses."""
        exponent = power.args[1]
        negative = exponent.op == "const" and exponent.number < 0
        return negative and self.uses.get(power, 0) <= 1 and power not in self.registers

    # ------------------------------------------------------- computing

    def _compute(self, form: Form) -> int:
        op = form.op
        if op == "mul":
            return self._product(form)
        registers = [self.registers[a] for a in form.first]
        if op == "add":
            return self._sum(registers, [self.registers[a] for a in form.second])
        if op == "power":
            assert form.coefficient is not None
            return self._power(registers[0], form.coefficient.number)
        if op == "and" or op == "or":
            return self._chain(op, registers)
        if op == "noevent":
            return registers[0]
        if op == "mod":
            quotient = self.emit("floor", (self.emit("div", (registers[0], registers[1])),))
            return self.emit("sub", (registers[0], self.emit("mul", (registers[1], quotient))))
        return self.emit(op, tuple(registers))

    def _sum(self, plus: list[int], minus: list[int]) -> int:
        if not plus:
            return self.emit("neg", (self._chain("add", minus),))
        total = self._chain("add", plus)
        for register in minus:
            total = self.emit("sub", (total, register))
        return total

    def _product(self, form: Form) -> int:
        product = self._chain("mul", [self.registers[a] for a in form.first]) if form.first else None
        if form.coefficient is not None:
            factor = self.registers[form.coefficient]
            product = factor if product is None else self._chain("mul", [product, factor])
        negative = form.negative
        if product is None:
            product = self.const(-1.0 if negative else 1.0)
            negative = False
        if form.second:
            powers = [self._power(self.registers[p.args[0]], -p.args[1].number) for p in form.second]
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

    def _chain(self, op: str, registers: list[int]) -> int:
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

    def _known_pair(self, op: str, registers: list[int]) -> tuple[int, int] | None:
        for i, a in enumerate(registers[:8]):
            for b in registers[i + 1 : 8]:
                if Instruction(op, (a, b)) in self._numbers:
                    return a, b
        return None
