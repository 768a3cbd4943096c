"""Values as other languages write them: calls, methods, decimal commas, prefixes and units."""

import re

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.ir.ops import OPS
from acausal.syntax.errors.situation import Situation

_PREFIX = {"T": 12, "G": 9, "M": 6, "Meg": 6, "meg": 6, "k": 3, "K": 3, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12}
_UNITS = frozenset(
    """Ohm ohm ohms V A W F H C Hz s min h ms m mm cm km g kg N Nm J K degC deg rad rpm Pa bar l L mol S T Wb lm lx
    percent""".split()
)
_FACTORS = {
    "min": "60",
    "h": "3600",
    "mm": "1e-3",
    "cm": "1e-2",
    "km": "1e3",
    "g": "1e-3",
    "bar": "1e5",
    "l": "1e-3",
    "L": "1e-3",
    "deg": "pi/180",
    "rpm": "pi/30",
    "percent": "0.01",
}
"""Values of units that are not those of the SI, or have prefixes that look like parts of names."""
_SCALED = re.compile(r"(Meg|meg|[TGMkKmuµnp])(\w*)")


def habit(message: str, span: Span, hint: str, code: str = "P022") -> Diagnostic:
    """The diagnostic of a statement in the form of another language."""
    return Diagnostic(code, message, Label(span), help=hint)


def bare_derivative(here: Situation) -> Diagnostic | None:
    """`der x`."""
    if here.text(-1) != "der" or here.kind() != "NAME":
        return None
    span = here.span(-1).to(here.span())
    return habit("function arguments are written in parentheses", span, f"write `der({here.text()})`")


def bare_argument(here: Situation) -> Diagnostic | None:
    """`sin x`."""
    if here.kind() not in ("NAME", "NUMBER") or here.text(-1) not in OPS or here.kind(-1) != "NAME":
        return None
    span = here.span(-1).to(here.span())
    hint = f"write `{here.text(-1)}({here.text()})`"
    return habit("function arguments are written in parentheses", span, hint)


def _method(here: Situation) -> Diagnostic | None:
    """`np.sin(x)`, `a.append(2)`."""
    if here.text() != "(" or here.kind(-1) != "NAME" or here.text(-2) != ".":
        return None
    start = -1
    while here.text(start - 1) == "." and here.kind(start - 2) == "NAME":
        start -= 2
    step = depth = 0
    while here.kind(step) not in ("_END", ""):
        depth += (here.text(step) == "(") - (here.text(step) == ")")
        step += 1
        if not depth:
            break
    written = here.source.text[here.span(-1).start : here.span(step - 1).end]
    shown = written if len(written) <= 40 else f"{here.text(-1)}(...)"
    span = here.span(start).to(here.span(-1))
    return habit("values have no methods, and functions no prefix", span, f"write `{shown}`")


def _choice_behind(here: Situation) -> Diagnostic | None:
    """`y = a if c else b`."""
    if here.text() != "if" or here.first_of_line() or here.kind(-1) not in ("NAME", "NUMBER", "RPAR", "RSQB"):
        return None
    step = 1
    while here.kind(step) not in ("_END", "", "THEN"):
        if here.text(step) == "else":
            return habit("the condition must come first", here.span(), "write `if c then a else b`")
        step += 1
    return None


INSIDE = (_method, _choice_behind)
"""Rules for parts of expressions."""


def _is_unit(word: str) -> bool:
    """True if a word looks like a unit."""
    return word in _UNITS or (word[:1] in _PREFIX and word[1:] in _UNITS)


def decimal_comma(here: Situation) -> Diagnostic | None:
    """`R=0,5`: two numbers with a comma between, where an argument belongs."""
    if here.kind() != "NUMBER" or here.text(-1) != "," or here.kind(-2) != "NUMBER" or here.text(-3) != "=":
        return None
    if here.span(-2).end != here.span(-1).start or not here.glued():
        return None
    number = f"{here.text(-2)}.{here.text()}"
    span = here.span(-2).to(here.span())
    return habit("the decimal separator is a point, not a comma", span, f"write `{number}`", "P015")


UNIT = "usually the SI unit"


def _in_si(number: str, unit: str) -> str:
    """The text of a number of units in the SI unit: `1 kOhm` is 1e3, `90 deg` is 90*pi/180."""
    if unit in _FACTORS:
        return f"{number}*{_FACTORS[unit]}"
    if unit == "degC":
        return f"{number} + 273.15"
    scaled = _SCALED.fullmatch(unit)
    if unit in _UNITS or scaled is None:
        return number
    power = f"e{_PREFIX[scaled[1]]}"
    return f"{number}{power}" if re.fullmatch(r"[0-9.]+", number) else f"{number}*1{power}"


def prefixed(here: Situation) -> Diagnostic | None:
    """`1k`, `4.7uF`, `5 Ohm`: a number with a prefix or a unit."""
    if here.kind(-1) != "NUMBER" or here.kind() != "NAME" or "TIMES" not in here.expected:
        return None
    number, word = here.text(-1), here.text()
    span = here.span(-1).to(here.span())
    bare = "the unit is given in the declaration"
    if (
        here.opened("LPAR")
        and here.text(-2) == "="
        and _is_unit(word)
        and (not here.glued() or not _SCALED.match(word))
    ):
        hint = f"write `{here.text(-3)}={_in_si(number, word)}`: {bare}, {UNIT}"
        return habit("an argument is a number without a unit", span, hint, "P015")
    if not here.glued():
        return None
    scaled = _SCALED.fullmatch(word)
    if scaled is None or (scaled[2] and not scaled[2][0].isupper() and scaled[2] not in ("m", "s", "g", "rad", "ol")):
        return None
    power = _PREFIX[scaled[1]]
    plain = f"{number}e{power}" if re.fullmatch(r"[0-9.]+", number) else f"({number})*1e{power}"
    unit = f', and the unit where it is declared: (unit="{scaled[2]}")' if scaled[2] else f"; {bare}"
    return habit(f"`{number}{word}` is not a number", span, f"write `{plain}`{unit}", "P015")
