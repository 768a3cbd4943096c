"""Divisors of the derivatives: registers of the program, and the matrices of linear equations, by their determinants.

der(p) = a/((1 - y)*cos(time))      divisors 1 - y and cos(time)

Examined is what instructions compute from states, time, inputs and delays, from solutions of linear equations as far as
few are solved together, and from those of nonlinear blocks that are stored variables; not what units give, nor what
the loops of mechanisms do: in dead centers such divisors vanish as well, although the motion is smooth.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.base.caches import LOCK, register
from acausal.base.frozen import record
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import Instruction, LinearSolve
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Executable

MOST, MOST_INSTRUCTIONS, MOST_LONG = 100, 400, 3
"""Divisors of a program; instructions for all of them; behind so many that need more no others are examined."""
MOST_SOLVED = 12
"""So many linear equations have their determinant examined."""


_FOUND: "WeakKeyDictionary[Executable, Divisors]" = WeakKeyDictionary()
register(_FOUND)


@record(frozen=True, slots=True)
class Divisor:
    """A factor of a divisor, by its register; or linear equations, by that of their instruction, whose matrix it is."""

    register: int
    is_matrix: bool = False


@record(frozen=True, slots=True)
class Divisors:
    """The divisors, each once; `needed` are the registers for all of them, in order; whether inputs are among these.

    `each` are the registers for each of them, `columns` the stored variables that solutions are taken from.
    """

    all: tuple[Divisor, ...]
    each: tuple[tuple[int, ...], ...]
    needed: tuple[int, ...]
    columns: dict[int, tuple[int, float]]
    have_inputs: bool


def divisors_of(executable: "Executable") -> Divisors:
    """The divisors of the derivatives that move; searched for once for an executable."""
    found = _FOUND.get(executable)
    if found is None:
        with LOCK:
            found = _FOUND.setdefault(executable, find_divisors(executable.program))
    return found


def needed_for(program: Program, divisor: Divisor) -> tuple[int, ...]:
    """The registers for one divisor, in order."""
    return tuple(sorted(_closure(program.derivatives.code, divisor, set(), len(program.derivatives.code)) or ()))


def find_divisors(program: Program) -> Divisors:
    """The same for a program."""
    code, needed = program.derivatives.code, set[int]()
    columns = solution_columns(program)
    stored = {} if program.turning else columns
    found: dict[int, tuple[Divisor, tuple[int, ...]]] = {}
    seen, long = set[Divisor](), 0
    for divisor in _candidates(code):
        if divisor in seen or len(found) == MOST or long == MOST_LONG:
            continue
        seen.add(divisor)
        more = _closure(code, divisor, needed, MOST_INSTRUCTIONS - len(needed))
        if more is None:
            long += 1
            continue
        if not all(_is_known(code, number, stored) for number in more):
            continue
        own = needed_for(program, divisor)
        if has_solutions(program, own) and _has_linear(code, divisor, own):
            continue
        if any(_moves(program, number) for number in own):  # between events
            needed |= more
            found[divisor.register] = divisor, own
    have_inputs = any(code[number].op == "input" for number in needed)
    divisors, each = tuple([divisor for divisor, _ in found.values()]), tuple([own for _, own in found.values()])
    return Divisors(divisors, each, tuple(sorted(needed)), columns, have_inputs)


def solution_columns(program: Program) -> dict[int, tuple[int, float]]:
    """Registers of solutions of nonlinear blocks that are stored: the columns of these variables, and their signs."""
    code = program.derivatives.code
    named = [(number, symbol) for number, symbol in program.derivatives.names if _is_solution(code, number)]
    slots = {s.symbol: s for s in program.variable_slots if s.kind == "stored"} if named else {}
    found = [(number, slots.get(symbol)) for number, symbol in named]
    return {number: (slot.position, slot.sign) for number, slot in found if slot is not None}


def has_solutions(program: Program, needed: Sequence[int]) -> bool:
    """True if some of the registers are solutions of nonlinear blocks."""
    return any(_is_solution(program.derivatives.code, number) for number in needed)


def _is_solution(code: Sequence[Instruction], number: int) -> bool:
    return code[number].op == "extract" and code[code[number].args[0]].op == "newton_solve"


def _has_linear(code: Sequence[Instruction], divisor: Divisor, needed: Sequence[int]) -> bool:
    return divisor.is_matrix or any(code[number].op == "linear_solve" for number in needed)


def _moves(program: Program, number: int) -> bool:
    """True if an instruction loads what changes between events."""
    op, _, value = program.derivatives.code[number]
    if op == "input" and isinstance(value, int):
        return value >= len(program.table.frozen)
    return op == "state" or op == "time" or _is_solution(program.derivatives.code, number)


def _candidates(code: Sequence[Instruction]) -> Iterator[Divisor]:
    for number, instruction in enumerate(code):
        op = instruction.op
        if op == "div" or op == "pow":
            yield from map(Divisor, _factors(code, instruction))
        elif op == "linear_solve" and _is_solved(instruction):
            yield Divisor(number, is_matrix=True)


def _is_solved(instruction: Instruction) -> bool:
    """True if it stands for linear equations that are regular but at single points, and few."""
    solve = instruction.value
    return isinstance(solve, LinearSolve) and solve.norm is None and solve.size <= MOST_SOLVED


def _factors(code: Sequence[Instruction], instruction: Instruction) -> Iterator[int]:
    """The factors of what an instruction divides by; of powers their bases."""
    waiting = []
    if instruction.op == "div":
        waiting = [instruction.args[1]]
    elif instruction.op == "pow" and _is_negative(code[instruction.args[1]]):
        waiting = [instruction.args[0]]
    while waiting:
        register = waiting.pop()
        op, args, _ = code[register]
        if op == "mul":
            waiting += args
        elif op == "neg" or (op == "pow" and code[args[1]].op == "const"):
            waiting.append(args[0])
        else:
            yield register


def _is_negative(exponent: Instruction) -> bool:
    return exponent.op == "const" and isinstance(exponent.value, float) and exponent.value < 0.0


def _closure(code: Sequence[Instruction], divisor: Divisor, known: set[int], most: int) -> set[int] | None:
    """Registers for a divisor besides those `known`; None where they are more than that."""
    found = set[int]()
    first = code[divisor.register]
    size = first.value.size if divisor.is_matrix and isinstance(first.value, LinearSolve) else 0
    waiting = [*first.args[: size * size]] if divisor.is_matrix else [divisor.register]
    while waiting:
        number = waiting.pop()
        if number in found or number in known:
            continue
        if len(found) == most:
            return None
        found.add(number)
        waiting += () if _is_solution(code, number) else code[number].args
    return found


def _is_known(code: Sequence[Instruction], number: int, stored: Collection[int]) -> bool:
    """True if an instruction is computed for all rows at once."""
    op = code[number].op
    if _is_solution(code, number):
        return number in stored
    if op in ("state", "input", "parameter", "time", "const", "boolean", "if", "extract"):
        return True
    if op == "linear_solve":
        return _is_solved(code[number])
    return op in ("neg", "add", "sub", "mul", "div", "pow") or (op in OPS and _is_elementwise(op))


def _is_elementwise(op: str) -> bool:
    """True if NumPy has the function, or it compares two numbers."""
    import numpy as np

    return (OPS[op].boolean and OPS[op].arity == 2) or (
        op != "mod" and OPS[op].numpy.isidentifier() and hasattr(np, OPS[op].numpy)
    )
