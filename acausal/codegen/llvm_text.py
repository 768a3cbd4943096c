"""The text of a program in LLVM's language.

    %5 = mul %3 %4   ->   %r5 = fmul double %r3, %r4

Written as text because building it from llvmlite's objects takes several times as long.
Registers that are truth values are i1. Blocks that cannot be solved leave the function with
their number.
"""

import struct

from acausal.codegen.numpy_solvers import NOISE
from acausal.codegen.scratch import STRAIGHT, USE_LAPACK, carry_size
from acausal.ir.ops import OPS
from acausal.ir.program import REPEATED, ROUTINES, Instruction, LinearSolve, NewtonSolve, Program
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
declare i32 @acausal_newton(i64, ptr, ptr, ptr, ptr, ptr)"""


def llvm_text(program: Program, split: bool) -> str:
    """A module with the four routines and `variables_many`.

    If `split`, `variables` calls `derivatives` for the code they share: half the text to compile,
    at the price of some stores in `derivatives`.
    """
    used: dict[str, None] = {}
    texts = {}
    for name in ROUTINES:
        text = texts[name] = _RoutineText(name, program.memory, used)
        code = routine_of(program, name).code
        if split and program.shared and name == "variables":
            place = program.memory_size - carry_size(program)
            text.take_over(program, texts["derivatives"].leave(program, place), place)
            early = {position for position, _ in program.stored_early}
            code = tuple([i for i in code[program.shared :] if i.op != "store" or i.value not in early])
        text.add(code)
    functions = [line for text in texts.values() for line in text.function(_ARGUMENTS)]
    many = _MANY.format(
        states=len(program.state_slots), inputs=len(program.input_slots), stored=program.stored_size
    )
    return "\n".join([*functions, many, _DECLARATIONS, *used, ""])


def _hex(value: float) -> str:
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


class _RoutineText:
    """The lines of one function; `used` gathers the declarations of functions it calls.

    Values are numbered: LLVM reads numbers twice as fast as names.
    """

    def __init__(self, name: str, memory: int, used: dict[str, None]) -> None:
        self.name = name
        self.used = used
        self.memory = memory
        self.before: list[str] = []
        self.lines: list[str] = []
        self._values: list[str] = []
        self._booleans: set[int] = set()
        self._solutions: dict[int, list[str]] = {}
        self._failures: list[int] = []
        self._count = 0

    def add(self, code: tuple[Instruction, ...]) -> None:
        """Further instructions."""
        values = self._values
        for register, instruction in enumerate(code, len(values)):
            values.append(self._instruction(register, instruction))

    def function(self, arguments: str, result: str = "i32", ending: str = "i32 0") -> list[str]:
        """The whole function, with the ends of blocks that could not be solved."""
        head = f"define {result} @{self.name}({arguments}) {{"
        lines = [*self.before, head, "entry:", *self.lines, f"  ret {ending}"]
        for i, block in enumerate(self._failures):
            lines += [f"bad{i}:", f"  ret i32 {block}"]
        return [*lines, "}"]

    def leave(self, program: Program, place: int) -> set[int]:
        """Stores what the rest of `variables` needs from `place` of memory on; those that are truth values."""
        for position, register in program.stored_early:
            self._store("m", place + position, self._real(register))
        for position, register in enumerate(program.carried, place + program.stored_size):
            self._store("m", position, self._real(register))
        return self._booleans

    def take_over(self, program: Program, booleans: set[int], place: int) -> None:
        """Calls `derivatives`, and has its results and registers as if they had been computed here."""
        carried = {register: position for position, register in enumerate(program.carried, place + program.stored_size)}
        results = self._line(f"getelementptr double, ptr %m, i64 {place}")
        rates = self._line(f"getelementptr double, ptr %m, i64 {place + program.stored_size + len(carried)}")
        status = self._line(f"call i32 @derivatives(double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr {rates})")
        good = self._line(f"icmp eq i32 {status}, 0")
        self.lines += [f"  br i1 {good}, label %rest, label %unsolved", "unsolved:", f"  ret i32 {status}", "rest:"]
        copy = f"llvm.memcpy.p0.p0.i64(ptr %out, ptr {results}, i64 {8 * program.stored_size}, i1 false)"
        self.lines.append(f"  call void @{copy}")
        self.used["declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"] = None
        used = {a for instruction in program.variables.code[program.shared :] for a in instruction.args}
        for register, instruction in enumerate(program.variables.code[: program.shared]):
            if register in carried:
                value = self._load("m", carried[register])
                if register in booleans:
                    value = self._line(f"fcmp une double {value}, 0.0")
                    self._booleans.add(register)
                self._values.append(value)
            elif instruction.op in REPEATED and register in used:
                self._values.append(self._instruction(register, instruction))
            else:
                self._values.append("")

    # ------------------------------------------------------- instructions

    def _instruction(self, register: int, instruction: Instruction) -> str:
        """Appends an instruction; its value as text."""
        op, args, value = instruction
        binary = _BINARY.get(op)
        if binary is not None:
            values = self._values
            number = self._count
            self._count = number + 1
            self.lines.append(f"  %{number} = {binary} double {values[args[0]]}, {values[args[1]]}")
            return f"%{number}"
        base = _BASES.get(op)
        if base is not None:
            return self._load(base, value)
        if op == "const":
            assert isinstance(value, float)
            return _hex(value)
        if op == "time":
            return "%t"
        if op == "store" or op == "keep":
            self._store("out" if op == "store" else "m", value, self._real(args[0]))
            return ""
        if op == "extract":
            return self._extract(args[0], value)
        if isinstance(value, LinearSolve):
            self._linear(register, args, value)
            return ""
        if isinstance(value, NewtonSolve):
            self._newton(register, args, value)
            return ""
        if op == "boolean":
            self._booleans.add(register)
            return "true" if value else "false"
        return self._line(self._operator(register, op, args))

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
            above = self._line(f"fcmp ogt double {values[0]}, 0.0")
            below = self._line(f"fcmp olt double {values[0]}, 0.0")
            up = self._line(f"uitofp i1 {above} to double")
            down = self._line(f"uitofp i1 {below} to double")
            return f"fsub double {up}, {down}"
        return self._call(row.llvm, values)

    def _call(self, function: str, values: list[str]) -> str:
        self.used[f"declare double @{function}({', '.join('double' for _ in values)})"] = None
        return f"call double @{function}({', '.join(f'double {v}' for v in values)})"

    def _real(self, register: int) -> str:
        """The value as a number."""
        value = self._values[register]
        return self._line(f"uitofp i1 {value} to double") if register in self._booleans else value

    def _load(self, base: str, position: object) -> str:
        number = self._count
        self._count = number + 2
        self.lines.append(f"  %{number} = getelementptr double, ptr %{base}, i64 {position}")
        self.lines.append(f"  %{number + 1} = load double, ptr %{number}")
        return f"%{number + 1}"

    def _store(self, base: str, position: object, value: str) -> None:
        number = self._count
        self._count = number + 1
        self.lines.append(f"  %{number} = getelementptr double, ptr %{base}, i64 {position}")
        self.lines.append(f"  store double {value}, ptr %{number}")

    def _line(self, text: str) -> str:
        name = f"%{self._count}"
        self._count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    # ------------------------------------------------------- blocks

    def _extract(self, solution: int, position: object) -> str:
        assert isinstance(position, int)
        return self._solutions[solution][position]

    def _unless(self, good: str, block: int) -> None:
        """Leaves the function with the number of a block."""
        label = len(self._failures)
        self._failures.append(block)
        self.lines += [f"  br i1 {good}, label %good{label}, label %bad{label}", f"good{label}:"]

    def _work(self, position: int, value: str | None = None) -> str:
        """The address of a place in the work area, filled with a value."""
        place = self._line(f"getelementptr double, ptr %m, i64 {self.memory + position}")
        if value is not None:
            self.lines.append(f"  store double {value}, ptr {place}")
        return place

    def _linear(self, register: int, args: tuple[int, ...], solve: LinearSolve) -> None:
        n = solve.size
        values = [self._real(a) for a in args]
        if n <= STRAIGHT:
            rows = [[*values[i * n : (i + 1) * n], values[n * n + i]] for i in range(n)]
            self._solutions[register] = self._eliminate(rows, solve.block)
            return
        by_columns = n >= USE_LAPACK
        for i in range(n):
            for j in range(n):
                self._work(j * n + i if by_columns else i * n + j, values[i * n + j])
        matrix = self._work(0)
        for i in range(n - 1, -1, -1):
            right = self._work(n * n + i, values[n * n + i])
        function = "acausal_lapack" if by_columns else "acausal_solve"
        self._finish(f"call i32 @{function}(i64 {n}, ptr {matrix}, ptr {right})", solve.block)
        self._solutions[register] = [self._load_work(n * n + i) for i in range(n)]

    def _finish(self, call: str, block: int) -> None:
        status = self._line(call)
        self._unless(self._line(f"icmp eq i32 {status}, 0"), block)

    def _load_work(self, position: int) -> str:
        return self._load("m", self.memory + position)

    def _eliminate(self, rows: list[list[str]], block: int) -> list[str]:
        """Straight-line elimination with partial pivoting, as `solve_linear` of numpy_solvers."""
        n = len(rows)
        for k in range(n):
            for i in range(k + 1, n):
                self._order_rows(rows, k, i)
            self._check_pivot(rows, k, block)
            for i in range(k + 1, n):
                factor = rows[i][k] = self._line(f"fdiv double {rows[i][k]}, {rows[k][k]}")
                for j in range(k + 1, n + 1):
                    product = self._line(f"fmul double {factor}, {rows[k][j]}")
                    rows[i][j] = self._line(f"fsub double {rows[i][j]}, {product}")
        x = [row[n] for row in rows]
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                product = self._line(f"fmul double {rows[k][j]}, {x[j]}")
                x[k] = self._line(f"fsub double {x[k]}, {product}")
            x[k] = self._line(f"fdiv double {x[k]}, {rows[k][k]}")
        return x

    def _order_rows(self, rows: list[list[str]], k: int, i: int) -> None:
        """Exchanges two rows if the lower one has the larger entry in column k."""
        upper, lower = self._abs(rows[k][k]), self._abs(rows[i][k])
        exchange = self._line(f"fcmp ogt double {lower}, {upper}")
        for j, (a, b) in enumerate(zip(rows[k], rows[i], strict=True)):
            rows[k][j] = self._line(f"select i1 {exchange}, double {b}, double {a}")
            rows[i][j] = self._line(f"select i1 {exchange}, double {a}, double {b}")

    def _check_pivot(self, rows: list[list[str]], k: int, block: int) -> None:
        noise = _hex(0.0)
        for j in range(k):
            product = self._abs(self._line(f"fmul double {rows[k][j]}, {rows[j][k]}"))
            noise = self._line(self._call("llvm.maxnum.f64", [noise, product]))
        limit = self._line(f"fmul double {noise}, {_hex(NOISE)}") if k else noise
        self._unless(self._line(f"fcmp ogt double {self._abs(rows[k][k])}, {limit}"), block)

    def _abs(self, value: str) -> str:
        return self._line(self._call("llvm.fabs.f64", [value]))

    def _newton(self, register: int, args: tuple[int, ...], solve: NewtonSolve) -> None:
        n = solve.size
        name = f"{self.name}_residuals_{register}"
        text = _RoutineText(name, 0, self.used)
        text.add(solve.residuals.code)
        self.before += text.function("ptr noalias %c, ptr noalias %x, ptr noalias %out", "void", "void")
        nominals = ", ".join(f"double {_hex(v)}" for v in solve.nominals)
        self.before.append(f"@{name}_nominals = private constant [{n} x double] [{nominals}]")
        captured = len(args) - n
        for i in reversed(range(len(args))):
            self._work(i, self._real(args[i]))
        c, x, work = self._work(0), self._work(captured), self._work(captured + n)
        arguments = f"ptr @{name}, ptr {c}, ptr {x}, ptr @{name}_nominals, ptr {work}"
        self._finish(f"call i32 @acausal_newton(i64 {n}, {arguments})", solve.block)
        self._solutions[register] = [self._load_work(captured + i) for i in range(n)]
