"""Printer of long routines in C: a function for each part, one that calls them in order.

for (int turn = 0; turn < count; turn++) {
    const double r4 = f[7 + 3 * turn] * y[table[turn]];      operands at evenly spaced positions, and others by a table
}
"""

from collections.abc import Sequence

from acausal.codegen.optimize.loop_rerolling import Part, Parts, inner, sources
from acausal.ir.program.instructions import Instruction
from acausal.targets.c.program.lines import ARGUMENTS, Lines, Used
from acausal.targets.c.program.routine_text import BASES, Names, RoutineText
from acausal.targets.c.program.values import Value, constant

_FIXED = ("const", "boolean", "time")


class PartsText:
    """The functions of one routine; its frame begins at m[frame]."""

    def __init__(
        self, name: str, code: tuple[Instruction, ...], parts: Parts, places: tuple[int, int], used: Used, names: Names
    ) -> None:
        self.name = name
        self._code = code
        self._parts = parts
        self._memory, self._frame = places
        self._used = used
        self._names = names

    def functions(self) -> list[str]:
        """All functions."""
        lines: list[str] = []
        main = Lines(self._memory, self._used)
        main.add(f"double *f = m + {self._frame};")
        main.add("int status = 0;")
        for i, part in enumerate(self._parts.parts):
            name = f"{self.name}_part_{i}"
            text = RoutineText(name, self._memory, self._used, self._names)
            made = _LoopText if part.trip_count > 1 else _StraightText
            made(text, self._code, self._parts, part).write()
            lines += text.function(f"{ARGUMENTS}, double *f")
            main.add("if (status == 0) {")
            main.add(f"    status = {name}(t, y, u, p, m, out, f);")
            main.add("}")
        written = main.function(self.name)
        written[-3] = "    return status;"
        return [*lines, *written]


class _StraightText:
    """A part without a loop."""

    def __init__(self, text: RoutineText, code: tuple[Instruction, ...], parts: Parts, part: Part) -> None:
        self._text = text
        self._code = code
        self._parts = parts
        self._part = part

    def write(self) -> None:
        """Writes the instructions."""
        text, places = self._text, self._parts.places
        text.prepare(self._code, self._part.registers)
        text.prepare([Instruction("store", (r,), 0) for r in self._part.registers if r in places])
        for register in self._part.registers:
            instruction = self._code[register]
            for arg in instruction.args:
                if arg not in text.values and self._code[arg].op not in ("linear_solve", "newton_solve"):
                    self._fetch(arg)
            text.instruction(register, instruction)
            if register in places:
                text.lines.add(f"f[{places[register]}] = {text.number(register)};")

    def _fetch(self, register: int) -> None:
        """A leaf, or a value from the frame."""
        text = self._text
        if register in self._parts.leaves:
            text.instruction(register, self._code[register])
        elif register in self._parts.places:
            text.values[register] = loaded(f"f[{self._parts.places[register]}]", register in self._parts.booleans)


class _LoopText:
    """A part that is a loop. Within a turn the instruction at `offset` gives register `offset`."""

    def __init__(self, text: RoutineText, code: tuple[Instruction, ...], parts: Parts, part: Part) -> None:
        self._text = text
        self._code = code
        self._parts = parts
        self._part = part
        self._fetched: dict[tuple[object, ...], int] = {}
        self._tables = 0

    def write(self) -> None:
        """Writes the loop; the tables that it reads stand before the function."""
        text, part = self._text, self._part
        text.names = Names()
        lines = text.lines
        lines.add(f"for (int turn = 0; turn < {part.trip_count}; turn++) {{")
        lines.level += 1
        offsets = {register: i for i, register in enumerate(part.registers)}
        turn = [self._operands(offset, offsets) for offset in range(part.length)]
        text.prepare([i for i, _ in turn])
        text.prepare([Instruction("store", (offset,), 0) for offset, (_, kept) in enumerate(turn) if kept])
        for offset, (instruction, kept) in enumerate(turn):
            self._instruction(offset, instruction)
            if kept:
                lines.add(f"{kept} = {text.number(offset)};")
        lines.level -= 1
        lines.add("}")

    def _operands(self, offset: int, offsets: dict[int, int]) -> tuple[Instruction, str]:
        """The instruction at an offset in terms of a turn, and its place in the frame, if it has any."""
        registers = self._part.registers[offset :: self._part.length]
        op, args, value = self._code[registers[0]]
        operands = []
        for argument in range(len(args)):
            found = sources(self._code, self._part, offset, argument)
            near = inner(self._part, found, offsets)
            operands.append(self._operand(found) if near is None else near)
        places = self._parts.places
        kept = self._address("f", [places[r] for r in registers]) if registers[0] in places else ""
        return Instruction(op, tuple(operands), value), kept

    def _instruction(self, offset: int, instruction: Instruction) -> None:
        text = self._text
        positions = [self._code[r].value for r in self._part.registers[offset :: self._part.length]]
        op = instruction.op
        if op in ("store", "keep"):
            place = self._address("out" if op == "store" else "m", positions)
            text.lines.add(f"{place} = {text.number(instruction.args[0])};")
        elif op in BASES:
            text.assign(offset, Value(self._address(BASES[op], positions)))
        else:
            text.instruction(offset, instruction)

    def _operand(self, found: list[int]) -> int:
        """The register of an operand from elsewhere; each is fetched once a turn."""
        first = self._code[found[0]]
        is_leaf = found[0] in self._parts.leaves
        base = BASES.get(first.op, first.op) if is_leaf else "f"
        where: list[object] = [self._code[r].value if is_leaf else self._parts.places[r] for r in found]
        key = (base, *where)
        if key not in self._fetched:
            self._fetched[key] = register = self._part.length + len(self._fetched)
            if not is_leaf or first.op not in _FIXED:
                truth = found[0] in self._parts.booleans
                self._text.values[register] = loaded(self._address(base, where), truth)
            else:
                self._constants(register, first, where)
        return self._fetched[key]

    def _constants(self, register: int, first: Instruction, where: list[object]) -> None:
        text = self._text
        if all(w == where[0] for w in where):
            text.instruction(register, first)
            return
        numbers = [constant(float(w)).text for w in where if isinstance(w, float | bool)]
        text.values[register] = loaded(f"{self._table('double', numbers)}[turn]", first.op == "boolean")

    def _address(self, base: str, positions: Sequence[object]) -> str:
        """base[positions[turn]]."""
        first, second = positions[0], positions[1]
        assert isinstance(first, int)
        assert isinstance(second, int)
        step = second - first
        if all(position == first + turn * step for turn, position in enumerate(positions)):
            return f"{base}[{first} + {step} * turn]" if step else f"{base}[{first}]"
        return f"{base}[{self._table('int', [str(p) for p in positions])}[turn]]"

    def _table(self, kind: str, texts: Sequence[str]) -> str:
        """The name of a constant array with an entry a turn."""
        name = f"{self._text.name}_{self._tables}"
        self._tables += 1
        self._text.before += [f"static const {kind} {name}[] = {{{', '.join(texts)}}};", ""]
        return name


def loaded(text: str, is_truth: bool) -> Value:
    """A number that is loaded; truth values are numbers in arrays."""
    return Value(f"({text} != 0.0)", is_truth=True) if is_truth else Value(text)
