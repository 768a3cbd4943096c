"""The subset of Python in which kernels are written.

    @kernel
    def clamp(c: Context, i: Int) -> Real:        double @clamp(ptr %c, i64 %i)
        return min(c.values[i], 1.0)

| part | allowed |
| --- | --- |
| types | Real, Int, Bool; arrays Reals, Ints, CInts; Address; structures (`Struct`) of these, those that lie in an |
|       | array of Real (`overlay`); protocols of routines |
| statements | assignment, `if`, `while`, `for i in range(...)`, `break`, `continue`, `return`, calls |
| expressions | arithmetic, `& ^ <<` of Int, comparisons, `and or not`, `a if c else b`, fields, elements, calls |
| functions | float, int, abs, min, max, floor, nearest, sqrt, fma, bits_of, from_bits, tail, overlay |

A local variable has the type of its first assignment and is assigned on every way to its use. Names of modules are
numbers or kernels. A routine is called by its address, which is a field of a structure or a parameter. Everything else
is refused with its line. Where Python would raise (division by zero, an index that
is out of range, overflow of an Int) machine code does not notice: kernels see to it that this cannot happen.
"""

import math
import struct
from collections.abc import Callable
from typing import Annotated, Protocol, TypeVar

Real = float
Int = int
Bool = bool
CInt = Annotated[int, "32 bits"]
"""C's int: in arguments and results of routines."""
Address = Annotated[int, "address"]
"""Handed on, never examined."""

F = TypeVar("F", bound=Callable[..., object])
Array = TypeVar("Array", bound="Reals | Ints | CInts")


class Reals(Protocol):
    """An array of float64."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class Ints(Protocol):
    """An array of int64."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class CInts(Protocol):
    """An array of int32."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Struct:
    """Fields by their annotations, those of the base class first; in memory 8 bytes each."""

    def __init__(self, **fields: object) -> None:
        missing = [name for name in field_types(type(self)) if name not in fields]
        if missing or len(fields) != len(field_types(type(self))):
            raise TypeError(f"{type(self).__name__}: fields {', '.join(missing) or 'unknown'}")
        self.__dict__.update(fields)


def field_types(struct: type[Struct]) -> dict[str, object]:
    """The annotations of a structure, in the order of its fields."""
    import inspect

    classes = [c for c in reversed(struct.__mro__) if issubclass(c, Struct)]
    return {name: kind for c in classes for name, kind in inspect.get_annotations(c).items()}


def kernel(function: F) -> F:
    """Marks a function as a kernel; in Python it stays as it is."""
    function.__dict__["is_kernel"] = True
    return function


def floor(x: Real) -> Real:
    """The greatest whole number that is not above x."""
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


def nearest(x: Real) -> Real:
    """The nearest whole number, the even one of two as near."""
    return math.copysign(round(x), x) if math.isfinite(x) else x


def sqrt(x: Real) -> Real:
    """The square root; NaN of negative numbers."""
    return math.sqrt(x) if x >= 0.0 else math.nan


def fma(x: Real, y: Real, z: Real) -> Real:
    """x*y + z, rounded once."""
    from fractions import Fraction

    rounded = x * y + z
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return rounded
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return rounded
    try:
        return math.copysign(float(exact), exact)
    except OverflowError:
        return math.copysign(math.inf, exact)


def bits_of(x: Real) -> Int:
    """The 64 bits of a number as an Int."""
    found: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return found


def from_bits(bits: Int) -> Real:
    """The number with these bits."""
    found: float = struct.unpack("<d", struct.pack("<Q", bits & 0xFFFF_FFFF_FFFF_FFFF))[0]
    return found


def tail(array: Array, start: Int) -> Array:
    """The elements of an array from this one on, in the same memory: Python needs arrays of NumPy for it."""
    if not hasattr(array, "ndim"):
        raise TypeError("a part of a list is a copy of it")
    return array[start:]  # type: ignore[index,return-value]  # arrays of NumPy have slices
