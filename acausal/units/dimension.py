"""Dimensions of units: products of rational powers of the SI base units and of scale factors.

    N*m       kg * m^2 * s^-2
    mm        m * 2^-3 * 5^-3
    rpm       s^-1 * pi * 2^-1 * 3^-1 * 5^-1

A scale factor is kept as powers of its primes (and of pi), so that roots and products are exact and
mm against m is detected by the same comparison as V against A. Equal dimensions are one object.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from weakref import WeakValueDictionary

from acausal.base.caches import LOCK, Memo

Exponent = int | Fraction
Powers = tuple[tuple[int, Exponent], ...]

SI = ("kg", "m", "s", "A", "K", "mol", "cd")
PI = -1
_FIRST = -8  # the SI base units are -8 to -2, pi is -1, primes are themselves


class Dimension:
    """A product of powers; made only by the functions of this module, compared by identity."""

    __slots__ = ("__weakref__", "powers")

    def __init__(self, powers: Powers) -> None:
        self.powers = powers

    def __repr__(self) -> str:
        return show_dimension(self)


MOST = 10_000
"""Products and powers that are kept; units are few, but texts from strangers may name any number of them."""

_MADE: "WeakValueDictionary[Powers, Dimension]" = WeakValueDictionary()
"""Dimensions in use, as comparison by identity needs.

Read and written with the lock, so that threads do not make two.
"""
_PRODUCTS: Memo[tuple[Dimension, Dimension], Dimension] = Memo(MOST)
_RAISED: Memo[tuple[Dimension, Exponent], Dimension] = Memo(MOST)


def dimension(powers: Iterable[tuple[int, Exponent]]) -> Dimension:
    """The dimension with these exponents: -8 to -2 for `SI`, -1 for pi, a prime for itself."""
    exponents: dict[int, Exponent] = {}
    for base, exponent in powers:
        exponents[base] = exponents.get(base, 0) + exponent
    key = tuple(sorted((b, _plain(e)) for b, e in exponents.items() if e))
    with LOCK:
        found = _MADE.get(key)
        if found is None:
            found = _MADE[key] = Dimension(key)
        return found


def _plain(exponent: Exponent) -> Exponent:
    return exponent.numerator if exponent.denominator == 1 else exponent


def base(name: str) -> Dimension:
    """The dimension of an SI base unit."""
    return dimension([(_FIRST + SI.index(name), 1)])


def scale(factor: Fraction, pi: int = 0) -> Dimension:
    """A positive rational factor times a power of pi."""
    up, down = _primes(factor.numerator), _primes(factor.denominator)
    return dimension([(PI, pi), *((p, 1) for p in up), *((p, -1) for p in down)])


def _primes(number: int) -> list[int]:
    """The prime factors of a positive number, by trial division."""
    found, divisor = [], 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1
    return [*found, number] if number > 1 else found


def product(a: Dimension, b: Dimension) -> Dimension:
    """a*b."""
    if a is ONE:
        return b
    if b is ONE:
        return a
    found = _PRODUCTS.get((a, b))
    if found is None:
        found = _PRODUCTS.keep((a, b), dimension((*a.powers, *b.powers)))
    return found


def power(a: Dimension, exponent: Exponent) -> Dimension:
    """a^exponent."""
    if a is ONE or exponent == 1:
        return a
    found = _RAISED.get((a, exponent))
    if found is None:
        found = _RAISED.keep((a, exponent), dimension([(b, e * exponent) for b, e in a.powers]))
    return found


def quotient(a: Dimension, b: Dimension) -> Dimension:
    """a/b."""
    return ONE if a is b else product(a, power(b, -1))


def without_scale(a: Dimension) -> Dimension:
    """The same in SI base units."""
    return dimension([(b, e) for b, e in a.powers if b < PI])


def factor_of(a: Dimension) -> float:
    """The scale factor as a number, infinite or zero where a float cannot hold it."""
    logarithm = sum(float(e) * math.log(math.pi if b == PI else b) for b, e in a.powers if b >= PI)
    return math.exp(logarithm) if logarithm < 700 else math.inf


def show_dimension(a: Dimension) -> str:
    """Text in base units: `kg*m^2/(s^3*A)`, a scale factor in front, `1` for a pure number."""
    up = [_show_power(b, e) for b, e in a.powers if b < PI and e > 0]
    down = [_show_power(b, -e) for b, e in a.powers if b < PI and e < 0]
    text = "*".join(up) or "1"
    if down:
        text += f"/{down[0]}" if len(down) == 1 else f"/({'*'.join(down)})"
    return text if all(b < PI for b, _ in a.powers) else f"{factor_of(a):.6g} {text}"


def _show_power(number: int, exponent: Exponent) -> str:
    name = SI[number - _FIRST]
    if exponent == 1:
        return name
    return f"{name}^{exponent}" if isinstance(exponent, int) else f"{name}^({exponent})"


ONE = dimension(())
SECOND = base("s")
