"""Instructions for expressions: every value computed once, in the order asked for.

    x - 2*p*q/z   ->   %3 = parameter 5 { 2*p*q, hoisted }   %4 = div %3 %z   %5 = sub %x %4

Sums and products become operations of two arguments. An equal pair already computed is
used again; parameter factors and terms are gathered and hoisted; signs go into sums and
coefficients; a reciprocal used by one product is a division there.
"""

from collections.abc import Callable

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.instruction_patterns import InstructionPattern, Opener
from acausal.codegen.lower.operation_builder import OperationBuilder
from acausal.codegen.optimize.liveness import Uses
from acausal.ir.expr import VARIES, Expr
from acausal.ir.names import Symbol
from acausal.ir.pool import Pool


class Emitter(OperationBuilder):
    """The code of one routine as it grows.

    `outer` is asked first for each expression but constants, with the emitter: a register, or None to have it
    computed here. If it `hoists`, factors and terms without variables are joined before.
    """

    def __init__(self, pool: Pool, uses: Uses, outer: "Outer", hoists: bool = True) -> None:
        super().__init__()
        self.pool = pool
        self.outer = outer
        self.names: list[tuple[int, Symbol]] = []
        self.registers: dict[Expr, int] = {}
        self._uses = uses
        self._open = Opener(pool, uses, self.registers, hoists).open

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
        return self.sum(loaded, [self._leaf(leaf) for leaf in minus])

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
        return self.chain("mul", [register, coefficient])

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
            return self.sum(registers, [self.registers[a] for a in pattern.second])
        if op == "power":
            assert pattern.coefficient is not None
            return self.power(registers[0], pattern.coefficient.number)
        if op == "and" or op == "or":
            return self.chain(op, registers)
        if op == "noevent":
            return registers[0]
        if op == "mod":
            quotient = self.emit("floor", (self.emit("div", (registers[0], registers[1])),))
            return self.emit("sub", (registers[0], self.emit("mul", (registers[1], quotient))))
        if op == "linexp" or op == "linlog":
            return self.half_straight(op, registers[0])
        return self.emit(op, tuple(registers))

    def _product(self, pattern: InstructionPattern) -> int:
        product = self.chain("mul", [self.registers[a] for a in pattern.first]) if pattern.first else None
        if product is not None and pattern.coefficient is not None and pattern.coefficient.value == 2.0:
            product = self.emit("add", (product, product))
        elif pattern.coefficient is not None:
            factor = self.registers[pattern.coefficient]
            product = factor if product is None else self.chain("mul", [product, factor])
        negative = pattern.negative
        if product is None:
            product = self.const(-1.0 if negative else 1.0)
            negative = False
        if pattern.second:
            powers = [self.power(self.registers[p.args[0]], -p.args[1].number) for p in pattern.second]
            product = self.emit("div", (product, self.chain("mul", powers)))
        return self.emit("neg", (product,)) if negative else product


Outer = Callable[[Emitter, Expr], int | None]
