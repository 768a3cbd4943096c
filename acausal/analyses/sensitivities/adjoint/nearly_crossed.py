"""Relations that a run nearly crosses: its numbers have no derivative, though the adjoint equations would give one."""

from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.adjoint.adjoint_model import AdjointModel
from acausal.analyses.sensitivities.adjoint.backward_error import BackwardError
from acausal.runtime.events.slope_functions import DEPTH, STEP
from acausal.simulate.failure.interpreter import Unsolved, interpret_tangent
from acausal.simulate.sensitivities.causes import grazing
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class WatchedInstant(Instant):
    """The events of a run forwards; relations are examined at their turning points."""

    def __init__(self, system: System, settings: Settings, model: AdjointModel) -> None:
        super().__init__(system, settings)
        self._model = model

    @property
    def slope_fields(self) -> None:
        """None: events are done here, so that turning points are examined."""
        return

    def turning(self, t: float, y: "Array") -> None:
        """BackwardError A021 where a relation is at zero, but for the error of the run: it is nearly crossed."""
        rates = self.system.rates_beside(t, y)
        if self.system.evaluate("events", t, y) or rates is None:
            return
        values = self.system.results("events").copy()
        for i, slot in enumerate(self.system.program.table.frozen):
            if slot.kind != "relation" or slot.crossing is None:
                continue
            if self._is_near(t, y, rates, i, float(values[slot.now])):
                raise BackwardError(grazing(t, slot.text, slot.origin))

    def _is_near(self, t: float, y: "Array", rates: "Array", number: int, value: float) -> bool:
        import numpy as np

        model, settings, (u, p, m) = self._model, self.settings, self.system.arrays_at(t)
        tangent, n = model.crossing(number), model.states
        slopes = interpret_tangent(tangent.routine, t, y, u, p, m.copy(), len(tangent.rows))
        if isinstance(slopes, Unsolved):
            return True
        found = np.zeros(n + len(model.chain.targets) + 1)
        found[list(tangent.columns)] = slopes
        near = DEPTH * settings.tolerance * float(abs(found[:n]) @ abs(y))
        rate = float(found[:n] @ rates) + float(found[-1])
        return abs(value) <= near and abs(rate) * STEP * (settings.stop - settings.start) <= near
