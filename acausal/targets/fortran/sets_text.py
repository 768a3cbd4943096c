"""Fortran text of models with several sets of states: as that of C (`targets/c/interface/sets_text`)."""

from collections.abc import Iterator, Sequence

from acausal.ir.program.program import Program, routine_of
from acausal.runtime.kernel.fortran.layout import wrapped
from acausal.runtime.kernel.fortran.types import literal_text
from acausal.runtime.limits import ILL_CONDITIONED, WELL_CONDITIONED
from acausal.simulate.system.state_transfer import places_of, shown_as_first, transfer_of
from acausal.targets.fortran.memory import FortranMemory, vector

BY_SETS = """
  ! What differs between the sets of states.
  subroutine bind_set(m)
    type(model_type), target, intent(inout) :: m
    select case (m%set(0))
BIND_CASES
    end select
  end subroutine bind_set

  ! Parameters of the present set of states: those of the model, and what its routines need of them.
  function find_parameters(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status
    status = 0
    select case (m%set(0))
PARAMETER_CASES
    end select
  end function find_parameters

  ! The variables of the present set of states, its parameters, the time, and 1.
  function find_known(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status
    real(dp), pointer :: found(:)
    status = 0
    select case (m%set(0))
KNOWN_CASES
    end select
  end function find_known

  ! These variables as the first set of states stores them.
  subroutine show_known(m)
    type(model_type), target, intent(inout) :: m
    integer :: i
    select case (m%set(0))
SHOWN_CASES
    end select
  end subroutine show_known

  ! The states of another set, by what is known in the set `from`.
  subroutine enter_set(m, from, to)
    type(model_type), target, intent(inout) :: m
    integer(i4), value :: from, to
    integer :: i
    real(dp) :: by_steps
    m%set(0) = to
    call bind_set(m)
    i = int(find_parameters(m))
    KEEP_BY_STEPS
    m%m = 0.0_dp
    select case (SET_COUNT * from + to)
WAY_CASES
    end select
    BEGIN_RECORD
    PUT_BY_STEPS
    call set_begin(m, m%time)
  end subroutine enter_set

  ! Verdict on the present states.
  function judge_set(m) result(verdict)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: verdict
    verdict = m%loop%choices(m%time, m%loop%y, m%loop%u, m%loop%p, m%loop%m, m%loop%choice_results)
    if (verdict /= 0) then
      verdict = ILL
    else
      verdict = judge_selections(m%loop%choice_results, m%selections)
    end if
  end function judge_set

  ! Other states where the present ones are ill-conditioned: the first set that is well-conditioned, else another one.
  function switch_states(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status, from, to, best, verdict
    status = status_ok
    m%is_switch_due(0) = 0_i4
    if (judge_set(m) /= ILL) return
    from = m%set(0)
    best = -1_i4
    m%known(0:size(m%choice_results) - 1) = m%choice_results
    if (find_known(m) /= 0) then
      status = failed(m, status_ill_conditioned, 0_i4)
      return
    end if
    do to = 0_i4, SET_COUNT - 1_i4
      if (to == from) cycle
      call enter_set(m, from, to)
      verdict = judge_set(m)
      if (verdict /= ILL .and. (best < 0_i4 .or. verdict == WELL)) best = to
      if (verdict == WELL) exit
    end do
    if (best < 0_i4) then
      status = failed(m, status_ill_conditioned, 0_i4)
      return
    end if
    call enter_set(m, from, best)
    m%roots = 0_i4
    m%offset = 0.0_dp
    m%sides = 0.0_dp
    m%starts(int(m%loop%crossing_count)) = nan_value()
    m%watched_values(int(m%loop%crossing_count)) = nan_value()
    status = leave_event(m)
    if (status /= status_ok) return
    if (do_task(m%loop, m%time, FIRST_STEP_TASK) /= DONE) m%loop%first_step = m%loop%usual_first
    call begin_again(m%loop, m%time)
  end function switch_states
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
    "BIND_SET": "call bind_set(m)",
    "FIRST_SET": "m%set(0) = 0_i4\n    call bind_set(m)",
    "JUDGE_START": "m%is_switch_due(0) = 1_i4",
    "SWITCH_STATES": """\
if (m%is_switch_due(0) /= 0_i4) then
      status = switch_states(m)
      if (status /= status_ok) return
    end if""",
    "OTHER_STATES": "m%is_switch_due(0) = 1_i4\n      status = status_ok",
    "FIND_VARIABLES": "block = find_known(m)\n    call show_known(m)",
    "ALL_PARAMETERS": "if (status == status_ok) status = failed(m, find_parameters(m), 0_i4)",
    "BLOCK_TEXT": "if (m%block > 0 .and. m%set(0) == 0_i4) text = block_texts(m%block - 1)",
    "BY_SETS": BY_SETS,
}


def by_steps_pieces(program: Program, position: int) -> dict[str, str]:
    """Statements that keep a number of the record of branches, if there is one."""
    if not program.followed:
        return {"KEEP_BY_STEPS": "by_steps = 0.0_dp", "PUT_BY_STEPS": "m%m(size(m%m) - 1) = by_steps"}
    return {"KEEP_BY_STEPS": f"by_steps = m%m({position})", "PUT_BY_STEPS": f"m%m({position}) = by_steps"}


def set_pieces(sets: Sequence[Program], memory: FortranMemory) -> dict[str, str]:
    """The cases of each set."""
    return {
        "SET_COUNT": f"{len(sets)}_i4",
        "ILL": f"{ILL_CONDITIONED}_i4",
        "WELL": f"{WELL_CONDITIONED}_i4",
        "BIND_CASES": "\n".join(_cases(memory.set_bindings)),
        "PARAMETER_CASES": "\n".join(_cases([_parameters(p, k) for k, p in enumerate(sets)])),
        "KNOWN_CASES": "\n".join(_cases([_known(p, k) for k, p in enumerate(sets)])),
        "SHOWN_CASES": "\n".join(_cases([_shown(k) for k in range(len(sets))])),
        "WAY_CASES": "\n".join(_ways(sets)),
    }


def _cases(bodies: Sequence[Sequence[str]]) -> Iterator[str]:
    for number, body in enumerate(bodies):
        yield f"    case ({number})" if number + 1 < len(bodies) else "    case default"
        yield from [f"  {line}" for line in body]


def _parameters(program: Program, number: int) -> list[str]:
    if number == 0:
        return []
    lines = [f"    m%p_{number}(0:parameter_count - 1) = m%p(0:parameter_count - 1)"]
    if routine_of(program, "setup").code:
        lines.append(f"    status = setup_{number}(0.0_dp, m%y, m%given, m%p_{number}, m%m, m%p_{number})")
    return lines


def _known(program: Program, number: int) -> list[str]:
    suffix, first = f"_{number}" if number else "", program.choice_table.results
    parameters = first + program.stored_size
    last = parameters + program.parameter_size
    p = f"m%p{suffix}"
    return [
        f"    found(0:) => m%known({first}:)",
        f"    status = variables{suffix}(m%time, m%y, m%u, {p}, m%m, found)",
        f"    m%known({parameters}:{last - 1}) = {p}(0:{program.parameter_size - 1})",
        f"    m%known({last}) = m%time",
        f"    m%known({last + 1}) = 1.0_dp",
    ]


def _shown(number: int) -> list[str]:
    return [
        "    do i = 0, stored_count - 1",
        f"      m%stored(i) = shown_factors_{number}(i) * m%known(shown_{number}(i))",
        "    end do",
    ]


def _ways(sets: Sequence[Program]) -> Iterator[str]:
    for i, old in enumerate(sets):
        places = places_of(old)
        for j, new in enumerate(sets):
            if i == j:
                continue
            way = transfer_of(places, new)
            yield f"    case ({len(sets) * i + j})"
            for k, (at, factor) in enumerate(way.states):
                yield f"      m%y({k}) = {literal_text(factor)} * m%known({at})"
            for at, factor, target in way.starts:
                value = f"{literal_text(factor)} * m%known({at})"
                yield wrapped(f"if (ieee_is_finite(m%known({at}))) m%m({target}) = {value}", 3)


def set_tables(sets: Sequence[Program]) -> Iterator[str]:
    """Tables of the variables that each set stores."""
    if len(sets) < 2:
        return
    yield f"  integer, parameter :: stored_count = {sets[0].stored_size}"
    for number, program in enumerate(sets):
        shown = shown_as_first(sets[0], program)
        yield from vector("integer, parameter", f"shown_{number}", [str(at) for at, _ in shown])
        factors = [literal_text(factor) for _, factor in shown]
        yield from vector("real(dp), parameter", f"shown_factors_{number}", factors)
