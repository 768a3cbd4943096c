"""Printer of long routines in LLVM's language: a function for each part, one that calls them in order.

head:                                                for turn in 0..count
  %turn = phi i64 [ 0, %entry ], [ %next, %head ]
  %0 = mul i64 %turn, 3                              operands at evenly spaced positions: base + 3*turn
  %4 = load i64, ptr ...                             others: positions from a table
"""

from collections.abc import Sequence

from acausal.codegen.llvm.routine_text import RoutineText
from acausal.codegen.optimize.loop_operands import Fetched, TurnOperands, even_step
from acausal.codegen.optimize.loop_rerolling import Part, Parts
from acausal.ir.program.instructions import LOAD_ARRAYS, Instruction
from acausal.runtime.kernel.llvm.types import real_text

ARGUMENTS = "double %t, ptr noalias %y, ptr noalias %u, ptr %p, ptr noalias %m, ptr %out"
_CALL = "double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out, ptr %f"


class PartsText:
    """The functions of one routine; its frame begins at m[frame]."""

    def __init__(
        self, name: str, code: tuple[Instruction, ...], parts: Parts, memory: int, frame: int, used: dict[str, None]
    ) -> None:
        self.name = name
        self._code = code
        self._parts = parts
        self._memory = memory
        self._frame = frame
        self._used = used

    def functions(self) -> list[str]:
        """All functions."""
        lines: list[str] = []
        main = RoutineText(self.name, self._memory, self._used).lines
        main.lines.append(f"  %f = getelementptr double, ptr %m, i64 {self._frame}")
        for i, part in enumerate(self._parts.parts):
            name = f"{self.name}_part_{i}"
            text = RoutineText(name, self._memory, self._used)
            made = _LoopText if part.trip_count > 1 else _StraightText
            lines += made(text, self._code, self._parts, part).written()
            lines += text.function(f"{ARGUMENTS}, ptr noalias %f")
            main.pass_on(f"call i32 @{name}({_CALL})")
        return [*lines, *main.function(self.name, ARGUMENTS)]


class _StraightText:
    """A part without a loop."""

    def __init__(self, text: RoutineText, code: tuple[Instruction, ...], parts: Parts, part: Part) -> None:
        self._text = text
        self._code = code
        self._parts = parts
        self._part = part

    def written(self) -> list[str]:
        """Writes the instructions; no lines before the function."""
        text, places = self._text, self._parts.places
        for register in self._part.registers:
            instruction = self._code[register]
            for arg in instruction.args:
                if arg not in text.values:
                    self._fetch(arg)
            text.values[register] = text.instruction(register, instruction)
            if register in places:
                text.lines.store("f", places[register], text.real(register))
        return []

    def _fetch(self, register: int) -> None:
        """A leaf, or a value from the frame."""
        text = self._text
        if register in self._parts.leaves:
            text.values[register] = text.instruction(register, self._code[register])
            return
        value = text.lines.load("f", self._parts.places[register])
        text.take(register, value, register in self._parts.booleans)


class _LoopText:
    """A part that is a loop. Within a turn the instruction at `offset` gives register `offset`."""

    def __init__(self, text: RoutineText, code: tuple[Instruction, ...], parts: Parts, part: Part) -> None:
        self._text = text
        self._code = code
        self._parts = parts
        self._part = part
        self._operands = TurnOperands(code, parts, part, _constant)
        self._moved: dict[tuple[str, int], str] = {}
        self._tables: list[str] = []

    def written(self) -> list[str]:
        """Writes the loop; the tables that it reads as lines before the function."""
        text, part = self._text, self._part
        lines = text.lines
        lines.lines += ["  br label %head", "head:", "  %turn = phi i64 [ 0, %entry ], [ %next, %head ]"]
        for offset in range(part.length):
            self._instruction(offset)
        lines.lines += [
            "  %next = add i64 %turn, 1",
            f"  %more = icmp slt i64 %next, {part.trip_count}",
            "  br i1 %more, label %head, label %end",
            "end:",
        ]
        return self._tables

    def _instruction(self, offset: int) -> None:
        text = self._text
        registers = self._part.registers[offset :: self._part.length]
        op, operands = self._code[registers[0]].op, self._operands.of(offset, self._fetch)
        positions = list(map(self._parts.arrays.values.__getitem__, registers))
        if op in ("store", "keep"):
            text.lines.put(self._address("out" if op == "store" else "m", positions), text.real(operands[0]))
        elif op in LOAD_ARRAYS:
            text.values[offset] = text.lines.get(self._address(LOAD_ARRAYS[op], positions))
        else:
            text.values[offset] = text.instruction(offset, Instruction(op, operands, self._code[registers[0]].value))
        places = self._parts.places
        if registers[0] in places:
            text.lines.put(self._address("f", list(map(places.__getitem__, registers))), text.real(offset))

    def _fetch(self, register: int, found: Fetched) -> None:
        """The value of a register from outside of the turn."""
        text = self._text
        if found.is_fixed and found.is_same:
            text.values[register] = text.instruction(register, found.first)
            return
        where = self._address(found.base, found.where) if not found.is_fixed else self._constants(found)
        text.take(register, text.lines.get(where), found.is_truth)

    def _constants(self, found: Fetched) -> str:
        """The element of a table of constants."""
        return self._at(self._table("double", ", ".join([f"double {w}" for w in found.where])), 1, 0)

    def _address(self, base: str, positions: Sequence[object]) -> str:
        """base[positions[turn]]."""
        even = even_step(positions)
        if even is not None:
            first, step = even
            return self._at(f"%{base}", step, first)
        texts = ", ".join(f"i64 {position}" for position in positions)
        lines = self._text.lines
        where = lines.line(f"getelementptr i64, ptr {self._table('i64', texts)}, i64 %turn")
        return lines.line(f"getelementptr double, ptr %{base}, i64 {lines.line(f'load i64, ptr {where}')}")

    def _at(self, base: str, step: int, first: int) -> str:
        """base[first + turn*step]; LLVM sees that the same step is taken from several places."""
        lines = self._text.lines
        if step and (base, step) not in self._moved:
            moved = lines.line(f"mul i64 %turn, {step}") if step != 1 else "%turn"
            self._moved[base, step] = lines.line(f"getelementptr double, ptr {base}, i64 {moved}")
        return lines.line(f"getelementptr double, ptr {self._moved[base, step] if step else base}, i64 {first}")

    def _table(self, kind: str, texts: str) -> str:
        """The name of a constant array with an entry a turn."""
        name = f"@{self._text.name}_{len(self._tables)}"
        self._tables.append(f"{name} = private constant [{self._part.trip_count} x {kind}] [{texts}]")
        return name


def _constant(instruction: Instruction) -> str:
    """A constant to the bit."""
    assert isinstance(instruction.value, float | bool)
    return real_text(float(instruction.value))
