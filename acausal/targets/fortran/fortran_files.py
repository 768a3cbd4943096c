"""The files of the Fortran target: a module, and a program that simulates (`name.main.f90`).

The run time is ours, printed as Fortran (`runtime/kernel/fortran`), with the structures of the C target.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from acausal.base.options import SimulateOptions
from acausal.ir.program.program import Program
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.fortran.layout import comment
from acausal.runtime.kernel.fortran.printer import KINDS, constants_and_interfaces, overlays, procedures, support
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.runtime.poles import passes_pole
from acausal.simulate.system.settings import settings
from acausal.targets.c.c_files import steps_of
from acausal.targets.c.structures.contexts import add_all_contexts
from acausal.targets.c.structures.delay_context import history_room
from acausal.targets.c.structures.runtime_text import ADAPTERS, STRUCTURES
from acausal.targets.divisor_routine import divisor_count, divisor_routine
from acausal.targets.fortran.adapters import adapter
from acausal.targets.fortran.main_text import MAIN
from acausal.targets.fortran.memory import FortranMemory
from acausal.targets.fortran.own_functions import OWN_FUNCTIONS
from acausal.targets.fortran.routines import kernels_of, routines
from acausal.targets.fortran.run import model_members, run_text
from acausal.targets.fortran.tables import tables
from acausal.targets.source_lines import one_line
from acausal.targets.state_sets import state_sets
from acausal.targets.target_options import TargetOptions
from acausal.version import __version__

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_table import Files


def fortran_files(model: "CompiledModel", name: str, options: TargetOptions) -> "Files":
    """The module and the program."""
    sets = state_sets(model, "Fortran")
    program = sets[0]
    module = f"{''.join([c if c.isalnum() else '_' for c in name])}_model"
    module = module if module[0].isalpha() else f"m_{module}"
    memory = FortranMemory()
    steps = steps_of(model, options)
    divisors = [divisor_routine(one) for one in sets]
    add_all_contexts(memory, sets, history_room(program, steps.length), [divisor_count(one) for one in divisors])
    adapters = [name for name in ADAPTERS if any(line.endswith(f" => {name}") for line in memory.all_bindings)]
    watching = [passes_pole] if any(divisors) else []
    called_kernels = dict.fromkeys([*kernels_of(sets), *watching, *[ADAPTERS[name][1] for name in adapters]])
    kernels = check_kernels(list(called_kernels))
    run = run_text(sets, memory, steps, any(divisors))
    called = [line for name in adapters for line in adapter(name, *ADAPTERS[name])]
    parts = [*routines(model, sets, kernels), run, *called, *procedures(kernels), *overlays(kernels, STRUCTURES), ""]
    body = "\n".join(parts)
    times = settings(SimulateOptions(), program.experiment)
    numbers = {
        "experiment_start": times.start,
        "experiment_stop": times.stop,
        "output_interval": program.experiment.interval or 0.0,
    }
    text = [
        *_head(program, module),
        *constants_and_interfaces(kernels, STRUCTURES),
        *[f"  real(dp), parameter :: {name} = {literal_text(float(value))}" for name, value in numbers.items()],
        *tables(model),
        *memory.tables,
        *model_members(sets, memory),
        "contains",
        "",
    ]
    own = [definition for called, definition in OWN_FUNCTIONS.items() if f"{called}(" in body]
    functions = list(support("\n".join([body, *own])))
    return {
        ".f90": "\n".join([*text, body, *own, *functions, f"end module {module}", ""]),
        ".main.f90": MAIN.replace("MODULE", module),
    }


def _head(program: Program, module: str) -> Iterator[str]:
    yield comment(f"The model {one_line(program.name)}, made by acausal {__version__}.")
    yield "!"
    yield comment("Arrays begin at 0: states y, discrete values and inputs u, parameters and values computed from them")
    yield comment(
        "p, memory of nonlinear blocks m, results out. Functions return 0, or the number of a block without solution."
    )
    yield from [f"module {module}", "  use, intrinsic :: ieee_arithmetic, only: &"]
    yield "    ieee_is_finite, ieee_value, ieee_quiet_nan, ieee_positive_inf"
    yield "  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_f_pointer"
    yield from ["  implicit none", "  private :: ieee_is_finite, ieee_value, ieee_quiet_nan, ieee_positive_inf"]
    yield from ["  private :: c_ptr, c_null_ptr, c_loc, c_f_pointer", KINDS]
