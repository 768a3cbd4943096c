"""Text that is no token: unclosed comments and strings, characters that the language does not have."""

import re

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.syntax.errors.situation import Situation

_MEANT = {
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `<>`",
    "\u2212": "write `-`: this is a different character that looks similar",
    "\u2013": "write `-`: this is a different character that looks similar",
    "\u00b7": "write `*`",
    "\u00d7": "write `*`, or cross(a, b)",
    "\u00f7": "write `/`",
    "\u00b2": "write `^2`",
    "\u00b3": "write `^3`",
    "\u221a": "write sqrt(x)",
    "\u2202": "write der(x)",
    "\u2208": "write a range as `for k = 1 to N`",
    "\u201c": 'write `"`',
    "\u201d": 'write `"`',
    "?": "write `if c then a else b`",
    "$": "names consist of letters, digits and `_`",
    "&": "write `and`",
    "|": "write `or`",
}
"""Signs that people write or paste, and what stands for them."""


def unclosed_comment(here: Situation) -> Diagnostic | None:
    """A comment that is never closed."""
    if here.kind() != "STRAY" or not here.text().startswith("{"):
        return None
    start = here.span().start
    return Diagnostic(
        "P004",
        "unclosed comment",
        Label(Span(here.source, start, start + 1), "begins here"),
        help="close it with `}`",
    )


def bad_string(here: Situation) -> Diagnostic | None:
    """A string with an unknown escape sequence or without an end."""
    if here.kind() != "STRAY" or not here.text().startswith('"'):
        return None
    escape = re.search(r'\\[^"\\]', here.text())
    if escape and here.text().count('"') > 1:
        start = here.span().start + escape.start()
        return Diagnostic(
            "P006",
            f"unknown escape sequence `{escape[0]}`",
            Label(Span(here.source, start, start + 2)),
            help='only \\" and \\\\ begin with a backslash; for one backslash write \\\\',
        )
    return Diagnostic("P005", "unterminated string", Label(here.span()), help='close it with `"`')


def stray_sign(here: Situation) -> Diagnostic | None:
    """A character that begins no token."""
    if here.kind() != "STRAY":
        return None
    sign = here.text()
    known = {"\u00a0": "a no-break space", "\ufeff": "a byte order mark", "\r": "a carriage return without newline"}
    shown = known.get(sign) or (f"`{sign}`" if sign.isprintable() else f"the character U+{ord(sign):04X}")
    if sign.isalpha():
        hint = "names consist of the letters a to z, A to Z, digits and `_`"
    elif sign in _MEANT:
        hint = _MEANT[sign]
    elif sign in known or sign.isspace():
        hint = "replace it by a normal blank"
    else:
        hint = "remove it"
    return Diagnostic("P003", f"unexpected character: {shown}", Label(here.span()), help=hint)
