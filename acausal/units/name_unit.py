"""A dimension as people write it: `N*m`, `V/s`, not `kg*m^2/s^2`."""

from collections.abc import Callable

from acausal.units.dimension import Dimension, power, product, quotient, show_dimension
from acausal.units.unit_table import COHERENT, UNITS

_PAIRS: tuple[tuple[str, Callable[[Dimension, Dimension], Dimension]], ...] = (
    ("{0}*{1}", product),
    ("{0}/{1}", quotient),
    ("{0}^2/{1}", lambda a, b: quotient(power(a, 2), b)),
)


def name_unit(wanted: Dimension) -> str:
    """One unit, its inverse or square, or a product or quotient of two, where there is one; else base units."""
    if not wanted.powers:
        return "1"
    for name in COHERENT:
        if UNITS[name] is wanted:
            return name
    base = show_dimension(wanted)
    if len(wanted.powers) < 3:
        return base
    for show, make in _PAIRS:
        for a in COHERENT:
            for b in COHERENT:
                if make(UNITS[a], UNITS[b]) is wanted:
                    return f"{a}^2" if a == b else show.format(a, b)
    return base
