"""Statements in Fortran for models with delays: as those of C (`targets/c/interface/delay_text`)."""

from acausal.ir.program.program import Program
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.targets.c.interface.delay_text import one_time

DELAY_PIECES = ("EVALUATE_INPUTS", "BEGIN_HISTORY", "DROP_PIECES", "LIMIT_STEP")
_BEGIN = """\
m%history%has_begun = 0_i8
    m%history%start = t
    m%history%near = NEAR
    m%history%seen = -infinity()
    m%history%largest = 0.0_dp
    m%history%pieces = 0_i8
    m%history%ends(0) = t
    m%history%breaks(0) = t
    m%history%break_count = 1_i8
    m%loop%ready = 0_i8"""
_DROP = """\
if (2_i8 * max(m%history%pieces, m%history%break_count) > m%history%piece_room) then
      call drop_pieces(m%history, m%reached(0))
    end if
    if (max(m%history%pieces, m%history%break_count) == m%history%piece_room) then
      status = failed(m, status_no_room, 0_i4)
      return
    end if"""


def delay_pieces(program: Program) -> dict[str, str]:
    """The statements."""
    return {
        "EVALUATE_INPUTS": "block = int(evaluate_inputs(m%inputs, m%time), i4)",
        "BEGIN_HISTORY": _BEGIN.replace("NEAR", literal_text(one_time(program))),
        "DROP_PIECES": _DROP,
        "LIMIT_STEP": f"m%solver%step = min(m%solver%step, minval(m%history_times(0:{len(program.delays) - 1})))",
    }
