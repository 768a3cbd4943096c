"""Values with units that are given from outside of the model text, as `--set R=4.7kOhm`."""

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.units.convert import MismatchError, converted
from acausal.units.parse_unit import UnitError


class GivenQuantity(float):
    """A number with a unit. As a number it is that in SI units; `in_unit` that in the unit of a declaration."""

    text: str
    parts: tuple[str, str, str]

    def __new__(cls, text: str, parts: tuple[str, str, str]) -> "GivenQuantity":
        """The quantity of these parts: number, prefix and unit; UnitError for an unknown unit."""
        made = super().__new__(cls, converted(*parts, None))
        made.text, made.parts = text, parts
        return made

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return GivenQuantity, (self.text, self.parts)

    def in_unit(self, name: str, unit: str | None, declared: Label | None) -> float:
        """The number in this unit, None for SI units; UsageError U005 or U006 where `name` cannot have it."""
        try:
            return converted(*self.parts, unit)
        except UnitError as error:
            hint = "correct the unit of the declaration, or give a plain number"
            raise UsageError(Diagnostic("U006", f"unknown unit {error.part}", declared, help=hint)) from None
        except MismatchError as error:
            message = f"{self.text} cannot be converted to {unit}, the unit of {name}"
            hint = error.because or f"give a value in {unit}"
            raise UsageError(Diagnostic("U005", message, declared, help=hint)) from None
