"""A model without states: nothing to integrate, but time goes on and relations in it cross."""

from math import ceil
from typing import TYPE_CHECKING

from acausal.simulate.failure.checked import delayed_values
from acausal.simulate.solver.bisect import locate
from acausal.simulate.solver.hidden import hidden_of
from acausal.simulate.solver.integrator import Counts, StepResult
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

PARTS = 16
"""Crossings are looked for in so many parts of the way to the next output time."""


class NoStates:
    """Goes from time to time; see `Integrator`."""

    name = "none"
    batch = None

    def __init__(self, system: System, y: "Array", start: float) -> None:
        self._system = system
        self._y = y
        self._t = start
        self._begins, self._watched = True, self._watch(start)
        self._hidden = hidden_of(system)

    def advance(self, t: float, limit: float) -> StepResult:
        """At t, or at the first crossing before."""
        import numpy as np

        delays = self._system.delays
        if self._begins:
            self._watched, self._begins = self._watch(self._t), False
            if self._hidden is not None:
                self._hidden.begin(self._t, self._watched)
        first = self._watched
        goal = min(t, limit)
        parts = PARTS * max(1, ceil((goal - self._t) / delays.shortest)) if delays.times or len(first) else 0
        for end in np.linspace(self._t, goal, parts + 1)[1:].tolist() if parts else []:
            found = locate(self._watch_near, self._t, first, end, self._hidden)
            self._t = end if found is None else found[0]
            first = self._watched = self._watch(self._t)
            if delays.times:
                delays.extend(self._t, lambda t: delayed_values(self._system, t, self._y))
            if found is not None or self._system.is_violated(first):
                return StepResult(self._t, self._y, {} if found is None else found[1])
        self._t = min(t, limit)
        return StepResult(self._t, self._y, {})

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:  # noqa: ARG002 - there are no steps
        """Goes on from t."""
        self._t, self._y, self._begins = t, y, True

    def watched(self, t: float) -> "Array | None":
        """The root functions at t."""
        return self._watched if t == self._t and not self._begins else None

    def goes_on(self, t: float, limit: float) -> bool:  # noqa: ARG002 - it costs nothing to begin again
        """No."""
        return False

    def counts(self) -> Counts:
        """Nothing."""
        return Counts(0, 0)

    def _watch_near(self, t: float, factor: float) -> "Array":
        """The same at a time that differs by rounding, as there are no states that do."""
        return self._watch(t * factor)

    def _watch(self, t: float) -> "Array":
        import numpy as np

        out = np.empty(self._system.program.table.crossings)
        if len(out):
            self._system.crossings(t, self._y, out)
        return out
