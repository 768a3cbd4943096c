"""Nonlinear blocks of the first instant in exported programs: they are solved as `simulate` solves them.

Only there Newton's method is not all: behind an event a homotopy would take longer than the time of a step allows.
"""

from dataclasses import replace

from acausal.codegen.lower.workspace import code_workspace
from acausal.ir.program.instructions import Instruction, NewtonSolve, Routine
from acausal.ir.program.program import Program


def with_homotopy(program: Program) -> Program:
    """The program with room in m for it."""
    old = program.initial
    code = tuple([_going_on(instruction) for instruction in old.code])
    workspace = max(program.workspace, code_workspace(code))
    return replace(program, initial=Routine(code, old.operations, old.names), workspace=workspace)


def _going_on(instruction: Instruction) -> Instruction:
    op, args, value = instruction
    return Instruction(op, args, replace(value, homotopy=True)) if isinstance(value, NewtonSolve) else instruction
