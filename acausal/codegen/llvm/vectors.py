"""Printer of the derivatives for several states at once in LLVM's language: a lane of a vector for each.

    void derivatives_vectors(i64 blocks, ptr t, ptr y, ptr u, ptr p, ptr out)

works through `blocks` times `lanes` rows. Sine and cosine are computed for all lanes together (`runtime/trig`), other
functions of the C library lane by lane. Routines with blocks of equations, and very long ones, are not written so.
"""

from collections import Counter
from collections.abc import Sequence

from acausal.codegen.llvm.operators import BINARY, OperatorPrinter
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import Instruction
from acausal.ir.program.program import Program
from acausal.runtime.kernel.llvm.lanes import print_pair, splat
from acausal.runtime.kernel.llvm.types import real_text
from acausal.runtime.trig import cosine, is_reducible, sine

LONGEST = 20_000
"""Instructions of a routine that is written for vectors: LLVM takes 0.2 s for them without optimizing."""
FEW, MOST_MOVED = 200, 400
"""Instructions of a routine that always is; numbers of a row that are brought into lanes and back, at most.

LLVM takes seconds for thousands in one block."""
WORTH, ANGLE = 5, 20
"""Instructions for each of these numbers that outweigh moving it; a sine or cosine counts as so many."""
_LOADS = {"state": "y", "input": "u", "parameter": "p"}
_PLAIN = frozenset(("const", "boolean", "time", "store", *_LOADS, *BINARY, *OPS)) - {"external"}

_HEAD = """\
define void @derivatives_vectors(i64 %blocks, ptr noalias %t, ptr noalias %y, ptr noalias %u, ptr noalias %p,
                                 ptr noalias %out) #0 {{
entry:
  br label %test
test:
  %block = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %block, %blocks
  br i1 %more, label %body, label %end
body:
  %next = add i64 %block, 1
{places}"""
_FOOT = """\
  br label %test
end:
  ret void
}
attributes #0 = { "tune-cpu"="generic" }"""


def fits_vectors(program: Program) -> bool:
    """True if the derivatives can be written for vectors, and are faster so."""
    code = program.derivatives.code
    if len(code) > LONGEST or not all(i.op in _PLAIN for i in code):
        return False
    count = Counter([i.op for i in code])
    moved = count["state"] + count["input"] + count["store"]
    work = len(code) + ANGLE * (count["sin"] + count["cos"])
    return len(code) <= FEW or (moved <= MOST_MOVED and work >= WORTH * moved)


def vectors_text(program: Program, lanes: int, own_parameters: bool, fused: bool) -> str:
    """A module with `derivatives_vectors`; `own_parameters`: each row has its own, else all have the same.

    `fused`: the processor multiplies and adds in one.
    """
    text = _VectorText(program, lanes, own_parameters, fused)
    for register, instruction in enumerate(program.derivatives.code):
        text.values.append(text.instruction(register, instruction))
    return "\n".join([*text.used, _HEAD.format(places="\n".join(text.places())), *text.lines, _FOOT])


def has_angles(program: Program) -> bool:
    """True if the derivatives have sines or cosines."""
    return any(i.op in ("sin", "cos") for i in program.derivatives.code)


def sincos_name(lanes: int) -> str:
    """The name of the function of `sincos_text`."""
    return f"acausal_sincos_{lanes}"


def sincos_text(lanes: int) -> str:
    """A module with the function that gives sine and cosine of all lanes."""
    return print_pair(sincos_name(lanes), lanes, is_reducible, (sine, cosine), ("sin", "cos"))


class _VectorText(OperatorPrinter):
    """The body of the loop over blocks of rows."""

    def __init__(self, program: Program, lanes: int, own_parameters: bool, fused: bool) -> None:
        super().__init__()
        self.lanes, self.fused = lanes, fused
        self.kind, self.truth = f"<{lanes} x double>", f"<{lanes} x i1>"
        states = len(program.state_slots)
        width = program.parameter_size if own_parameters else 0
        self._widths = {"t": 1, "y": states, "u": program.input_size, "p": width, "out": states}
        self.values: list[str] = []
        self.lines: list[str] = []
        self.used: dict[str, None] = {}
        self._pairs: dict[str, str] = {}

    def places(self) -> list[str]:
        """Addresses of the rows of a block."""
        lines = []
        for base, width in self._widths.items():
            lines.append(f"  %{base}n = mul i64 %block, {width * self.lanes}")
            lines.append(f"  %{base}b = getelementptr double, ptr %{base}, i64 %{base}n")
        return lines

    def line(self, text: str) -> str:
        """Appends a line; the name of its value."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def instruction(self, register: int, instruction: Instruction) -> str:
        """Appends an instruction; its value."""
        op, args, value = instruction
        given = [self.values[a] for a in args]
        if op in BINARY:
            return self.line(f"{BINARY[op]} {self.kind} {given[0]}, {given[1]}")
        if op in _LOADS or op == "time":
            return self._load(_LOADS.get(op, "t"), value if isinstance(value, int) else 0)
        if op == "const":
            assert isinstance(value, float)
            return self.constant("double", real_text(value))
        if op == "store":
            assert isinstance(value, int)
            self._store(value, self._real(args[0]))
            return ""
        if op == "boolean":
            self.booleans.add(register)
            return self.constant("i1", "true" if value else "false")
        return self.operator(register, op, args, given)

    def _load(self, base: str, position: int) -> str:
        """One number for all lanes, or that of each row."""
        width = self._widths[base]
        vector = "poison"
        for lane in range(self.lanes if width else 1):
            place = self.line(f"getelementptr double, ptr %{base}b, i64 {lane * width + position}")
            element = self.line(f"load double, ptr {place}")
            vector = self.line(f"insertelement {self.kind} {vector}, double {element}, i32 {lane}")
        if width:
            return vector
        same = self.constant("i32", "0")
        return self.line(f"shufflevector {self.kind} {vector}, {self.kind} poison, <{self.lanes} x i32> {same}")

    def _store(self, position: int, value: str) -> None:
        for lane in range(self.lanes):
            element = self.line(f"extractelement {self.kind} {value}, i32 {lane}")
            place = self.line(f"getelementptr double, ptr %outb, i64 {lane * self._widths['out'] + position}")
            self.lines.append(f"  store double {element}, ptr {place}")

    def _real(self, register: int) -> str:
        value = self.values[register]
        return self.number_of(value) if register in self.booleans else value

    def constant(self, kind: str, value: str) -> str:
        """The constant in each lane."""
        return splat(kind, value, self.lanes)

    def apply(self, op: str, name: str, given: Sequence[str]) -> str:
        """Sine and cosine of all lanes together, other functions as they can be called."""
        return self._sincos(given[0], op) if self.fused and op in ("sin", "cos") else self._call(name, given)

    def _sincos(self, angle: str, op: str) -> str:
        """Sine or cosine: both are computed when one is first wanted."""
        pair = f"{{ {self.kind}, {self.kind} }}"
        if angle not in self._pairs:
            name = sincos_name(self.lanes)
            self.used[f"declare {pair} @{name}({self.kind})"] = None
            self._pairs[angle] = self.line(f"call {pair} @{name}({self.kind} {angle})")
        return self.line(f"extractvalue {pair} {self._pairs[angle]}, {0 if op == 'sin' else 1}")

    def _call(self, function: str, given: Sequence[str]) -> str:
        """An intrinsic of all lanes, or a function of the C library lane by lane."""
        if function.startswith("llvm."):
            name = function.replace(".f64", f".v{self.lanes}f64")
            self.used[f"declare {self.kind} @{name}({', '.join(self.kind for _ in given)})"] = None
            return self.line(f"call {self.kind} @{name}({', '.join(f'{self.kind} {x}' for x in given)})")
        self.used[f"declare double @{function}({', '.join('double' for _ in given)})"] = None
        vector = "poison"
        for lane in range(self.lanes):
            parts = [self.line(f"extractelement {self.kind} {x}, i32 {lane}") for x in given]
            value = self.line(f"call double @{function}({', '.join(f'double {x}' for x in parts)})")
            vector = self.line(f"insertelement {self.kind} {vector}, double {value}, i32 {lane}")
        return vector
