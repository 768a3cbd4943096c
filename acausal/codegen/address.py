"""The address of an array's numbers, and a view of them."""

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_addressof, _from_buffer = ctypes.addressof, ctypes.c_char.from_buffer


def address_of(array: "NDArray[Any]") -> int:
    """Address of the numbers of a contiguous array, 0 if it has none; a fifth of the time of `array.ctypes`."""
    if not array.size:
        return 0
    try:
        return _addressof(_from_buffer(array))  # type: ignore[arg-type]  # an array is a buffer
    except TypeError:  # it is not to be written to
        return int(array.ctypes.data)


def view_of(array: "NDArray[Any]") -> memoryview:
    """The numbers of a contiguous array; slices of it can be set to arrays of the same length and type only."""
    return memoryview(array)  # type: ignore[arg-type]  # an array is a buffer
