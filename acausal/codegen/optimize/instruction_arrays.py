"""Instructions of a long routine as arrays: leaves, truth values, and signs, equal for instructions of one loop."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from acausal.ir.ops import OPS
from acausal.ir.program.instructions import LOADS, Instruction

LEAVES = frozenset(("state", "input", "parameter", "captured", "unknown", "const", "boolean", "time"))
"""Operators recomputed wherever they are used."""
_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "mod", *OPS, *LOADS, "store"))
"""Operators allowed in a loop."""
_BOOLEAN = frozenset(("boolean", *(name for name, row in OPS.items() if row.boolean)))

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


class InstructionArrays:
    """`leaves` and `booleans` are masks over the registers, `others` the registers that are no leaves.

    The operands of an instruction are `flat[starts[register]:starts[register] + counts[register]]`, its value is in
    `values`.

    If the code works `in_place`, its results go to where p is.
    """

    def __init__(self, code: tuple[Instruction, ...], in_place: bool) -> None:
        ops, args, values = zip(*code, strict=True) if code else ((), (), ())
        self.values: tuple[object, ...] = values
        number_of = {op: number for number, op in enumerate(dict.fromkeys(ops))}
        self._ops: Numbers = np.fromiter(map(number_of.__getitem__, ops), np.int64, len(ops))
        self._names = tuple(number_of)
        self._counts: Numbers = np.fromiter(map(len, args), np.int64, len(args))
        self._flat: Numbers = np.fromiter(chain.from_iterable(args), np.int64, int(self._counts.sum()))
        self._starts: Numbers = np.cumsum(self._counts) - self._counts
        self.leaves = self._is_any(LEAVES)
        if in_place:
            changed = {value for op, value in zip(ops, values, strict=True) if op == "store"}
            loads = np.flatnonzero(self._is_any(frozenset(("parameter",)))).tolist()
            self.leaves[[k for k in loads if values[k] in changed]] = False
        self.booleans = self._is_any(_BOOLEAN)
        for register in np.flatnonzero(self._is_any(frozenset(("if",)))).tolist():
            self.booleans[register] = self.booleans[args[register][1]]
        self.others: Numbers = np.flatnonzero(~self.leaves)

    def signs(self) -> Numbers:
        """A number for each of `others`: equal ones can be the same instruction of a loop.

        These have the same operator, arithmetic, and operands of the same kinds: equal leaves, truth values, numbers.
        """
        kinds = np.where(self.leaves, self._ops + 3, self.booleans + 1)
        base = len(self._names) + 3
        arithmetic = self._is_any(_ARITHMETIC)
        signs = self._ops.copy()
        counts = np.where(arithmetic, self._counts, 0)
        for place in range(int(counts.max(initial=0))):
            with_more = np.flatnonzero(counts > place)
            signs[with_more] += kinds[self.operands(with_more, place)] * base ** (place + 1)
        signs[~arithmetic] = -1 - np.flatnonzero(~arithmetic)
        return signs[self.others]

    @staticmethod
    def turns(registers: Sequence[int], length: int) -> Numbers:
        """The registers of a part, a row for each turn."""
        return np.asarray(registers, np.int64).reshape(-1, length)

    def from_elsewhere(self, registers: Sequence[int], length: int) -> Iterator[Numbers]:
        """The operands of a loop that are no leaves and not made in the same turn, each turn by turn."""
        turns = self.turns(registers, length)
        offsets = {register: i for i, register in enumerate(turns[0].tolist())}
        for column in turns.T:
            for place in range(int(self._counts[column[0]])):
                found = self.operands(column, place)
                first = int(found[0])
                same = offsets.get(first)
                if not self.leaves[first] and (same is None or not np.array_equal(found, turns[:, same])):
                    yield found

    def operands(self, registers: Numbers, place: int) -> Numbers:
        """The operands of instructions of one kind that stand at a place."""
        found: Numbers = self._flat[self._starts[registers] + place]
        return found

    def all_operands(self, registers: Sequence[int]) -> Numbers:
        """The operands of all these instructions, one behind the other."""
        chosen = np.asarray(registers, np.int64)
        counts = self._counts[chosen]
        first = np.repeat(self._starts[chosen] - (np.cumsum(counts) - counts), counts)
        found: Numbers = self._flat[first + np.arange(len(first))]
        return found

    def _is_any(self, names: frozenset[str]) -> Mask:
        """Mask of the instructions with one of these operators."""
        return np.array([name in names for name in self._names], np.bool_)[self._ops]
