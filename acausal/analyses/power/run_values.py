"""Variables of a run with their dimensions, for products of them."""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.ir.flat import FlatModel
from acausal.ir.names import show_name
from acausal.units.dimension import Dimension, factor_of, without_scale
from acausal.units.parse_unit import UnitError, parse_unit

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.result import Result

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A variable of a run: its number of elements, and what its unit means; None where that is not known."""

    name: str
    size: int
    dimension: Dimension | None
    factor: float


class RunValues:
    """Variables of a run by name: values of arrays are of shape (rows, elements), of scalars (rows, 1)."""

    def __init__(self, flat: FlatModel, result: "Result") -> None:
        self._result = result
        self._variables = {show_name(v.symbol.name) for v in flat.variables}
        self._elements = {
            show_name(v.symbol.name): [show_name((*v.symbol.name, *index)) for index in indices(v.symbol.shape)]
            for v in flat.variables
            if v.symbol.shape
        }

    def quantity(self, name: str | None) -> Quantity | None:
        """The variable with its size and unit; None for a derivative that the program does not compute.

        UnknownNameError F005 for a variable of the model that the result does not have.
        """
        if name is None:
            return None
        names = self._elements.get(name, [name])
        missing = next((n for n in names if n not in self._result.columns), None)
        if missing is not None and name in self._variables:
            raise self._result.unknown(missing)
        if missing is not None or not names:
            return None
        dimension, factor = _meaning(self._result.columns[names[0]].unit)
        return Quantity(name, len(names), dimension, factor)

    def values(self, quantity: Quantity) -> "Array":
        """The values in SI units, where the unit is known."""
        import numpy as np

        names = self._elements.get(quantity.name, [quantity.name])
        return quantity.factor * np.column_stack([self._result[n] for n in names])


def _meaning(unit: str | None) -> tuple[Dimension | None, float]:
    """Dimension of a unit and its size in SI units."""
    if unit is None:
        return None, 1.0
    try:
        found = parse_unit(unit).dimension
    except UnitError:
        return None, 1.0
    return without_scale(found), factor_of(found)


def indices(shape: Shape) -> list[Shape]:
    """The indices of the elements of an array, row by row."""
    found: list[Shape] = [()]
    for size in shape:
        found = [(*index, k) for index in found for k in range(1, size + 1)]
    return found
