"""Bounds of the number of floating-point operations of a step, for the choice of a processor and a step length.

Additions, multiplications, divisions, comparisons and calls of functions count as one each.
"""

from collections.abc import Sequence
from math import log2

from acausal.ir.program.instructions import (
    FactoredSolve,
    Instruction,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
)
from acausal.ir.program.program import Program
from acausal.runtime.blocks.newton import REACHES, SMALLEST_DAMPING
from acausal.runtime.limits import MOST_PASSES, PASSES_EACH
from acausal.runtime.steps.fixed_methods import HEUN, IMPLICIT_EULER
from acausal.runtime.steps.fixed_steps import HALVINGS

_FREE = frozenset(("const", "boolean", "time", "state", "input", "parameter", "memory", "captured", "unknown"))
_MOVES = frozenset(("store", "keep", "extract"))


def routine_operations(code: Sequence[Instruction], iterations: int) -> int:
    """Operations of a routine at most, where Newton's method makes so many iterations."""
    return sum([_instruction(instruction, iterations) for instruction in code])


def _instruction(instruction: Instruction, iterations: int) -> int:
    op, _, value = instruction
    if op in _FREE or op in _MOVES:
        return 0
    if isinstance(value, LinearSolve):
        n = value.size
        return elimination(n) + (20 * n**3 if value.norm is not None else 0)
    if isinstance(value, LinearFactor):
        return elimination(value.size)
    if isinstance(value, LinearColumns):
        return elimination(value.size) + value.columns * 2 * value.size**2
    if isinstance(value, FactoredSolve):
        return 2 * value.size**2
    if isinstance(value, NewtonSolve):
        n, dampings = value.size, 1 - round(log2(SMALLEST_DAMPING))
        residuals = routine_operations(value.residuals.code, iterations) + 2 * n * (n + 1)
        return iterations * (elimination(n) + 6 * n * n + dampings * residuals) + REACHES * residuals
    return 1


def elimination(n: int) -> int:
    """Elimination with partial pivoting of n equations, and substitution."""
    return n * (n * n + 6 * n + 8)


def step_operations(program: Program, method: int, iterations: int, newton: int) -> int:
    """Operations of one step without events, at most."""
    n, derivatives = len(program.state_slots), routine_operations(program.derivatives.code, iterations)
    if method == IMPLICIT_EULER:
        evaluations, others = n + newton + 3, elimination(n) + newton * (2 * n * n + 8 * n)
    else:
        evaluations = 3 if method == HEUN else 5
        others = 10 * n
    attempts = 1 + (HALVINGS if program.followed else 0)
    crossings = routine_operations(program.crossings.code, iterations) + 4 * program.table.crossings
    return attempts * (evaluations * (derivatives + 4 * n) + others) + crossings


def event_operations(program: Program, iterations: int) -> int:
    """Operations of one event at most: its location, its passes, and the beginning of a step behind it."""
    table = program.table
    if not table.frozen and not table.crossings:
        return 0
    crossings = routine_operations(program.crossings.code, iterations) + 10 * table.crossings
    events = routine_operations(program.events.code, iterations) + 10 * (table.results + len(table.frozen))
    derivatives = routine_operations(program.derivatives.code, iterations)
    passes = max(MOST_PASSES, PASSES_EACH * len(table.frozen))
    located = 128 * (crossings + 12 * len(program.state_slots))
    return located + passes * (4 * events + 2 * derivatives) + 8 * crossings
