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
from acausal.runtime.crossings.hidden_search import MOST_SIDES, MOST_TRIES
from acausal.runtime.crossings.root_search import MOST_SECANTS
from acausal.runtime.delays import NODES
from acausal.runtime.events.restart_others import MOST_ITERATIONS, restart_size
from acausal.runtime.limits import MOST_RELATION_PASSES
from acausal.runtime.steps.fixed_methods import HEUN, IMPLICIT_EULER
from acausal.runtime.steps.fixed_steps import HALVINGS

_FREE = frozenset(("const", "boolean", "time", "state", "input", "parameter", "memory", "captured", "unknown"))
LOCATED = MOST_SECANTS + 60
"""Points at which the root functions are evaluated to locate a crossing, at most: 60 halve any interval to nothing."""
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


def operation_bounds(program: Program, method: int, iterations: int, newton: int) -> dict[str, int]:
    """Operations at most: of the derivatives, a step, a part of it, an event without its passes, and one of these."""
    calls = _Calls(program, iterations)
    step = calls.step(method, newton)
    return {
        "DERIVATIVES": routine_operations(program.derivatives.code, iterations),
        "STEP": step + 2 * calls.variables,
        "PART": step + calls.located,
        "EVENT": calls.event,
        "PASS": calls.relations + calls.others,
    }


class _Calls:
    """Operations of calls of the routines of a program with what the run time does around each."""

    def __init__(self, program: Program, iterations: int) -> None:
        table = program.table
        self._program, self._states, self._frozen = program, len(program.state_slots), len(table.frozen)
        self._track = 100 * (program.memory + program.followed) * (1 + program.followed)
        self._results, self._crossings = table.results, table.crossings
        self._derivatives = self._call(routine_operations(program.derivatives.code, iterations))
        self._roots = self._call(routine_operations(program.crossings.code, iterations))
        self._events = self._call(routine_operations(program.events.code, iterations))
        self.variables = self._call(routine_operations(program.variables.code, iterations))
        self._choices = self._call(routine_operations(program.choices.code, iterations))

    def _call(self, operations: int) -> int:
        inputs = 60 * self._program.input_size
        around = 12 * (self._states + self._crossings + self._frozen + self._results)
        return operations + inputs + around + (self._track if operations else 0) + 20

    def step(self, method: int, newton: int) -> int:
        """A step without crossings."""
        n = self._states
        if method == IMPLICIT_EULER:
            evaluations, others = n + newton + 3, elimination(n) + newton * (2 * n * n + 8 * n)
        else:
            evaluations, others = 3 if method == HEUN else 5, 10 * n
        attempts = 1 + (HALVINGS if self._program.followed else 0)
        made = attempts * (evaluations * (self._derivatives + 4 * n) + others) + 2 * self._derivatives + 30 * n
        return made + 4 * self._watched + self._hidden + self._judged + self._delayed + 2 * self._track

    @property
    def located(self) -> int:
        """The location of a crossing."""
        return (LOCATED + 4) * self._watched if self._crossings else 0

    @property
    def _watched(self) -> int:
        return self._roots + 14 * self._states + 20 * self._crossings + 40

    @property
    def _hidden(self) -> int:
        hidden = len(self._program.table.hidden)
        return (MOST_TRIES + MOST_SIDES + 4) * (self._watched + 200 * hidden) if hidden else 0

    @property
    def _judged(self) -> int:
        sizes = [(len(slot.dummies), len(slot.candidates)) for slot in self._program.choice_table.slots]
        return 2 * (self._choices + sum([8 * rows * columns * (rows + columns + 4) for rows, columns in sizes]))

    @property
    def _delayed(self) -> int:
        delays = len(self._program.delays)
        return NODES * (self._call(100 * delays) + 12 * self._states) if delays else 0

    @property
    def relations(self) -> int:
        """Relations to their fixed point, at most."""
        f = self._frozen
        once = (f + 2) * self._events + self._derivatives + 8 * self._states + f * (4 * self._states + 40)
        return (MOST_RELATION_PASSES + 20 * f) * once

    @property
    def others(self) -> int:
        """Restarts of a pass."""
        restarts = len(self._program.table.restarts)
        if not any(slot.state is None for slot in self._program.table.restarts):
            return 12 * (restarts + self._states + self._frozen)
        n = restart_size(self._states, restarts)
        return MOST_ITERATIONS * ((n + 2) * (self._events + self._derivatives) + 40 * n**3 + 40 * n * n)

    @property
    def event(self) -> int:
        """An event without its passes: three times relations besides, and the begin of the next step."""
        if not self._program.table.frozen and not self._crossings:
            return 0
        f = self._frozen
        behind = (8 + 6 * f) * (self._roots + self._events + self._derivatives + 12 * self._states)
        return (
            3 * self.relations + behind + 8 * self._events + self.variables + 40 * (f + self._crossings + self._states)
        )
