"""Relations that a run nearly crosses, or crosses where it begins or ends.

Its numbers may have no derivative there, though the adjoint equations would give one.
"""

from math import inf
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.analyses.sensitivities.adjoint.switches import not_passed
from acausal.runtime.events.slope_event import ZERO
from acausal.runtime.events.slope_functions import DEPTH, STEP
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.sensitivities.causes import grazing
from acausal.simulate.sensitivities.relation_sides import AFTER, BEFORE, RelationSides, jumps
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class WatchedInstant(Instant):
    """The events of a run forwards; relations are examined at their turning points, and where the run begins and ends.

    Slopes of the forward method tell whether parameters move an event there.
    """

    def __init__(self, system: System, settings: Settings, model: AdjointModel) -> None:
        super().__init__(system, settings)
        self._model = model

    @property
    def slope_fields(self) -> None:
        """None: events are done here, so that turning points are examined."""
        return

    def start(self, t: float) -> "Array":
        """The first instant; BackwardError A020 for a relation whose sides are equal there, if this matters."""
        y = super().start(t)
        for number, (value, rate, size) in self._compared(t, y).items():
            if abs(value) <= ZERO * (size + abs(rate) * self._span) and rate:
                sides, equal = RelationSides(self.system, self.system.program), {number: rate}
                before, after = sides.at(t, y, equal, BEFORE), sides.at(t, y, equal, AFTER)
                if before is None or after is None or sides.decides(before, after, equal):
                    raise not_passed(self._model, t, number)
                if jumps(before.rates, after.rates) or jumps(before.stored, after.stored):
                    raise not_passed(self._model, t, number)
        return y

    def verify_samples(self, t: float, y: "Array") -> None:
        """As of every run; BackwardError A020 for a relation whose sides are equal at its end."""
        super().verify_samples(t, y)
        for number, (value, rate, size) in self._compared(t, y).items() if t == self.settings.stop else ():
            if abs(value) <= DEPTH * self.settings.tolerance * size + ZERO * abs(rate) * self._span and rate:
                raise not_passed(self._model, t, number)

    def turning(self, t: float, y: "Array") -> None:
        """BackwardError A021 where a relation is at zero, but for the error of the run: it is nearly crossed."""
        slots = self.system.program.table.frozen
        for number, (value, rate, size) in self._compared(t, y).items():
            near = DEPTH * self.settings.tolerance * size
            if slots[number].crossing is not None and abs(value) <= near and abs(rate) * STEP * self._span <= near:
                raise BackwardError(grazing(t, slots[number].text, slots[number].origin))

    @property
    def _span(self) -> float:
        return self.settings.stop - self.settings.start

    def _compared(self, t: float, y: "Array") -> "dict[int, tuple[float, float, float]]":
        """Values that relations compare with zero, their derivatives by time and sizes, by the number of the relation.

        Those that depend on time alone are not among them: parameters do not move them.
        """
        rates = self.system.rates_beside(t, y)
        if self.system.evaluate("events", t, y) or rates is None:
            return {}
        values = self.system.results("events").copy()
        slots = self.system.program.table.frozen
        numbers = [i for i, slot in enumerate(slots) if slot.kind == "relation"]
        known = {i: self._rate_and_size(t, y, rates, i) for i in numbers}
        return {i: (float(values[slots[i].now]), *pair) for i, pair in known.items() if pair is not None}

    def _rate_and_size(self, t: float, y: "Array", rates: "Array", number: int) -> tuple[float, float] | None:
        """None for a relation of time alone; one that is not known, where a block is not solved, is nearly crossed."""
        import numpy as np

        model, (u, p, m) = self._model, self.system.arrays_at(t)
        tangent, n = model.crossing(number), model.states
        slopes = interpret_tangent(tangent.routine, t, y, u, p, m.copy(), len(tangent.rows))
        if isinstance(slopes, Unsolved):
            return 0.0, inf
        found = np.zeros(n + len(model.chain.targets) + 1)
        found[list(tangent.columns)] = slopes
        if not found[:-1].any():
            return None
        return float(found[:n] @ rates) + float(found[-1]), float(abs(found[:n]) @ abs(y))
