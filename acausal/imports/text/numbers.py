"""Numbers of model text, to the last bit."""

import math

_ANGLES = {
    sign * (part if over is None else part / over): f"{'-' if sign < 0 else ''}pi{'' if over is None else f'/{over}'}"
    for sign in (1.0, -1.0)
    for part in (math.pi,)
    for over in (None, 2, 3, 4, 6)
}


def number(value: float) -> str:
    """The shortest text of a number: 1, 0.25, 1e-06 -> 1e-6, 1000000.0 -> 1e6."""
    if value == int(value) and abs(value) < 1e15:
        digits = str(int(value))
        zeros = len(digits) - len(digits.rstrip("0"))
        return digits if zeros < 4 or value == 0.0 else f"{digits[:-zeros]}e{zeros}"
    mantissa, _, exponent = repr(value).partition("e")
    return mantissa if not exponent else f"{mantissa}e{int(exponent)}"


def angle(value: float) -> str:
    """An angle, as a fraction of pi where it is just that."""
    return _ANGLES.get(value) or number(value)


def arguments(values: dict[str, str]) -> str:
    """`(m=1, r1=0.5)`; nothing where there are none."""
    return f"({', '.join([f'{name}={value}' for name, value in values.items()])})" if values else ""


def nonzero(values: dict[str, float]) -> dict[str, str]:
    """Numbers as arguments, without those that are zero: the default of the classes."""
    return {name: number(value) for name, value in values.items() if value != 0.0}
