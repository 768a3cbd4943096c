"""Numbers with SI prefixes and units: where the text behind a number belongs to it.

    1k      4.7uF      1k Ohm      90 deg      5 m/s^2      400 W/(m^2*K)

A unit is a name that is known as one, or a product without blanks: `10 V/R` divides 10 V by R. Names before `(`, and
before `=`, which begin another statement, are none.
"""

import re
from collections.abc import Container

from acausal.units.parse_unit import UnitError, parse_unit
from acausal.units.unit_table import NAMES

_FACTOR = r"(?:[^\W\d_]+|%|\N{DEGREE SIGN}[^\W\d_]*)(?:\^\([+-]?\d+(?:/\d+)?\)|\^[+-]?\d+|\d+)?"
_UNIT = rf"{_FACTOR}(?:[*./](?:{_FACTOR}|\({_FACTOR}(?:[*./]{_FACTOR})*\)))*(?![\w(\[]|\.\d|[ \t]*=(?!=))"
_PREFIX = r"[TGMkmu\N{MICRO SIGN}\N{GREEK SMALL LETTER MU}npf](?![\w%.^(\[]|[ \t]*=(?!=))"
PREFIXED = re.compile(rf"(?P<prefix>{_PREFIX})|(?P<unit>{_UNIT})")
SPACED = re.compile(rf"[ \t]+(?P<unit>{_UNIT})")
_FIRST = re.compile(_FACTOR)


def quantity_end(text: str, number_end: int, reserved: Container[str]) -> int:
    """Offset behind the prefix and unit of the number that ends at `number_end`; that itself if it has neither."""
    end = number_end
    glued = PREFIXED.match(text, end)
    if glued is not None:
        if glued["unit"] is not None:
            return end + _known(glued["unit"], reserved)
        end = glued.end()
    spaced = SPACED.match(text, end)
    known = 0 if spaced is None else _known(spaced["unit"], reserved)
    return end if spaced is None or not known else spaced.start("unit") + known


def _known(text: str, reserved: Container[str]) -> int:
    """The length of the unit that the text is, or else of its first factor; 0 if that is none."""
    first = _FIRST.match(text)
    assert first is not None
    for found in (text, first[0]):
        if found not in reserved and _is_unit(found):
            return len(found)
    return 0


def _is_unit(text: str) -> bool:
    """True for units and common spellings of them, for which the right one is suggested."""
    try:
        parse_unit(text)
    except UnitError as error:
        return error.part == text and text in NAMES
    return True


def parts_of_quantity(text: str) -> tuple[str, str, str]:
    """Number, prefix and unit of such a text; the last two may be empty."""
    number = _NUMBER.match(text)
    assert number is not None
    glued = PREFIXED.match(text, number.end())
    if glued is not None and glued["unit"] is not None:
        return number[0], "", glued["unit"]
    prefix = glued["prefix"] if glued is not None else ""
    return number[0], prefix, text[number.end() + len(prefix) :].strip(" \t")


_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
