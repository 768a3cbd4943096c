"""Calls of functions of units (`ir.external`) from machine code: one callback for each number of arguments."""

import ctypes

import llvmlite.binding as llvm

from acausal.base.caches import once
from acausal.ir.external import external
from acausal.ir.ops import OPS
from acausal.ir.program.program import Program

MOST_MORE = 2
"""Derivatives have an argument more than their function, second derivatives two."""


def publish_external(program: Program) -> None:
    """Make the callbacks known that the routines of a program, and their derivatives, may call."""
    made = _callbacks()
    for count in program.unit_calls:
        for number in range(count, count + MOST_MORE + 1):
            if number not in made:
                made[number] = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * number)(external)
                address = ctypes.cast(made[number], ctypes.c_void_p).value
                assert address is not None
                llvm.add_symbol(f"{OPS['external'].llvm}_{number}", address)


@once
def _callbacks() -> "dict[int, ctypes._CFunctionType]":
    """The callbacks by the number of their arguments; machine code may call them as long as the process lives."""
    return {}
