"""Units in which curves are displayed: `crank.q in deg`, `--unit rpm,mA`.

Angles are pure numbers to the check of units, but not here: rad/s is rpm or deg/s, never Hz.
"""

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.units.dimension import PI, Dimension, factor_of, quotient, without_scale
from acausal.units.near_units import near_unit
from acausal.units.parse_unit import Unit, UnitError, parse_unit

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_ANGLE = re.compile(r"(?<![A-Za-z])(?:rad|deg|rev|rpm)(?![A-Za-z])")
_FIVE_NINTHS = Fraction(5, 9)
_IN_KELVIN = {
    "K": (Fraction(1), Fraction(0)),
    "degC": (Fraction(1), Fraction("273.15")),
    "degF": (_FIVE_NINTHS, _FIVE_NINTHS * Fraction("459.67")),
}
"""Kelvins of a degree, and of the zero of its scale."""
_LARGEST = 200
"""Exponents whose powers are computed exactly."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """`factor * value + offset` is the value in `unit`."""

    unit: str | None
    factor: float = 1.0
    offset: float = 0.0

    def __call__(self, values: "Array") -> "Array":
        """The values in the unit."""
        if self.factor == 1.0 and self.offset == 0.0:
            return values
        return self.factor * values + self.offset


def known_unit_text(text: str) -> Unit:
    """The unit that the user named; UsageError F022 where the text is none."""
    try:
        return parse_unit(text)
    except UnitError as error:
        near = near_unit(error.part)
        hint = f"did you mean {near}?" if near else "units are written as deg, rpm, mA, kN*m, m/s^2"
        raise UsageError(Diagnostic("F022", f"unknown unit {text}", help=hint)) from None


def declared_unit(text: str | None) -> Unit | None:
    """The unit of a variable; None where none is known, or the text of a file is none."""
    if text is None:
        return None
    try:
        return parse_unit(text)
    except UnitError:
        return None


def fits(unit: str | None, wanted: str) -> bool:
    """True if values of a unit can be displayed in the wanted one."""
    old, new = declared_unit(unit), known_unit_text(wanted)
    if old is None or unit is None or without_scale(old.dimension) is not without_scale(new.dimension):
        return False
    return _of_angle(unit) == _of_angle(wanted)


def conversion(unit: str, wanted: str) -> Conversion:
    """From a unit to one that `fits`."""
    old, new = unit.strip(), wanted.strip()
    if {old, new} & {"degC", "degF"} and old in _IN_KELVIN and new in _IN_KELVIN:
        (old_size, old_zero), (new_size, new_zero) = _IN_KELVIN[old], _IN_KELVIN[new]
        return Conversion(wanted, float(old_size / new_size), float((old_zero - new_zero) / new_size))
    return Conversion(wanted, ratio(known_unit_text(unit).dimension, known_unit_text(wanted).dimension))


def ratio(old: Dimension, new: Dimension) -> float:
    """The factor between numbers in two units of one kind, rounded once where no root is in it."""
    found = quotient(old, new)
    scales = [(base, exponent) for base, exponent in found.powers if base >= PI]
    if any(not isinstance(exponent, int) or abs(exponent) > _LARGEST for _, exponent in scales):
        return factor_of(found)
    rational, pis = Fraction(1), 0
    for base, exponent in scales:
        if base == PI:
            pis = int(exponent)
        else:
            rational *= Fraction(base) ** int(exponent)
    return float(rational) * math.pi**pis


def is_affine(unit: str) -> bool:
    """True for degC and degF, which have a zero of their own."""
    return known_unit_text(unit).affine


def _of_angle(unit: str) -> bool:
    return _ANGLE.search(unit) is not None
