"""Derivatives of event times with respect to parameters: dt/dp = -(g_y S + g_p)/(g_y f + g_t) for g(t, y, p) = 0.

The routine `events` has the slopes of what decides about frozen values. With the slopes S of the states it gives the
numerator; with the states' derivatives in their place, 1 for the slope of time and 0 for all others, the denominator.
(S. Galan, W. F. Feehery, P. I. Barton, Appl. Numer. Math. 31, 1999, pages 17-47, equation 24; I. A. Hiskens,
M. A. Pai, IEEE Trans. Circuits Syst. I 47, 2000, pages 204-220.)
"""

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING

from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.codegen.tangent.sensitivities.places import SlopePlaces
from acausal.runtime.limits import SMALL
from acausal.simulate.failure.checked import checked
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class EventFunctions:
    """Slopes of what decides about frozen values, evaluated beside a run: its own arrays stay as they are."""

    def __init__(self, system: System, augmented: Augmented, unknown: Sequence[int] = ()) -> None:
        """`unknown` are positions in u of derivatives of inputs that are functions: NaN follows from them."""
        import numpy as np

        self._system, self._augmented, self._unknown = system, augmented, list(unknown)
        program, places = augmented.program, augmented.places
        u, p, m = system.arrays
        self._y, self._u, self._p, self._m = np.zeros(len(program.state_slots)), u.copy(), p.copy(), m.copy()
        self._out = np.zeros(program.table.results)
        self._call = system.executable.bind("events", self._y, self._u, self._p, self._m, self._out)
        self._slopes = slope_places(places)

    def at(self, t: float, y: "Array") -> "Array":
        """The results of `events`, with slopes by parameters at this time."""
        return self._evaluated(t, y, self._system.arrays[1])

    def along(self, t: float, y: "Array", direction: "Array") -> "Array":
        """The same with slopes of which the first column is that along a direction of the states, time not moving."""
        return self._moved(t, y, direction, 0.0)

    def rates(self, t: float, y: "Array", rates: "Array") -> "Array":
        """The same with derivatives by time in the place of slopes; `rates` are those of the states."""
        return self._moved(t, y, rates, 1.0)

    def _moved(self, t: float, y: "Array", direction: "Array", time: float) -> "Array":
        places, system = self._augmented.places, self._system
        n, moved, p = places.states, y.copy(), system.arrays[1].copy()
        for k in range(places.count):
            moved[n * (1 + k) : n * (2 + k)] = direction[:n]
        p[self._slopes] = 0.0
        return self._evaluated(t, moved, p, time)

    def _evaluated(self, t: float, y: "Array", p: "Array", time: float | None = None) -> "Array":
        system, places = self._system, self._augmented.places
        u, _, m = system.arrays_at(t)
        self._y[:], self._u[:], self._p[:], self._m[:] = y, u, p, m
        if time is not None:
            assert places.time is not None
            self._u[places.time : places.time + places.shift] = 0.0
            self._u[places.time : places.time + places.count] = time
            self._move_inputs(time)
            self._u[self._unknown] = nan if time else 0.0
        status = self._call(t)
        if status:
            checked(system, "events", status, t)
        return self._out.copy()

    def _move_inputs(self, time: float) -> None:
        """Derivatives of delayed values in the place of their slopes."""
        places = self._augmented.places
        for at, first in places.inputs.items():
            rate = places.rates.get(at)
            self._u[first : first + places.count] = 0.0 if rate is None else time * self._u[rate]


def slope_places(places: SlopePlaces) -> list[int]:
    """Positions in p of all slopes."""
    matrices = [at for matrix in places.matrices.values() for element in matrix for at in element.values()]
    return [*places.parameters.values(), *matrices]


def size_of(functions: EventFunctions, t: float, y: "Array", states: int, now: int) -> float:
    """The size of a function of the states at `now`: how much it changes where each of them changes by itself."""
    import numpy as np

    total = 0.0
    for j in range(states):
        direction = np.zeros(states)
        direction[j] = max(abs(float(y[j])), SMALL)
        total += abs(float(functions.along(t, y, direction)[now]))
    return total
