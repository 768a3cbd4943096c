"""The routines of a program in Fortran, with the kernels around those that track branches, and what these call."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from acausal.ir.names import Symbol
from acausal.ir.program.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.runtime.blocks.least_norm import solve_least_norm
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import solve_newton
from acausal.runtime.blocks.pivots import note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.branches.moved_routine import TrackedRoutine
from acausal.runtime.branches.tracked import tracked_routine, tracker
from acausal.runtime.homotopy.solve_start import solve_start
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.names import fortran_name
from acausal.runtime.kernel.fortran.types import type_name
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import Scalar
from acausal.targets.c.interface.sets_text import kernels_of_sets
from acausal.targets.c.structures.fixed_run import has_events, kernels_of_run
from acausal.targets.divisor_routine import divisor_routine
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
    "delayed": "What is delayed, and the time by which it is, of each delay into out.",
    "choices": "Matrices by which the choice of states is judged, into out.",
}
_NEEDED = ("setup", "initial", "derivatives", "variables")
"""Called by the module itself, whether or not they have code."""


def kernels_of(sets: Sequence[Program]) -> list[Kernel]:
    """The kernels that a model calls, with each set of states."""
    found: dict[Kernel, None] = dict.fromkeys(kernels_of_sets(sets))
    for program in sets:
        found |= dict.fromkeys(_kernels_of_set(program, has_events(program) or len(sets) > 1))
    return list(found)


def _kernels_of_set(program: Program, has_loop: bool) -> list[Kernel]:
    found: dict[Kernel, None] = dict.fromkeys(kernels_of_run(program, has_loop))
    for name in ROUTINES:
        kernel = tracker(program, name) if routine_of(program, name).code else None
        if kernel is not None:
            found[kernel] = None
        for _, _, value in routine_of(program, name).code:
            found |= dict.fromkeys(_kernels_of_block(value))
    return list(found)


def _kernels_of_block(value: object) -> tuple[Kernel, ...]:
    if isinstance(value, NewtonSolve):
        return (solve_start, singular_values, note_pivots) if value.homotopy else (solve_newton, note_pivots)
    if isinstance(value, LinearSolve):
        if value.norm is not None:
            return solve_least_norm, singular_values
        return (solve_refined if value.refined else solve_linear,)
    if isinstance(value, LinearFactor):
        return (factor_linear,)
    return (solve_factored,) if isinstance(value, FactoredSolve) else ()


def routines(model: "CompiledModel", sets: Sequence[Program], kernels: tuple[Function, ...]) -> Iterator[str]:
    """All routines that have code, and those that the module calls; `sets` are the programs of the model."""
    names = tuple([function.name for function in kernels])
    yield from _routines(sets[0], source_lines(model.stages), names)
    for number, program in enumerate(sets[1:], 1):
        yield from _routines(program, {}, names, f"_{number}")


def _routines(program: Program, lines: Mapping[Symbol, str], names: tuple[str, ...], suffix: str = "") -> Iterator[str]:
    slots = slot_names(program)
    for name, doc in _DOCS.items():
        routine = routine_of(program, name)
        if not routine.code and name not in _NEEDED:
            continue
        kernel, outer = tracker(program, name) if routine.code else None, f"{name}{suffix}"
        inner = outer if kernel is None else f"{outer}_untracked"
        yield from routine_procedure(FortranRoutine(inner, routine, slots, lines, program, names), doc)
        if kernel is not None:
            yield from _tracked(program, name, (outer, inner), kernel.__name__)
    divisors = divisor_routine(program)
    if divisors is not None:
        made = FortranRoutine(f"divisors{suffix}", divisors, slots, {}, program, names)
        yield from routine_procedure(made, "Divisors of the derivatives that may pass zero, into out.")


def _tracked(program: Program, name: str, functions: tuple[str, str], kernel: str) -> Iterator[str]:
    """A function that calls a kernel for the routine, which is another function."""
    outer, inner = functions
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
    yield from [*routine_head(outer), *declarations, *statements]
    yield from [f"    status = {kernel}(c, {ARGUMENTS})", f"  end function {outer}", ""]
