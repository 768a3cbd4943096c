"""Fortran text of models with several sets of states: what binds one of them, and calls of `runtime/state_sets`."""

from collections.abc import Iterator

from acausal.targets.fortran.memory import FortranMemory

BIND = """
  ! What differs between the sets of states.
  subroutine bind_set(model)
    type(c_ptr), value :: model
    type(model_type), pointer :: m
    call c_f_pointer(model, m)
    select case (m%sets%number)
BIND_CASES
    end select
  end subroutine bind_set
"""
PIECES = {
    "BIND_SET": "",
    "FIRST_SET": "",
    "JUDGE_START": "",
    "SWITCH_STATES": "",
    "OTHER_STATES": "status = failed(m, status_ill_conditioned, 0_i4)",
    "FIND_VARIABLES": "block = variables(m%time, m%y, m%u, m%p, m%m, m%stored)",
    "ALL_PARAMETERS": "",
    "BLOCK_TEXT": "if (m%block > 0) text = block_texts(m%block - 1)",
    "BY_SETS": "",
}
"""Of models with one set of states."""
SEVERAL = {
    "BIND_SET": "call bind_set(c_loc(m))",
    "FIRST_SET": "m%sets%number = 0_i8\n    call bind_set(c_loc(m))",
    "JUDGE_START": "m%sets%is_due = 1_i8",
    "SWITCH_STATES": """\
if (m%sets%is_due /= 0_i8) then
      FORGET_POINT
      status = behind_event(m, switch_states(m%loop, m%sets, m%time))
      if (status /= status_ok) return
    end if""",
    "OTHER_STATES": "m%sets%is_due = 1_i8\n      status = status_ok",
    "FIND_VARIABLES": "block = find_known(m%sets, m%time, m%y)\n    call show_known(m%sets, m%stored)",
    "ALL_PARAMETERS": "if (status == status_ok) status = failed(m, find_parameters(m%sets), 0_i4)",
    "BLOCK_TEXT": "if (m%block > 0 .and. m%sets%number == 0_i8) text = block_texts(m%block - 1)",
    "BY_SETS": BIND,
}


def bind_cases(memory: FortranMemory) -> Iterator[str]:
    """Statements for each set of states."""
    bodies = memory.set_bindings
    for number, body in enumerate(bodies):
        yield f"    case ({number})" if number + 1 < len(bodies) else "    case default"
        yield from [f"  {line}" for line in body]
