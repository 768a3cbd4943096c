"""Fortran text that is the same for all models: parameters, the integrator, the program.

The integrator is the method of Dormand and Prince of order 5 (J. R. Dormand, P. J. Prince, A family of embedded
Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980)), with steps that end at the output times.
"""

INTEGRATOR = """\
  ! p with the values of the model, complete; `given` parameters have the values in `values`.
  subroutine set_parameters(p, status, given, values)
    real(dp), pointer, intent(in) :: p(:)
    integer(i4), intent(out) :: status
    logical, intent(in), optional :: given(0:)
    real(dp), intent(in), optional :: values(0:)
    real(dp), target :: flags(0:parameter_count), none(0:0)
    real(dp), pointer :: u(:), m(:)
    flags = 0.0_dp
    none = 0.0_dp
    p(0:parameter_count - 1) = parameter_values
    if (present(given) .and. present(values)) then
      where (given) flags(0:parameter_count - 1) = 1.0_dp
      where (given) p(0:parameter_count - 1) = values
    end if
    u => flags
    m => none
    status = setup(0.0_dp, m, u, p, m, p)
  end subroutine set_parameters

  ! From t to `goal` with the error of a step below `tolerance`; `h` is the step, 0 at first. Status 0, the number of
  ! a block without solution, or -1 where steps become too short.
  subroutine integrate(t, goal, y, u, p, m, tolerance, h, status)
    real(dp), intent(inout) :: t, h
    real(dp), intent(in) :: goal, tolerance
    real(dp), pointer, intent(in) :: y(:), u(:), p(:), m(:)
    integer(i4), intent(out) :: status
    real(dp), target :: k(0:state_count - 1, 7), x(0:state_count - 1)
    real(dp), pointer :: stage(:), slope(:)
    real(dp) :: scales(0:state_count - 1), error, step
    integer :: i
    real(dp), parameter :: nodes(7) = [0.0_dp, 0.2_dp, 0.3_dp, 0.8_dp, 8.0_dp / 9.0_dp, 1.0_dp, 1.0_dp]
    real(dp), parameter :: a(6, 2:7) = reshape([ &
      0.2_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      0.075_dp, 0.225_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      44.0_dp / 45.0_dp, -56.0_dp / 15.0_dp, 32.0_dp / 9.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      19372.0_dp / 6561.0_dp, -25360.0_dp / 2187.0_dp, 64448.0_dp / 6561.0_dp, -212.0_dp / 729.0_dp, 0.0_dp, 0.0_dp, &
      9017.0_dp / 3168.0_dp, -355.0_dp / 33.0_dp, 46732.0_dp / 5247.0_dp, 49.0_dp / 176.0_dp, &
      -5103.0_dp / 18656.0_dp, 0.0_dp, &
      35.0_dp / 384.0_dp, 0.0_dp, 500.0_dp / 1113.0_dp, 125.0_dp / 192.0_dp, -2187.0_dp / 6784.0_dp, &
      11.0_dp / 84.0_dp], [6, 6])
    real(dp), parameter :: errors(7) = [71.0_dp / 57600.0_dp, 0.0_dp, -71.0_dp / 16695.0_dp, 71.0_dp / 1920.0_dp, &
      -17253.0_dp / 339200.0_dp, 22.0_dp / 525.0_dp, -1.0_dp / 40.0_dp]
    status = 0
    if (state_count == 0) then
      t = goal
      return
    end if
    stage => x
    if (h <= 0.0_dp) h = 1.0e-6_dp * (goal - t)
    do while (t < goal)
      step = min(h, goal - t)
      do
        if (step <= 1.0e-15_dp * max(abs(t), abs(goal))) then
          status = -1
          return
        end if
        do i = 1, 7
          x = y
          if (i > 1) x = y + step * matmul(k(:, 1:i - 1), a(1:i - 1, i))
          slope(0:) => k(:, i)
          status = derivatives(t + nodes(i) * step, stage, u, p, m, slope)
          if (status /= 0) exit
        end do
        error = 2.0_dp
        if (status == 0) then
          scales = tolerance * max(abs(y), abs(x), 0.01_dp)
          error = step * maxval(abs(matmul(k, errors)) / scales)
          if (.not. ieee_is_finite(error)) error = 1.0e5_dp
          if (error <= 1.0_dp) exit
        end if
        step = step * max(0.1_dp, 0.9_dp * error**(-0.2_dp))
      end do
      t = merge(goal, t + step, step >= goal - t)
      y(0:state_count - 1) = x
      step = step * min(5.0_dp, 0.9_dp * max(error, 1.0e-10_dp)**(-0.2_dp))
      h = merge(max(h, step), step, t >= goal)
    end do
  end subroutine integrate
"""
OWN_FUNCTIONS = {
    "ceiling_of": """\
  ! The least whole number that is not below x.
  elemental function ceiling_of(x) result(found)
    real(dp), intent(in) :: x
    real(dp) :: found
    found = -floor_of(-x)
  end function ceiling_of
""",
    "sign_of": """\
  ! 1, 0 or -1.
  elemental function sign_of(x) result(found)
    real(dp), intent(in) :: x
    real(dp) :: found
    found = merge(1.0_dp, 0.0_dp, x > 0.0_dp) - merge(1.0_dp, 0.0_dp, x < 0.0_dp)
  end function sign_of
""",
    "remainder_of": """\
  ! x modulo y.
  elemental function remainder_of(x, y) result(found)
    real(dp), intent(in) :: x, y
    real(dp) :: found
    found = x - y * floor_of(x / y)
  end function remainder_of
""",
}
MAIN = """\
! Simulates and writes CSV: [--stop T] [--interval DT] [--tolerance TOL] [--set NAME=VALUE] [--input NAME=VALUE]
program simulate
  use MODULE
  implicit none
  real(dp), target :: y0(0:max(initial_size, state_count)), u0(0:input_count), p0(0:parameter_size)
  real(dp), target :: m0(0:memory_size), out0(0:stored_size)
  real(dp), pointer :: y(:), u(:), p(:), m(:), out(:)
  real(dp) :: t, h, stop_at, interval, tolerance, values(0:max(parameter_count - 1, 0))
  logical :: given(0:max(parameter_count - 1, 0)), is_known
  integer(i4) :: status
  integer(i8) :: row
  integer :: i, k, parameters, inputs, columns
  character(256) :: word, text
  parameters = parameter_count
  inputs = input_count
  columns = variable_count
  y => y0
  u => u0
  p => p0
  m => m0
  out => out0
  y0 = 0.0_dp
  u0 = 0.0_dp
  p0 = 0.0_dp
  m0 = 0.0_dp
  out0 = 0.0_dp
  values = 0.0_dp
  given = .false.
  stop_at = stop_time
  interval = output_interval
  tolerance = model_tolerance
  do i = 1, command_argument_count() - 1, 2
    call get_command_argument(i, word)
    call get_command_argument(i + 1, text)
    k = index(text, "=")
    select case (word)
    case ("--stop")
      stop_at = number_of(text)
    case ("--interval")
      interval = number_of(text)
    case ("--tolerance")
      tolerance = number_of(text)
    case ("--set")
      is_known = .false.
      do row = 0, parameters - 1
        if (parameter_names(row) == text(1:k - 1) .and. .not. parameter_is_fixed(row)) then
          given(row) = .true.
          values(row) = number_of(text(k + 1:))
          is_known = .true.
        end if
      end do
      if (.not. is_known) call fail("not a parameter that can be set: " // text)
    case ("--input")
      is_known = .false.
      do row = 0, inputs - 1
        if (input_names(row) == text(1:k - 1)) then
          u(row) = number_of(text(k + 1:))
          is_known = .true.
        end if
      end do
      if (.not. is_known) call fail("not an input: " // text)
    case default
      call fail("unknown option " // word)
    end select
  end do
  if (interval <= 0.0_dp) interval = max(stop_at - start_time, tiny(1.0_dp)) / 500.0_dp
  call set_parameters(p, status, given(0:parameter_count - 1), values(0:parameter_count - 1))
  t = start_time
  if (status == 0) status = initial(t, y, u, p, m, y)
  if (status /= 0) call fail("the first instant has no solution")
  h = 0.0_dp
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
    status = variables(t, y, u, p, m, out)
    if (status /= 0) call fail("variables have no solution")
    call write_row()
    if (t >= stop_at) exit
    row = row + 1
    h = max(h, 0.0_dp)
    call integrate(t, next_time(), y, u, p, m, 0.01_dp * tolerance, h, status)
    if (status /= 0) call fail("the solver is stuck: the model may be stiff, or has no solution here")
  end do
contains
  function next_time() result(found)
    real(dp) :: found
    found = start_time + real(row, dp) * interval
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
    use, intrinsic :: iso_fortran_env, only: error_unit
    character(*), intent(in) :: why
    write (error_unit, "(a)") "error: " // trim(why)
    stop 3
  end subroutine fail

  subroutine write_row()
    integer :: j
    real(dp) :: value
    write (*, "(es24.16)", advance="no") t
    do j = 0, columns - 1
      select case (variable_kinds(j))
      case (0)
        value = out(variable_places(j))
      case (1)
        value = p(variable_places(j))
      case (2)
        value = variable_values(j)
      case default
        value = t
      end select
      write (*, "(a, es24.16)", advance="no") ",", variable_signs(j) * value
    end do
    write (*, *)
  end subroutine write_row
end program simulate
"""
