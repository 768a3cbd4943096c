"""Values and slopes at the same times in many runs, for optimizers: no result is made of each."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.forward import ForwardRuns, with_hint
from acausal.analyses.sensitivities.native_runs import NativeRuns
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
        self._times, self._given, self._context = np.array(asked.times), dict(given), context
        self._model, self._runs = model, ForwardRuns(model, asked, chosen, inputs)
        self._native: tuple[tuple[str, ...], NativeRuns] | None = None
        self._count, self._shape = len(model.value_slots), (len(asked.times), len(model.value_slots), -1)

    def __call__(self, values: Mapping[str, float]) -> "tuple[Array, Array]":
        """Values (times, variables) and slopes (times, variables, parameters) with these values of the parameters.

        SimulationError where the run fails, or ends before the last of the times.
        """
        own = {**self._given, **values}
        found = self._natively(own)
        if found is None:
            found = self._by_python(own)
        return found[:, : self._count], found[:, self._count :].reshape(self._shape)

    def _natively(self, own: Mapping[str, float]) -> "Array | None":
        """The variables and slopes of a run that needs no Python.

        That of parameters and of time is left to it.
        """
        names = tuple(own)
        if self._native is None or self._native[0] != names:
            if self._runs.inputs:
                self._runs.require_fixed_inputs(own)
            self._native = names, self._model.native_runs(self._runs.settings, names, self._runs.inputs)
        slots = self._model.plain_slots
        stored = None if slots is None else self._native[1].rows(list(own.values()), self._times)
        return None if slots is None or stored is None else slots.of(stored)

    def _by_python(self, own: Mapping[str, float]) -> "Array":
        """The variables and slopes of any run."""
        from acausal.results.formats.columns import gathered

        outcome, _ = self._runs.run(own, *self._context(dict(own)))
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.failure is not None:
            raise SimulationError(with_hint(outcome.failure))
        if outcome.time[-1] < self._times[-1]:
            message = f"the run ends at t = {outcome.time[-1]:g}, before the last of the data at {self._times[-1]:g}"
            raise SimulationError(Diagnostic("A043", message, help="remove the data behind the end of the run"))
        rows = outcome.time.searchsorted(self._times, "right") - 1
        slots = (*self._model.value_slots, *self._model.slope_slots)
        return gathered(slots, outcome.parameters, outcome.time[rows], outcome.stored[rows])
