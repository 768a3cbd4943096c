"""C code that counts steps in which a derivative has passed a pole: a fixed step need not notice it.

The divisors of `simulate/rows/divisors` are compared before and behind each step. Where one has changed its sign its
zero is located on the line between the states, and the derivatives beside it say whether they grow without bound there
(`simulate/rows/poles`).
"""

from acausal.base.frozen import record
from acausal.ir.program.instructions import Instruction, Operations, Routine
from acausal.ir.program.program import Program
from acausal.simulate.rows.divisors import find_divisors, needed_for
from acausal.simulate.rows.poles import DISTANCES, GROWTH, RESIDUE
from acausal.simulate.rows.zeros_between_rows import BISECTIONS
from acausal.targets.c.program.lines import Used
from acausal.targets.c.program.operation_bounds import routine_operations
from acausal.targets.c.program.routines import function_text

_TEXT = """
/* Time and states at a share of the way from the last call. */
static double divisor_point(const model_t *m, double share, double *y)
{
    for (int i = 0; i < MODEL_STATES; i++) {
        y[i] = m->divisor_states[i] + share * (m->y[i] - m->divisor_states[i]);
    }
    return m->divisor_time[0] + share * (m->time - m->divisor_time[0]);
}

/* Derivatives there; memory stays as it is. */
static int rates_beside(model_t *m, double share, double *rates)
{
    double y[MODEL_Y];
    const double t = divisor_point(m, share, y);
    int status;
    memcpy(m->kept, m->m, sizeof m->kept);
    status = derivatives(t, y, m->u, m->p, m->m, rates);
    memcpy(m->m, m->kept, sizeof m->kept);
    return status;
}

/* True if derivatives grow without bound where divisor i is zero. */
static int is_pole(model_t *m, int i)
{
    static const double far_off[] = {FAR}, near_by[] = {NEAR};
    double y[MODEL_Y], values[DIVISORS], far_rates[MODEL_STATES], near_rates[MODEL_STATES];
    double lower = 0.0, upper = 1.0, size = 0.0;
    for (int k = 0; k < MODEL_STATES; k++) {
        size = fmax(size, fmax(fabs(m->divisor_states[k]), fabs(m->y[k])));
    }
    for (int n = 0; n < BISECTIONS; n++) {
        const double middle = 0.5 * (lower + upper), t = divisor_point(m, middle, y);
        (void)divisors(t, y, m->u, m->p, m->m, values);
        if ((values[i] > 0.0) == (m->divisors[i] > 0.0)) {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    for (int n = 0; n < 4; n++) {
        const double side = n < 2 ? -1.0 : 1.0, zero = 0.5 * (lower + upper), width = m->time - m->divisor_time[0];
        if (rates_beside(m, zero + side * far_off[n % 2], far_rates) != 0
            || rates_beside(m, zero + side * near_by[n % 2], near_rates) != 0) {
            continue;
        }
        for (int k = 0; k < MODEL_STATES; k++) {
            const double rate = fabs(near_rates[k]);
            if (rate > GROWTH * fabs(far_rates[k]) && rate * near_by[n % 2] * width > RESIDUE * size) {
                return 1;
            }
        }
    }
    return 0;
}

/* Divisors where the model is; a step without events may have passed the zero of one. */
static void watch_divisors(model_t *m, int is_begin)
{
    double now[DIVISORS];
    (void)divisors(m->time, m->y, m->u, m->p, m->m, now);
    for (int i = 0; i < DIVISORS && is_begin == 0 && m->events == 0; i++) {
        if ((now[i] > 0.0 && m->divisors[i] < 0.0) || (now[i] < 0.0 && m->divisors[i] > 0.0)) {
            if (is_pole(m, i)) {
                m->poles += 1;
                break;
            }
        }
    }
    memcpy(m->divisors, now, sizeof now);
    memcpy(m->divisor_states, m->y, MODEL_STATES * sizeof(double));
    m->divisor_time[0] = m->time;
}
"""


_SOLVED = ("linear_solve", "extract")
"""Instructions that C does not evaluate beside a step."""


@record(frozen=True, slots=True)
class PolesText:
    """Definitions, members with their lengths, statements of `model_init` and `model_step`, operations of a step."""

    definitions: str = ""
    members: tuple[tuple[str, int], ...] = ()
    at_begin: str = ""
    behind_step: str = ""
    operations: int = 0


def poles_text(program: Program, used: Used, iterations: int) -> PolesText:
    """The code for a program; none where no divisor moves, or with delays."""
    code = program.derivatives.code
    divisors = [] if program.delays else [d for d in find_divisors(program).all if not d.is_matrix]
    needed = {d: needed_for(program, d) for d in divisors}
    found = [d for d, registers in needed.items() if all(code[r].op not in _SOLVED for r in registers)]
    if not found:
        return PolesText()
    routine = _routine(code, [divisor.register for divisor in found], sorted({r for d in found for r in needed[d]}))
    far, near = [", ".join([repr(pair[i]) for pair in DISTANCES]) for i in (0, 1)]
    text = _TEXT.replace("FAR}", f"{far}}}").replace("NEAR}", f"{near}}}").replace("DIVISORS", str(len(found)))
    text = text.replace("BISECTIONS", str(BISECTIONS)).replace("GROWTH", repr(GROWTH)).replace("RESIDUE", repr(RESIDUE))
    lines = function_text(program, "divisors", routine, used, {})
    each, rates = routine_operations(routine.code, iterations), routine_operations(code, iterations)
    room = BISECTIONS * (each + 3 * len(program.state_slots)) + 8 * (rates + 6 * len(program.state_slots))
    return PolesText(
        "\n".join([*lines, text]),
        (("divisors", len(found)), ("divisor_states", len(program.state_slots)), ("divisor_time", 1)),
        "    watch_divisors(m, 1);",
        "    watch_divisors(m, 0);",
        each + len(found) * (2 + room),
    )


def _routine(code: tuple[Instruction, ...], wanted: list[int], needed: list[int]) -> Routine:
    """The instructions of the divisors, with results in order."""
    place = {register: i for i, register in enumerate(needed)}
    kept = [Instruction(code[r].op, tuple([place[a] for a in code[r].args]), code[r].value) for r in needed]
    stores = [Instruction("store", (place[r],), i) for i, r in enumerate(wanted)]
    return Routine((*kept, *stores), Operations())
