"""Operands within a turn of a loop (`loop_rerolling`), for the printers of long routines."""

from collections.abc import Callable, Sequence

from acausal.base.frozen import record
from acausal.codegen.optimize.loop_rerolling import Part, Parts
from acausal.ir.program.instructions import LOAD_ARRAYS, Instruction

_FIXED = ("const", "boolean", "time")


@record(frozen=True, slots=True)
class Fetched:
    """An operand from outside of the turn: an element of `base` in each turn, or what the instruction `first` gives.

    `where` are the positions in `base`, turn by turn; for constants their texts.
    """

    first: Instruction
    base: str
    where: list[object]
    is_truth: bool
    is_fixed: bool

    @property
    def is_same(self) -> bool:
        """True if it is the same in all turns."""
        return self.where.count(self.where[0]) == len(self.where)


class TurnOperands:
    """Registers within a turn: the instruction at an offset gives register `offset`, fetched operands those behind.

    `constant` is the text of a constant.
    """

    def __init__(
        self,
        code: tuple[Instruction, ...],
        parts: Parts,
        part: Part,
        constant: Callable[[Instruction], str],
    ) -> None:
        self._code, self._parts, self._part = code, parts, part
        self._constant = constant
        self._turns = parts.arrays.turns(part.registers, part.length)
        self._offsets = {register: i for i, register in enumerate(part.registers[: part.length])}
        self._registers: dict[tuple[object, ...], int] = {}

    def of(self, offset: int, fetch: Callable[[int, Fetched], None]) -> tuple[int, ...]:
        """The operands of the instruction at an offset; `fetch` writes what gives a register its value, once a turn."""
        first = self._code[self._part.registers[offset]]
        return tuple([self._operand(offset, argument, fetch) for argument in range(len(first.args))])

    def _operand(self, offset: int, argument: int, fetch: Callable[[int, Fetched], None]) -> int:
        sources = self._parts.arrays.operands(self._turns[:, offset], argument)
        near = self._offsets.get(int(sources[0]))
        if near is not None and (sources == self._turns[:, near]).all():
            return near
        fetched = self._fetched(sources.tolist())
        key = (fetched.base, *fetched.where)
        if key not in self._registers:
            self._registers[key] = self._part.length + len(self._registers)
            fetch(self._registers[key], fetched)
        return self._registers[key]

    def _fetched(self, found: list[int]) -> Fetched:
        """An operand by its registers in the turns: a load or a constant is repeated, others are in the frame."""
        first, is_truth = self._code[found[0]], found[0] in self._parts.booleans
        if found[0] not in self._parts.leaves:
            return Fetched(first, "f", list(map(self._parts.places.__getitem__, found)), is_truth, False)
        where = list(map(self._parts.arrays.values.__getitem__, found))
        if first.op in ("const", "boolean"):
            where = [self._constant(self._code[r]) for r in found]
        return Fetched(first, LOAD_ARRAYS.get(first.op, first.op), where, is_truth, first.op in _FIXED)


def even_step(positions: Sequence[object]) -> tuple[int, int] | None:
    """The first of evenly spaced positions and their distance, turn by turn; None if they are not evenly spaced."""
    first, second = positions[0], positions[1]
    assert isinstance(first, int)
    assert isinstance(second, int)
    step = second - first
    even = range(first, first + len(positions) * step, step) if step else (first,) * len(positions)
    return (first, step) if list(positions) == list(even) else None
