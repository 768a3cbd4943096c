"""Typed trees of kernels as procedures of a Fortran 2008 module.

The text stands behind `contains` of a module that begins with `HEAD`; it gives the same bits as the kernels in Python
where double arithmetic is that of IEEE 754 (gfortran: -ffp-contract=off, and never -ffast-math).
"""

from collections.abc import Iterator, Sequence

from acausal.runtime.kernel.c.constants import with_unique_constants
from acausal.runtime.kernel.c.types import types_of
from acausal.runtime.kernel.fortran.body import Body
from acausal.runtime.kernel.fortran.layout import comment, wrapped
from acausal.runtime.kernel.fortran.names import constant_name, fortran_name, procedure_name
from acausal.runtime.kernel.fortran.types import declared, literal_text, type_declaration, type_name
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.overlay import Overlay
from acausal.runtime.kernel.tree import Function, Literal
from acausal.runtime.kernel.types import RoutineType, Scalar
from acausal.runtime.kernel.walk import all_expressions

KINDS = """\
  integer, parameter :: dp = selected_real_kind(15, 307), i8 = selected_int_kind(18), i4 = selected_int_kind(9)\
"""
_OVERLAY = """
  ! The structure that lies in an array from this element on.
  function {name}_at(array, start) result(found)
    real(dp), pointer, intent(in) :: array(:)
    integer(i8), value :: start
    type({name}), pointer :: found
    call c_f_pointer(c_loc(array(start)), found)
  end function {name}_at
"""
_TAIL = """\
  ! The elements of an array from this one on, in the same memory.
  function {name}(array, start) result(found)
    {kind}, pointer, intent(in) :: array(:)
    integer(i8), value :: start
    {kind}, pointer :: found(:)
    found(0:) => array(start:)
  end function {name}
"""
SUPPORT: dict[str, str] = {
    "tail": _TAIL.format(name="tail", kind="real(dp)"),
    "tail_of_ints": _TAIL.format(name="tail_of_ints", kind="integer(i8)"),
    "tail_of_c_ints": _TAIL.format(name="tail_of_c_ints", kind="integer(i4)"),
    "is_equal": """\
  ! True if numbers are the same; NaN is not itself.
  elemental function is_equal(a, b) result(found)
    real(dp), intent(in) :: a, b
    logical :: found
    found = a <= b .and. a >= b
  end function is_equal
""",
    "nearest_of": """\
  ! The nearest whole number, the even one of two as near.
  elemental function nearest_of(x) result(found)
    real(dp), intent(in) :: x
    real(dp) :: found
    found = x
    if (abs(x) < 4503599627370496.0_dp) found = sign((abs(x) + 4503599627370496.0_dp) - 4503599627370496.0_dp, x)
  end function nearest_of
""",
    "square_root": """\
  ! The square root; NaN of negative numbers.
  elemental function square_root(x) result(found)
    real(dp), intent(in) :: x
    real(dp) :: found
    found = merge(sqrt(max(x, 0.0_dp)), ieee_value(x, ieee_quiet_nan), x >= 0.0_dp)
  end function square_root
""",
    "floor_of": """\
  ! The greatest whole number that is not above x.
  elemental function floor_of(x) result(found)
    real(dp), intent(in) :: x
    real(dp) :: found
    found = x
    if (abs(x) < 4503599627370496.0_dp) then
      found = aint(x)
      if (found > x) found = found - 1.0_dp
    end if
  end function floor_of
""",
    "infinity": """\
  ! Infinity.
  pure function infinity() result(found)
    real(dp) :: found
    found = ieee_value(1.0_dp, ieee_positive_inf)
  end function infinity
""",
    "nan_value": """\
  ! Not a number.
  pure function nan_value() result(found)
    real(dp) :: found
    found = ieee_value(1.0_dp, ieee_quiet_nan)
  end function nan_value
""",
    "least_of": """\
  ! As Python: the first one unless the other one is smaller.
  elemental function least_of(a, b) result(found)
    real(dp), intent(in) :: a, b
    real(dp) :: found
    found = merge(b, a, b < a)
  end function least_of
""",
    "greatest_of": """\
  ! As Python: the first one unless the other one is greater.
  elemental function greatest_of(a, b) result(found)
    real(dp), intent(in) :: a, b
    real(dp) :: found
    found = merge(b, a, b > a)
  end function greatest_of
""",
}
"""Functions that kernels may call, by their names."""


def constants_and_interfaces(functions: Sequence[Function], added: Sequence[type[Struct]] = ()) -> Iterator[str]:
    """Declarations before `contains`; structures beside those of the functions are `added`."""
    named = [e for f in with_unique_constants(functions) for e in all_expressions(f.body) if isinstance(e, Literal)]
    found = {e.name: e for e in named if e.name and e.value - e.value == 0}
    for name, literal in found.items():
        kind = "integer(i8)" if isinstance(literal.value, int) else "real(dp)"
        yield f"  {kind}, parameter :: {constant_name(name)} = {literal_text(literal.value)}"
    types = types_of(functions, added)
    for routine in types.routines.values():
        yield from _interface(routine)
    for struct in types.structs:
        yield from type_declaration(struct)


def _interface(routine: RoutineType) -> Iterator[str]:
    yield from ["  abstract interface", comment(routine.summary, 2)]
    names = [fortran_name(name) for name in routine.names]
    is_function = routine.result is not Scalar.NOTHING
    head = f"{'function' if is_function else 'subroutine'} {routine.name}_routine({', '.join(names)})"
    yield wrapped(f"{head}{' result(result_value)' if is_function else ''}", 2)
    yield "      import :: dp, i8, i4, c_ptr"
    for name, kind in zip(names, routine.parameters, strict=True):
        yield f"      {declared(kind, name, ', intent(in)')}"
    if is_function:
        yield f"      {declared(routine.result, 'result_value')}"
    yield from [f"    end {'function' if is_function else 'subroutine'} {routine.name}_routine", "  end interface"]


def procedures(functions: Sequence[Function]) -> Iterator[str]:
    """The kernels, each a procedure."""
    unique = with_unique_constants(functions)
    results = {f.name: f.result for f in unique}
    for function in unique:
        yield from _procedure(function, Body(function, results))


def _procedure(function: Function, body: Body) -> Iterator[str]:
    name, is_function = procedure_name(function.name), function.result is not Scalar.NOTHING
    given = ", ".join([body.names[parameter] for parameter, _ in function.parameters])
    word = "function" if is_function else "subroutine"
    yield from ["", comment(function.origin.summary, 1)] if function.origin.summary else [""]
    yield wrapped(f"recursive {word} {name}({given}){' result(result_value)' if is_function else ''}", 1)
    for parameter, kind in function.parameters:
        yield f"    {declared(kind, body.names[parameter], ', intent(in)')}"
    if is_function:
        yield f"    {declared(function.result, 'result_value')}"
    yield from body.lines
    yield f"  end {word} {name}"


def overlays(functions: Sequence[Function], added: Sequence[type[Struct]] = ()) -> Iterator[str]:
    """Functions that find the structures which lie in arrays."""
    for struct in types_of(functions, added).structs:
        if issubclass(struct, Overlay):
            yield _OVERLAY.format(name=type_name(struct))


def support(text: str) -> Iterator[str]:
    """The functions that a text calls."""
    for name, definition in SUPPORT.items():
        if f"{name}(" in text:
            yield definition
