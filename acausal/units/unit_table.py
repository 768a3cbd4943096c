"""The units and prefixes that unit texts may name.

Source: The International System of Units (SI brochure), 9th edition, 2019: tables 2, 4, 7, 8; inch, foot and
pound: NIST SP 811, appendix B; the calorie is the thermochemical one (same place).
"""

from fractions import Fraction

from acausal.units.dimension import SI, Dimension, base, dimension, power, product, scale

_COHERENT = {
    "rad": {}, "sr": {},
    "Hz": {"s": -1}, "Bq": {"s": -1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "C": {"A": 1, "s": 1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "F": {"kg": -1, "m": -2, "s": 4, "A": 2},
    "Ohm": {"kg": 1, "m": 2, "s": -3, "A": -2},
    "S": {"kg": -1, "m": -2, "s": 3, "A": 2},
    "Wb": {"kg": 1, "m": 2, "s": -2, "A": -1},
    "T": {"kg": 1, "s": -2, "A": -1},
    "H": {"kg": 1, "m": 2, "s": -2, "A": -2},
    "lm": {"cd": 1},
    "lx": {"cd": 1, "m": -2},
    "Gy": {"m": 2, "s": -2}, "Sv": {"m": 2, "s": -2},
    "kat": {"mol": 1, "s": -1},
}  # fmt: skip

_SCALED: dict[str, tuple[str, Fraction, int]] = {
    "g": ("kg", Fraction(1, 1000), 0),
    "t": ("kg", Fraction(1000), 0),
    "min": ("s", Fraction(60), 0),
    "h": ("s", Fraction(3600), 0),
    "d": ("s", Fraction(86400), 0),
    "l": ("m^3", Fraction(1, 1000), 0),
    "L": ("m^3", Fraction(1, 1000), 0),
    "ha": ("m^2", Fraction(10000), 0),
    "bar": ("Pa", Fraction(100000), 0),
    "atm": ("Pa", Fraction(101325), 0),
    "eV": ("J", Fraction(1602176634, 10**28), 0),
    "cal": ("J", Fraction(4184, 1000), 0),
    "Ah": ("C", Fraction(3600), 0),
    "Wh": ("J", Fraction(3600), 0),
    "deg": ("rad", Fraction(1, 180), 1),
    "rev": ("rad", Fraction(2), 1),
    "rpm": ("Hz", Fraction(1, 30), 1),
    "%": ("rad", Fraction(1, 100), 0),
    "degC": ("K", Fraction(1), 0),
    "degF": ("K", Fraction(5, 9), 0),
    "in": ("m", Fraction(254, 10000), 0),
    "ft": ("m", Fraction(3048, 10000), 0),
    "lb": ("kg", Fraction(45359237, 10**8), 0),
}
"""A unit as a factor and a power of pi times another."""

PREFIXES = {
    "Q": 30, "R": 27, "Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "da": 1,
    "d": -1, "c": -2, "m": -3, "u": -6, "\N{MICRO SIGN}": -6, "\N{GREEK SMALL LETTER MU}": -6, "n": -9, "p": -12,
    "f": -15, "a": -18, "z": -21, "y": -24, "r": -27, "q": -30,
}  # fmt: skip

PREFIXABLE = (
    *("m", "g", "s", "A", "K", "mol", "cd", "rad", "sr", "Hz", "Bq", "N", "Pa", "J", "W", "C", "V", "F", "Ohm", "S"),
    *("Wb", "T", "H", "lm", "lx", "Gy", "Sv", "kat", "l", "L", "t", "bar", "eV", "cal", "Ah", "Wh"),
)

AFFINE = ("degC", "degF")
"""Units whose zero is not that of K: they differ from K although the dimension is the same."""

NAMES = {
    "ohm": "Ohm", "ohms": "Ohm", "\N{OHM SIGN}": "Ohm", "\N{GREEK CAPITAL LETTER OMEGA}": "Ohm",
    "volt": "V", "volts": "V", "ampere": "A", "amp": "A", "amps": "A", "farad": "F", "henry": "H", "siemens": "S",
    "watt": "W", "watts": "W", "joule": "J", "newton": "N", "pascal": "Pa", "hertz": "Hz", "kelvin": "K",
    "metre": "m", "meter": "m", "meters": "m", "metres": "m", "sec": "s", "second": "s", "seconds": "s",
    "minute": "min", "minutes": "min", "hour": "h", "hours": "h", "hr": "h", "day": "d", "gram": "g",
    "kilogram": "kg", "degree": "deg", "degrees": "deg", "\N{DEGREE SIGN}": "deg", "\N{DEGREE SIGN}C": "degC",
    "celsius": "degC", "radian": "rad", "radians": "rad", "litre": "l", "liter": "l", "lbs": "lb", "inch": "in",
    "foot": "ft", "feet": "ft", "coulomb": "C", "tesla": "T", "weber": "Wb", "percent": "%", "mole": "mol",
}  # fmt: skip
"""Common spellings of units, and the known symbol; for hints only."""


def _coherent(powers: dict[str, int]) -> Dimension:
    total = dimension(())
    for name, exponent in powers.items():
        total = product(total, power(base(name), exponent))
    return total


def _table() -> dict[str, Dimension]:
    units = {name: base(name) for name in SI} | {name: _coherent(powers) for name, powers in _COHERENT.items()}
    for name, (of, factor, pi) in _SCALED.items():
        root, _, exponent = of.partition("^")
        units[name] = product(scale(factor, pi), power(units[root], int(exponent or 1)))
    return units


UNITS: dict[str, Dimension] = _table()
COHERENT: tuple[str, ...] = ("A", "V", "Ohm", "S", "F", "H", "Wb", "C", "T", "N", "Pa", "J", "W", "m", "kg", "s", "K")
"""Names in which a dimension is shown, the likelier first."""


def known_unit(name: str) -> Dimension | None:
    """The unit with this name, with or without prefix."""
    found = UNITS.get(name)
    if found is not None:
        return found
    for length in (1, 2):
        exponent, rest = PREFIXES.get(name[:length]), name[length:]
        if exponent is not None and rest in PREFIXABLE:
            return product(scale(Fraction(10) ** exponent), UNITS[rest])
    return None
