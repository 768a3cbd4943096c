"""Fortran text of runs that is the same for all models; words in capitals are filled in."""

STATUSES = """\
  ! Status codes: 0, equations without a solution, `terminate`, `assert`, failed events, no finite number, other states
  ! are needed, the history of delays is full, events without end.
  integer(i4), parameter :: status_ok = 0, status_unsolved = 1, status_terminated = 2, status_assertion = 3, &
    status_event_failed = 4, status_not_finite = 5, status_ill_conditioned = 6, status_no_room = 7, &
    status_chattering = 8\
"""
COMMON = """\
  ! Everything as it is before a run: default parameters, inputs 0. Before anything else.
  subroutine set_defaults(m)
    type(model_type), target, intent(inout) :: m
    type(model_type), save :: fresh
    m = fresh
    call bind_structures(m)
    m%p(0:parameter_count - 1) = parameter_values(0:parameter_count - 1)
    m%loop%ahead = AHEAD
    m%loop%tolerance = TOLERANCE
    m%loop%first_check = FIRST_CHECK
    m%loop%chattering_time = CHATTERING_TIME
    m%loop%stop = infinity()
    m%loop%limit = infinity()
    m%loop%announced = -1_i8
    m%loop%most_passes = MOST_PASSES
    m%solver%stop = infinity()
    m%solver%way_end = nan_value()
    m%solver%shortest = infinity()
    m%solver%iterations = 20_i8
    m%solver%most_steps = MOST_STEPS
    m%solver%most_made = huge(1_i8)
    m%solver%step = STEP
    m%solver%method = METHOD
  end subroutine set_defaults

  ! Structures of the run time point to the arrays of the model.
  subroutine bind_structures(m)
    type(model_type), target, intent(inout) :: m
BINDINGS
    BIND_SET
  end subroutine bind_structures
BY_SETS

  ! Dependent parameters, after p and `given` were set.
  function set_parameters(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status
    status = failed(m, merge(0, status_unsolved, setup(0.0_dp, m%y, m%given, m%p, m%m, m%p) == 0), 0_i4)
    ALL_PARAMETERS
  end function set_parameters

  ! All stored variables, then the conditions, where the model is, into m%stored.
  function find_variables(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status, block
    m%kept = m%m
    PREDICT
    EVALUATE_INPUTS
    FIND_VARIABLES
    m%m = m%kept
    status = failed(m, merge(0, status_unsolved, block == 0), block)
  end function find_variables

  ! Keeps a status that is not 0, and the block or condition that it is about.
  function failed(m, status, block) result(found)
    type(model_type), target, intent(inout) :: m
    integer(i4), intent(in) :: status, block
    integer(i4) :: found
    found = status
    if (status /= status_ok) then
      m%status = status
      m%block = block
    end if
  end function failed

  function check_conditions(m) result(status)
    type(model_type), target, intent(inout) :: m
    integer(i4) :: status
CONDITIONS
  end function check_conditions

  WATCH_STEP
  subroutine set_begin(m, t)
    type(model_type), target, intent(inout) :: m
    real(dp), value :: t
    m%time = t
    m%reached(0) = t
    m%numbers = m%y(0:size(m%numbers) - 1)
    m%solver%time = t
    m%solver%is_begin = 1_i8
    FORGET_POINT
  end subroutine set_begin

  ! A text about the last status that was not 0.
  function explain(m) result(text)
    type(model_type), intent(in) :: m
    character(text_length) :: text
    select case (m%status)
    case (status_unsolved)
      text = "equations have no solution"
      BLOCK_TEXT
    case (status_terminated, status_assertion)
      text = condition_texts(m%block)
    case (status_event_failed)
      text = "event iteration does not converge, or relations contradict each other"
    case (status_not_finite)
      text = "a value is not a finite number"
    case (status_ill_conditioned)
      text = "the selected states are ill-conditioned here"
    case (status_no_room)
      text = "the delay history is full"
    case (status_chattering)
      text = "events without end (chattering)"
    case default
      text = "no failure"
    end select
  end function explain
"""
WATCH_STEP = """\
! Counts a step in which a derivative has passed a pole; nothing is known of one that begins a way.
  subroutine watch_step(m, is_begin)
    type(model_type), target, intent(inout) :: m
    logical, intent(in) :: is_begin
    real(dp), pointer :: y(:)
    y => m%y
    if (is_begin) m%pole_watch%has_point = 0_i8
    if (passes_pole(m%pole_watch, m%time, y)) m%poles = m%poles + 1
  end subroutine watch_step
"""
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
