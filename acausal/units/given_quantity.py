"""Values with units that are given from outside of the model text, as `--set R=4.7kOhm`."""

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.units.convert import MismatchError, converted, unconverted
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

    @property
    def zero(self) -> "GivenQuantity":
        """The zero of this unit."""
        return GivenQuantity(self.text, ("0", *self.parts[1:]))

    def in_unit(self, name: str, unit: str | None, declared: Label | None) -> float:
        """The number in this unit, None for SI units; UsageError U005 or U006 where `name` cannot have it."""
        try:
            return converted(*self.parts, unit)
        except (UnitError, MismatchError) as error:
            code, message, hint = unconverted(self.text, self.parts, unit, name, error)
            raise UsageError(Diagnostic(code, message, declared, help=hint)) from None
