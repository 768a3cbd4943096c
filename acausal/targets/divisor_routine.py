"""The routine `divisors` of exported programs: divisors of the derivatives that may pass zero (`runtime/poles`)."""

from acausal.ir.program.instructions import Instruction, Operations, Routine
from acausal.ir.program.program import Program
from acausal.simulate.rows.divisors import find_divisors, needed_for

_SOLVED = ("linear_solve", "extract")
"""Instructions that programs do not evaluate beside a step."""


def divisor_routine(program: Program) -> Routine | None:
    """The divisors in order as results; None where none moves, or with delays."""
    if program.delays:
        return None
    code = program.derivatives.code
    needed = {d.register: needed_for(program, d) for d in find_divisors(program).all if not d.is_matrix}
    found = {d: registers for d, registers in needed.items() if all(code[r].op not in _SOLVED for r in registers)}
    registers = sorted({r for one in found.values() for r in one})
    place = {register: i for i, register in enumerate(registers)}
    kept = [Instruction(code[r].op, tuple([place[a] for a in code[r].args]), code[r].value) for r in registers]
    stores = [Instruction("store", (place[d],), i) for i, d in enumerate(found)]
    return Routine((*kept, *stores), Operations()) if found else None


def divisor_count(routine: Routine | None) -> int:
    """The number of divisors that a routine has as results."""
    return 0 if routine is None else sum([instruction.op == "store" for instruction in routine.code])
