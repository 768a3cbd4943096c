"""Arrays that the caller of a function gives: of floats, of the shapes that it takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.ir.names import listed
from acausal.simulate.inputs.number_arrays import floats_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array

SHOWN = 8
"""Names that a message lists at most."""


def array_of(what: str, value: "ArrayLike") -> "Array":
    """A contiguous array of float64, or one of no dimensions; UsageError F006 for what is none."""
    import numpy as np

    found = floats_of(value)
    if found is None:
        hint = "give an array of floats, or lists of numbers of one length"
        raise UsageError(Diagnostic("F006", f"{what} are not a table of numbers", help=hint))
    return np.ascontiguousarray(found) if found.ndim else found


def rows_of(what: str, value: "ArrayLike", names: Sequence[str], count: int) -> "Array":
    """A table (1, k) or (count, k) with a column for each name, of one row (k,) or of `count`; UsageError F006 else."""
    found = array_of(what, value)
    if found.shape not in ((len(names),), (count, len(names))):
        raise wrong_shape(what, found.shape, f"({len(names)},) or ({count}, {len(names)})", names)
    return found if found.ndim == 2 else found[None, :]


def wrong_shape(what: str, shape: tuple[int, ...], needed: str, names: Sequence[str]) -> UsageError:
    """UsageError F006 for an array with another shape than the `needed` one; `names` are those of its columns."""
    hint = f"one column for each of {listed(names, SHOWN)}" if names else "the first axis is that of the states"
    return UsageError(Diagnostic("F006", f"{what}: the shape is {shape}, required is {needed}", help=hint))


def need_bindable(what: str, array: "Array") -> None:
    """UsageError F006 for anything but a contiguous array of float64 that can be written to."""
    if not hasattr(array, "flags") or array.dtype.char != "d" or not array.flags.carray:
        hint = "give a contiguous array of float64 that can be written to"
        raise UsageError(Diagnostic("F006", f"{what} cannot be bound", help=hint))
