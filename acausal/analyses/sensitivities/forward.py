"""Forward sensitivities: a run whose states have slopes beside them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.analyses.sensitivities.request import SensitivityRequest
from acausal.analyses.sensitivities.result import EventSensitivities, Sensitivities, SlopeRows
from acausal.analyses.sensitivities.slope_model import SlopeModel, SlopeVariants
from acausal.base.diagnostics import Diagnostic
from acausal.ir.names import show_name
from acausal.results.result import Result
from acausal.runs import RunError, RunInterrupted
from acausal.simulate.inputs.inputs import InputValue, WithoutDerivative, make_signals
from acausal.simulate.run.outcome import Outcome
from acausal.simulate.run.simulate import simulate
from acausal.simulate.run.variants import Variants
from acausal.simulate.sensitivities.causes import EventSlope
from acausal.simulate.sensitivities.input_rates import require_fixed_inputs, without_derivatives
from acausal.simulate.sensitivities.slope_instant import SlopeInstant
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.state.run_part import WHOLE, Part
from acausal.simulate.system.parameters import Folded
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array
    from acausal.simulate.failure.equations_behind import Equations


NOMINAL = "give large states nominal values, p (nominal=1e5): errors of their slopes are measured by these"


def forward(
    model: SlopeModel,
    p: "Array",
    given: Mapping[str, float],
    asked: SensitivityRequest,
    chosen: Settings,
    inputs: Mapping[str, InputValue],
    variants: Variants | None,
    equations: "Equations | None",
) -> Sensitivities:
    """The run of a model with these `given` parameters; `p` is complete for the model without slopes.

    RunError where it fails, as where a crossing is grazing (A021) or events coincide that parameters move apart (A022).
    """
    base = model.first.base
    values = {show_name(base.parameter_slots[at].name): float(p[at]) for at in model.first.parameters}
    outcome, log = ForwardRuns(model, asked, chosen, inputs).run({**given, **values}, variants, equations)
    made = sensitivities(model, outcome, p, asked, log)
    if outcome.interrupted:
        raise RunInterrupted(made.result)
    if outcome.failure is not None:
        raise RunError(with_hint(outcome.failure), made.result)
    return made


class ForwardRuns:
    """Runs of a model for one request, with inputs and settings: again and again with other values of parameters."""

    def __init__(
        self, model: SlopeModel, asked: SensitivityRequest, chosen: Settings, inputs: Mapping[str, InputValue]
    ) -> None:
        self._model, self.settings = model, model.settings_at(chosen, asked.times)
        self.inputs = without_derivatives(model.first, inputs)
        self._functions = [name for name, value in self.inputs.items() if isinstance(value, WithoutDerivative)]
        self._pool = None if self._functions or model.first.program.delays else model.pool

    def run(
        self, own: Mapping[str, float], variants: Variants | None, equations: "Equations | None"
    ) -> tuple[Outcome, list[EventSlope]]:
        """The outcome with these values, among them those of all directions, and the slopes of its events."""
        model, settings, log = self._model, self.settings, list[EventSlope]()
        program = model.first.program
        found = self.require_fixed_inputs(own)

        def instants(system: System, settings: Settings, earlier: Instant | None) -> Instant:
            known = None if earlier is None else earlier.again(settings)
            if isinstance(known, SlopeInstant):
                return known.with_log(log)
            augmented = model.augmented(system.executable)
            return SlopeInstant(system, settings, augmented, log, self._functions, model.symbols)

        others = None if variants is None else SlopeVariants(model, variants, own)
        part = Part(instants=instants) if program.table.frozen else WHOLE
        outcome = simulate(
            model.executable, found, self.inputs, settings, None, others, equations, pool=self._pool, part=part
        )
        return outcome, log

    def require_fixed_inputs(self, own: Mapping[str, float]) -> "Array":
        """All parameters; ModelError A020 for inputs that depend on those that are directions."""
        found, settings = self._model.pool.parameters(own), self.settings
        assert not isinstance(found, Folded)
        if self.inputs:
            program = self._model.first.program
            signals = make_signals(program, self.inputs, found, settings.start, settings.stop)
            require_fixed_inputs(self._model.first, signals)
        return found


def with_hint(failure: Diagnostic) -> Diagnostic:
    """The failure; small slopes of large states are a matter of tolerances."""
    return replace(failure, help=NOMINAL) if failure.code == "R015" else failure


def sensitivities(
    model: SlopeModel, outcome: Outcome, p: "Array", asked: SensitivityRequest, log: list[EventSlope]
) -> Sensitivities:
    """The values and derivatives of an outcome, up to its last row."""
    import numpy as np

    result = Result.of(replace(outcome, program=model.first.base, parameters=p))
    rows = rows_at(outcome.time, asked.times)
    time, stored = outcome.time[rows], outcome.stored[rows]
    found = SlopeRows(time, stored, outcome.parameters, model.value_slots, model.slope_slots)
    slopes = np.array([event.slopes for event in log]).reshape(len(log), len(asked.parameters))
    events = EventSensitivities(np.array([e.time for e in log]), slopes, tuple([e.texts for e in log]))
    return Sensitivities(result, (model.names, asked.parameters), found, events)


def rows_at(time: "Array", times: tuple[float, ...] | None) -> "NDArray[np.intp] | slice":
    """All rows, or the last one at each of the times."""
    import numpy as np

    if times is None:
        return slice(None)
    reached = np.array([t for t in times if len(time) and t <= time[-1]])
    return np.searchsorted(time, reached, "right") - 1
