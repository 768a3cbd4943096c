"""The core of a model in C: one file with all of the run time, and its header.

`write_core` is what other targets build on; the interface stands in the header that it writes.
"""

from collections.abc import Callable, Mapping, Sequence

from acausal.base.frozen import record
from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.runtime.poles import passes_pole
from acausal.targets.c.interface.common_text import COMMON
from acausal.targets.c.interface.events_text import WITH_EVENTS, WITHOUT_EVENTS
from acausal.targets.c.interface.filled_text import filled, replaced
from acausal.targets.c.interface.header_text import DECLARATIONS
from acausal.targets.c.interface.sets_text import kernels_of_sets
from acausal.targets.c.interface.step_api import StepText
from acausal.targets.c.interface.texts import block_texts, texts
from acausal.targets.c.program.identifiers import macros_of
from acausal.targets.c.program.lines import Used
from acausal.targets.c.program.routines import Origins, function_text, routines_text
from acausal.targets.c.program.values import constant
from acausal.targets.c.single_precision import SHARE, in_single_precision
from acausal.targets.c.structures.contexts import add_all_contexts
from acausal.targets.c.structures.delay_context import add_reports, history_room
from acausal.targets.c.structures.fixed_run import Steps, has_events, kernels_of_run, run_settings
from acausal.targets.c.structures.memory import Memory
from acausal.targets.c.structures.operation_bounds import operation_bounds
from acausal.targets.c.structures.runtime_text import ADAPTERS, header_types, runtime_text
from acausal.targets.divisor_routine import divisor_count, divisor_routine
from acausal.version import __version__

Kernel = Callable[..., object]
NOTHING_ADDED = StepText("", "")


@record(frozen=True, slots=True)
class CoreText:
    """The parts of a model's file: its header, its own functions, and what these need of the run time."""

    header: str
    model: str
    kernels: tuple[Kernel, ...]
    adapters: tuple[str, ...]
    helpers: tuple[str, ...]
    single: bool = False


def write_core(
    program: Program,
    prefix: str = "m",
    folded: Sequence[Name] = (),
    origins: Origins | None = None,
    steps: Steps = Steps(),  # noqa: B008 - frozen
) -> dict[str, str]:
    """The two files of a model, by name: `PREFIX.h` and `PREFIX.c`."""
    made = core_text((program,), prefix, folded, origins or {}, steps)
    return {f"{prefix}.h": made.header, f"{prefix}.c": source_text(f'#include "{prefix}.h"', [made])}


def source_text(first: str, models: Sequence[CoreText]) -> str:
    """A translation unit of some models, which share the run time; `first` includes their headers."""
    kernels = dict.fromkeys([kernel for model in models for kernel in model.kernels])
    adapters = sorted({name for model in models for name in model.adapters})
    helpers = sorted({text for model in models for text in model.helpers})
    runtime = runtime_text(kernels, adapters, helpers)
    if any(model.single for model in models):
        runtime = in_single_precision(runtime, scaled=True)
    return "\n".join([first, runtime, *[model.model for model in models]])


def core_text(
    sets: Sequence[Program],
    prefix: str,
    folded: Sequence[Name],
    origins: Origins,
    steps: Steps,
    added: StepText = NOTHING_ADDED,
    has_loop: bool = False,
    is_fmu: bool = False,
) -> CoreText:
    """The parts of a model's file; `has_loop` if its run is the loop over events even where there are none.

    `is_fmu` if an integrator outside, or CVODE, makes the steps: there is no room for implicit ones, and the history of
    delays goes on with steps that are reported.

    `sets` are the programs of the model with each set of states that a run may select, `origins` those of the first.
    """
    program = sets[0]
    has_loop = has_loop or has_events(program) or len(sets) > 1
    used = Used(macros_of(prefix))
    divisors = [divisor_routine(one) for one in sets]
    routines = []
    for number, (one, routine) in enumerate(zip(sets, divisors, strict=True)):
        suffix, its_origins = (f"_{number}", {}) if number else ("", origins)
        routines += routines_text(one, used, its_origins, suffix)
        if routine is not None:
            routines += function_text(one, f"divisors{suffix}", routine, used, {})
    memory = Memory()
    counts, room = [divisor_count(one) for one in divisors], history_room(program, steps.length)
    add_all_contexts(memory, sets, room, counts, is_implicit=not is_fmu)
    if is_fmu and program.delays:
        add_reports(memory, program)
    folded = [name for name in folded if name in program.parameter_positions and program.setup.code]
    if folded:
        memory.array("folded", len(folded))
    kernels = (*used.kernels, *[kernel for one in sets for kernel in kernels_of_run(one, has_loop)])
    kernels = (*kernels, *kernels_of_sets(sets))
    if any(divisors):
        kernels = (*kernels, passes_pole)
    adapters = [name for name in ADAPTERS if any(f" = {name};" in line for line in memory.all_bindings)]
    template = COMMON + (WITH_EVENTS if has_loop else WITHOUT_EVENTS)
    macros = [
        *_macros(sets, prefix),
        *_bounds(program, prefix, steps),
        *_operations(sets, prefix, steps, memory, has_loop),
    ]
    model = "\n".join(
        [
            *_defines(prefix, _settings(program, steps)),
            *memory.tables,
            *_texts(program, folded, has_loop),
            "",
            *[line.replace("NEWTON_ITERATIONS", f"{prefix.upper()}_NEWTON_ITERATIONS") for line in routines],
            added.definitions,
            filled(template + added.appended, prefix, sets, memory, folded),
        ]
    )
    given = {
        "VERSION": __version__,
        "NAME": program.name,
        "MACROS": "\n".join(macros),
        "TYPES": header_types(),
        "MEMBERS": "\n".join([f"    {member}" for member in memory.members]),
        "ADDED": added.declarations,
    }
    header = replaced(filled(DECLARATIONS, prefix, sets, memory, folded), given)
    if steps.single:
        header, model = in_single_precision(header, scaled=False), in_single_precision(model, scaled=False)
    return CoreText(header, model, kernels, tuple(adapters), tuple(used.helpers), steps.single)


def _macros(sets: Sequence[Program], prefix: str) -> list[str]:
    """Sizes, in the header."""
    program = sets[0]
    sizes = {
        "PARAMETERS": len(program.parameter_slots),
        "STATES": len(program.state_slots),
        "FROZEN": len(program.table.frozen),
        "INPUTS": len(program.input_slots),
        "VARIABLES": program.stored,
        "CONDITIONS": len(program.conditions),
        "CROSSINGS": max([one.table.crossings for one in sets]),
        "MEMORY": max([one.memory_size for one in sets]),
        "BLOCKS": len(program.blocks),
        "P": max(1, program.parameter_size),
        "Y": max(1, *[one.result_size("initial") for one in sets]),
        "U": max(1, program.input_size),
        "M": max(1, *[one.memory_size for one in sets]),
        "RESULTS": max(1, *[max(one.stored_size, one.choice_table.results) for one in sets]),
    }
    return _defines(prefix, sizes)


def _bounds(program: Program, prefix: str, steps: Steps) -> list[str]:
    """Settings that can be chosen when the file is compiled."""
    name = prefix.upper()
    values = {
        "STEP": repr(steps.length),
        "METHOD": repr(steps.method),
        "MOST_EVENTS": repr(steps.events),
        "MOST_PARTS": f"(2 * {name}_MOST_EVENTS + 64)",
        "MOST_PASSES": repr(run_settings(program, 1.0)["MOST_PASSES"]),
        "NEWTON_IN_STEP": repr(steps.newton),
        "NEWTON_ITERATIONS": repr(steps.block_iterations),
    }
    return [
        line
        for key, value in values.items()
        for line in (f"#ifndef {name}_{key}", f"#define {name}_{key} {value}", "#endif")
    ]


def _operations(sets: Sequence[Program], prefix: str, steps: Steps, memory: Memory, has_loop: bool) -> list[str]:
    """Bounds of the numbers of operations."""
    counts = operation_bounds(sets, memory, steps.method, steps.block_iterations, steps.newton, has_loop)
    name = prefix.upper()
    return [
        "/* Floating-point operations at most: of the derivatives, of a step in one part without events, with its",
        "   outputs, of a part with what is located in it, of an event without its passes, of one of these, of a call",
        f"   of {prefix}_step. */",
        *[f"#define {name}_OPERATIONS_{key} {value!r}" for key, value in counts.items()],
        f"#define {name}_MAX_OPERATIONS ({name}_OPERATIONS_STEP + {name}_MOST_PARTS * {name}_OPERATIONS_PART + \\",
        f"    {name}_MOST_EVENTS * ({name}_OPERATIONS_EVENT + {name}_MOST_PASSES * {name}_OPERATIONS_PASS))",
    ]


def _settings(program: Program, steps: Steps) -> dict[str, float]:
    """Numbers that the run depends on, but for those of the header."""
    found = run_settings(program, SHARE if steps.single else 1.0)
    return {name: value for name, value in found.items() if name != "MOST_PASSES"}


def _defines(prefix: str, values: Mapping[str, float]) -> list[str]:
    return [f"#define {prefix.upper()}_{name} {value!r}" for name, value in values.items()]


def _texts(program: Program, folded: Sequence[Name], has_loop: bool) -> list[str]:
    """Default parameters, and texts of failures."""
    values = ", ".join([constant(slot.value).text for slot in program.parameter_slots]) or "0.0"
    positions = program.parameter_positions
    fixed = [positions[name] for name in folded]
    conditions = [slot.text for slot in program.conditions] + [slot.text for slot in program.table.announcements]
    asserts = ", ".join([str(int(slot.kind == "assert")) for slot in program.table.announcements]) or "0"
    lines = [f"static const double default_parameters[] = {{{values}}};"]
    if fixed:
        lines.append(f"static const int folded_parameters[] = {{{', '.join([str(i) for i in fixed])}}};")
    if has_loop:
        lines.append(f"static const int announcement_asserts[] = {{{asserts}}};")
    return [
        *lines,
        *texts("block_texts", block_texts(program)),
        *texts("condition_texts", conditions),
    ]
