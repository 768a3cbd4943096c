"""Printer of long routines in C: a function for each part, one that calls them in order.

for (int turn = 0; turn < count; turn++) {
    const double r4 = f[7 + 3 * turn] * y[table[turn]];      operands at evenly spaced positions, and others by a table
}
"""

from collections.abc import Sequence

from acausal.codegen.optimize.loop_operands import Fetched, TurnOperands, even_step
from acausal.codegen.optimize.loop_rerolling import Part, Parts
from acausal.ir.program.instructions import LOAD_ARRAYS, Instruction
from acausal.targets.c.program.lines import ARGUMENTS, Lines, Used
from acausal.targets.c.program.routine_text import Names, RoutineText
from acausal.targets.c.program.values import Value, constant


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
        self._operands = TurnOperands(code, parts, part, _constant)
        self._tables = 0

    def write(self) -> None:
        """Writes the loop; the tables that it reads stand before the function."""
        text, part = self._text, self._part
        text.names = Names()
        lines = text.lines
        lines.add(f"for (int turn = 0; turn < {part.trip_count}; turn++) {{")
        lines.level += 1
        turn = [self._in_turn(offset) for offset in range(part.length)]
        text.prepare([i for i, _ in turn])
        text.prepare([Instruction("store", (offset,), 0) for offset, (_, kept) in enumerate(turn) if kept])
        for offset, (instruction, kept) in enumerate(turn):
            self._instruction(offset, instruction)
            if kept:
                lines.add(f"{kept} = {text.number(offset)};")
        lines.level -= 1
        lines.add("}")

    def _in_turn(self, offset: int) -> tuple[Instruction, str]:
        """The instruction at an offset in terms of a turn, and its place in the frame, if it has any."""
        registers = self._part.registers[offset :: self._part.length]
        op, _, value = self._code[registers[0]]
        operands = self._operands.of(offset, self._fetch)
        places = self._parts.places
        kept = self._address("f", [places[r] for r in registers]) if registers[0] in places else ""
        return Instruction(op, operands, value), kept

    def _instruction(self, offset: int, instruction: Instruction) -> None:
        text = self._text
        positions = [self._code[r].value for r in self._part.registers[offset :: self._part.length]]
        op = instruction.op
        if op in ("store", "keep"):
            place = self._address("out" if op == "store" else "m", positions)
            text.lines.add(f"{place} = {text.number(instruction.args[0])};")
        elif op in LOAD_ARRAYS:
            text.assign(offset, Value(self._address(LOAD_ARRAYS[op], positions)))
        else:
            text.instruction(offset, instruction)

    def _fetch(self, register: int, found: Fetched) -> None:
        """The value of a register from outside of the turn."""
        if not found.is_fixed:
            self._text.values[register] = loaded(self._address(found.base, found.where), found.is_truth)
        elif found.is_same:
            self._text.instruction(register, found.first)
        else:
            table = self._table("double", [str(w) for w in found.where])
            self._text.values[register] = loaded(f"{table}[turn]", found.is_truth)

    def _address(self, base: str, positions: Sequence[object]) -> str:
        """base[positions[turn]]."""
        even = even_step(positions)
        if even is not None:
            first, step = even
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


def _constant(instruction: Instruction) -> str:
    """A constant to the bit."""
    assert isinstance(instruction.value, float | bool)
    return constant(float(instruction.value)).text
