"""The Fortran program that simulates: the same for all models."""

MAIN = """\
! Simulates and writes CSV: [--stop T] [--interval DT] [--step H] [--method heun|rk4|implicit-euler]
! [--set NAME=VALUE] [--input NAME=VALUE]
program simulate
  use, intrinsic :: iso_fortran_env, only: error_unit
  use MODULE
  implicit none
  type(model_type), target, save :: m
  real(dp) :: stop_at, interval
  logical :: is_known
  integer(i4) :: status
  integer(i8) :: row
  integer :: i, k, parameters, inputs, columns
  character(256) :: word, text
  parameters = parameter_count
  inputs = input_count
  columns = variable_count
  call set_defaults(m)
  stop_at = experiment_stop
  interval = output_interval
  do i = 1, command_argument_count() - 1, 2
    call get_command_argument(i, word)
    call get_command_argument(i + 1, text)
    k = index(text, "=")
    is_known = .true.
    select case (word)
    case ("--stop")
      stop_at = number_of(text)
    case ("--interval")
      interval = number_of(text)
    case ("--step")
      m%solver%step = number_of(text)
    case ("--method")
      select case (text)
      case ("heun")
        m%solver%method = 0_i8
      case ("rk4")
        m%solver%method = 1_i8
      case ("implicit-euler")
        m%solver%method = 2_i8
      case default
        call fail("unknown method " // text)
      end select
    case ("--set")
      is_known = .false.
      do row = 0, parameters - 1
        if (parameter_names(row) == text(1:k - 1) .and. .not. parameter_is_fixed(row)) then
          m%given(row) = 1.0_dp
          m%p(row) = number_of(text(k + 1:))
          is_known = .true.
        end if
      end do
      if (.not. is_known) call fail("not a parameter that can be set: " // text)
    case ("--input")
      is_known = .false.
      do row = 0, inputs - 1
        if (input_names(row) == text(1:k - 1)) then
          m%u(frozen_count + row) = number_of(text(k + 1:))
          is_known = .true.
        end if
      end do
      if (.not. is_known) call fail("not an input: " // text)
    case default
      call fail("unknown option " // word)
    end select
  end do
  if (interval <= 0.0_dp) interval = max(stop_at - experiment_start, tiny(1.0_dp)) / 500.0_dp
  status = set_parameters(m)
  if (status == status_ok) status = initialize(m, experiment_start)
  if (status /= status_ok) call fail("the first instant: " // explain(m))
  write (*, "(a)", advance="no") "time"
  do i = 0, columns - 1
    if (index(variable_names(i), ",") > 0) then
      write (*, "(a)", advance="no") ',"' // trim(variable_names(i)) // '"'
    else
      write (*, "(a)", advance="no") "," // trim(variable_names(i))
    end if
  end do
  write (*, *)
  row = 0
  do
    status = find_variables(m)
    if (status /= status_ok) call fail(explain(m))
    call write_row()
    if (m%time >= stop_at) exit
    row = row + 1
    status = advance_to(m, next_time())
    if (status == status_terminated) then
      status = find_variables(m)
      call write_row()
      write (error_unit, "(a)") "terminated: " // trim(explain(m))
      exit
    end if
    if (status /= status_ok) call fail(explain(m))
  end do
  if (m%judgement%too_long > 0_i8) write (error_unit, "(a, i0, a)") "warning: ", m%judgement%too_long, &
    " steps were too long (stability, error): shorten --step, or use --method implicit-euler"
  if (m%poles > 0) write (error_unit, "(a, i0, a)") "warning: steps over a pole of a derivative: ", m%poles, &
    "; values behind it mean nothing"
  if (m%events > 0) write (error_unit, "(i0, a)") m%events, " events"
contains
  function next_time() result(found)
    real(dp) :: found
    found = experiment_start + real(row, dp) * interval
    if (stop_at - found <= 1.0e-6_dp * interval) found = stop_at
  end function next_time

  function number_of(given_text) result(found)
    character(*), intent(in) :: given_text
    real(dp) :: found
    integer :: problem
    read (given_text, *, iostat=problem) found
    if (problem /= 0) call fail("not a number: " // given_text)
  end function number_of

  subroutine fail(why)
    character(*), intent(in) :: why
    write (error_unit, "(a)") "error: " // trim(why)
    stop 3
  end subroutine fail

  subroutine write_row()
    integer :: j
    real(dp) :: value
    write (*, "(es25.16e3)", advance="no") m%time
    do j = 0, columns - 1
      select case (variable_kinds(j))
      case (0)
        value = m%stored(variable_places(j))
      case (1)
        value = m%p(variable_places(j))
      case (2)
        value = variable_values(j)
      case default
        value = m%time
      end select
      write (*, "(a, es25.16e3)", advance="no") ",", variable_signs(j) * value
    end do
    write (*, *)
  end subroutine write_row
end program simulate
"""
