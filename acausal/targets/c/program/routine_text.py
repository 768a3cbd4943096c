"""Printer of routines in C: a routine, or a part of one.

    %5 = mul %3 %4   ->   const double R_u = R_R * i;

A value that is used once stands in the expression that uses it; others have a variable, by the name of the model's
variable if there is one. Blocks that cannot be solved leave the function with their number.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from acausal.codegen.blocks.block_calls import solve_block, solve_nonlinear, store_factors
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
from acausal.targets.c.program.blocks import CBlocks, nominals
from acausal.targets.c.program.identifiers import Identifiers
from acausal.targets.c.program.lines import Lines, Used
from acausal.targets.c.program.values import SIGN, UNARY, Value, constant, operator

LONGEST = 120
"""Characters of an expression that stands in another one."""
_FIXED = ("const", "boolean", "time")


class Names:
    """Names of registers and of places in arrays, and the comment of each register."""

    def __init__(
        self,
        registers: Mapping[int, str] | None = None,
        notes: Mapping[int, str] | None = None,
        blocks: Mapping[int, str] | None = None,
    ) -> None:
        self.registers = registers or {}
        self.notes = notes or {}
        self.blocks = blocks or {}


class RoutineText:
    """One routine as it is written; `in_place`: its results go to where parameters are."""

    def __init__(self, name: str, memory: int, used: Used, names: Names, *, in_place: bool = False) -> None:
        self.name = name
        self.lines = Lines(memory, used)
        self.before: list[str] = []
        self.values: dict[int, Value] = {}
        self.names = names
        self._identifiers = Identifiers(used.macros)
        self._in_place = in_place
        self._uses: Counter[int] = Counter()
        self._extracts: dict[int, list[tuple[int, int]]] = {}
        self._zeros: set[int] = set()

    def prepare(self, code: Sequence[Instruction], registers: Sequence[int] | None = None) -> None:
        """Count how often each value is used, and find the results of blocks."""
        for register in range(len(code)) if registers is None else registers:
            op, args, value = code[register]
            self._uses.update(args)
            if op == "extract":
                assert isinstance(value, int)
                self._extracts.setdefault(args[0], []).append((register, value))

    def add(self, code: Sequence[Instruction]) -> None:
        """All instructions of a routine."""
        self.prepare(code)
        for register, instruction in enumerate(code):
            self.instruction(register, instruction)

    # ------------------------------------------------------- instructions

    def instruction(self, register: int, instruction: Instruction) -> None:
        """Appends an instruction; its value is then among `values`."""
        op, args, value = instruction
        if op == "extract":
            return  # taken behind the block
        if op == "store" or op == "keep":
            self.lines.add(f"{'out' if op == 'store' else 'm'}[{value}] = {self.number(args[0])};")
        elif isinstance(value, LinearFactor):
            store_factors(CBlocks(self.lines), [self.number(a) for a in args], value)
        elif isinstance(value, LinearSolve | LinearColumns | FactoredSolve | NewtonSolve):
            self._solve(register, args, value)
        else:
            self._define(register, op, self._value(register, instruction))

    def _value(self, register: int, instruction: Instruction) -> Value:
        op, args, value = instruction
        base = LOAD_ARRAYS.get(op)
        if base is not None:
            return Value(f"{base}[{value}]")
        if op == "const":
            assert isinstance(value, float)
            if value == 0.0:
                self._zeros.add(register)
            return constant(value)
        if op == "time":
            return Value("t")
        if op == "boolean":
            return Value("true" if value else "false", is_truth=True)
        if op == "sign":
            self.lines.used.helpers[SIGN] = None
        return operator(op, [self.values[a] for a in args])

    def _define(self, register: int, op: str, value: Value) -> None:
        """The value of a register: where it is used, or in a variable."""
        name = self.names.registers.get(register)
        changes = op == "memory" or (op == "parameter" and self._in_place)
        is_load = op in LOAD_ARRAYS
        is_short = is_load or (self._uses[register] <= 1 and len(value.text) <= LONGEST)
        if op in _FIXED or (name is None and is_short and not changes):
            self.values[register] = value
        else:
            self.assign(register, value)

    def assign(self, register: int, value: Value) -> None:
        """A variable with the value of a register."""
        if not self._uses[register]:
            self.values[register] = value
            return
        name = self.names.registers.get(register)
        variable = f"r{register}" if name is None else self._identifiers.take(name)
        kind = "bool" if value.is_truth else "double"
        self.lines.add(f"const {kind} {variable} = {value.text};", self.names.notes.get(register, ""))
        self.values[register] = Value(variable, is_truth=value.is_truth)

    def number(self, register: int) -> str:
        """The text of a value as a number."""
        return self.values[register].number

    # ------------------------------------------------------- blocks

    def _solve(
        self, register: int, args: tuple[int, ...], solve: LinearSolve | LinearColumns | FactoredSolve | NewtonSolve
    ) -> None:
        note = self.names.blocks.get(solve.block)
        if note:
            self.lines.add(f"/* {note} */")
        wanted = self._extracts.get(register, [])
        if isinstance(solve, LinearSolve | LinearColumns) and is_straight(solve):
            self._eliminate(register, args, solve, wanted)
            return
        values = [self.number(a) for a in args]
        if isinstance(solve, NewtonSolve):
            places = self._newton(register, values, solve)
        else:
            places = solve_block(CBlocks(self.lines), values, [a in self._zeros for a in args], solve)
        for result, position in wanted:
            self.assign(result, Value(places[position]))

    def _eliminate(
        self,
        register: int,
        args: tuple[int, ...],
        solve: LinearSolve | LinearColumns,
        wanted: Sequence[tuple[int, int]],
    ) -> None:
        """The statements of an elimination, by the values of its arguments."""
        found = eliminate(solve.size, solve.columns if isinstance(solve, LinearColumns) else 1)
        inner = RoutineText(self.name, 0, self.lines.used, Names())
        inner.lines, first = self.lines, len(args)
        for i, a in enumerate(args):
            inner.values[i] = self._variable(f"r{register}_{i}", self.values[a])
        code = [Instruction("time")] * first + list(found.code)
        inner.prepare(code, range(first, len(code)))
        inner._uses.update(found.solutions)
        for i, instruction in enumerate(found.code, first):
            value = inner._value(i, instruction)
            inner.values[i] = value
            if i in found.pivots:
                self.lines.add(f"if (!{value.at(UNARY)}) {{")
                self.lines.add(f"    return {solve.block};")
                self.lines.add("}")
            elif instruction.op != "const":
                inner.values[i] = self._variable(f"r{register}_{i}", value)
        for result, position in wanted:
            self.assign(result, inner.values[found.solutions[position]])

    def _variable(self, name: str, value: Value) -> Value:
        """A variable for a value that is no variable or number yet."""
        if value.text.isidentifier():
            return value
        kind = "bool" if value.is_truth else "double"
        self.lines.add(f"const {kind} {name} = {value.text};")
        return Value(name, is_truth=value.is_truth)

    def _newton(self, register: int, values: list[str], solve: NewtonSolve) -> list[str]:
        name = f"{self.name}_residuals_{register}"
        text = RoutineText(name, 0, self.lines.used, Names())
        text.add(solve.residuals.code)
        self.before += text.before
        self.before += text.lines.function(name, "double *c, double *x, double *out", has_status=False)
        self.before += [nominals(name, solve), ""]
        return solve_nonlinear(CBlocks(self.lines), name, values, solve)

    def function(self, arguments: str) -> list[str]:
        """The whole function, behind those of its residuals."""
        return [*self.before, *self.lines.function(self.name, arguments)]
