"""Start values of nonlinear blocks of the first instant that Newton's method alone does not solve from the model's own.

The built-in run then has least squares and homotopies. An exported program has Newton's method only: it begins where
these have found the solution with the default parameters.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.ir.program.instructions import Instruction, NewtonSolve, Routine
from acausal.ir.program.program import Program
from acausal.simulate.failure.interpreter import interpret
from acausal.simulate.system.parameters import Folded, parameter_values

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

Solutions = Mapping[int, tuple[float, ...]]


def solutions_of_start(model: "CompiledModel") -> Solutions:
    """Solutions by the number of the block; none where Newton's method finds all, or nothing finds them."""
    import numpy as np

    program, p = model.program, parameter_values(model.executable, {})
    if program.units or program.delays or isinstance(p, Folded):
        return {}
    start, u = program.experiment.start, np.zeros(program.input_size)
    y, m = np.zeros(program.result_size("initial")), np.zeros(program.memory_size)
    failed = model.executable.initial(start, u, p, m, y)
    if not failed:
        return {}
    found = interpret(program, "initial", start, y, u, p, np.zeros(program.memory_size), failed)
    return {} if found.unsolved is not None else found.continued


def with_starts(program: Program, solutions: Solutions) -> Program:
    """The program whose blocks of the first instant begin at these solutions."""
    code = program.initial.code
    solves = [i.value for i in code if isinstance(i.value, NewtonSolve) and i.value.block in solutions]
    numbers = [x for solve in solves for x in solutions[solve.block]]
    if not numbers:
        return program
    first: dict[int, int] = {}
    for solve in solves:
        first[solve.block] = sum([s.size for s in solves[: solves.index(solve)]])
    constants = [Instruction("const", (), x) for x in numbers]
    moved = [_moved(instruction, len(numbers), first) for instruction in code]
    names = tuple([(register + len(numbers), symbol) for register, symbol in program.initial.names])
    return replace(program, initial=Routine((*constants, *moved), program.initial.operations, names))


def _moved(instruction: Instruction, by: int, first: Mapping[int, int]) -> Instruction:
    """The instruction behind so many others; a block begins at the constants from this one on."""
    op, args, value = instruction
    args = tuple([a + by for a in args])
    if isinstance(value, NewtonSolve) and value.block in first:
        at = first[value.block]
        args = (*args[: -value.size], *range(at, at + value.size))
    return Instruction(op, args, value)
