"""A translated model: its stages and program, and the same model with another start, other values or options."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from acausal.base.arguments import as_mapping
from acausal.base.diagnostics import Diagnostic, Severity
from acausal.base.file_lock import locked_property
from acausal.base.options import SimulateOptions, TranslateOptions
from acausal.begun_run import BegunRun, begin_run
from acausal.compiled_model import CompiledModel
from acausal.given_number import given_values
from acausal.ir.experiment import AS_MODELED, STEADY, Start
from acausal.ir.names import listed
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.run.known_zeros import MOST_NAMED, pattern_of, translated_for
from acausal.simulate.state.run_part import WHOLE, Part
from acausal.simulate.system.parameters import Folded
from acausal.translation.model_facts import ModelFacts
from acausal.translation.repeated import StagesAgain, StartedAgain

if TYPE_CHECKING:
    from acausal.analyses.sensitivities.adjoint.adjoint_models import AdjointModels
    from acausal.analyses.sensitivities.slope_models import SlopeModels
    from acausal.cache.keeper import Ready
    from acausal.codegen.executable import Array
    from acausal.results.recorder import RunRecorder
    from acausal.results.result import Result
    from acausal.runs import Runs
    from acausal.simulate.inputs.inputs import InputValue
    from acausal.simulate.run.run import Progress
    from acausal.simulate.run.variants import Variants
    from acausal.simulate.state.state import State
    from acausal.sweep.origin import Origin

Values = Mapping[str, float]
GivenValues = Mapping[str, float | str]
"""A text may have a unit."""


class TranslatedModel(ModelFacts):
    """A translated model; threads may share it.

    `again` translates the same text with other parameter values: needed where a value that was folded into the
    equations changes. `origin` is the file and options, so that the model can be translated with others.
    """

    def __init__(self, model: CompiledModel, again: Callable[[Values], Self], origin: "Origin | None" = None) -> None:
        self._lock = threading.RLock()
        super().__init__(model, origin)
        self._again = again
        self._changed: tuple[object, Self] | None = None
        self._started: dict[Start, Self] = {}
        self._with_zeros: tuple[object, Self | None] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        ready = self._model.ready()
        stages = StagesAgain(self._again, ready.program)
        return _unpickled, (type(self), stages, self._model.start, ready, self._again, self.origin)

    @locked_property
    def steady_state(self) -> Self:
        """The model started where the derivatives of all states are zero; I011 in its report says where they are not.

        ModelError I012 if there is no such point.
        """
        return self.started(STEADY)

    def started(self, start: Start) -> Self:
        """The model with another first instant; one for each is kept."""
        if start is AS_MODELED:
            return self
        start = self._model.start.also(start)
        if start == self._model.start:
            return self
        with self._lock:
            found = self._started.get(start)
            if found is None:
                found = type(self)(self._model.started(start), StartedAgain(self._again, start), self.origin)
                self._started[start] = found
        return found

    def begun(
        self,
        options: SimulateOptions,
        given: dict[str, float],
        inputs: "Mapping[str, InputValue] | None",
        start: Start,
        initial: Mapping[str, float],
        start_from: "State | str | Path | None" = None,
    ) -> "tuple[Self, BegunRun]":
        """The model with the first instant of a run, and the run: see `acausal.begun_run.begin_run`."""
        run = begin_run(self, options, given, inputs, start, initial, start_from)
        assert isinstance(run.model, type(self))
        return run.model, run

    def begun_served(
        self,
        options: SimulateOptions,
        given: dict[str, float],
        inputs: "Mapping[str, InputValue] | None",
        start: Start,
        initial: Mapping[str, float],
    ) -> "tuple[Self, BegunRun]":
        """The same with a translation that serves the first instant, see `BegunRun.served`."""
        run = self.begun(options, given, inputs, start, initial)[1].served()
        assert isinstance(run.model, type(self))
        return run.model, run

    def for_values(self, values: GivenValues) -> Self:
        """The same model translated with other values."""
        return self._again(given_values(as_mapping("values", values)))

    def suited(self, given: dict[str, float]) -> "tuple[Self, Array]":
        """The model and all its parameters: a new translation where a value changes that is part of the equations."""
        found = self
        while isinstance(p := found._runs.parameters(given), Folded):
            found = found._for_values_of(given)
        return found, p

    def _for_values_of(self, given: dict[str, float]) -> Self:
        """A translation for other values of these parameters; the last one is kept, as a sweep needs it again.

        Equations may divide by what another translation does not know to be 0.
        """
        key, found = tuple(sorted((name, value == 0.0) for name, value in given.items())), self._changed
        if found is None or found[0] != key:
            found = self._changed = key, self._again(given)
        return found[1]

    def with_known_zeros(self, given: Mapping[str, float]) -> Self | None:
        """A translation in which values of 0 among these are known; the last one is kept."""
        key, found = (tuple(given), pattern_of(list(given.values()))), self._with_zeros
        if found is None or found[0] != key:
            found = self._with_zeros = key, translated_for(given, self._again)
        return found[1]

    def with_tunable(self, names: tuple[str, ...]) -> Self:
        """The same model where these parameters are not part of the equations."""
        assert self.origin is not None
        return self.translated(replace(self.origin.options, tunable=names)).started(self._model.start)

    def translated(self, options: TranslateOptions) -> Self:
        """The same file with other options."""
        assert self.origin is not None
        found = self.origin.translate(self.origin.file, options)
        assert isinstance(found, type(self))
        return found

    @locked_property
    def slope_models(self) -> "SlopeModels[Self]":
        """Models with derivatives with respect to parameters, one for each choice of them."""
        from acausal.analyses.sensitivities.slope_models import SlopeModels

        return SlopeModels()

    @locked_property
    def adjoint_models(self) -> "AdjointModels[Self]":
        """Models with adjoint equations, one for each choice of parameters and objective."""
        from acausal.analyses.sensitivities.adjoint.adjoint_models import AdjointModels

        return AdjointModels()

    def run_context(self, given: dict[str, float]) -> "tuple[Variants | None, Equations]":
        """Other needs of a run with these values: the model with other states, equations for messages."""
        return self._model.variants(given), self._model.equations

    def run(
        self,
        options: SimulateOptions,
        given: dict[str, float],
        inputs: "Mapping[str, InputValue] | None",
        progress: "Progress | None",
        recorder: "RunRecorder | None" = None,
        part: Part = WHOLE,
    ) -> "Result":
        """A run, with a new translation where a value changes that is part of the equations."""
        found = self._runs.run(options, given, inputs, progress, *self.run_context(given), recorder, part)
        if not isinstance(found, Folded):
            return found
        message = f"retranslated: folded were other values of {listed(found.names, MOST_NAMED)}"
        note = Diagnostic("R012", message, severity=Severity.NOTE)
        result = self._for_values_of(given).run(options, given, inputs, progress, recorder, part)
        result.notes = (note, *result.notes)
        return result

    @locked_property
    def _runs(self) -> "Runs":
        from acausal.runs import Runs

        return Runs(self.executable, self.folded)


Model = TypeVar("Model", bound=TranslatedModel)


def _unpickled(
    kind: type[Model],
    stages: StagesAgain,
    start: Start,
    ready: "Ready",
    again: Callable[[Values], Model],
    origin: "Origin | None",
) -> Model:
    return kind(CompiledModel(stages, start, None, ready), again, origin)
