"""Values and slopes at the same times in many runs, for optimizers: no result is made of each."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.forward import ForwardRuns, rows_at, with_hint
from acausal.analyses.sensitivities.request import SensitivityRequest
from acausal.analyses.sensitivities.slope_model import SlopeModel
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.run.variants import Variants
from acausal.simulate.system.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from acausal.codegen.executable import Array
    from acausal.simulate.failure.equations_behind import Equations

    Context = Callable[[dict[str, float]], "tuple[Variants | None, Equations]"]


class RepeatedSlopes:
    """Runs of a request with times; `given` are values that stay, `context` gives what else a run with values needs."""

    def __init__(
        self,
        model: SlopeModel,
        asked: SensitivityRequest,
        chosen: Settings,
        inputs: Mapping[str, InputValue],
        given: Mapping[str, float],
        context: "Context",
    ) -> None:
        import numpy as np

        assert asked.times is not None
        self._times, self._given, self._context = asked.times, dict(given), context
        self._runs = ForwardRuns(model, asked, chosen, inputs)
        self._slots = (*model.value_slots, *model.slope_slots)
        self._count, self._shape = len(model.value_slots), (len(asked.times), len(model.value_slots), -1)
        self._is_stored = all(slot.kind == "stored" for slot in self._slots)
        self._positions = np.array([slot.position for slot in self._slots], dtype=np.intp)
        self._signs = np.array([slot.sign for slot in self._slots])

    def __call__(self, values: Mapping[str, float]) -> "tuple[Array, Array]":
        """Values (times, variables) and slopes (times, variables, parameters) with these values of the parameters.

        SimulationError where the run fails, or ends before the last of the times.
        """
        from acausal.results.formats.columns import gathered

        own = {**self._given, **values}
        outcome, _ = self._runs.run(own, *self._context(own))
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.failure is not None:
            raise SimulationError(with_hint(outcome.failure))
        if outcome.time[-1] < self._times[-1]:
            message = f"the run ends at t = {outcome.time[-1]:g}, before the last of the data at {self._times[-1]:g}"
            raise SimulationError(Diagnostic("A043", message, help="remove the data behind the end of the run"))
        rows = rows_at(outcome.time, self._times)
        if self._is_stored:
            found = outcome.stored[rows][:, self._positions] * self._signs
        else:
            found = gathered(self._slots, outcome.parameters, outcome.time[rows], outcome.stored[rows])
        return found[:, : self._count], found[:, self._count :].reshape(self._shape)
