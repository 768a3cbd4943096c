"""C code of models with several sets of states: what binds one of them, and calls of `runtime/state_sets`."""

from collections.abc import Callable, Iterator, Sequence

from acausal.ir.program.program import Program
from acausal.runtime.events.exported_run import switch_states
from acausal.runtime.rows import nothing
from acausal.runtime.state_sets import find_known, find_parameters, show_known
from acausal.targets.c.interface.texts import block_texts, texts
from acausal.targets.c.structures.memory import Memory, routine_name

Kernel = Callable[..., object]
BIND = """
/* Sets what differs between the sets of states. */
static void bind_set(void *model)
{
    model_t *m = model;
    switch (m->sets.number) {
CASES
    }
}
"""
SWITCH = """\
/* Other states where the present ones are ill-conditioned. */
static int change_states(model_t *m)
{
    FORGET_POINT
    return behind_event(m, switch_states(&m->loop, &m->sets, m->time));
}
"""
PIECES = {
    "P": "m->p",
    "BIND_SET": "",
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
    "SET_SWITCH": SWITCH,
    "FIRST_SET": "m->sets.number = 0;\n    bind_set(m);",
    "JUDGE_START": "m->sets.is_due = 1;",
    "SWITCH_STATES": """\
if (m->sets.is_due != 0) {
        status = change_states(m);
        if (status != MODEL_OK) {
            return status;
        }
    }""",
    "OTHER_STATES": "m->sets.is_due = 1;\n        return MODEL_OK;",
    "FIND_VARIABLES": """\
block = find_known(&m->sets, t, (double *)y);
    show_known(&m->sets, v);""",
    "BLOCK_TEXT": """\
m->block > 0 && m->block <= set_block_counts[m->sets.number] ? set_block_texts[m->sets.number][m->block - 1]
            : "equations have no solution\"""",
}


def kernels_of_sets(sets: Sequence[Program]) -> tuple[Kernel, ...]:
    """Kernels that the text calls; none of a model with one set."""
    if len(sets) == 1:
        return ()
    absent = (nothing,) if any(routine_name(program, "setup") == "nothing" for program in sets) else ()
    return switch_states, find_parameters, find_known, show_known, *absent


def sets_text(sets: Sequence[Program], memory: Memory) -> str:
    """The texts of blocks in each set, and the function that binds one."""
    cases = []
    for number, bound in enumerate(memory.set_bindings):
        cases += [f"    case {number}:" if number + 1 < len(sets) else "    default:"]
        cases += [*[f"        {line}" for line in bound], "        break;"]
    return "\n".join([*_block_texts(sets), BIND.replace("CASES", "\n".join(cases))])


def _block_texts(sets: Sequence[Program]) -> Iterator[str]:
    names = [f"block_texts_{k}" if k else "block_texts" for k in range(len(sets))]
    for name, program in zip(names[1:], sets[1:], strict=True):
        yield from texts(name, block_texts(program))
    counts = ", ".join([str(len(program.blocks)) for program in sets])
    yield f"static const int set_block_counts[] = {{{counts}}};"
    yield f"static const char *const *const set_block_texts[] = {{{', '.join(names)}}};"
