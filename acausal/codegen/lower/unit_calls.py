"""Calls of functions of units (`ir.external`) in routines."""

from collections.abc import Iterable, Iterator

from acausal.ir.program.instructions import NewtonSolve, Routine, operators

WITH_CALLS = frozenset(("external", "newton_solve"))


def unit_calls(routines: Iterable[Routine]) -> tuple[int, ...]:
    """The numbers of arguments that these calls have."""
    return tuple(sorted({count for routine in routines for count in _counts(routine)}))


def _counts(routine: Routine) -> Iterator[int]:
    """Also within nonlinear blocks."""
    if WITH_CALLS.isdisjoint(operators(routine.code)):
        return
    for op, args, value in routine.code:
        if op == "external":
            yield len(args)
        elif isinstance(value, NewtonSolve):
            yield from _counts(value.residuals)
