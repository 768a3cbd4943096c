"""Statements in Fortran for models with delays: as those of C (`targets/c/interface/delay_text`)."""

from acausal.ir.program.program import Program
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.targets.c.interface.delay_text import one_time_of

DELAY_PIECES = ("EVALUATE_INPUTS", "BEGIN_HISTORY", "DROP_PIECES", "LIMIT_STEP")
_DROP = """\
if (.not. make_room(m%loop)) then
      status = failed(m, status_no_room, 0_i4)
      return
    end if"""


def delay_pieces(program: Program) -> dict[str, str]:
    """The statements."""
    return {
        "EVALUATE_INPUTS": "block = int(evaluate_inputs(m%inputs, m%time), i4)",
        "BEGIN_HISTORY": f"call start_history(m%history, t, {literal_text(one_time_of(program))})",
        "DROP_PIECES": _DROP,
        "LIMIT_STEP": f"m%solver%step = min(m%solver%step, minval(m%history_times(0:{len(program.delays) - 1})))",
    }
