"""Sparsity pattern of the Jacobian, from the instructions alone."""

from acausal.ir.program.instructions import Instruction
from acausal.ir.program.program import Program

Pattern = tuple[tuple[int, ...], ...]
"""For each row its columns in ascending order, the diagonal always among them."""

WORD = 256
"""Bits of a word."""
_States = dict[int, int]
"""A set of states: words by their place, but for those that are 0. Few states take little memory, and so do many."""


def find_pattern(program: Program) -> Pattern:
    """The states that each derivative depends on, and itself; what a block solves depends on all that enters it.

    A set is dropped, or becomes that of the result, at its last use.
    """
    code = program.derivatives.code
    last = _last_uses(code)
    sets: dict[int, _States] = {}
    rows = [_only(i) for i in range(len(program.state_slots))]
    for register, (op, args, value) in enumerate(code):
        if op == "state":
            assert isinstance(value, int)
            sets[register] = _only(value)
            continue
        if not args:
            continue
        found: _States | None = None
        for arg in args:
            other = sets.get(arg)
            if other is None:
                continue
            if last[arg] == register:
                del sets[arg]
                found = other if found is None else _joined(found, other)
            else:
                found = other.copy() if found is None else _joined(found, other)
        if op == "store" and found is not None:
            assert isinstance(value, int)
            rows[value] = _joined(rows[value], found)
        elif found is not None:
            sets[register] = found
    return tuple([_members(row) for row in rows])


def _only(state: int) -> _States:
    place, bit = divmod(state, WORD)
    return {place: 1 << bit}


def _joined(one: _States, other: _States) -> _States:
    """The first set with the states of the other one."""
    for place, word in other.items():
        one[place] = one.get(place, 0) | word
    return one


def _last_uses(code: tuple[Instruction, ...]) -> list[int]:
    last = [0] * len(code)
    for register, (_, args, _) in enumerate(code):
        for arg in args:
            last[arg] = register
    return last


def _members(states: _States) -> tuple[int, ...]:
    """The states in ascending order."""
    found = []
    for place in sorted(states):
        word, first = states[place], WORD * place
        while word:
            low = word & -word
            found.append(first + low.bit_length() - 1)
            word ^= low
    return tuple(found)
