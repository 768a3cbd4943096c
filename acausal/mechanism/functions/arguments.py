"""Arguments of functions of mechanisms: their names and variables, and the arrays that a caller gives."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.ir.names import show_derivative
from acausal.simulate.inputs.number_arrays import floats_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array

SHOWN = 8
"""Names that a message lists at most."""


@record(frozen=True, slots=True)
class Argument:
    """An argument of a function: its name, and the variables that its elements stand for."""

    name: str
    leaves: tuple[Expr, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple([show_derivative(leaf.name, leaf.order) for leaf in self.leaves])


def numbers_in(what: str, given: "ArrayLike") -> "Array":
    """An array of floats; UsageError F006 for anything but numbers, and lists of different lengths."""
    found = floats_of(given)
    if found is None:
        hint = "give arrays of floats, or lists of numbers of one length"
        raise UsageError(Diagnostic("F006", f"{what} are not numbers", help=hint))
    return found


def array_of(what: str, given: "ArrayLike", shape: tuple[int, ...]) -> "Array":
    """An array of floats of a shape; UsageError F006 for anything else."""
    found = numbers_in(f"elements of {what}", given)
    if found.shape != shape:
        message = f"{what}: the shape is {found.shape}, required is {shape}"
        raise UsageError(Diagnostic("F006", message, help="give a number for each position or velocity"))
    return found
