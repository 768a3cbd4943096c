"""The exact Jacobian of the derivatives in C, for the solver of Co-Simulation and for directional derivatives."""

from collections.abc import Mapping
from re import sub

from acausal.codegen.lower.workspace import code_workspace
from acausal.codegen.native.exact_jacobian import MOST, is_wanted
from acausal.codegen.optimize.loop_rerolling import is_long
from acausal.codegen.tangent.forward_mode import tangent
from acausal.codegen.tangent.seeds import Tangent
from acausal.ir.program.program import Program
from acausal.targets.c.core import NOTHING_ADDED
from acausal.targets.c.interface.delay_text import delay_text
from acausal.targets.c.interface.step_api import StepText
from acausal.targets.c.program.lines import Used
from acausal.targets.c.program.routines import function_text

_DECLARATIONS = """\
/* Entries of the Jacobian of the derivatives: entry k is in row m_jacobian_rows[k] and column m_jacobian_columns[k]. */
#define M_JACOBIAN_ENTRIES COUNT
struct m_t;
int m_jacobian(struct m_t *m, double t, const double *y, double *entries);
extern const int m_jacobian_rows[];
extern const int m_jacobian_columns[];
"""
_DEFINITIONS = """\
const int m_jacobian_rows[] = {ROWS};
const int m_jacobian_columns[] = {COLUMNS};

/* Entries that are not finite count as 0, as the slope of a square root at 0. */
int m_jacobian(m_t *m, double t, const double *y, double *entries)
{
    double memory[SIZE] = {0.0};
    memcpy(memory, m->m, MEMORY * sizeof(double));
    EVALUATE_INPUTS
    const int block = tangent(t, (double *)y, m->u, m->p, memory, entries);
    for (int k = 0; k < COUNT; k++) {
        if (entries[k] - entries[k] != 0.0) {
            entries[k] = 0.0;
        }
    }
    return block == 0 ? M_OK : M_UNSOLVED;
}
"""


def with_prefix(text: str, prefix: str) -> str:
    """C text with names of the core, `m_...` and `M_...`, as those of this prefix."""
    return sub(r"\bM_(?=[A-Z])", f"{prefix.upper()}_", sub(r"\bm_(?=[a-z])", f"{prefix}_", text))


def jacobian_text(program: Program, used: Used, prefix: str) -> StepText:
    """The Jacobian of a program where differences do not serve as well; else nothing."""
    made = tangent(program, MOST) if is_wanted(program) and program.state_slots else None
    if made is None or not made.rows or is_long(made.routine.code):
        return NOTHING_ADDED
    return _added(program, made, used, prefix)


def _added(program: Program, made: Tangent, used: Used, prefix: str) -> StepText:
    lines = function_text(program, "tangent", made.routine, used, {})
    text = "\n".join(lines).replace("NEWTON_ITERATIONS", f"{prefix.upper()}_NEWTON_ITERATIONS")
    pieces = {
        "COUNT": str(len(made.rows)),
        "ROWS": ", ".join([str(i) for i in made.rows]),
        "COLUMNS": ", ".join([str(i) for i in made.columns]),
        "SIZE": str(max(1, program.work + code_workspace(made.routine.code))),
        "MEMORY": str(program.memory),
        "EVALUATE_INPUTS": delay_text(program)["EVALUATE_INPUTS"] if program.delays else "",
    }
    declarations, definitions = [with_prefix(filled(t, pieces), prefix) for t in (_DECLARATIONS, _DEFINITIONS)]
    return StepText(declarations, f"{text}\n{definitions}")


def filled(text: str, pieces: Mapping[str, str]) -> str:
    """A text with these words replaced."""
    return sub(rf"\b({'|'.join(pieces)})\b", lambda at: pieces[at[0]], text)
