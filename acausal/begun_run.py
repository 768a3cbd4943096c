"""A run with all that it begins with: initial values, a state, parameters; it can be repeated up to any time."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from acausal.base.diagnostics import Diagnostic, ModelError, Report, UsageError
from acausal.base.frozen import record
from acausal.base.options import SimulateOptions, TranslateOptions
from acausal.compiled_model import CompiledModel
from acausal.ir.experiment import Start, initial_parameter
from acausal.ir.names import Name, show_name
from acausal.simulate.run.known_zeros import has_failed, retranslated_for, with_retry, zeros_of
from acausal.simulate.state.run_part import WHOLE, Part

if TYPE_CHECKING:
    from acausal.ir.program.program import Program
    from acausal.results.recorder import RunRecorder
    from acausal.results.result import Result
    from acausal.simulate.inputs.inputs import InputValue
    from acausal.simulate.run.run import Progress
    from acausal.simulate.state.state import State


class StartedModel(Protocol):
    """A translation, with the first instant that its runs have."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    def times(self, options: SimulateOptions) -> tuple[float, float]:
        """Start and stop of a run."""
        ...

    def drop_stages(self) -> None:
        """Makes the code and gives the memory of the stages back."""
        ...

    @property
    def program(self) -> "Program":
        """The program."""
        ...

    @property
    def compiled(self) -> CompiledModel:
        """The program, and how it was made."""
        ...

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation."""
        ...

    @property
    def translate_options(self) -> TranslateOptions:
        """The options of the translation."""
        ...

    @property
    def set_values(self) -> dict[str, float]:
        """The values of parameters that were given for the translation."""
        ...

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        ...

    def with_known_zeros(self, given: Mapping[str, float]) -> Self | None:
        """A translation in which values of 0 among these are known."""
        ...

    def started(self, start: Start) -> "StartedModel":
        """The model with another first instant."""
        ...

    def in_units(self, given: dict[str, float]) -> dict[str, float]:
        """Values in the units of their parameters."""
        ...

    def run(
        self,
        options: SimulateOptions,
        given: dict[str, float],
        inputs: "Mapping[str, InputValue] | None",
        progress: "Progress | None",
        recorder: "RunRecorder | None" = None,
        part: Part = WHOLE,
    ) -> "Result":
        """A run."""
        ...


@record(frozen=True, slots=True)
class BegunRun:
    """A run of `model`, from its start or from `state` on; `given` are the values of parameters."""

    model: StartedModel
    options: SimulateOptions
    given: dict[str, float]
    inputs: "Mapping[str, InputValue] | None"
    state: "State | None" = None
    kept: bool = False
    halted: Callable[[], bool] | None = None

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation, without those on a first instant that the run does not have."""
        found = self.model.report
        return found if self.state is None else Report(tuple([d for d in found.diagnostics if d.code[:2] != "I0"]))

    def run(self, progress: "Progress | None" = None, recorder: "RunRecorder | None" = None) -> "Result":
        """The result, which can be asked for its states; with `kept` it has that at its end.

        A run that fails with parameters that are 0 is made again with a translation that knows them.
        """
        if 0.0 not in self.given.values():  # nearly all
            return self.run_once(progress, recorder)
        return self.served_run(progress, recorder)[1]

    def served_run(
        self, progress: "Progress | None" = None, recorder: "RunRecorder | None" = None
    ) -> "tuple[BegunRun, Result]":
        """The result, and the run with the translation that it was made with: this one, or see `known_zeros`."""

        def attempt(model: StartedModel) -> "tuple[BegunRun, Result]":
            if model is self.model:
                return self, self.run_once(progress, recorder)
            begun = replace(self, model=model)
            result = begun.run_once(progress)  # the recorder keeps the rows of the first attempt if this fails, too
            if recorder is not None and not has_failed(result.notes):
                result = begun.run_once(progress, recorder)
            result.notes = (retranslated_for(zeros_of(self.model.folded, given)), *result.notes)
            return begun, result

        given = self._model_values()
        return with_retry(self.model, given, attempt, lambda found: has_failed(found[1].notes))

    def served(self) -> "BegunRun":
        """The run with a translation that serves its first instant: another one only where parameters are 0."""
        if not zeros_of(self.model.folded, self._model_values()):
            return self
        begin = self.model.times(self.options)[0] if self.state is None else self.state.time
        first = replace(self, options=replace(self.options, stop=begin))
        try:
            return replace(self, model=first.served_run()[0].model)
        except ModelError:
            return self  # it fails with a message where it is used

    def run_once(self, progress: "Progress | None" = None, recorder: "RunRecorder | None" = None) -> "Result":
        """The result with this translation."""
        given = self.kept_values if self.kept else self.given
        part = Part(self.state, self.kept, given, self.halted)
        result = self.model.run(self.options, self.given, self.inputs, progress, recorder, part)
        result.again = self.until
        return result

    @property
    def kept_values(self) -> dict[str, float]:
        """The values of parameters that a state has: those given for the translation, too."""
        return {**self.model.set_values, **self._model_values()}

    def _model_values(self) -> dict[str, float]:
        """The values without those of the first instant."""
        own = self.model.compiled.start.parameters
        if not own or not self.given:
            return self.given
        names = set(map(show_name, own))
        return {name: value for name, value in self.given.items() if name not in names}

    def until(self, t: float) -> "Result":
        """The same up to t, with the state there."""
        return replace(self, options=replace(self.options, stop=t), kept=True).run()


def begin_run(
    translation: StartedModel,
    options: SimulateOptions,
    given: dict[str, float],
    inputs: "Mapping[str, InputValue] | None",
    start: Start,
    initial: Mapping[str, float],
    start_from: "State | str | Path | None",
) -> BegunRun:
    """The run; UsageError F005, F006 for what does not fit, F001 for a file without state."""
    if start.free and not (start.steady or translation.program.experiment.steady):
        hint = "add steady=True (--steady): the run then starts where nothing changes"
        raise UsageError(Diagnostic("F006", "free_initial leaves the initial conditions to a steady state", help=hint))
    if start_from is None and not given and not initial:
        return BegunRun(translation.started(start), options, {}, inputs)
    if start_from is None:
        start = start.also(Start(initial=tuple(initial))) if initial else start
        model = translation.started(start)
        first = {show_name(initial_parameter(name)): value for name, value in initial.items()}
        return BegunRun(model, options, model.in_units({**given, **first}), inputs)
    if start.steady:
        hint = "choose one: continue from a state, or start in steady state"
        raise UsageError(Diagnostic("F006", "start_from and steady are mutually exclusive", help=hint))
    state = _state(start_from)
    values = {**state.parameters, **translation.in_units(given)}
    from acausal.simulate.state.restore import with_values

    changed = with_values(state, _in_units_of(state, initial), {**translation.set_values, **values})
    return BegunRun(translation, options, values, {**state.inputs, **(inputs or {})}, changed)


def _state(given: "State | str | Path") -> "State":
    from acausal.base.arguments import wrong_type
    from acausal.simulate.state.state import State
    from acausal.simulate.state.state_file import read_state

    given = getattr(given, "state", given)  # an operating point has one
    if isinstance(given, str | Path):
        return read_state(given)
    if not isinstance(given, State):
        raise wrong_type("start_from", "a state of a result, r.state(t), or a file with one", given)
    return given


def _in_units_of(state: "State", initial: Mapping[str, float]) -> dict[str, float]:
    from acausal.units.given_quantity import GivenQuantity

    units = dict(zip(state.names, state.units, strict=True))
    return {
        name: value.in_unit(name, units.get(name), None) if isinstance(value, GivenQuantity) else value
        for name, value in initial.items()
    }
