"""Operators of the rule table (`ir/ops`) as LLVM instructions, on numbers or on vectors of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from acausal.ir.operator import Op
from acausal.ir.ops import OPS
from acausal.runtime.kernel.llvm.types import real_text

ONE, ZERO = real_text(1.0), real_text(0.0)

BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
"""Instructions on two numbers; a sum or product of the rule table may have more."""


class OperatorPrinter(ABC):
    """Instructions on values of the type `kind`, with truth values of the type `truth`.

    `booleans` are the registers that are truth values.
    """

    kind = "double"
    truth = "i1"

    def __init__(self) -> None:
        self.booleans: set[int] = set()

    @abstractmethod
    def line(self, text: str) -> str:
        """Appends an instruction; the name of its value."""

    @abstractmethod
    def constant(self, kind: str, value: str) -> str:
        """A constant of the scalar type `kind`, in each lane."""

    @abstractmethod
    def apply(self, op: str, name: str, given: Sequence[str]) -> str:
        """A call of an intrinsic or a function of the C library."""

    def operator(self, register: int, op: str, args: tuple[int, ...], given: Sequence[str]) -> str:
        """Appends an operator of the rule table to the values `given` of its arguments; its value."""
        row = OPS[op]
        if row.boolean or (op == "if" and args[1] in self.booleans):
            self.booleans.add(register)
        if row.boolean:
            return self._truth_value(row, given)
        if op == "neg":
            return self.line(f"fneg {self.kind} {given[0]}")
        if op == "if":
            kind = self.truth if register in self.booleans else self.kind
            return self.line(f"select {self.truth} {given[0]}, {kind} {given[1]}, {kind} {given[2]}")
        if op == "sign":
            zero = self.constant("double", ZERO)
            up, down = [self.line(f"fcmp {way} {self.kind} {given[0]}, {zero}") for way in ("ogt", "olt")]
            return self.line(f"fsub {self.kind} {self.number_of(up)}, {self.number_of(down)}")
        return self.apply(op, row.llvm, given)

    def _truth_value(self, row: Op, given: Sequence[str]) -> str:
        if row.name == "not":
            return self.line(f"xor {self.truth} {given[0]}, {self.constant('i1', 'true')}")
        if row.name == "and" or row.name == "or":
            return self.line(f"{row.llvm} {self.truth} {given[0]}, {given[1]}")
        return self.line(f"fcmp {row.llvm} {self.kind} {given[0]}, {given[1]}")

    def number_of(self, truth: str) -> str:
        """A truth value as a number; LLVM's fast selection knows no conversion of i1."""
        one, zero = self.constant("double", ONE), self.constant("double", ZERO)
        return self.line(f"select {self.truth} {truth}, {self.kind} {one}, {self.kind} {zero}")
