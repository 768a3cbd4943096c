"""A long routine in parts: runs of instructions that repeat as loops, the rest cut into pieces.

    %9  = mul %1 %5    store 0 %9           part 0: for r in 0..2
    %12 = mul %2 %6    store 1 %12    ->                mul %[1 + r] %[5 + r]    store r
    %15 = mul %3 %7    store 2 %15

Straight code for a chain of hundreds of bodies leaves the instruction cache, and compilers take more than linear
time for long blocks. A body of the chain, a cell of a ladder is the same code with other operands. A value that
another part or another turn of a loop needs stands in the frame, an array; loads and constants are repeated where
they are used. The program itself stays straight: a back end may cut it or not.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from acausal.base.caches import Memo
from acausal.base.frozen import dataclass
from acausal.ir.program.instructions import Instruction
from acausal.ir.program.program import ROUTINES

if TYPE_CHECKING:
    from acausal.codegen.optimize.instruction_arrays import InstructionArrays

PARTS_FROM = 1500
"""Routines of fewer instructions stay in one piece."""
LONGEST_PIECE = 1000
"""Instructions of a straight part."""
SAVING, LEAST = 64, 4
"""A loop spares so many instructions at least, and repeats so often."""
SHORTEST_TURN = 32
"""Shorter runs are repeated several times in a turn, so that counting turns costs little."""


@dataclass(frozen=True, slots=True)
class Part:
    """Registers in the order of their instructions: `trip_count` times the same code; 1 is straight code."""

    registers: tuple[int, ...]
    trip_count: int = 1

    @property
    def length(self) -> int:
        """Instructions of one turn."""
        return len(self.registers) // self.trip_count


@dataclass(frozen=True, slots=True)
class Parts:
    """A routine in parts; `places` are those of values in the frame, which has `frame` numbers.

    `leaves` are the registers that are computed again where they are used, `booleans` those with truth values; `arrays`
    are the instructions.
    """

    parts: tuple[Part, ...]
    places: dict[int, int]
    frame: int
    leaves: frozenset[int]
    booleans: frozenset[int]
    arrays: "InstructionArrays"


def reroll_loops(code: tuple[Instruction, ...], in_place: bool = False) -> Parts:
    """The parts of a routine; their order is that of the instructions. `in_place`: its results go to where p is."""
    made = _MADE.pop((id(code), in_place), None)
    return made[1] if made is not None else _cut(code, in_place)


def _cut(code: tuple[Instruction, ...], in_place: bool) -> Parts:
    from acausal.codegen.optimize.instruction_arrays import InstructionArrays
    from acausal.codegen.optimize.tandem_repeats import repeats

    arrays = InstructionArrays(code, in_place)
    leaves, booleans = (frozenset(mask.nonzero()[0].tolist()) for mask in (arrays.leaves, arrays.booleans))
    order = arrays.others.tolist()
    parts: list[Part] = []
    done = 0
    for start, length, times in repeats(arrays.signs(), SAVING, LEAST):
        together = max(1, SHORTEST_TURN // length)
        trip_count = times // together
        if trip_count > 1:
            parts += _pieces(code, order[done:start])
            done = start + length * together * trip_count
            parts.append(Part(tuple(order[start:done]), trip_count))
    parts += _pieces(code, order[done:])
    places = _places(parts, arrays)
    return Parts(tuple(parts), places, len(places), leaves, booleans, arrays)


def frame_size(code: tuple[Instruction, ...], in_place: bool = False) -> int:
    """Numbers that a routine needs for its frame; none if it stays in one piece."""
    if not is_long(code):
        return 0
    parts = _cut(code, in_place)
    _MADE.keep((id(code), in_place), (code, parts))
    return parts.frame


_MADE: Memo[tuple[int, bool], tuple[tuple[Instruction, ...], Parts]] = Memo(len(ROUTINES))
"""Parts of which only the frame was asked for: mostly the back end asks for the same routines next."""


def is_long(code: tuple[Instruction, ...]) -> bool:
    """True if a routine is better cut into parts."""
    return len(code) >= PARTS_FROM


def mostly_loops(code: tuple[Instruction, ...]) -> bool:
    """True if a routine is long and more than half of it repeats."""
    parts = reroll_loops(code).parts if is_long(code) else ()
    return 2 * sum(len(p.registers) for p in parts if p.trip_count > 1) > sum(len(p.registers) for p in parts)


def _pieces(code: tuple[Instruction, ...], order: list[int]) -> list[Part]:
    """Straight parts; what a block gives is taken in the part that solves it."""
    found = []
    start = 0
    while start < len(order):
        stop = min(start + LONGEST_PIECE, len(order))
        while stop < len(order) and code[order[stop]].op == "extract":
            stop += 1
        found.append(Part(tuple(order[start:stop])))
        start = stop
    return found


def _places(parts: Iterable[Part], arrays: "InstructionArrays") -> dict[int, int]:
    """Places in the frame, turn by turn, for the values that are needed elsewhere."""
    parts = tuple(parts)
    wanted = arrays.leaves & False
    for part in parts:
        if part.trip_count == 1:
            own = arrays.leaves & False
            own[list(part.registers)] = True
            used = arrays.all_operands(part.registers)
            wanted[used[~own[used]]] = True
        else:
            for found in arrays.from_elsewhere(part.registers, part.length):
                wanted[found] = True
    wanted &= ~arrays.leaves
    places: dict[int, int] = {}
    for part in parts:
        turns = arrays.turns(part.registers, part.length)
        kept = turns[:, wanted[turns].any(axis=0)]
        places |= zip(kept.ravel().tolist(), range(len(places), len(places) + kept.size), strict=True)
    return places
