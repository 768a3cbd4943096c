"""Functions that routines in Fortran call, by their names."""

OWN_FUNCTIONS = {
    "numbers_at": """\
  ! An array at the address of a structure, which stands for it where routines are called.
  function numbers_at(address) result(found)
    type(c_ptr), value :: address
    real(dp), pointer :: found(:), all_numbers(:)
    call c_f_pointer(address, all_numbers, [1])
    found(0:) => all_numbers
  end function numbers_at
""",
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
