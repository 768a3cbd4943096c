"""Numbers with units, converted to the unit of a declaration; rounded once, at the end.

4.7 uF in F is the number nearest to 4.7e-6, 25 degC in K is 298.15.
"""

import re
from fractions import Fraction
from math import pi

from acausal.units.dimension import PI, Dimension, factor_of, quotient, without_scale
from acausal.units.name_unit import name_unit
from acausal.units.parse_unit import Unit, UnitError, parse_unit
from acausal.units.unit_table import PREFIXES

_ZEROS = {"degC": Fraction(27315, 100), "degF": Fraction(45967, 100) * Fraction(5, 9)}
"""Zeros of scales of temperature in K."""
_ANGLES = frozenset(("rad", "deg", "rev", "rpm"))
_NAME = re.compile(r"[^\W\d_]+")


class MismatchError(ValueError):
    """The value is of another dimension; `because` says more where the names of the units do not."""

    def __init__(self, because: str = "") -> None:
        super().__init__(because)
        self.because = because


def converted(number: str, prefix: str, unit: str, wanted: str | None) -> float:
    """A number of this prefix and unit in the wanted unit, without one in SI units.

    UnitError where a unit is unknown, MismatchError where they measure different things. A prefix alone is a power of
    ten, whatever the unit.
    """
    exact = Fraction(number) if float(number) else Fraction(0)  # 1e-999999999 would make a huge fraction
    if prefix:
        exact *= Fraction(10) ** PREFIXES[prefix]
    if not unit:
        return float(exact)
    given = parse_unit(unit)
    target = Unit("", without_scale(given.dimension)) if wanted is None else parse_unit(wanted)
    if without_scale(given.dimension) is not without_scale(target.dimension):
        raise MismatchError
    if wanted is not None and _counts_turns(unit) is not _counts_turns(wanted):
        raise MismatchError("1 Hz is 2*pi rad/s or 60 rpm")
    return _scaled(exact, given, target)


def unconverted(
    text: str, parts: tuple[str, str, str], wanted: str | None, owner: str, error: UnitError | MismatchError
) -> tuple[str, str, str]:
    """Code, message and hint for a value that `converted` cannot convert to the unit of its owner, U005 or U006."""
    number, _, unit = parts
    if isinstance(error, UnitError):
        hint = "correct the unit of the declaration, or give a plain number"
        return "U006", f"{text} cannot be converted to {wanted}, an unknown unit", hint
    hint = error.because or f"give a value in {wanted}, or correct the declaration"
    if unit == "K" and text.endswith("K") and " " not in text:
        hint = f"write {number}k"
    return "U005", f"{text} cannot be converted to {wanted}, the unit of {owner}", hint


def _scaled(exact: Fraction, given: Unit, target: Unit) -> float:
    ratio = quotient(given.dimension, target.dimension)
    if any(not isinstance(e, int) for _, e in ratio.powers):
        return float(exact) * factor_of(ratio)
    if given.affine or target.affine:
        kelvins = exact * _rational(given.dimension) + _ZEROS.get(given.text.strip(), 0)
        return float((kelvins - _ZEROS.get(target.text.strip(), 0)) / _rational(target.dimension))
    turns = sum(int(e) for b, e in ratio.powers if b == PI)
    value = float(exact * _rational(ratio))
    return value * pi**turns if turns else value


def _rational(scale: Dimension) -> Fraction:
    """The rational part of a scale factor."""
    found = Fraction(1)
    for prime, exponent in scale.powers:
        if prime > 0:
            found *= Fraction(prime) ** int(exponent)
    return found


def _counts_turns(unit: str) -> bool | None:
    """True for frequencies in Hz, False for angular velocities, whose dimension is the same; None for others."""
    names = _NAME.findall(unit)
    if any(name.endswith("Hz") for name in names):
        return True
    dimension = parse_unit(unit).dimension
    per_second = without_scale(dimension) is without_scale(parse_unit("Hz").dimension)
    return False if per_second and _ANGLES.intersection(names) else None


def is_affine(unit: str) -> bool:
    """True for scales of temperature with another zero than K."""
    return unit.strip() in _ZEROS


def si_unit(unit: str) -> str:
    """The SI unit of what a unit measures: `rad` for deg, `rad/s` for rpm, `m` for mm; UnitError for none."""
    dimension = without_scale(parse_unit(unit).dimension)
    if _ANGLES.intersection(_NAME.findall(unit)):
        for angular in ("rad", "rad/s", "rad/s^2"):
            if without_scale(parse_unit(angular).dimension) is dimension:
                return angular
    return name_unit(dimension)
