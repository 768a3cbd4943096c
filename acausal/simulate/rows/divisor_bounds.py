"""Divisors that no state can make zero, with the parameters of a run: they need not be examined in its rows.

m + k*sin(q)^2      between m and m + k, whatever q is
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from acausal.base.caches import LOCK, register
from acausal.codegen.context_memory import ContextMemory
from acausal.ir.program.instructions import Instruction
from acausal.runtime.divisor_bounds import (
    ANY,
    CONSTANT,
    DIFFERENCE,
    NEGATIVE,
    PARAMETER,
    PRODUCT,
    SUM,
    WAVE,
    DivisorBounds,
    is_bounded,
)
from acausal.runtime.kernel.signature import fields
from acausal.simulate.rows.divisors import Divisor, Divisors, divisors_of
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
MOST = 100
"""Instructions of a divisor whose bounds are searched for."""


_ANSWERS: "WeakKeyDictionary[System, tuple[bytes, Divisors]]" = WeakKeyDictionary()
"""The last answer for each system, with its parameters."""
register(_ANSWERS)
_FORMS: "WeakKeyDictionary[Executable, bool]" = WeakKeyDictionary()
"""True for programs with a divisor that may have bounds."""
register(_FORMS)
_OPERATIONS = {
    "parameter": PARAMETER, "const": CONSTANT, "add": SUM, "sub": DIFFERENCE, "neg": NEGATIVE, "mul": PRODUCT,
    "sin": WAVE, "cos": WAVE,
}  # fmt: skip
_SUMS = frozenset({"add", "sub", "neg", "mul"})
_BOUNDED = frozenset({"parameter", "const", "sin", "cos"})


def vanishing_divisors(system: System) -> Divisors:
    """The divisors that may be zero with the parameters that the system has."""
    divisors = divisors_of(system.executable)
    if not divisors.all or not _have_bounds(system.executable, divisors):
        return divisors
    p = system.arrays[1]
    asked, last = p.tobytes(), _ANSWERS.get(system)
    if last is None or last[0] != asked:
        last = asked, _without_bounded(system.executable, divisors, p)
        with LOCK:
            _ANSWERS[system] = last
    return last[1]


def _have_bounds(executable: "Executable", divisors: Divisors) -> bool:
    """True if some of them may have bounds with some parameters."""
    found = _FORMS.get(executable)
    if found is None:
        code, pairs = executable.program.derivatives.code, zip(divisors.all, divisors.each, strict=True)
        with LOCK:
            found = _FORMS[executable] = any(_may_be_bounded(code, divisor, needed) for divisor, needed in pairs)
    return found


def _may_be_bounded(code: Sequence[Instruction], divisor: Divisor, needed: Sequence[int]) -> bool:
    """False where a state, an input or time is in it other than in a sine or cosine."""
    if divisor.is_matrix or len(needed) > MOST:
        return False
    is_free: dict[int, bool] = {}
    for number in needed:
        op, args, _ = code[number]
        is_free[number] = op not in _BOUNDED and (op not in _SUMS or any(is_free[a] for a in args))
    return not is_free[divisor.register]


def _without_bounded(executable: "Executable", divisors: Divisors, p: "Array") -> Divisors:
    table, known = struct_of(executable, divisors), p.tolist()
    pairs = enumerate(zip(divisors.all, divisors.each, strict=True))
    rest = [pair for number, pair in pairs if not is_bounded(table, number, known)]
    if len(rest) == len(divisors.all):
        return divisors
    needed = {number for _, numbers in rest for number in numbers}
    found, each = tuple([divisor for divisor, _ in rest]), tuple([numbers for _, numbers in rest])
    return replace(divisors, all=found, each=each, needed=tuple(sorted(needed)))


def struct_of(executable: "Executable", divisors: Divisors) -> DivisorBounds:
    """The table of all divisors, as Python uses it."""
    return DivisorBounds(**table_of(executable.program.derivatives.code, divisors))


def bounds_memory(executable: "Executable") -> "ContextMemory | None":
    """The same as machine code uses it; None for programs none of whose divisors has bounds."""
    import numpy as np

    divisors = divisors_of(executable)
    if not _have_bounds(executable, divisors):
        return None
    table = table_of(executable.program.derivatives.code, divisors)
    values = {name: found if isinstance(found, int) else np.array(found) for name, found in table.items()}
    return ContextMemory(tuple(fields(DivisorBounds)), values)


def table_of(code: Sequence[Instruction], divisors: Divisors) -> "dict[str, int | list[int] | list[float]]":
    """The fields of `DivisorBounds`; divisors that are too long or matrices have no instructions."""
    begins, operations, first, second, constants = [0], list[int](), list[int](), list[int](), list[float]()
    for divisor, needed in zip(divisors.all, divisors.each, strict=True):
        short = () if divisor.is_matrix or len(needed) > MOST else needed
        places = {number: place for place, number in enumerate(short)}
        for number in short:
            op, args, value = code[number]
            operation = _OPERATIONS.get(op, ANY)
            known = [places.get(a, -1) for a in args] if operation not in (ANY, PARAMETER, CONSTANT) else []
            known += [value] if operation == PARAMETER and isinstance(value, int) else []
            constants.append(value if operation == CONSTANT and isinstance(value, float) else 0.0)
            operations.append(operation)
            first.append(known[0] if known else -1)
            second.append(known[1] if len(known) > 1 else -1)
        begins.append(len(operations))
    width = max(end - begin for begin, end in pairwise(begins))
    numbers = {"low": [0.0] * width, "high": [0.0] * width, "constants": constants, "interval": [0.0, 0.0]}
    places_of = {"begins": begins, "operations": operations, "first": first, "second": second}
    room = {"is_product": [0] * width, "root": [0] * width, "powers": [0] * width**2}
    return {"count": len(divisors.all), "width": width, **numbers, **places_of, **room}
