"""C text with numbers of single precision.

Tolerances of the run time are made for 52 binary digits: those far below 1 are raised to the power 23/52, so that they
have the same place between 1 and the rounding error.
"""

import re

SHARE = 23.0 / 52.0
SMALL = 1e-6
"""Numbers of the run time below this are tolerances."""
LEAST, GREATEST = 1e-36, 3e38
"""Numbers that a float holds."""
_FUNCTIONS = """
    acos asin atan atan2 ceil cos cosh exp fabs floor fma fmax fmin log log10 pow rint sin sinh sqrt tan tanh
"""
_CALLS = re.compile(rf"\b({'|'.join(_FUNCTIONS.split())})\(")
_NUMBERS = re.compile(r"(?<![\w.])(\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.])")
_COMMENTS = re.compile(r"(/\*.*?\*/|\"[^\"\n]*\")", re.DOTALL)


def in_single_precision(text: str, *, scaled: bool) -> str:
    """The text with `float` for `double`; tolerances are `scaled`."""
    pieces = _COMMENTS.split(text)
    return "".join([piece if i % 2 else _single(piece, scaled) for i, piece in enumerate(pieces)])


def _single(text: str, scaled: bool) -> str:
    text = re.sub(r"\bdouble\b", "float", text)
    text = text.replace("__builtin_nan(", "__builtin_nanf(").replace("__builtin_inf(", "__builtin_inff(")
    return _NUMBERS.sub(lambda at: _number(float(at[1]), scaled), _CALLS.sub(r"\1f(", text))


def _number(value: float, scaled: bool) -> str:
    """A literal; what is beyond the range of a float is as large or small as it can be."""
    if scaled and 0.0 < value < SMALL:
        value = max(value**SHARE, LEAST)
    elif 0.0 < value < LEAST:
        value = 0.0
    return f"{min(value, GREATEST)!r}f"
