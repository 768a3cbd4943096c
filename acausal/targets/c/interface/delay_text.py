"""Statements of the interface in C for models with delays."""

from acausal.ir.program.program import Program
from acausal.simulate.inputs.growing_history import one_time
from acausal.targets.c.structures.memory import routine_name

DELAY_PIECES = ("EVALUATE_INPUTS", "BEGIN_HISTORY", "DROP_PIECES", "LIMIT_STEP")
_BEGIN = """\
    start_history(&m->history, t, NEAR);"""
_DROP = """\
    if (!make_room(&m->loop)) {
        return failed(m, MODEL_NO_ROOM, 0);
    }"""
_LIMIT = """\
    for (int64_t i = 0; i < m->history.count; i++) {
        SOLVER(step) = fmin(SOLVER(step), m->history.times[i]);
    }"""


def called_routine(program: Program, name: str) -> str:
    """The function of a routine; delays are evaluated before it."""
    return f"{name}_with_inputs" if program.delays and name != "variables" else routine_name(program, name)


def one_time_of(program: Program) -> float:
    """Times that differ by less are one time."""
    experiment = program.experiment
    stop = experiment.start + 1.0 if experiment.stop is None else experiment.stop
    return one_time(experiment.start, stop)


def delay_text(program: Program) -> dict[str, str]:
    """The statements."""
    return {
        "EVALUATE_INPUTS": "(void)evaluate_inputs(&m->inputs, t);",
        "BEGIN_HISTORY": _BEGIN.replace("NEAR", repr(one_time_of(program))).lstrip(),
        "DROP_PIECES": _DROP.lstrip(),
        "LIMIT_STEP": _LIMIT.lstrip(),
    }
