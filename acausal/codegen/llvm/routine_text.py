"""Printer of routines in LLVM's language: a routine, or a part of one.

    %5 = mul %3 %4   ->   %r5 = fmul double %r3, %r4

Registers that are truth values are i1. Blocks that cannot be solved leave the function with
their number.
"""

from collections.abc import Sequence

from acausal.codegen.blocks.block_calls import solve_block, solve_nonlinear, store_factors
from acausal.codegen.llvm.blocks import LlvmBlocks, nominals
from acausal.codegen.llvm.lines import Lines
from acausal.codegen.llvm.operators import BINARY, ZERO, OperatorPrinter
from acausal.codegen.lower.elimination import eliminate
from acausal.codegen.lower.workspace import is_straight
from acausal.ir.program.instructions import (
    LOAD_ARRAYS,
    FactoredSolve,
    Instruction,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
)
from acausal.runtime.kernel.llvm.types import real_text

OF_RESIDUALS = "ptr noalias %c, ptr noalias %x, ptr noalias %out"
"""Arguments of the residuals of a nonlinear block: what is captured, unknowns, and where the results go."""


class RoutineText(OperatorPrinter):
    """One routine as it is written."""

    def __init__(self, name: str, memory: int, used: dict[str, None]) -> None:
        super().__init__()
        self.name = name
        self.lines = Lines(memory, used)
        self.before: list[str] = []
        self.values: dict[int, str] = {}
        self._solutions: dict[int, list[str]] = {}
        self._zeros: set[int] = set()

    def add(self, code: tuple[Instruction, ...]) -> None:
        """Further instructions."""
        values = self.values
        for register, instruction in enumerate(code, len(values)):
            values[register] = self.instruction(register, instruction)

    def function(self, arguments: str, result: str = "i32", ending: str = "i32 0") -> list[str]:
        """The whole function, behind those of its residuals."""
        return [*self.before, *self.lines.function(self.name, arguments, result, ending)]

    # ------------------------------------------------------- instructions

    def instruction(self, register: int, instruction: Instruction) -> str:
        """Appends an instruction; its value as text."""
        op, args, value = instruction
        binary = BINARY.get(op)
        if binary is not None:
            values = self.values
            return self.lines.line(f"{binary} double {values[args[0]]}, {values[args[1]]}")
        base = LOAD_ARRAYS.get(op)
        if base is not None:
            return self.lines.load(base, value)
        if op == "const":
            assert isinstance(value, float)
            if value == 0.0:
                self._zeros.add(register)
            return real_text(value)
        if op == "time":
            return "%t"
        if op == "store" or op == "keep":
            self.lines.store("out" if op == "store" else "m", value, self.real(args[0]))
            return ""
        if op == "extract":
            assert isinstance(value, int)
            return self._solutions[args[0]][value]
        if isinstance(value, LinearFactor):
            store_factors(LlvmBlocks(self.lines), [self.real(a) for a in args], value)
            return ""
        if isinstance(value, LinearSolve | LinearColumns | FactoredSolve | NewtonSolve):
            self._solutions[register] = self._solve(register, args, value)
            return ""
        if op == "boolean":
            self.booleans.add(register)
            return "true" if value else "false"
        return self.operator(register, op, args, [self.values[a] for a in args])

    def line(self, text: str) -> str:
        """Appends an instruction; the name of its value."""
        return self.lines.line(text)

    def constant(self, kind: str, value: str) -> str:  # noqa: ARG002 - vectors need the type
        """The constant itself."""
        return value

    def apply(self, op: str, name: str, given: Sequence[str]) -> str:
        """The call of a function of numbers; of functions of units, there is one for each number of arguments."""
        name = f"{name}_{len(given)}" if op == "external" else name
        return self.lines.line(self.lines.call(name, given))

    def take(self, register: int, value: str, boolean: bool) -> None:
        """A register has a number that was loaded; truth values are numbers in arrays."""
        if boolean:
            value = self.lines.line(f"fcmp une double {value}, {ZERO}")
            self.booleans.add(register)
        self.values[register] = value

    def real(self, register: int) -> str:
        """The value as a number."""
        value = self.values[register]
        return self.number_of(value) if register in self.booleans else value

    def _solve(
        self, register: int, args: tuple[int, ...], solve: LinearSolve | LinearColumns | FactoredSolve | NewtonSolve
    ) -> list[str]:
        values = [self.real(a) for a in args]
        if isinstance(solve, NewtonSolve):
            return self._newton(register, values, solve)
        if isinstance(solve, LinearSolve | LinearColumns) and is_straight(solve):
            return self._eliminate(values, solve)
        return solve_block(LlvmBlocks(self.lines), values, [a in self._zeros for a in args], solve)

    def _eliminate(self, values: list[str], solve: LinearSolve | LinearColumns) -> list[str]:
        """The instructions of an elimination, by the values of its arguments; its solutions."""
        found = eliminate(solve.size, solve.columns if isinstance(solve, LinearColumns) else 1)
        inner = RoutineText(self.name, 0, self.lines.used)
        inner.lines, inner.values = self.lines, dict(enumerate(values))
        for register, instruction in enumerate(found.code, len(values)):
            inner.values[register] = inner.instruction(register, instruction)
            if register in found.pivots:
                self.lines.unless(inner.values[register], solve.block)
        return [inner.values[register] for register in found.solutions]

    def _newton(self, register: int, values: list[str], solve: NewtonSolve) -> list[str]:
        name = f"{self.name}_residuals_{register}"
        text = RoutineText(name, 0, self.lines.used)
        text.add(solve.residuals.code)
        self.before += text.function(OF_RESIDUALS, "void", "void")
        self.before.append(nominals(name, solve))
        return solve_nonlinear(LlvmBlocks(self.lines), name, values, solve)
