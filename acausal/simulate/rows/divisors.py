"""Divisors of the derivatives: registers of the program, and their values in rows.

der(p) = a/((1 - y)*cos(time))      divisors 1 - y and cos(time)

Only what few instructions compute from states and time is examined, not what blocks, inputs and delays give.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.base.caches import LOCK, register
from acausal.base.frozen import record
from acausal.ir.names import show_derivative, show_name
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import Instruction
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

MOST, MOST_INSTRUCTIONS = 100, 40
"""Divisors of a program, and instructions for each."""
_LEAVES = ("state", "time", "parameter", "const")
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "^"}


_FOUND: "WeakKeyDictionary[Executable, list[Divisor]]" = WeakKeyDictionary()
register(_FOUND)


@record(frozen=True, slots=True)
class Divisor:
    """A factor of a divisor: its register, and those `needed` for it, in order, itself the last one."""

    register: int
    needed: tuple[int, ...]


def divisors_of(executable: "Executable") -> list[Divisor]:
    """The divisors of the derivatives that move, each once; searched for once for an executable."""
    found = _FOUND.get(executable)
    if found is None:
        with LOCK:
            found = _FOUND.setdefault(executable, find_divisors(executable.program.derivatives.code))
    return found


def find_divisors(code: Sequence[Instruction]) -> list[Divisor]:
    """The same for the code of derivatives."""
    found: dict[int, Divisor] = {}
    for instruction in [i for i in code if i.op == "div" or i.op == "pow"]:
        for number in _factors(code, instruction):
            if number not in found and len(found) < MOST:
                needed = _needed(code, number)
                if needed:
                    found[number] = Divisor(number, needed)
    return list(found.values())


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


def _needed(code: Sequence[Instruction], register: int) -> tuple[int, ...]:
    """The registers of a divisor, in order; empty if it does not move or other values are needed."""
    found, waiting, moves = dict[int, None](), [register], False
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        op, args, _ = code[number]
        if not (op in _LEAVES or _is_elementwise(op)) or len(found) == MOST_INSTRUCTIONS:
            return ()
        moves = moves or op in ("state", "time")
        found[number] = None
        waiting += args
    return tuple(sorted(found)) if moves else ()


def _is_elementwise(op: str) -> bool:
    """True if NumPy computes it for all rows at once."""
    return op in ("neg", *_SIGNS) or (op in OPS and op not in ("if", "mod") and OPS[op].numpy.isidentifier())


def values_in_rows(program: Program, divisor: Divisor, times: "Array", states: "Array", p: "Array") -> "Array":
    """The values of a divisor at these times and states (rows by states)."""
    import numpy as np

    from acausal.simulate.failure.interpreter import operated

    code = program.derivatives.code
    known: dict[int, Array] = {}
    for number in divisor.needed:
        op, args, value = code[number]
        if op in ("state", "parameter"):
            assert isinstance(value, int)
            known[number] = states[:, value] if op == "state" else p[value]
        elif op in ("time", "const"):
            known[number] = times if op == "time" else np.array(value)
        else:
            known[number] = operated(op, [known[a] for a in args])  # type: ignore[misc,assignment]  # all rows at once
    return known[divisor.register]


def text_of(program: Program, divisor: Divisor) -> str:
    """A divisor as it is computed, by the names of the model."""
    code = program.derivatives.code
    texts: dict[int, str] = {}
    for number in divisor.needed:
        op, args, value = code[number]
        given = [texts[a] for a in args]
        if op == "state" and isinstance(value, int):
            texts[number] = show_derivative(*program.state_slots[value].symbol)
        elif op == "parameter" and isinstance(value, int) and value < len(program.parameter_slots):
            texts[number] = show_name(program.parameter_slots[value].name)
        elif op in _SIGNS:
            texts[number] = f"({given[0]} {_SIGNS[op]} {given[1]})".replace("+ -", "- ")
        elif op == "neg":
            texts[number] = f"-{given[0]}"
        else:
            texts[number] = f"{op}({', '.join(given)})" if args else "time" if op == "time" else f"{value:g}"
    text = texts[divisor.register]
    return text[1:-1] if text.startswith("(") else text
