"""Straight-line code: instructions, each writing one register, and what solves a block.

A routine is a tuple of instructions; instruction number k gives register k. All
back ends translate the same program, so they compute the same numbers.

    0  state 0            what is loaded: state, input, parameter, memory, time, const
    1  parameter 3
    2  mul %0 %1          operators and functions of `ir/ops.py`, two arguments at most,
    3  store 0 %2         and `sub`, `div`; `store` writes the routine's result
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

from acausal.base.frozen import record
from acausal.ir.graph import LeastNorm
from acausal.ir.kinds import InstructionOp
from acausal.ir.names import Symbol

LOAD_ARRAYS = {"state": "y", "input": "u", "parameter": "p", "memory": "m", "captured": "c", "unknown": "x"}
"""The arrays of loads, as generated code names them."""
LOADS = tuple(LOAD_ARRAYS)
"""Loads with a position; `captured` and `unknown` only in the residuals of a nonlinear block."""

EFFECTS = ("store", "keep")
"""Instructions without a register of their own: `store` to out, `keep` to memory."""


@record(frozen=True, slots=True)
class Operations:
    """Operations of a routine: `mul` without `div`, `functions` all others that cost time."""

    mul: int = 0
    add: int = 0
    div: int = 0
    neg: int = 0
    functions: int = 0


@record(frozen=True, slots=True)
class LinearSolve:
    """A x = b; the arguments of the instruction are A row by row, then b.

    With a `norm` reactions have minimum norm where A is singular (`runtime/blocks/least_norm`); a solution that is
    `refined` is accurate where A is badly scaled (`runtime/blocks/refined`).
    """

    size: int
    block: int
    norm: LeastNorm | None = None
    refined: bool = False


@record(frozen=True, slots=True)
class LinearFactor:
    """A = P L U in `setup`, kept in p from `position` on: L and U row by row, pivots, then 0 (nan if singular).

    The arguments of the instruction are A row by row.
    """

    size: int
    position: int


@record(frozen=True, slots=True)
class FactoredSolve:
    """A x = b where `setup` has factored A; the arguments of the instruction are b."""

    size: int
    block: int
    position: int


@record(frozen=True, slots=True)
class LinearColumns:
    """A X = B with so many `columns`, in the code of a Jacobian; the arguments are A row by row, then B by columns.

    With a `norm` they are slopes of a solution x of minimum norm (`runtime/blocks/least_norm_slopes`): the arguments
    are A, x, and of each column dA row by row, then db - dA x.
    """

    size: int
    block: int
    columns: int
    norm: LeastNorm | None = None


@record(frozen=True, slots=True)
class NewtonSolve:
    """residuals(x) = 0; the arguments are what is captured, then the start values of x.

    The routine `residuals` loads `captured` and `unknown` and stores the residuals, then
    their Jacobian row by row. `nominals` scale the unknowns. With `homotopy` exported programs go on
    where Newton's method fails (`runtime/homotopy`); the built-in run does so by itself.
    """

    size: int
    block: int
    nominals: tuple[float, ...]
    residuals: "Routine"
    homotopy: bool = False


class Instruction(NamedTuple):
    """`op` with registers `args`; `value` as the operation needs it.

    const: float; boolean: bool; a load: position; store and keep: position;
    linear_solve, factored_solve, linear_columns, newton_solve: the record above, results taken by `extract` (position);
    linear_factor: the record above, only in `setup`.
    """

    op: InstructionOp
    args: tuple[int, ...] = ()
    value: float | bool | int | LinearSolve | LinearFactor | FactoredSolve | LinearColumns | NewtonSolve | None = None


@record(frozen=True, slots=True)
class Routine:
    """Instructions in order; `names` says which variable is in which register."""

    code: tuple[Instruction, ...]
    operations: Operations
    names: tuple[tuple[int, Symbol], ...] = ()


NO_CODE = Routine((), Operations())


def operators(code: Iterable[Instruction]) -> set[str]:
    """The operators of all instructions, each once."""
    return set(map(_OPERATOR, code))


_OPERATOR = itemgetter(0)


def newton_blocks(routine: Routine) -> list[int]:
    """The blocks that a routine solves by Newton's method, in order."""
    return [i.value.block for i in routine.code if i.op == "newton_solve" and isinstance(i.value, NewtonSolve)]
