"""The routines that a solver calls at every step, and when their code is optimized."""

from acausal.ir.program.program import Program

AT_EVERY_STEP = ("derivatives", "crossings")
SHORT = 100
"""Instructions of both: fewer take a hundredth of the solver's time, optimized or not."""
AT_ONCE_UP_TO, TURNS = 1500, 4
"""Lines of text that are optimized at once; more where loops run each of them so often."""
ENOUGH = 200_000
"""Calls for which it pays to optimize more."""


def step_size(program: Program) -> int:
    """Instructions of both."""
    return len(program.derivatives.code) + len(program.crossings.code)


def is_optimized_at_once(program: Program, text: str) -> bool:
    """True if the text for these instructions is so short that optimizing it always pays."""
    lines = text.count("\n")
    return lines <= AT_ONCE_UP_TO or TURNS * lines <= step_size(program)
