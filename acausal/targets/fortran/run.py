"""The run of a model in Fortran: its structure, and the procedures of `run_text` for it."""

import re
from collections.abc import Iterator, Sequence

from acausal.ir.program.program import Program
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.context import DONE
from acausal.runtime.cvode.callbacks import EVERY, ILL_CONDITIONED_STATES, NORMAL
from acausal.runtime.events.exported_run import AT_EVENT, CHATTERING
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.runtime.kernel.signature import fields
from acausal.runtime.steps.fixed_methods import NOT_FINITE
from acausal.targets.c.interface.filled_text import replaced
from acausal.targets.c.structures.fixed_run import Steps, has_events, run_settings
from acausal.targets.fortran.delay_text import DELAY_PIECES, delay_pieces
from acausal.targets.fortran.loop_text import WITH_EVENTS, WITHOUT_EVENTS
from acausal.targets.fortran.memory import FortranMemory
from acausal.targets.fortran.run_text import COMMON, STATUSES, WATCH_STEP
from acausal.targets.fortran.sets_text import PIECES, SEVERAL, bind_cases


def model_members(sets: Sequence[Program], memory: FortranMemory) -> Iterator[str]:
    """Status codes and the type of the model."""
    yield STATUSES
    program, room = sets[0], max([one.memory_size for one in sets])
    sizes = {
        "p": program.parameter_size,
        "given": len(program.parameter_slots),
        "y": max([one.result_size("initial") for one in sets]),
        "u": program.input_size + 1,
        "m": room,
        "kept": room,
        "stored": max([max(one.stored_size, one.choice_table.results) for one in sets]),
    }
    yield "  ! The model: where it is, parameters p with flags of those given, states y, and what a run needs."
    yield from ["  type :: model_type", "    real(dp) :: time = 0.0_dp", "    integer :: events = 0, poles = 0"]
    yield "    integer(i4) :: status = 0, block = 0"
    yield from [f"    real(dp) :: {name}(0:{max(1, size) - 1}) = 0.0_dp" for name, size in sizes.items()]
    yield from [f"    {member}" for member in memory.members]
    yield "  end type model_type"


def run_text(sets: Sequence[Program], memory: FortranMemory, steps: Steps, watches_poles: bool) -> str:
    """The procedures of a run, which counts steps over poles if it `watches_poles`."""
    program, are_several = sets[0], len(sets) > 1
    followed = f"{program.memory}_i8, {program.followed}_i8"
    by_steps = program.memory + fields(BranchRecord)["by_steps"][0]
    own = run_settings(program, 1.0)
    pieces = {
        "BINDINGS": "\n".join(memory.bindings),
        "CONDITIONS": "\n".join(_conditions(program)),
        "PREDICT": f"call predict(m%m, {followed}, m%time)" if program.followed else "",
        "BEGIN_WAY": "call watch_step(m, .true.)" if watches_poles else "",
        "FORGET_POINT": "m%pole_watch%has_point = 0_i8" if watches_poles else "",
        "END_WAY": "call watch_step(m, .false.)" if watches_poles else "",
        "PASS_EVENT": "call watch_step(m, m%events /= events)" if watches_poles else "",
        "WATCH_STEP": WATCH_STEP if watches_poles else "",
        "BEGIN_RECORD": f"call activate(m%m, {program.memory}_i8)" if program.memory else "",
        "BY_STEPS": f"m%m({by_steps}) = 1.0_dp" if program.followed else "",
        "ADVANCE": "status = cvode_advance(m%loop%CvodeContext_type, t_end)"
        if program.choice_table.slots
        else f"status = solve_fixed(m%solver, t_end, c_null_ptr, m%loop%reached, {NORMAL})",
        **{name: literal_text(float(own[name])) for name in ("AHEAD", "TOLERANCE", "FIRST_CHECK")},
        "CHATTERING_TIME": literal_text(float(own["CHATTERING"])),
        "CHATTERING": f"({CHATTERING}_i8)",
        "STEP": literal_text(float(steps.length)),
        "METHOD": f"{steps.method}_i8",
        "MOST_PASSES": f"{own['MOST_PASSES']}_i8",
        "MOST_STEPS": f"{EVERY}_i8" if program.choice_table.slots else "huge(1_i8)",
        "AT_EVENT": str(AT_EVENT),
        "DONE": f"{DONE}_i8",
        "ILL_CONDITIONED_STATES": f"{ILL_CONDITIONED_STATES}_i8",
        "ILL_CONDITIONED": str(ILL_CONDITIONED_STATES),
        "NOT_FINITE": f"({NOT_FINITE})",
        **(delay_pieces(program) if program.delays else dict.fromkeys(DELAY_PIECES, "")),
        "BIND_CASES": "\n".join(bind_cases(memory)),
    }
    text = COMMON + (WITH_EVENTS if are_several or has_events(program) else WITHOUT_EVENTS)
    text = replaced(text, SEVERAL if are_several else PIECES)
    filled = replaced(text, pieces)
    return re.sub(r"\n +\n", "\n", filled)


def _conditions(program: Program) -> Iterator[str]:
    if not program.conditions:
        yield "    status = failed(m, status_ok, 0_i4)"
        return
    yield "    status = find_variables(m)"
    yield "    if (status /= status_ok) return"
    for i, slot in enumerate(program.conditions):
        is_end = slot.kind == "terminate"
        test = f"{'.not. ' if is_end else ''}is_equal(m%stored({slot.position}), 0.0_dp)"
        yield f"    if ({test}) then"
        yield wrapped(f"status = failed(m, {'status_terminated' if is_end else 'status_assertion'}, {i}_i4)", 3)
        yield from ["      return", "    end if"]
