"""Fortran text of runs that is the same for all models; words in capitals are filled in."""

STATUSES = """\
  ! Status codes: 0, equations without a solution, `terminate`, `assert`, failed events, no finite number, other states
  ! are needed, the history of delays is full, chattering.
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
      text = "chattering: events in ever shorter intervals"
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
