"""Inputs of the derivatives: after an event that changes none of them the solver continues without a restart.

A solver that begins again does so with the lowest order and tiny steps, some twenty of them. An event that changes no
state and no frozen value that the derivatives read leaves the equations as they are, word by word: a ball at its
highest point, a counter, an alarm.
"""

from collections.abc import Iterator

from acausal.ir.program.instructions import Instruction, operators
from acausal.ir.program.program import Program


def moving(program: Program) -> frozenset[int] | None:
    """The frozen values that the derivatives read; None where the solution of a block depends on where it begins.

    None also where root functions jump: a solver that goes on remembers the side on which they were before.
    Behind a kink the solver begins again: what it knows from before, a short pulse would escape.
    """
    code = program.derivatives.code
    found = operators(code)
    if program.table.jumps or "newton_solve" in found:
        return None
    slots = program.table.frozen
    kinks = [i for i, slot in enumerate(slots) if slot.continuous]
    inputs = _inputs(code) if "input" in found else ()
    return frozenset([*kinks, *[position for position in inputs if position < len(slots)]])


def moving_flags(program: Program) -> list[int]:
    """Flags of the frozen values that the derivatives read; zeros where every event restarts the solver."""
    found = moving(program) or frozenset()
    return [int(i in found) for i in range(len(program.table.frozen))]


def keeps_motion(program: Program) -> bool:
    """True if the solver may go on from an event that changes nothing that the derivatives read."""
    return not program.delays and moving(program) is not None


def _inputs(code: tuple[Instruction, ...]) -> Iterator[int]:
    return (value for op, _, value in code if op == "input" and isinstance(value, int))
