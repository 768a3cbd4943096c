"""Values that functions outside of the model compute while it runs: those of functional mock-up units.

    external(function, unit, x, y, ...)          value of a function of a unit, pure in its arguments
    external(-k, function, unit, x, y, ...)      its partial derivative with respect to argument k, `function` being 0

`function` and k are constants. `unit` is the number of a running unit, which exists only during a run: without one,
as at translation, values are those of a generic linear function, so that structure can be judged and nothing runs.
"""

import math
from itertools import count
from threading import Lock
from typing import Protocol
from weakref import WeakValueDictionary

from acausal.base.frozen import record


@record(frozen=True, slots=True)
class FmuFile:
    """The file of a functional mock-up unit, the digest of its content, and whether it is for Co-Simulation."""

    path: str
    digest: str
    cosimulation: bool


class Unit(Protocol):
    """A running unit."""

    def value(self, function: int, arguments: tuple[float, ...]) -> float:
        """Value of one of its functions; NaN where it fails, which the run finds out at its next step."""
        ...

    def derivative(self, function: int, argument: int, arguments: tuple[float, ...]) -> float | None:
        """Partial derivative of a function by one of its arguments; None where the unit has none."""
        ...


_UNITS: "WeakValueDictionary[float, Unit]" = WeakValueDictionary()
_FIRST = 2**20
"""Numbers of units begin here: no unit has the number of a generic point."""
_NUMBERS = count(_FIRST)
_LOCK = Lock()
STEP = 6e-6
"""Relative step of differences, the cube root of the precision of numbers."""


def publish(unit: Unit) -> float:
    """The number by which programs name a running unit from now on, as long as it exists."""
    with _LOCK:
        number = float(next(_NUMBERS))
        _UNITS[number] = unit
    return number


def external(*given: float) -> float:
    """The value; see the module."""
    function = int(given[0])
    if function < 0:
        return _partial(-function, given[1:])
    unit = _UNITS.get(given[1]) if given[1] == given[1] else None
    if unit is not None:
        return unit.value(function, tuple(map(float, given[2:])))
    if not given[1] < _FIRST:  # it has been ended
        return math.nan
    return math.fsum([_generic(function, k) * x for k, x in enumerate(given[2:], 2)])


def _partial(place: int, given: tuple[float, ...]) -> float:
    """The derivative that the unit has, else a central difference: it is exact for the linear parts of a function."""
    if int(given[0]) >= 0:
        unit = _UNITS.get(given[1])
        if unit is None:
            return _generic(int(given[0]), place)
        found = unit.derivative(int(given[0]), place - 2, tuple(map(float, given[2:])))
        if found is not None:
            return found
    x = float(given[place])
    step = STEP * max(abs(x), 1.0)
    sides = [external(*given[:place], x + side, *given[place + 1 :]) for side in (step, -step)]
    return (sides[0] - sides[1]) / ((x + step) - (x - step))


def _generic(function: int, place: int) -> float:
    """Coefficient of a generic linear function."""
    return 1.5 + math.cos(7.0 * function + 3.0 * place)
