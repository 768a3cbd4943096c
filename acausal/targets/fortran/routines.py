"""The routines of a program in Fortran, with the kernels around those that track branches, and what these call."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.runtime.blocks.least_norm import solve_least_norm
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import solve_newton
from acausal.runtime.blocks.pivots import note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.branches.tracked import TrackedRoutine, tracked_routine, tracker
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.names import fortran_name
from acausal.runtime.kernel.fortran.types import type_name
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import Scalar
from acausal.targets.c.structures.fixed_run import has_events, kernels_of_run
from acausal.targets.fortran.routine import ARGUMENTS, FortranRoutine, routine_head, routine_procedure
from acausal.targets.readable_routine import slot_names
from acausal.targets.source_lines import source_lines

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

Kernel = Callable[..., object]
_DOCS = {
    "setup": "Complete p: values computed from others where u is 0, then what the routines need of all.",
    "initial": "States of the first instant at time t (s) into out, and start values of blocks into m.",
    "derivatives": "Rates of the states y at time t (s) into out, in their units per second.",
    "variables": "All stored variables into out, then the conditions of `assert` and `terminate`.",
    "events": "New values of what only events change, restarts and announcements into out.",
    "crossings": "Root functions into out: a change of sign is an event.",
    "choices": "Matrices by which the choice of states is judged, into out.",
}
_NEEDED = ("setup", "initial", "derivatives", "variables")
"""Called by the module itself, whether or not they have code."""


def kernels_of(program: Program) -> list[Kernel]:
    """The kernels that a model calls."""
    found: dict[Kernel, None] = dict.fromkeys(kernels_of_run(program, has_events(program)))
    for name in ROUTINES:
        kernel = tracker(program, name) if routine_of(program, name).code else None
        if kernel is not None:
            found[kernel] = None
        for _, _, value in routine_of(program, name).code:
            found |= dict.fromkeys(_kernels_of_block(value))
    return list(found)


def _kernels_of_block(value: object) -> tuple[Kernel, ...]:
    if isinstance(value, NewtonSolve):
        return solve_newton, note_pivots
    if isinstance(value, LinearSolve):
        if value.norm is not None:
            return solve_least_norm, singular_values
        return (solve_refined if value.refined else solve_linear,)
    if isinstance(value, LinearFactor):
        return (factor_linear,)
    return (solve_factored,) if isinstance(value, FactoredSolve) else ()


def routines(model: "CompiledModel", kernels: tuple[Function, ...]) -> Iterator[str]:
    """All routines that have code, and those that the module calls."""
    program = model.program
    slots, lines = slot_names(program), source_lines(model.stages)
    names = tuple([function.name for function in kernels])
    for name, doc in _DOCS.items():
        routine = routine_of(program, name)
        if not routine.code and name not in _NEEDED:
            continue
        kernel = tracker(program, name) if routine.code else None
        inner = name if kernel is None else f"{name}_untracked"
        yield from routine_procedure(FortranRoutine(inner, routine, slots, lines, program, names), doc)
        if kernel is not None:
            yield from _tracked(program, name, inner, kernel.__name__)


def _tracked(program: Program, name: str, inner: str, kernel: str) -> Iterator[str]:
    """A function that calls a kernel for the routine."""
    context = tracked_routine(program, name, inner)
    declarations, statements = [f"    type({type_name(TrackedRoutine)}), target :: c"], []
    for field, (_, kind) in fields(TrackedRoutine).items():
        value = getattr(context, field)
        place = f"c%{fortran_name(field)}"
        if kind is Scalar.INTS:
            numbers = ", ".join([f"{number}_i8" for number in value] or ["0_i8"])
            last = max(len(value), 1) - 1
            declarations.append(wrapped(f"integer(i8), target, save :: {field}(0:{last}) = [{numbers}]", 2))
            statements.append(f"    {place}(0:) => {field}")
        else:
            statements.append(f"    {place} => {value}" if not isinstance(value, int) else f"    {place} = {value}_i8")
    yield from [*routine_head(name), *declarations, *statements]
    yield from [f"    status = {kernel}(c, {ARGUMENTS})", f"  end function {name}", ""]
