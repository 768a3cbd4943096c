"""The values of all parameters where none is given, found without machine code.

What they are bound to is mostly sums, products and decisions, which Python computes to the same bit; to compile that
takes longer than a short run of a small model.
"""

import operator
from collections.abc import Callable
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, get_args

from acausal.ir.kinds import RelationOp
from acausal.ir.ops import OPS
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST = 2000
"""Instructions up to which Python takes less time than compiling."""

_EXACT: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "abs": abs,
    **{sign: OPS[sign].evaluate for sign in get_args(RelationOp)},
    "not": operator.not_,
    "and": lambda *conditions: all(conditions),
    "or": lambda *conditions: any(conditions),
    "if": lambda condition, then, otherwise: then if condition else otherwise,
    "max": max,
    "min": min,
    "sqrt": sqrt,
}
"""Operators whose results the standard of floating-point numbers (IEEE 754) leaves no choice."""
_OTHERS = frozenset(("const", "boolean", "parameter", "input", "store"))


def is_plain(setup: Routine) -> bool:
    """True if Python computes it to the same bit, and soon."""
    return len(setup.code) <= MOST and all(op in _EXACT or op in _OTHERS for op, _, _ in setup.code)


def complete(program: Program, p: "Array") -> bool:
    """Complete p, as the routine `setup` does where nothing is given; False where machine code has to."""
    if not is_plain(program.setup):
        return False
    values = p.tolist()
    registers: list[Any] = []
    for op, args, value in program.setup.code:
        if op == "parameter":
            found = values[value]
        elif op == "store":
            found = 0.0
            values[value] = float(registers[args[0]])
        elif op == "input":
            found = 0.0  # nothing is given
        elif op in _OTHERS:
            found = value
        else:
            try:
                found = _EXACT[op](*[registers[a] for a in args])
            except (ArithmeticError, ValueError):
                return False
            if not isfinite(found):
                return False
        registers.append(found)
    p[:] = values
    return True
