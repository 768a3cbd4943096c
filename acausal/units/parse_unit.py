"""Unit texts: `N*m`, `kg.m2/s2`, `V/(rad/s)`, `W/(m^2*K)`, `Pa^(1/2)`.

A product is `*` or `.`, a quotient `/`; both bind alike, from the left, as in arithmetic. An exponent is an
integer behind the name or after `^`, or a fraction in parentheses after `^`. `1` and the empty text are pure
numbers. The texts come from models: they are read here by hand and never reach another parser.
"""

import re
from fractions import Fraction

from acausal.base.caches import memoized
from acausal.base.frozen import dataclass
from acausal.units.dimension import ONE, Dimension, Exponent, power, product
from acausal.units.unit_table import AFFINE, known_unit

LONGEST = 200
"""Characters that a unit text may have."""

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d_]+|%|\N{DEGREE SIGN}[^\W\d_]*)|(?P<one>1)(?!\.?\d)|(?P<sign>[*./()]))"
    r"(?:\^\((?P<up>[+-]?\d{1,3})/(?P<down>[1-9]\d{0,2})\)|\^?(?P<power>[+-]?\d{1,3})(?!\d)|\^\((?P<group>[+-]?\d{1,3})\))?\s*"
)


class UnitError(ValueError):
    """The text is no unit: `part` is what was not understood, `name` whether that is a name of a unit."""

    def __init__(self, part: str, name: bool) -> None:
        super().__init__(part)
        self.part = part
        self.name = name


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it was written: its dimension, and whether its zero differs from that of the SI unit."""

    text: str
    dimension: Dimension
    affine: bool = False


@memoized(4096)
def parse_unit(text: str) -> Unit:
    """The unit that the text names; UnitError where it names none."""
    if len(text) > LONGEST:
        raise UnitError(text[:20] + "...", False)
    if not text.strip():
        return Unit(text, ONE)
    return Unit(text, _Reading(text).all(), text.strip() in AFFINE)


class _Reading:
    """The products still open, outermost first, each with the sign before its next factor."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[tuple[Dimension, int]] = []
        self.total = ONE
        self.sign = 1
        self.after_factor = False

    def all(self) -> Dimension:
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise UnitError(self.text[at:].strip(), False)
            self._take(match)
            at = match.end()
        if self.open or not self.after_factor:
            raise UnitError(self.text.strip(), False)
        return self.total

    def _take(self, match: re.Match[str]) -> None:
        sign = match["sign"]
        if sign in ("*", ".", "/") and self.after_factor and _exponent(match) is None:
            self.sign = -1 if sign == "/" else 1
            self.after_factor = False
        elif sign == "(" and not self.after_factor and _exponent(match) is None:
            self.open.append((self.total, self.sign))
            self.total, self.sign = ONE, 1
        elif sign == ")" and self.after_factor and self.open:
            inner = self.total
            self.total, self.sign = self.open.pop()
            self._factor(inner, match)
        elif sign is None and not self.after_factor:
            self._factor(_named(match), match)
        else:
            raise UnitError(match[0].strip(), False)

    def _factor(self, found: Dimension, match: re.Match[str]) -> None:
        exponent = _exponent(match)
        self.total = product(self.total, power(found, self.sign * (1 if exponent is None else exponent)))
        self.after_factor = True


def _named(match: re.Match[str]) -> Dimension:
    name: str | None = match["name"]
    if name is None:
        return ONE
    found = known_unit(name)
    if found is None:
        raise UnitError(name, True)
    return found


def _exponent(match: re.Match[str]) -> Exponent | None:
    if match["up"] is not None:
        return Fraction(int(match["up"]), int(match["down"]))
    written = match["power"] if match["power"] is not None else match["group"]
    return None if written is None else int(written)
