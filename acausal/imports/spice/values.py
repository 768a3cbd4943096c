"""Values of elements as arguments: numbers with the prefix of their suffix, expressions as they are.

10uF -> 10u      1meg -> 1M      5mil -> 1.27e-4      {2*r} -> 2*r
"""

import re

from acausal.imports.spice.expression_parts import Names
from acausal.imports.spice.expressions import expression
from acausal.imports.spice.tokens import Token
from acausal.imports.text.numbers import number
from acausal.spice_cards import NUMBER

_PREFIX = {"T": "T", "G": "G", "MEG": "M", "K": "k", "M": "m", "U": "u", "N": "n", "P": "p", "F": "f"}


def literal(token: Token) -> str | None:
    """A number as it is written in the language; None for another word."""
    found = NUMBER.fullmatch(token.text)
    if found is None:
        return None
    digits, suffix = found[1].removeprefix("+").lower(), (found[2] or "").upper()
    if suffix in _PREFIX and "e" not in digits:
        return f"{digits}{_PREFIX[suffix]}"
    value = token.number
    return digits if not suffix else number(value if value is not None else 0.0)


def value(token: Token, names: Names) -> str:
    """The text of a value."""
    return literal(token) or expression(token, names)


def plain_value(token: Token, names: Names) -> str:
    """The text of a value in a sum of an equation, where numbers have no prefix."""
    if token.number is not None:
        return number(token.number)
    text = expression(token, names)
    return f"({text})" if text.startswith("if ") else text


def operand(token: Token, names: Names) -> str:
    """The text of a value as an operand of any operator."""
    return number(token.number) if token.number is not None else factor(expression(token, names))


_NUMERAL = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")
_SIMPLE = re.compile(r"[A-Za-z_]\w*|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")


def factor(text: str) -> str:
    """The text as an operand: in brackets unless it is a name or a number."""
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def minus(left: str, right: str) -> str:
    """left - right, computed where both are numbers; left may be a sum."""
    if right == "0":
        return left
    if _NUMERAL.fullmatch(left.lstrip("-")) and _NUMERAL.fullmatch(right.lstrip("-")):
        return number(float(f"{float(left) - float(right):.15g}"))
    return f"{left} - {factor(right)}"


def plus(left: str, right: str) -> str:
    """left + right without zeros; right is a term."""
    return right if left == "0" else f"{left} + {right}"


def difference(high: Token, low: Token, names: Names) -> str:
    """high - low, computed where both are numbers."""
    return value(high, names) if low.number == 0.0 else minus(plain_value(high, names), plain_value(low, names))
