"""Products of a dimension and powers of the units of undeclared variables."""

from collections.abc import Mapping

from acausal.base.frozen import record
from acausal.units.dimension import ONE, Dimension, Exponent, power, product


@record(frozen=True, slots=True)
class Open:
    """A dimension times powers of undeclared variables, which are numbered; sorted, none of exponent 0."""

    dimension: Dimension
    powers: tuple[tuple[int, Exponent], ...]


Form = Dimension | Open | None
"""None: any unit, as a literal has."""


def times(a: Dimension | Open, b: Dimension | Open, exponent: Exponent = 1) -> Dimension | Open:
    """a*b^exponent."""
    if isinstance(b, Dimension):
        factor = power(b, exponent)
        if isinstance(a, Dimension):
            return product(a, factor)
        return a if factor is ONE else Open(product(a.dimension, factor), a.powers)
    if a is ONE and exponent == 1:
        return b
    exponents: dict[int, Exponent] = {} if isinstance(a, Dimension) else dict(a.powers)
    for number, given in b.powers:
        exponents[number] = exponents.get(number, 0) + given * exponent
    whole = a if isinstance(a, Dimension) else a.dimension
    if b.dimension is not ONE:
        whole = product(whole, power(b.dimension, exponent))
    return form_of(whole, exponents)


def form_of(dimension: Dimension, exponents: Mapping[int, Exponent]) -> Dimension | Open:
    """The dimension times the unknowns with these exponents, which may be 0."""
    if 0 in exponents.values():
        exponents = {number: exponent for number, exponent in exponents.items() if exponent}
    return Open(dimension, tuple(sorted(exponents.items()))) if exponents else dimension


def raised(a: Dimension | Open, exponent: Exponent) -> Dimension | Open:
    """The power."""
    if exponent == 1:
        return a
    if isinstance(a, Dimension):
        return power(a, exponent)
    return Open(power(a.dimension, exponent), tuple([(n, e * exponent) for n, e in a.powers])) if exponent else ONE
