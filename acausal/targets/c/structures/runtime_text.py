"""Kernels of the run time as C for the models of one translation unit, with adapters of those called by address."""

import re
from collections.abc import Callable, Iterable, Sequence

from acausal.base.caches import once
from acausal.runtime.context import Restarter, Searcher, SolverRecord
from acausal.runtime.crossings.hidden_search import HiddenSearch, Watch
from acausal.runtime.crossings.hidden_steps import search_step, watch_within
from acausal.runtime.crossings.root_search import RootSearch
from acausal.runtime.cvode.cvode_context import (
    Count,
    Interpolate,
    Reinit,
    RootInfo,
    SearchStep,
    SetCount,
    SetTime,
    Solve,
    StateMonitor,
)
from acausal.runtime.events.loop_context import LoopContext, StepWithHistory
from acausal.runtime.events.relations.relation_search import search_relations
from acausal.runtime.events.reported_polynomials import ReportedSteps
from acausal.runtime.events.restart_others import restart_others
from acausal.runtime.events.single_steps import step_to
from acausal.runtime.inputs import WITH_INPUTS, InputContext, initial_with_history
from acausal.runtime.kernel.c.layout import wrapped
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.printer import HEAD, print_functions
from acausal.runtime.kernel.c.types import Types, declared, type_declarations, types_of
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.routines import ModelRoutine
from acausal.runtime.kernel.signature import signature, type_of
from acausal.runtime.kernel.types import RoutineType, Scalar, StructType
from acausal.runtime.poles import PoleWatch
from acausal.runtime.state_selection import StateSelections, judge_selections
from acausal.runtime.state_sets import StateSets
from acausal.runtime.steps.fixed_methods import FixedSolver
from acausal.runtime.steps.fixed_steps import (
    begin_watch,
    count_fixed,
    interpolate_fixed,
    limit_fixed,
    solve_fixed,
    watch_fixed,
)
from acausal.runtime.steps.time_as_solver import begin_time, count_nothing, crossed_roots, ignore_time, stop_time
from acausal.runtime.steps.time_steps import Begin

Kernel = Callable[..., object]
STRUCTURES = (
    LoopContext,
    SolverRecord,
    FixedSolver,
    RootSearch,
    HiddenSearch,
    StateSelections,
    StateSets,
    InputContext,
    PoleWatch,
    ReportedSteps,
)
"""Structures in the memory of a model, with what they point to: the same for all models."""
ROUTINES_WITH_INPUTS = ("derivatives", "events", "crossings", "choices")
ADAPTERS: dict[str, tuple[type, Kernel]] = {
    "in_place_solve": (Solve, solve_fixed),
    "in_place_set_stop": (SetTime, stop_time),
    "in_place_root_info": (RootInfo, crossed_roots),
    "in_place_reinit": (Reinit, begin_time),
    "in_place_ignore": (SetTime, ignore_time),
    "in_place_count": (Count, count_fixed),
    "in_place_count_nothing": (Count, count_nothing),
    "in_place_limit": (SetCount, limit_fixed),
    "in_place_interpolate": (Interpolate, interpolate_fixed),
    "in_place_watch": (Watch, watch_fixed),
    "in_place_begin": (Begin, begin_watch),
    "in_place_search": (SearchStep, search_step),
    "in_place_monitor": (StateMonitor, judge_selections),
    "cvode_watch": (Watch, watch_within),
    "in_place_history": (StepWithHistory, step_to),
    "initial_with_inputs": (ModelRoutine, initial_with_history),
    **{f"{name}_with_inputs": (ModelRoutine, WITH_INPUTS[name]) for name in ROUTINES_WITH_INPUTS},
    "in_place_restart": (Restarter, restart_others),
    "in_place_search_relations": (Searcher, search_relations),
}
"""Functions with the types under which kernels are called by their addresses."""


@once
def memory_types() -> Types:
    """The types of the structures in the memory of a model."""
    return types_of((), STRUCTURES)


@once
def header_types() -> str:
    """Their declarations."""
    return renamed("\n".join(type_declarations(memory_types())), memory_types())


def runtime_text(kernels: Iterable[Kernel], adapters: Sequence[str], helpers: Iterable[str]) -> str:
    """Kernels with those that they call, adapters and helpers; all are static."""
    called = dict.fromkeys([*kernels, *[ADAPTERS[name][1] for name in adapters]])
    functions = check_kernels(list(called))
    types = types_of(functions)
    own = "\n".join([*type_declarations(types.without(memory_types())), ""])
    text = print_functions(functions, (), own)
    parts = [renamed(text, types), *helpers, *[_adapter(name, *ADAPTERS[name]) for name in adapters]]
    return "\n".join([HEAD, *parts])


def renamed(text: str, types: Types) -> str:
    """The text with types that are named for this program, outside of comments."""
    if not types.names:
        return text
    names = re.compile(rf"\b({'|'.join(types.names)})\b(?! =)")
    pieces = re.split(r"(/\*.*?\*/)", text, flags=re.DOTALL)
    return "".join([piece if i % 2 else names.sub(r"acausal_\1", piece) for i, piece in enumerate(pieces)])


def _adapter(name: str, protocol: type, kernel: Kernel) -> str:
    """A function of the type of a protocol that calls a kernel with the same arguments."""
    kind = type_of(protocol)
    assert isinstance(kind, RoutineType)
    given = [declared(scalar, c_name(n)) for scalar, n in zip(kind.parameters, kind.names, strict=True)]
    wanted = [type_of(annotation) for _, annotation in signature(kernel)[0]]
    passed = []
    for scalar, argument, target in zip(kind.parameters, kind.names, wanted, strict=True):
        text = c_name(argument)
        if isinstance(target, StructType):
            text = f"(acausal_{target.struct.__name__} *){text}"
        elif scalar is Scalar.ADDRESS and target is Scalar.REALS:
            text = f"(double *){text}"
        passed.append(text)
    call = f"{kernel.__name__}({', '.join(passed)});"
    head = wrapped(f"static {declared(kind.result, name)}({', '.join(given)})")
    return f"{head}\n{{\n    {'' if kind.result is Scalar.NOTHING else 'return '}{call}\n}}\n"
