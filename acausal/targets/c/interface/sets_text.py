"""C code of models with several sets of states: their tables, and the change from one to another.

The states of another set are variables of the present one (`simulate/system/state_transfer`); `known` holds the results
of its routines `choices` and `variables`, its parameters, the time and 1.
"""

from collections.abc import Iterator, Sequence

from acausal.ir.program.program import Program
from acausal.runtime.state_selection import judge_selections
from acausal.simulate.system.state_transfer import places_of, shown_as_first, transfer_of
from acausal.targets.c.interface.texts import block_texts, texts
from acausal.targets.c.program.values import constant
from acausal.targets.c.structures.contexts import routine_name
from acausal.targets.c.structures.memory import Memory

KERNELS = (judge_selections,)
DECLARATIONS = """
/* A set of states: its routines, lengths, and the variables as the first set stores them. */
typedef struct {
    acausal_ModelRoutine variables, setup;
    int64_t choices, stored, parameters, blocks;
    const char *const *block_texts;
    const int64_t *shown;
    const double *shown_factors;
} state_set;

/* Where the states and start values of a set are among what is known in another. */
typedef struct {
    const int64_t *states;
    const double *state_factors;
    int64_t start_count;
    const int64_t *starts, *targets;
    const double *start_factors;
} set_transfer;
"""
BIND = """
/* Sets what differs between the sets of states. */
static void bind_set(model_t *m)
{
    switch (m->set[0]) {
CASES
    }
}
"""
VALUES = """\
/* Parameters of the present set of states: those of the model, and what its routines need of them. */
static int find_parameters(model_t *m)
{
    if (m->set[0] == 0) {
        return 0;
    }
    memcpy(LOOP(p), m->p, MODEL_PARAMETERS * sizeof(double));
    return state_sets[m->set[0]].setup(0.0, m->y, m->given, LOOP(p), m->m, LOOP(p));
}

/* The variables of the present set of states, its parameters, the time, and 1 into `known`. */
static int find_known(model_t *m, double t, const double *y)
{
    const state_set *s = &state_sets[m->set[0]];
    double *known = m->known + s->choices;
    const int block = s->variables(t, (double *)y, m->u, LOOP(p), m->m, known);
    memcpy(known + s->stored, LOOP(p), (size_t)s->parameters * sizeof(double));
    known[s->stored + s->parameters] = t;
    known[s->stored + s->parameters + 1] = 1.0;
    return block;
}

/* These variables as the first set of states stores them. */
static void show_known(model_t *m, double *v)
{
    const state_set *s = &state_sets[m->set[0]];
    for (int64_t i = 0; i < state_sets[0].stored; i++) {
        v[i] = s->shown_factors[i] * m->known[s->shown[i]];
    }
}
"""
SWITCH = """\
/* Verdict on the present states; 0 where they cannot be judged. */
static int judge_set(model_t *m, double t)
{
    const int block = LOOP(choices)(t, m->y, U, LOOP(p), m->m, m->choice_results);
    return block == 0 ? judge_selections(m->choice_results, LOOP(selections)) : ILL_CONDITIONED;
}

/* The states of another set at t, by what is known in the set `from`. */
static void enter_set(model_t *m, int from, int set, double t)
{
    const set_transfer *way = &set_transfers[from][set];
    m->set[0] = set;
    bind_set(m);
    (void)find_parameters(m);
    for (int i = 0; i < MODEL_STATES; i++) {
        m->y[i] = way->state_factors[i] * m->known[way->states[i]];
    }
    KEEP_BY_STEPS
    memset(m->m, 0, sizeof m->m);
    for (int64_t i = 0; i < way->start_count; i++) {
        const double start = way->start_factors[i] * m->known[way->starts[i]];
        if (start - start == 0.0) {
            m->m[way->targets[i]] = start;
        }
    }
    BEGIN_RECORD
    PUT_BY_STEPS
    set_begin(m, t);
}

/* Other states where the present ones are ill-conditioned: the first set that is well-conditioned, else another one. */
static int switch_states(model_t *m)
{
    const double t = m->time;
    const int from = m->set[0];
    int best = -1;
    m->is_switch_due[0] = 0;
    if (judge_set(m, t) != ILL_CONDITIONED) {
        return MODEL_OK;
    }
    memcpy(m->known, m->choice_results, (size_t)state_sets[from].choices * sizeof(double));
    if (find_known(m, t, m->y) != 0) {
        return failed(m, MODEL_ILL_CONDITIONED, 0);
    }
    for (int set = 0; set < SETS; set++) {
        if (set != from) {
            int verdict;
            enter_set(m, from, set, t);
            verdict = judge_set(m, t);
            best = verdict != ILL_CONDITIONED && (best < 0 || verdict == WELL_CONDITIONED) ? set : best;
            if (verdict == WELL_CONDITIONED) {
                break;
            }
        }
    }
    if (best < 0) {
        return failed(m, MODEL_ILL_CONDITIONED, 0);
    }
    enter_set(m, from, best, t);
    memset(m->roots, 0, sizeof m->roots);
    memset(m->offset, 0, sizeof m->offset);
    memset(m->sides, 0, sizeof m->sides);
    m->starts[LOOP(crossing_count)] = NAN;
    m->watched_values[LOOP(crossing_count)] = NAN;
    return restart_steps(m, t);
}
"""
PIECES = {
    "P": "m->p",
    "BIND_SET": "",
    "SET_VALUES": "",
    "SET_SWITCH": "",
    "FIRST_SET": "",
    "JUDGE_START": "",
    "SWITCH_STATES": "",
    "OTHER_STATES": "return failed(m, MODEL_ILL_CONDITIONED, 0);",
    "FIND_VARIABLES": "block = ROUTINE_variables(t, (double *)y, m->u, m->p, m->m, v);",
    "BLOCK_TEXT": 'm->block > 0 && m->block <= MODEL_BLOCKS ? block_texts[m->block - 1] : "equations have no solution"',
}
"""Of models with one set of states."""
SEVERAL = {
    "P": "LOOP(p)",
    "BIND_SET": "bind_set(m);",
    "SET_VALUES": VALUES,
    "SET_SWITCH": SWITCH,
    "FIRST_SET": "m->set[0] = 0;\n    bind_set(m);",
    "JUDGE_START": "m->is_switch_due[0] = 1;",
    "SWITCH_STATES": """\
if (m->is_switch_due[0] != 0) {
        status = switch_states(m);
        if (status != MODEL_OK) {
            return status;
        }
    }""",
    "OTHER_STATES": "m->is_switch_due[0] = 1;\n        return MODEL_OK;",
    "FIND_VARIABLES": """\
block = find_known(m, t, y);
    show_known(m, v);""",
    "BLOCK_TEXT": """\
m->block > 0 && m->block <= state_sets[m->set[0]].blocks ? state_sets[m->set[0]].block_texts[m->block - 1]
            : "equations have no solution\"""",
}


def add_members(memory: Memory, sets: Sequence[Program]) -> None:
    """Adds the members that a model with several sets has besides."""
    memory.array("set", 1, "int")
    memory.array("is_switch_due", 1, "int")
    memory.array("known", max([s.choice_table.results + s.stored_size + s.parameter_size + 2 for s in sets]))


def sets_text(sets: Sequence[Program], memory: Memory) -> str:
    """The tables of the sets, and the function that binds one."""
    lines = [DECLARATIONS, *_tables(sets)]
    cases = []
    for number, bound in enumerate(memory.set_bindings):
        cases += [f"    case {number}:" if number + 1 < len(sets) else "    default:"]
        cases += [*[f"        {line}" for line in bound], "        break;"]
    return "\n".join([*lines, BIND.replace("CASES", "\n".join(cases))])


def _tables(sets: Sequence[Program]) -> Iterator[str]:
    names = [f"_{k}" if k else "" for k in range(len(sets))]
    rows = []
    for number, (program, suffix) in enumerate(zip(sets, names, strict=True)):
        shown = shown_as_first(sets[0], program)
        yield from _array(f"shown_{number}", [at for at, _ in shown])
        yield from _array(f"shown_factors_{number}", [factor for _, factor in shown], "double")
        if suffix:
            yield from texts(f"block_texts{suffix}", block_texts(program))
        lengths = program.choice_table.results, program.stored_size, program.parameter_size, len(program.blocks)
        routines = [routine_name(program, name, suffix) for name in ("variables", "setup")]
        arrays = f"block_texts{suffix}", f"shown_{number}", f"shown_factors_{number}"
        rows.append(f"    {{{', '.join([*routines, *map(str, lengths), *arrays])}}},")
    yield from [f"static const state_set state_sets[{len(sets)}] = {{", *rows, "};"]
    cells = []
    for i, old in enumerate(sets):
        line = []
        for j, new in enumerate(sets):
            if i == j:
                line.append("{NULL, NULL, 0, NULL, NULL, NULL}")
                continue
            way, name = transfer_of(places_of(old), new), f"{i}_{j}"
            yield from _array(f"way_states_{name}", [at for at, _ in way.states])
            yield from _array(f"way_state_factors_{name}", [factor for _, factor in way.states], "double")
            yield from _array(f"way_starts_{name}", [at for at, _, _ in way.starts])
            yield from _array(f"way_targets_{name}", [target for _, _, target in way.starts])
            yield from _array(f"way_start_factors_{name}", [factor for _, factor, _ in way.starts], "double")
            line.append(
                f"{{way_states_{name}, way_state_factors_{name}, {len(way.starts)}, way_starts_{name}, "
                f"way_targets_{name}, way_start_factors_{name}}}"
            )
        cells.append("    {" + ", ".join(line) + "},")
    yield from [f"static const set_transfer set_transfers[{len(sets)}][{len(sets)}] = {{", *cells, "};"]


def _array(name: str, numbers: Sequence[float], kind: str = "int64_t") -> Iterator[str]:
    shown = [constant(float(x)).text if kind == "double" else str(x) for x in numbers] or ["0"]
    yield f"static const {kind} {name}[] = {{{', '.join(shown)}}};"
