"""Quantities as people write them by hand: `4.7 kΩ`, `10 µF`, `90°`, `4k7`."""

import re

from acausal.base.diagnostics import Diagnostic
from acausal.base.source import Span
from acausal.syntax.errors.habit_values import habit
from acausal.syntax.errors.situation import Situation

_SIGNS = {
    "\u00b0C": "degC",
    "\u2103": "degC",
    "\u00b0": "deg",
    "\u03a9": "Ohm",
    "\u2126": "Ohm",
    "\u00b5": "u",
    "\u03bc": "u",
    "\u00b2": "2",
    "\u00b3": "3",
}
"""Signs in units, and how they are written here. The first that fits counts."""
_REST = "A-Za-z0-9./^\u00b7" + "".join(sign[0] for sign in _SIGNS)
_UNIT = re.compile(rf"[ \t]*[A-Za-z./\u00b7]*(?:{'|'.join(_SIGNS)})[{_REST}]*")
_AHEAD = 6
"""Tokens between the number and the place where the parser stops, at most."""
_PREFIX_AS_POINT = re.compile(r"([kMGmunpR])(\d+)")


def unit_sign(here: Situation) -> Diagnostic | None:
    """A number whose unit has a letter or sign that is not ASCII."""
    for step in range(0, -_AHEAD, -1):
        if here.kind(step) == "NUMBER":
            break
    else:
        return None
    number = here.span(step)
    value = re.match(r"[\d.]+(?:[eE][+-]?\d+)?", number.text)
    start = number.start + (value.end() if value else 0)
    found = _UNIT.match(here.source.text, start)
    if value is None or found is None or found.end() <= here.span().start:
        return None
    unit = found[0].strip()
    for sign, written in (*_SIGNS.items(), ("\u00b7", ".")):
        unit = unit.replace(sign, written)
    if not unit[0].isalpha():
        return None
    span = Span(here.source, number.start, found.end())
    return habit("units consist of ASCII characters", span, f"write `{value[0]} {unit}`", "P003")


def prefix_as_point(here: Situation) -> Diagnostic | None:
    """`4k7`: the prefix in place of the decimal point, `4R7` for ohms."""
    found = _PREFIX_AS_POINT.fullmatch(here.text()) if here.kind() == "NAME" else None
    if found is None or here.kind(-1) != "NUMBER" or not here.glued() or not here.text(-1).isdigit():
        return None
    span = here.span(-1).to(here.span())
    prefix = "" if found[1] == "R" else found[1]
    return habit(f"`{span.text}` is not a number", span, f"write `{here.text(-1)}.{found[2]}{prefix}`", "P015")
