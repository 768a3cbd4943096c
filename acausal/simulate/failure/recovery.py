"""After a routine has failed: the homotopy, and if that fails too, why."""

import threading
from typing import TYPE_CHECKING, Protocol

from acausal.base.diagnostics import Diagnostic
from acausal.base.lazy import lazy
from acausal.ir.program.instructions import NewtonSolve
from acausal.ir.program.program import Program, routine_of
from acausal.simulate.failure.messages import block_failed, branch_left, no_number, not_finite_symbols

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.failure.interpreter import Interpretation, interpret
    from acausal.simulate.failure.situation import Failure
else:  # runs seldom fail
    interpret = lazy("simulate.failure.interpreter", "interpret")

NEXT = 0.5
"""Solutions that differ by less, as a share, may be on one branch: beside a fold they change fast."""
NEXT_TO_ZERO = 1e-4
EQUATIONS = threading.RLock()
"""Runs in several threads have one pool of expressions, which explanations and changes of states add to."""


class Evaluated(Protocol):
    """A system whose routine has just been evaluated: `arrays` are u, p and m, `states` y."""

    equations: "Equations | None"
    continued: dict[int, float]
    rhs_calls: int

    @property
    def crosses(self) -> bool:
        """True if the routine was refused where branches of nonlinear blocks cross."""
        ...

    @property
    def program(self) -> Program:
        """The program behind it."""
        ...

    @property
    def states(self) -> "Array":
        """y of the last call."""
        ...

    @property
    def arrays(self) -> "tuple[Array, Array, Array]":
        """u, p and m."""
        ...

    @property
    def memory(self) -> "Array":
        """Start values of blocks."""
        ...

    def move_to(self, t: float, y: "Array | None" = None) -> None:
        """Set the states and the inputs."""
        ...

    def evaluate(self, routine: str, t: float, y: "Array | None" = None) -> int:
        """Status of a routine there."""
        ...

    def results(self, routine: str) -> "Array":
        """Results of the last call of a routine."""
        ...


def recovered(system: Evaluated, routine: str, t: float, failed: int = 0) -> "Interpretation":
    """The routine once more, with everything that it computes; it has the homotopy besides Newton's method.

    `failed` is the block that ended it, as the machine code reports.
    """
    u, p, m = system.arrays
    return interpret(system.program, routine, t, system.states, u, p, m, failed)


def failure_of(system: Evaluated, routine: str, status: int, t: float, found: "Interpretation") -> Diagnostic | None:
    """Diagnostic: block `status` has no solution, or (0) a value is not finite; None without a fault."""
    if status and routine != "initial" and found.unsolved is None:
        return _branch_left(system, routine, status, t, found)
    if system.equations is None:
        y = None if routine == "initial" else system.states
        if status:
            return block_failed(system.program, status, t, y).report.diagnostics[0]
        wrong = not_finite_symbols(system.program, system.arrays[1], found.values)
        return no_number(t, wrong, first=False) if wrong and routine == "variables" else None
    from acausal.simulate.failure.explain_failure import explain_block, explain_not_finite

    failure = _failure(system, routine, t, found)
    with EQUATIONS:
        if status:
            return explain_block(failure, system.equations, status)
        return explain_not_finite(failure, system.equations)


def _branch_left(system: Evaluated, routine: str, number: int, t: float, found: "Interpretation") -> Diagnostic | None:
    """A block that has a solution, but none on the branch of the run; None for one that is so near."""
    slots = system.program.memory_slots
    before, after = (dict(zip(slots, m.tolist(), strict=False)) for m in (system.memory, found.memory))
    code = routine_of(system.program, routine).code
    solves = [i.value for i in code if isinstance(i.value, NewtonSolve) and i.value.block == number]
    if not solves:
        return block_failed(system.program, number, t, system.states).report.diagnostics[0]
    targets = zip(system.program.blocks[number - 1].targets, solves[0].nominals, strict=True)
    near = all(
        abs(after[x] - before[x]) <= NEXT * max(abs(after[x]), abs(before[x]), NEXT_TO_ZERO * nominal)
        for x, nominal in targets
    )
    return None if near and routine == "derivatives" else branch_left(system.program, number, t, before, after)


def nearly_singular(system: Evaluated, t: float, found: "Interpretation") -> Diagnostic | None:
    """A block that is almost singular at this point; None if there is none."""
    if system.equations is None:
        return None
    from acausal.simulate.failure.explain_failure import explain_nearly_singular

    with EQUATIONS:
        return explain_nearly_singular(_failure(system, "derivatives", t, found), system.equations)


def _failure(system: Evaluated, routine: str, t: float, found: "Interpretation") -> "Failure":
    from acausal.simulate.failure.situation import Failure

    u, p, _ = system.arrays
    return Failure(system.program, routine, t, system.states.copy(), u, p, found)
