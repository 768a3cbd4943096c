"""The files of the Fortran target: a module, and a program that simulates (`name.main.f90`).

Equations are solved by the kernels of the run time, printed as Fortran (`runtime/kernel/fortran`).
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from acausal.base.options import SimulateOptions
from acausal.ir.instructions import FactoredSolve, LinearFactor, LinearSolve, NewtonSolve
from acausal.ir.names import show_derivative, show_name
from acausal.ir.program import Program, routine_of
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import solve_newton
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.fortran.layout import comment, wrapped
from acausal.runtime.kernel.fortran.printer import KINDS, constants_and_interfaces, procedures, support
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.runtime.kernel.tree import Function
from acausal.simulate.system.settings import settings
from acausal.targets.fortran.integrator import INTEGRATOR, MAIN, OWN_FUNCTIONS
from acausal.targets.fortran.routine import FortranRoutine, routine_procedure
from acausal.targets.readable_routine import slot_names
from acausal.targets.source_lines import one_line, source_lines
from acausal.targets.target_options import TargetOptions
from acausal.targets.unsupported import unsupported
from acausal.version import __version__

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_table import Files

LONGEST = 64
"""Characters of names in tables."""
WRITTEN = ("setup", "initial", "derivatives", "variables")
_DOCS = {
    "setup": "Complete p: values computed from others where u is 0, then what the routines need of all.",
    "initial": "States of the first instant at time t (s) into out, and start values of blocks into m.",
    "derivatives": "Rates of the states y at time t (s) into out, in their units per second.",
    "variables": "All stored variables into out, then the conditions of `assert` and `terminate`.",
}


def fortran_files(model: "CompiledModel", name: str, options: TargetOptions) -> "Files":  # noqa: ARG001 - of all targets
    """The module and the program."""
    program = model.program
    _check(program)
    module = f"{''.join([c if c.isalnum() else '_' for c in name])}_model"
    module = module if module[0].isalpha() else f"m_{module}"
    kernels = check_kernels(_kernels(program)) if _kernels(program) else ()
    body = "\n".join([*_routines(model, kernels), INTEGRATOR, *procedures(kernels), ""])
    text = [*_head(program, module), *constants_and_interfaces(kernels), *_tables(model), "contains", ""]
    own = [definition for called, definition in OWN_FUNCTIONS.items() if f"{called}(" in body]
    functions = list(support("\n".join([body, *own])))
    return {
        ".f90": "\n".join([*text, body, *own, *functions, f"end module {module}", ""]),
        ".main.f90": MAIN.replace("MODULE", module),
    }


def _check(program: Program) -> None:
    """ModelError F040 for what the module cannot do."""
    for slot in program.table.frozen:
        raise unsupported(
            "Fortran", f"events (`{slot.text or show_name(slot.name)}`)", slot.origin, "use --target python"
        )
    for delay in program.delays:
        raise unsupported("Fortran", "delays", delay.origin, "use --target python")


def _kernels(program: Program) -> list[Callable[..., object]]:
    """The kernels that solve the blocks of a program."""
    found: dict[Callable[..., object], None] = {}
    for name in WRITTEN:
        for _, _, value in routine_of(program, name).code:
            if isinstance(value, NewtonSolve):
                found[solve_newton] = None
            elif isinstance(value, LinearSolve):
                found[solve_refined if value.refined else solve_linear] = None
            elif isinstance(value, LinearFactor):
                found[factor_linear] = None
            elif isinstance(value, FactoredSolve):
                found[solve_factored] = None
    return list(found)


def _head(program: Program, module: str) -> Iterator[str]:
    yield comment(f"The model {one_line(program.name)}, made by acausal {__version__}.")
    yield "!"
    yield comment("Arrays begin at 0: states y, inputs u, parameters and values computed from them p, memory of")
    yield comment("nonlinear blocks m, results out. Functions return 0, or the number of a block without solution.")
    yield from [f"module {module}", "  use, intrinsic :: ieee_arithmetic, only: &"]
    yield "    ieee_is_finite, ieee_value, ieee_quiet_nan, ieee_positive_inf"
    yield from ["  implicit none", "  private :: ieee_is_finite, ieee_value, ieee_quiet_nan, ieee_positive_inf", KINDS]


def _tables(model: "CompiledModel") -> Iterator[str]:
    program = model.program
    times = settings(SimulateOptions(), program.experiment)
    sizes = {
        "state_count": len(program.state_slots),
        "input_count": program.input_size,
        "parameter_count": len(program.parameter_slots),
        "parameter_size": program.parameter_size,
        "memory_size": max(program.memory_size, 1),
        "initial_size": max(program.result_size("initial"), 1),
        "variable_count": len(program.variable_slots),
        "stored_size": max(program.stored_size, 1),
    }
    yield from [f"  integer, parameter :: {name} = {value}" for name, value in sizes.items()]
    numbers = {
        "start_time": times.start,
        "stop_time": times.stop,
        "output_interval": program.experiment.interval or 0.0,
    }
    numbers["model_tolerance"] = times.tolerance
    yield from [f"  real(dp), parameter :: {name} = {literal_text(float(value))}" for name, value in numbers.items()]
    slots, folded = program.parameter_slots, set(model.folded)
    yield from _names("state_names", [show_derivative(*s.symbol) for s in program.state_slots])
    yield from _names("input_names", [show_derivative(*s) for s in program.input_slots])
    yield from _names("parameter_names", [show_name(s.name) for s in slots])
    yield from _vector("real(dp)", "parameter_values", [literal_text(float(s.value)) for s in slots])
    fixed = [s.constant or s.name in folded for s in slots]
    yield from _vector("logical", "parameter_is_fixed", [".true." if f else ".false." for f in fixed])
    variables = program.variable_slots
    yield from _names("variable_names", [show_derivative(*v.symbol) for v in variables])
    kinds = ("stored", "parameter", "constant", "time")
    yield from _vector("integer", "variable_kinds", [str(kinds.index(v.kind)) for v in variables])
    yield from _vector("integer", "variable_places", [str(v.position) for v in variables])
    yield from _vector("real(dp)", "variable_signs", [literal_text(float(v.sign)) for v in variables])
    yield from _vector("real(dp)", "variable_values", [literal_text(float(v.value)) for v in variables])


def _names(name: str, texts: list[str]) -> Iterator[str]:
    shown = [text.replace('"', "'")[:LONGEST].ljust(LONGEST) for text in texts]
    yield from _vector(f"character({LONGEST})", name, [f'"{text}"' for text in shown], 1)


def _vector(kind: str, name: str, items: list[str], row: int = 4) -> Iterator[str]:
    """A constant array; arrays are made of parts, as a statement has 256 lines at most."""
    most = 200 * row
    if len(items) > most:
        chunks = [items[i : i + most] for i in range(0, len(items), most)]
        for number, chunk in enumerate(chunks):
            yield from _vector(kind, f"{name}_{number}", chunk, row)
        joined = ", ".join([f"{name}_{number}" for number in range(len(chunks))])
        yield wrapped(f"{kind}, parameter :: {name}(0:{len(items) - 1}) = [{joined}]", 1)
        return
    if not items:
        yield f"  {kind}, parameter :: {name}(0:-1) = [{kind} ::]"
        return
    yield f"  {kind}, parameter :: {name}(0:{len(items) - 1}) = [ &"
    rows = [", ".join(items[i : i + row]) for i in range(0, len(items), row)]
    yield from [f"    {text}, &" for text in rows[:-1]]
    yield from [f"    {rows[-1]} &", "    ]"]


def _routines(model: "CompiledModel", kernels: tuple[Function, ...]) -> Iterator[str]:
    program = model.program
    slots, lines = slot_names(program), source_lines(model.stages)
    names = tuple([function.name for function in kernels])
    for name in WRITTEN:
        routine = FortranRoutine(name, routine_of(program, name), slots, lines, program, names)
        yield from routine_procedure(routine, _DOCS[name])
