"""Units as FMI defines them: SI base exponents, a factor, an offset, and units in which people read values."""

from fractions import Fraction
from math import isfinite, pi

from acausal.base.frozen import record
from acausal.units.convert import is_affine
from acausal.units.dimension import PI, SI, Dimension, dimension, factor_of
from acausal.units.parse_unit import UnitError, parse_unit

_FIRST = -8
_OFFSETS = {"degC": 273.15, "degF": 459.67 * 5.0 / 9.0}
_DISPLAYED = {
    "rad": (("deg", 180.0 / pi, 0.0),),
    "rad/s": (("rpm", 30.0 / pi, 0.0), ("deg/s", 180.0 / pi, 0.0)),
    "K": (("degC", 1.0, -273.15),),
    "Pa": (("bar", 1e-5, 0.0),),
    "m": (("mm", 1e3, 0.0),),
    "J": (("kWh", 1.0 / 3.6e6, 0.0),),
}
"""Of a unit: name, factor and offset of others."""


@record(frozen=True, slots=True)
class FmuUnit:
    """A unit: exponents by SI base unit (None: it has no whole ones), and (name, factor, offset) of display units."""

    name: str
    exponents: tuple[tuple[str, int], ...] | None
    factor: float
    offset: float
    displayed: tuple[tuple[str, float, float], ...]


def fmu_unit(text: str) -> FmuUnit:
    """The definition of a unit; without exponents where the text is no unit that can be converted."""
    displayed = _DISPLAYED.get(text, ())
    try:
        found = parse_unit(text).dimension
    except UnitError:
        return FmuUnit(text, None, 1.0, 0.0, displayed)
    factor = _factor(found)
    exponents = [(SI[b - _FIRST], e) for b, e in found.powers if b < PI]
    whole = tuple([(name, e) for name, e in exponents if isinstance(e, int)])
    if len(whole) < len(exponents) or not isfinite(factor) or factor <= 0.0:
        return FmuUnit(text, None, 1.0, 0.0, displayed)
    return FmuUnit(text, whole, factor, _OFFSETS[text.strip()] if is_affine(text) else 0.0, displayed)


def _factor(found: Dimension) -> float:
    """The factor, rounded once where it is rational."""
    scale = [(b, e) for b, e in found.powers if b > PI]
    if any(not isinstance(e, int) or abs(e) > 100 for _, e in scale):
        return factor_of(found)
    exact = Fraction(1)
    for prime, exponent in scale:
        exact *= Fraction(prime) ** int(exponent)
    try:
        return float(exact) * factor_of(dimension([(b, e) for b, e in found.powers if b == PI]))
    except OverflowError:
        return float("inf")
