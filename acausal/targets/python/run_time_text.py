"""The run time of a model's module: what the model needs of our own kernels and of the run with SciPy."""

import re
from collections.abc import Iterable, Sequence

from acausal.ir.program.instructions import NewtonSolve
from acausal.ir.program.program import ROUTINES, Program, routine_of
from acausal.targets.divisor_routine import divisor_routine
from acausal.targets.python.inline import Inlined
from acausal.targets.python.own_module import Definition
from acausal.targets.python.routine import NUMPY

SIMULATION = "acausal.targets.python.simulation"
SOLVERS = "acausal.codegen.numpy.numpy_solvers"
HOMOTOPY = "acausal.codegen.numpy.numpy_homotopy"
_HERE = "acausal.targets.python"
_TRACKED = "acausal.runtime.branches.tracked"
_RESULTS, _SLOPES = "acausal.runtime.branches.branch_results", "acausal.runtime.branches.branch_slopes"
_OPTIONAL: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("memory", "acausal.simulate.system.branches", ("Branches",)),
    ("memory", "acausal.simulate.system.followed_steps", ("FollowedSteps",)),
    ("memory", _SLOPES, ("end_step", "is_rough")),
    ("memory", _RESULTS, ("predict",)),
    ("followed", _TRACKED, ("TRACKERS", "near_results")),
    ("followed", "acausal.runtime.branches.moved_routine", ("TrackedRoutine",)),
    ("delays", f"{_HERE}.run_delays", ("Delayed",)),
    ("choices", "acausal.runtime.state_selection", ("StateSelections", "judge_selections")),
    ("hidden", f"{_HERE}.run_hidden", ("HiddenCrossings",)),
    ("phases", "acausal.runtime.phase_checks", ("next_check",)),
    ("frozen", f"{_HERE}.run_events", ("Events",)),
    ("others", "acausal.runtime.events.restart_others", ("restart_others",)),
    ("crossings", "acausal.simulate.solver.scipy_solvers.bisect", ("locate",)),
    ("sets", f"{_HERE}.run_sets", ("SetsOfRun",)),
    ("divisors", f"{_HERE}.run_poles", ("PassedPoles",)),
)
"""Parts of a run, and the definitions that only they use."""


def run_time_of(sets: Sequence[Program]) -> Inlined:
    """Everything that the module of a model with these sets of states calls."""
    each = [_needs(program) for program in sets]
    needs = {part: any(one[part] for one in each) for part in each[0]} | {"sets": len(sets) > 1}
    absent = [(module, name) for part, module, names in _OPTIONAL if not needs[part] for name in names]
    roots: list[Definition] = [(SIMULATION, "run_model"), (f"{_HERE}.run_command", "main")]
    roots += dict.fromkeys([solver for one in sets for solver in solvers_of(one)])
    return Inlined(roots, absent, (*ROUTINES, "divisors", *NUMPY))


def _needs(program: Program) -> dict[str, bool]:
    table = program.table
    return {
        "divisors": divisor_routine(program) is not None,
        "memory": program.memory > 0,
        "followed": program.followed > 0,
        "delays": bool(program.delays),
        "choices": bool(program.choice_table.slots),
        "hidden": bool(table.hidden),
        "phases": table.phase is not None,
        "frozen": bool(table.frozen),
        "others": any(slot.state is None for slot in table.restarts),
        "crossings": table.crossings > 0,
    }


def solvers_of(program: Program, routines: Iterable[str] = ROUTINES) -> list[Definition]:
    """Functions that solve the blocks of the routines of a program."""
    text = {
        "newton_solve": "newton_solution",
        "linear_solve": "linear_solution",
        "factored_solve": "factored_solution",
        "linear_factor": "store_factors",
    }
    found: dict[str, None] = {}
    has_homotopy = False
    for name in routines:
        for op, _, value in routine_of(program, name).code:
            if isinstance(value, NewtonSolve) and value.homotopy:
                has_homotopy = True
            elif op in text:
                found[text[op]] = None
            if getattr(value, "norm", None) is not None:
                found["least_norm_solution"] = None
            if getattr(value, "refined", False):
                found["refined_solution"] = None
    return [*[(SOLVERS, name) for name in found], *[(HOMOTOPY, "start_solution")] * has_homotopy]


def imports_text(run_time: Inlined, routines: str) -> str:
    """Imports of Python's library, then functions of NumPy in the routines."""
    lines = [f"import {module}" for module, name in run_time.libraries if not name]
    modules: dict[str, list[str]] = {}
    for module, name in sorted(run_time.libraries):
        if name and name not in NUMPY:
            modules.setdefault(module, []).append(name)
    lines += [f"from {module} import {', '.join(names)}" for module, names in modules.items()]
    used = [name for name in NUMPY if re.search(rf"\b{name}\(", routines)]
    own = [f"from numpy import {', '.join(sorted({'log', *used}))}"]
    return "\n".join([*lines, "", *own, ""])
