"""The Jacobian of a program with slopes as its solver has it: that of the states, once for each parameter.

    der(y) = f(y)        der(S) = f_y S + f_p

Newton's matrix leaves out how f_y S + f_p changes with y: steps converge as well, and what is factored are equal blocks
on the diagonal. (T. Maly, L. R. Petzold, Appl. Numer. Math. 20, 1996, pages 57-79, section 3.)
"""

from dataclasses import replace

from acausal.codegen.tangent.forward_mode import tangent
from acausal.codegen.tangent.seeds import Tangent
from acausal.ir.program.instructions import EFFECTS, Instruction, Operations, Routine
from acausal.ir.program.program import Program


def block_tangent(program: Program, most: int) -> Tangent | None:
    """The entries of all blocks; None if those of one take more than `most` instructions."""
    count = 1 + program.slopes
    n = len(program.state_slots) // count
    found = tangent(_states_alone(program, n), most)
    if found is None:
        return None
    code = [i for i in found.routine.code if i.op not in EFFECTS]
    stores = [(i.value, i.args) for i in found.routine.code if i.op == "store" and isinstance(i.value, int)]
    size = len(found.rows)
    code += [Instruction("store", args, k * size + at) for k in range(count) for at, args in stores]
    rows = tuple([k * n + row for k in range(count) for row in found.rows])
    columns = tuple([k * n + column for k in range(count) for column in found.columns])
    return Tangent(Routine(tuple(code), found.routine.operations, found.routine.names), rows, columns)


def _states_alone(program: Program, n: int) -> Program:
    """The program without slopes: what the rates of the first states need."""
    code = program.derivatives.code
    live = bytearray(len(code))
    for register in range(len(code) - 1, -1, -1):
        op, args, value = code[register]
        if op == "store" and isinstance(value, int) and value < n:
            live[register] = 1
        if live[register]:
            for arg in args:
                live[arg] = 1
    place = {register: k for k, register in enumerate([r for r in range(len(code)) if live[r]])}
    kept = tuple([Instruction(i.op, tuple([place[a] for a in i.args]), i.value) for r, i in enumerate(code) if live[r]])
    return replace(program, state_slots=program.state_slots[:n], derivatives=Routine(kept, Operations()))
