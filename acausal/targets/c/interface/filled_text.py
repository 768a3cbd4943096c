"""The templates of the interface in C, filled in for one model."""

import re
from collections.abc import Mapping, Sequence

from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.runtime.branches.branch_record import BranchRecord
from acausal.runtime.cvode.callbacks import EVERY
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.signature import fields
from acausal.runtime.steps.fixed_methods import FixedSolver
from acausal.targets.c.interface import sets_text
from acausal.targets.c.interface.delay_text import DELAY_PIECES, called_routine, delay_text
from acausal.targets.c.structures.fixed_run import CALLED
from acausal.targets.c.structures.memory import Memory

_ILL_CONDITIONED = """\
    if (status == ILL_CONDITIONED_STATES) {
        return failed(m, MODEL_ILL_CONDITIONED, 0);
    }"""

_OTHER_PARAMETERS = """\
    if (block == 0 && find_parameters(&m->sets) != 0) {
        return failed(m, MODEL_UNSOLVED, 0);
    }
"""


def filled(template: str, prefix: str, sets: Sequence[Program], memory: Memory, folded: Sequence[Name]) -> str:
    """A template for one model; `sets` are its programs with each set of states."""
    program, are_several = sets[0], len(sets) > 1
    template = replaced(template, sets_text.SEVERAL if are_several else sets_text.PIECES)
    followed = f"{program.memory}, {program.followed}"
    by_steps = program.memory + fields(BranchRecord)["by_steps"][0]
    made = {
        "POINTERS": "\n".join(
            [f"    memset(bytes + offsetof(model_t, {p}), 0, sizeof m->{p});" for p in memory.pointers]
        ),
        "ADVANCE": "(int)cvode_advance((acausal_CvodeContext *)&m->loop, t_end)"
        if program.choice_table.slots
        else "solve_fixed(&m->solver, t_end, NULL, m->reached, NORMAL)",
        "STOP_ILL_CONDITIONED": _ILL_CONDITIONED if program.choice_table.slots else "",
        "MOST_STEPS": str(EVERY) if program.choice_table.slots else "INT32_MAX",
        "FOLDED": _folded(folded),
        "SETUP": _setup(program, folded, are_several),
        "SET_BINDING": sets_text.sets_text(sets, memory) if are_several else "",
        **(delay_text(program) if program.delays else dict.fromkeys(DELAY_PIECES, "")),
        "CONDITIONS": _conditions(program),
        "FORGET_POINT": "m->pole_watch.has_point = 0;" if "pole_watch" in memory.structures else "",
        "PREDICT": f"predict(m->m, {followed}, t);" if program.followed else "",
        "BEGIN_RECORD": f"activate(m->m, {program.memory});" if program.memory else "",
        "BY_STEPS": f"m->m[{by_steps}] = 1.0;" if program.followed else "",
        "END_STEP": f"end_step(m->m, {followed}, t);" if program.followed else "",
        **{f"ROUTINE_{name}": _called(program, name, are_several) for name in CALLED},
    }
    found = replaced(template, made)
    found = re.sub(r"\bLOOP\((\w+)\)", lambda at: memory.number("loop", LoopContext, at[1]), found)
    found = re.sub(r"\bSOLVER\((\w+)\)", lambda at: memory.number("solver", FixedSolver, at[1]), found)
    found = re.sub(r"\bU\b", "(double *)&m->inputs" if program.delays else "m->u", found)
    found = re.sub(r"\bmodel_", f"{prefix}_", re.sub(r"\bMODEL_", f"{prefix.upper()}_", found))
    found = re.sub(r"\n\s*\n(?=    |\})", "\n", found)
    return replaced(found, {"BINDINGS": "\n".join([f"    {line}" for line in memory.bindings])})


def _called(program: Program, name: str, are_several: bool) -> str:
    """The function of a routine; of several sets of states that of the present one."""
    if are_several and name != "variables":
        return f"LOOP({name})"
    return called_routine(program, name)


def replaced(text: str, pieces: Mapping[str, str]) -> str:
    """A text with these words replaced."""
    words = re.compile(rf"\b({'|'.join(pieces)})\b")
    return words.sub(lambda at: pieces[at[0]], text)


def _folded(folded: Sequence[Name]) -> str:
    """Statements that keep the values of parameters that are part of the equations."""
    if not folded:
        return ""
    return """\
    (void)setup(0.0, m->y, m->given, m->p, m->m, m->p);
    for (size_t i = 0; i < sizeof folded_parameters / sizeof folded_parameters[0]; i++) {
        m->folded[i] = m->p[folded_parameters[i]];
    }
    memcpy(m->p, default_parameters, sizeof default_parameters);"""


def _setup(program: Program, folded: Sequence[Name], are_several: bool) -> str:
    others = "    return failed(m, find_parameters(&m->sets) == 0 ? MODEL_OK : MODEL_UNSOLVED, 0);"
    if not program.setup.code:
        return others if are_several else "    (void)m;\n    return MODEL_OK;"
    check = """\
    for (size_t i = 0; i < sizeof folded_parameters / sizeof folded_parameters[0]; i++) {
        if (m->p[folded_parameters[i]] != m->folded[i]) {
            return failed(m, MODEL_FOLDED, folded_parameters[i]);
        }
    }
"""
    return f"""\
    const int block = setup(0.0, m->y, m->given, m->p, m->m, m->p);
{check if folded else ""}{_OTHER_PARAMETERS if are_several else ""}\
    return failed(m, block == 0 ? MODEL_OK : MODEL_UNSOLVED, block);"""


def _conditions(program: Program) -> str:
    if not program.conditions:
        return "    (void)m;\n    return MODEL_OK;"
    lines = [
        "    int status = model_variables(m, m->time, m->y, m->stored);",
        "    if (status != MODEL_OK) {",
        "        return status;",
        "    }",
    ]
    for i, slot in enumerate(program.conditions):
        relation, code = ("!=", "TERMINATED") if slot.kind == "terminate" else ("==", "ASSERTION")
        lines += [
            f"    if (m->stored[{slot.position}] {relation} 0.0) {{",
            f"        return failed(m, MODEL_{code}, {i});",
            "    }",
        ]
    return "\n".join([*lines, "    return MODEL_OK;"])
