"""Sparsity pattern of the Jacobian, from the instructions alone."""

from acausal.ir.program.instructions import Instruction
from acausal.ir.program.program import Program

Pattern = tuple[tuple[int, ...], ...]
"""For each row its columns in ascending order, the diagonal always among them."""


def find_pattern(program: Program) -> Pattern:
    """The states that each derivative depends on, and itself; what a block solves depends on all that enters it.

    Sets are numbers, one bit a state, dropped after their last use.
    """
    code = program.derivatives.code
    last = _last_uses(code)
    sets: dict[int, int] = {}
    rows = [1 << i for i in range(len(program.state_slots))]
    for register, (op, args, value) in enumerate(code):
        found = 0
        if op == "state":
            assert isinstance(value, int)
            found = 1 << value
        else:
            for arg in args:
                found |= sets.get(arg, 0)
                if last[arg] == register:
                    sets.pop(arg, None)
        if op == "store":
            assert isinstance(value, int)
            rows[value] |= found
        elif found:
            sets[register] = found
    return tuple([_bits(row) for row in rows])


def _last_uses(code: tuple[Instruction, ...]) -> list[int]:
    last = [0] * len(code)
    for register, instruction in enumerate(code):
        for arg in instruction.args:
            last[arg] = register
    return last


def _bits(number: int) -> tuple[int, ...]:
    """The places of the ones."""
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return tuple(found)
