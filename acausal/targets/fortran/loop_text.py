"""Fortran text of the loop over events and of steps without them; words in capitals are filled in."""

WITHOUT_EVENTS = """\
  ! The first instant: states.
  function initialize(m, t) result(status)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t
    integer(i4) :: status, block
    BEGIN_RECORD
    block = initial(t, m%y, m%u, m%p, m%m, m%y)
    status = failed(m, merge(0, status_unsolved, block == 0), block)
    if (status /= status_ok) return
    BY_STEPS
    call set_begin(m, t)
    status = check_conditions(m)
    BEGIN_WAY
  end function initialize

  ! From m%time to t_end by steps of one length.
  function advance_to(m, t_end) result(status)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t_end
    integer(i4) :: status
    m%solver%stop = t_end
    ADVANCE
    m%time = m%reached(0)
    m%y(0:state_count - 1) = m%numbers(0:state_count - 1)
    if (status == ILL_CONDITIONED) then
      status = failed(m, status_ill_conditioned, 0_i4)
    else if (status /= 0) then
      status = failed(m, merge(status_not_finite, status_unsolved, status == NOT_FINITE), &
        int(m%record%failed_block, i4))
    else
      status = check_conditions(m)
    end if
    END_WAY
  end function advance_to
"""


WITH_EVENTS = """\
  ! The first instant: states, discrete values, events at the start.
  function initialize(m, t) result(status)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t
    integer(i4) :: status
    FIRST_SET
    BEGIN_RECORD
    BEGIN_HISTORY
    if (start_run(m%loop, t) /= DONE) then
      status = event_failure(m)
      return
    end if
    BY_STEPS
    call set_begin(m, t)
    status = behind_event(m, acausal_begin_events(m%loop))
    call begin_again(m%loop, t)
    JUDGE_START
    if (status == status_ok) status = check_conditions(m)
    BEGIN_WAY
  end function initialize

  ! The status behind an event, or with other states, by that of the kernel.
  function behind_event(m, said) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i8), intent(in) :: said
    integer(i4) :: status
    status = merge(status_ill_conditioned, status_event_failed, said == ILL_CONDITIONED_STATES)
    status = failed(m, merge(status_ok, status, said == DONE), 0_i4)
  end function behind_event

  ! Why an event could not be done.
  function event_failure(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status, number
    number = int(m%loop%announced, i4)
    if (number >= 0) then
      status = failed(m, merge(status_assertion, status_terminated, announcement_asserts(number) == 1), &
        condition_count + number)
    else
      status = failed(m, status_event_failed, 0_i4)
    end if
  end function event_failure

  ! One event that the loop has left, or none at all where the motion returns to the side that it was on.
  function left_event(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status
    integer(i8) :: said
    status = status_ok
    said = do_left_event(m%loop)
    if (said == CHATTERING) then
      status = failed(m, status_chattering, 0_i4)
    else if (said /= DONE) then
      status = event_failure(m)
    end if
  end function left_event

  ! One call of the loop over events: to the end, or behind the next event.
  function go_on(m, t_end) result(status)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t_end
    integer(i4) :: status
    SWITCH_STATES
    DROP_PIECES
    call forget_limit(m%loop)
    status = int(run_part(m%loop, t_end, t_end, 0_i8), i4)
    m%events = m%events + int(m%loop%event_count)
    if (status == ILL_CONDITIONED) then
      OTHER_STATES
    else if (status < 0) then
      status = failed(m, merge(status_not_finite, status_unsolved, status == NOT_FINITE), &
        int(m%record%failed_block, i4))
    else if (status == AT_EVENT) then
      m%events = m%events + 1
      status = left_event(m)
    else
      status = status_ok
    end if
  end function go_on

  ! From m%time to t_end by steps of one length, with all events.
  function advance_to(m, t_end) result(status)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t_end
    integer(i4) :: status
    integer :: events
    status = status_ok
    LIMIT_STEP
    m%reached(0) = m%time
    do while (status == status_ok .and. m%time < t_end)
      events = m%events
      status = go_on(m, t_end)
      m%time = m%reached(0)
      PASS_EVENT
      if (status == status_ok .and. (m%events /= events .or. .not. m%time < t_end)) status = check_conditions(m)
    end do
  end function advance_to
"""
