"""The time of one crossing: its slopes, and where it has none."""

from math import isnan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.runtime.events.slope_functions import DEPTH, STEP
from acausal.simulate.failure.checked import checked
from acausal.simulate.sensitivities.causes import grazing
from acausal.simulate.sensitivities.event_time import EventFunctions, size_of
from acausal.simulate.sensitivities.input_rates import InputRates
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

JUMP = 1e-5
"""A share of its size: a relation that is farther from zero where it switches, also for its rate, has jumped there."""


class Crossings:
    """Crossings of a run; i is the number of a frozen value, `moving` are derivatives by time of the functions."""

    def __init__(self, system: System, settings: Settings, augmented: Augmented, unknown: InputRates) -> None:
        self._system, self._settings, self._augmented, self._unknown = system, settings, augmented, unknown
        self.functions = EventFunctions(system, augmented, unknown.places)

    def slopes(self, t: float, results: "Array", moving: "Array", i: int) -> "Array":
        """dt/dp where a function crosses zero; SimulationError A020 where a derivative of an input is not known."""
        import numpy as np

        at, count = self._augmented.events.now[i], self._augmented.places.count
        numerator = results[at : at + count]
        if not numerator.any():
            return np.zeros(count)
        if np.isnan(moving[at]):
            self._unknown.refuse(t, self._augmented.base.table.frozen[i])
        found: Array = -numerator / moving[at]
        return found

    def has_jumped(self, t: float, y: "Array", results: "Array", moving: "Array", i: int) -> bool:
        """True for a relation that switches since an input or a delayed value jumps: it is not at zero."""
        slot, first = self._augmented.base.table.frozen[i], self._augmented.places.first_input
        if slot.kind != "relation" or not self._augmented.base.input_slots:
            return False
        rate, span = float(moving[self._augmented.events.now[i]]), self._settings.stop - self._settings.start
        u = self._system.arrays_at(t)[0][first : first + len(self._augmented.base.input_slots)]
        near = JUMP * (self.size(t, y, i) + abs(u).max()) + STEP * span * (0.0 if isnan(rate) else abs(rate))
        return bool(abs(results[slot.now]) > near)

    def size(self, t: float, y: "Array", i: int) -> float:
        """The change of the function where each of the states changes by itself."""
        return size_of(self.functions, t, y, self._augmented.places.states, self._augmented.events.now[i])

    def require_crossing(self, t: float, y: "Array", rates: "Array", moving: "Array", i: int) -> None:
        """SimulationError A021 for a crossing that is nearly none: its time has no derivative there."""
        base, functions, n = self._augmented.base, self.functions, self._augmented.places.states
        slot, at = base.table.frozen[i], self._augmented.events.now[i]
        rate = float(moving[at])
        span = STEP * (self._settings.stop - self._settings.start)
        before = y.copy()
        before[:n] -= span * rates[:n]
        second = (rate - float(functions.rates(t - span, before, self.rates(t - span, before))[at])) / span
        size = self.size(t, y, i)
        depth = abs(rate) * (self._settings.stop - self._settings.start)
        if second:
            depth = min(depth, rate * rate / abs(2.0 * second))
        if depth <= DEPTH * self._settings.tolerance * size:
            raise SimulationError(grazing(t, slot.text, slot.origin))

    def require_none_grazing(self, t: float, y: "Array") -> None:
        """SimulationError A021 where a relation is at zero, but for the error of the run: it is nearly crossed."""
        functions, events = self.functions, self._augmented.events
        results, rates = functions.at(t, y), self.rates(t, y)
        moving = functions.rates(t, y, rates)
        span = self._settings.stop - self._settings.start
        for i, slot in enumerate(self._augmented.base.table.frozen):
            if slot.crossing is None or slot.kind != "relation":
                continue
            near = DEPTH * self._settings.tolerance * self.size(t, y, i)
            if abs(results[slot.now]) <= near and abs(moving[events.now[i]]) * STEP * span <= near:
                raise SimulationError(grazing(t, slot.text, slot.origin))

    def rates(self, t: float, y: "Array") -> "Array":
        """Derivatives of the states."""
        found = self._system.rates_beside(t, y)
        if found is None:
            checked(self._system, "derivatives", self._system.evaluate("derivatives", t, y), t)
            found = self._system.results("derivatives").copy()
        return found
