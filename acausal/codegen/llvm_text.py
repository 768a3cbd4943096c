"""The text of a program in LLVM's language.

    %5 = mul %3 %4   ->   %r5 = fmul double %r3, %r4

Written as text because building it from llvmlite's objects takes several times as long.
Registers that are truth values are i1. Blocks that cannot be solved leave the function with
their number.
"""

from acausal.codegen.llvm_blocks import factor_linear, nominals, solve_factored, solve_linear, solve_newton
from acausal.codegen.llvm_cvode import cvode_text
from acausal.codegen.llvm_lines import Lines, number
from acausal.ir.ops import OPS
from acausal.ir.program import (
    ROUTINES,
    FactoredSolve,
    Instruction,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
    Program,
)
from acausal.ir.show_program import routine_of

_BASES = {
    "state": "y", "input": "u", "parameter": "p", "memory": "m", "captured": "c", "unknown": "x",
}  # fmt: skip
_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_ARGUMENTS = "double %t, ptr noalias %y, ptr noalias %u, ptr %p, ptr noalias %m, ptr %out"

_MANY = """\
define i32 @variables_many(i64 %count, ptr %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out, ptr %done) {{
entry:
  br label %test
test:
  %row = phi i64 [ 0, %entry ], [ %next, %good ]
  store i64 %row, ptr %done
  %more = icmp slt i64 %row, %count
  br i1 %more, label %body, label %end
body:
  %tp = getelementptr double, ptr %t, i64 %row
  %tv = load double, ptr %tp
  %yo = mul i64 %row, {states}
  %yp = getelementptr double, ptr %y, i64 %yo
  %uo = mul i64 %row, {inputs}
  %up = getelementptr double, ptr %u, i64 %uo
  %oo = mul i64 %row, {stored}
  %op = getelementptr double, ptr %out, i64 %oo
  %status = call i32 @variables(double %tv, ptr %yp, ptr %up, ptr %p, ptr %m, ptr %op)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %good, label %bad
good:
  %next = add i64 %row, 1
  br label %test
bad:
  ret i32 %status
end:
  ret i32 0
}}"""

_DECLARATIONS = """\
declare i32 @acausal_solve(i64, ptr, ptr)
declare i32 @acausal_lapack(i64, ptr, ptr)
declare i32 @acausal_factor(i64, ptr)
declare i32 @acausal_substitute(i64, ptr, ptr)
declare i32 @acausal_newton(i64, ptr, ptr, ptr, ptr, ptr)"""


def llvm_text(program: Program) -> str:
    """A module with all routines and `variables_many`."""
    used: dict[str, None] = {}
    texts = {name: _RoutineText(name, program.memory, used) for name in ROUTINES}
    shared = program.shared
    texts["derivatives"].add(program.derivatives.code[:shared])
    texts["variables"] = texts["derivatives"].copy("variables")
    texts["derivatives"].add(program.derivatives.code[shared:])
    texts["variables"].add(program.variables.code[shared:])
    for name in ("setup", "initial", "events", "crossings", "choices", "delayed"):
        texts[name].add(routine_of(program, name).code)
    functions = [line for text in texts.values() for line in text.function(_ARGUMENTS)]
    many = _MANY.format(states=len(program.state_slots), inputs=program.input_size, stored=program.stored_size)
    return "\n".join([*functions, many, cvode_text(program), _DECLARATIONS, *used, ""])


class _RoutineText:
    """One routine as it is written."""

    def __init__(self, name: str, memory: int, used: dict[str, None]) -> None:
        self.name = name
        self.lines = Lines(memory, used)
        self.before: list[str] = []
        self._values: list[str] = []
        self._booleans: set[int] = set()
        self._solutions: dict[int, list[str]] = {}

    def add(self, code: tuple[Instruction, ...]) -> None:
        """Further instructions."""
        values = self._values
        for register, instruction in enumerate(code, len(values)):
            values.append(self._instruction(register, instruction))

    def function(self, arguments: str, result: str = "i32", ending: str = "i32 0") -> list[str]:
        """The whole function, behind those of its residuals."""
        return [*self.before, *self.lines.function(self.name, arguments, result, ending)]

    def copy(self, name: str) -> "_RoutineText":
        """Another routine that begins as this one; it calls the same residuals."""
        other = _RoutineText(name, self.lines.memory, self.lines.used)
        other.lines = self.lines.copy()
        other._values = self._values.copy()
        other._booleans = self._booleans.copy()
        other._solutions = self._solutions.copy()
        return other

    # ------------------------------------------------------- instructions

    def _instruction(self, register: int, instruction: Instruction) -> str:
        """Appends an instruction; its value as text."""
        op, args, value = instruction
        binary = _BINARY.get(op)
        if binary is not None:
            values = self._values
            return self.lines.line(f"{binary} double {values[args[0]]}, {values[args[1]]}")
        base = _BASES.get(op)
        if base is not None:
            return self.lines.load(base, value)
        if op == "const":
            assert isinstance(value, float)
            return number(value)
        if op == "time":
            return "%t"
        if op == "store" or op == "keep":
            self.lines.store("out" if op == "store" else "m", value, self._real(args[0]))
            return ""
        if op == "extract":
            assert isinstance(value, int)
            return self._solutions[args[0]][value]
        if isinstance(value, LinearSolve):
            self._solutions[register] = solve_linear(self.lines, [self._real(a) for a in args], value)
            return ""
        if isinstance(value, FactoredSolve):
            self._solutions[register] = solve_factored(self.lines, [self._real(a) for a in args], value)
            return ""
        if isinstance(value, LinearFactor):
            factor_linear(self.lines, [self._real(a) for a in args], value)
            return ""
        if isinstance(value, NewtonSolve):
            self._solutions[register] = self._newton(register, args, value)
            return ""
        if op == "boolean":
            self._booleans.add(register)
            return "true" if value else "false"
        return self.lines.line(self._operator(register, op, args))

    def _operator(self, register: int, op: str, args: tuple[int, ...]) -> str:
        values = [self._values[a] for a in args]
        row = OPS[op]
        if row.boolean:
            self._booleans.add(register)
        if op == "neg":
            return f"fneg double {values[0]}"
        if op == "not":
            return f"xor i1 {values[0]}, true"
        if op == "and" or op == "or":
            return f"{row.llvm} i1 {values[0]}, {values[1]}"
        if row.boolean:
            return f"fcmp {row.llvm} double {values[0]}, {values[1]}"
        if op == "if":
            kind = "i1" if args[1] in self._booleans else "double"
            if kind == "i1":
                self._booleans.add(register)
            return f"select i1 {values[0]}, {kind} {values[1]}, {kind} {values[2]}"
        if op == "sign":
            above = self.lines.line(f"fcmp ogt double {values[0]}, 0.0")
            below = self.lines.line(f"fcmp olt double {values[0]}, 0.0")
            up = self.lines.line(f"uitofp i1 {above} to double")
            down = self.lines.line(f"uitofp i1 {below} to double")
            return f"fsub double {up}, {down}"
        return self.lines.call(row.llvm, values)

    def _real(self, register: int) -> str:
        """The value as a number."""
        value = self._values[register]
        return self.lines.line(f"uitofp i1 {value} to double") if register in self._booleans else value

    def _newton(self, register: int, args: tuple[int, ...], solve: NewtonSolve) -> list[str]:
        name = f"{self.name}_residuals_{register}"
        text = _RoutineText(name, 0, self.lines.used)
        text.add(solve.residuals.code)
        self.before += text.function("ptr noalias %c, ptr noalias %x, ptr noalias %out", "void", "void")
        self.before.append(nominals(name, solve))
        return solve_newton(self.lines, name, [self._real(a) for a in args], solve)
