"""A translated model: what the stages found, the program, and how to run it."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_callback, as_flag, as_mapping, as_names
from acausal.base.diagnostics import Diagnostic, Report, Severity, UsageError
from acausal.base.file_lock import locked_property
from acausal.base.frozen import dataclass
from acausal.base.options import SimulateOptions, TranslateOptions
from acausal.begun_run import begin_run
from acausal.compiled_model import CompiledModel
from acausal.given_number import given_values
from acausal.ir.names import Name, listed, show_derivative, show_name
from acausal.ir.start import AS_MODELED, STEADY, Start
from acausal.render.progress import running_in_notebook
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.simulate.state.run_part import WHOLE, Part
from acausal.simulate.system.parameters import Folded
from acausal.stages import Stages
from acausal.translation_analyses import GivenValues
from acausal.translation_mechanism import TranslationMechanism

if TYPE_CHECKING:
    from acausal.analyses.linear import Linear
    from acausal.analyses.linearize import LinearizeRequest
    from acausal.analyses.optimize.control_request import ControlRequest
    from acausal.analyses.optimize.control_result import OptimalControl
    from acausal.analyses.sensitivities.request import SensitivityRequest, SensitivityRun
    from acausal.analyses.sensitivities.result import Sensitivities
    from acausal.analyses.sensitivities.slope_models import SlopeModels
    from acausal.analyses.trim_request import TrimRequest
    from acausal.analyses.trim_result import Trim
    from acausal.cache.keeper import Ready
    from acausal.codegen.executable import Executable
    from acausal.elaborate.connections.open_loops import OpenedLoop
    from acausal.ir.program.program import Program
    from acausal.results.recorder import RunRecorder
    from acausal.results.result import Result
    from acausal.runs import Runs
    from acausal.simulate.inputs.inputs import InputValue
    from acausal.simulate.inputs.sampled_inputs import Inputs
    from acausal.simulate.run.run import Progress
    from acausal.simulate.run.variants import Variants
    from acausal.simulate.state.state import State
    from acausal.simulate.system.derivative import Derivative
    from acausal.stepper import Stepper
    from acausal.sweep.origin import Origin

Values = Mapping[str, float]
MOST_NAMED = 4
"""So many parameters a note names."""


@dataclass(frozen=True, slots=True)
class StartedAgain:
    """Translates a model with other parameter values and the same first instant."""

    again: "Callable[[Values], Translation]"
    start: Start

    def __call__(self, values: Values) -> "Translation":
        """The translation for these values; those of the first instant are none of the model's."""
        own = set(map(show_name, self.start.parameters))
        return self.again({name: x for name, x in values.items() if name not in own}).started(self.start)


@dataclass(frozen=True, slots=True)
class StagesAgain:
    """Translates a model again that has come from a pickle; UsageError F014 where its files say something else now."""

    again: "Callable[[Values], Translation]"
    program: "Program"

    def __call__(self) -> Stages:
        """The stages."""
        from acausal.ir.show.program import show_program

        made = self.again({})
        if show_program(made.program) != show_program(self.program):
            raise UsageError(Diagnostic("F014", f"{self.program.name} has changed since it was translated"))
        return made.stages


class Translation(TranslationMechanism):
    """A model ready to run. Code is generated and compiled when first needed; threads may share it.

    `again` translates the same text with other parameter values: needed where a value that was folded into the
    equations changes. A pickle holds the program and where it comes from: code and stages are made again when they are
    needed.
    """

    def __init__(
        self, model: CompiledModel, again: "Callable[[Values], Translation]", origin: "Origin | None" = None
    ) -> None:
        self._lock = threading.RLock()
        self._model = model
        self._again = again
        self.origin = origin
        self._changed: tuple[tuple[str, ...], Translation] | None = None
        self._started: dict[Start, Translation] = {}

    def __reduce__(self) -> tuple[object, ...]:
        ready = self._model.ready()
        stages = StagesAgain(self._again, ready.program)
        return _unpickled, (stages, self._model.start, ready, self._again, self.origin)

    @property
    def stages(self) -> Stages:
        """Results of the stages."""
        return self._model.stages

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._model.name

    @property
    def report(self) -> Report:
        """Warnings and notes of the translation."""
        return self._model.report

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        return self._model.folded

    @property
    def compiled(self) -> CompiledModel:
        """The program, and how it was made."""
        return self._model

    @property
    def program(self) -> "Program":
        """The straight-line program."""
        return self._model.program

    @property
    def executable(self) -> "Executable":
        """The program as native code."""
        return self._model.executable

    def drop_stages(self) -> None:
        """Makes the code and gives the memory of the stages back, where they can be made again when asked for."""
        self._model.drop_stages()

    @locked_property
    def steady_state(self) -> "Translation":
        """The model started where the derivatives of all states are zero; I011 in its report says where they are not.

        ModelError I012 if there is no such point.
        """
        return self.started(STEADY)

    def started(self, start: Start) -> "Translation":
        """The model with another first instant; one for each is kept."""
        if start is AS_MODELED:
            return self
        start = self._model.start.also(start)
        if start == self._model.start:
            return self
        with self._lock:
            found = self._started.get(start)
            if found is None:
                found = Translation(self._model.started(start), StartedAgain(self._again, start), self.origin)
                self._started[start] = found
        return found

    @locked_property
    def derivative(self) -> "Derivative":
        """dy/dt as a function of arrays: f(t, y), and f.batch(states) for many states or parameter sets at once."""
        from acausal.simulate.system.derivative import Derivative

        return Derivative(self.executable, self.folded)

    def simulate(
        self,
        *,
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
        event_passes: int | None = None,
        parameters: GivenValues | None = None,
        inputs: "Inputs | None" = None,
        initial: GivenValues | None = None,
        start_from: "State | str | Path | None" = None,
        free_initial: bool = False,
        checkpoint: str | Path | None = None,
        checkpoint_interval: float | None = None,
        sensitivities: Iterable[str] = (),
        progress: "Progress | None" = None,
    ) -> "Result":
        """A run; what is not given is as the model's `experiment` says (`acausal.base.options.SimulateOptions`).

        `steady` starts where nothing changes (`steady_state`), with `free_initial` whatever the initial conditions of
        the model are. `initial` are initial values of variables by name, in the place of those of the model.
        `start_from` is a state (`Result.state`) or a file with one: the run goes on from there, with the parameters
        that it has unless others are given, and `initial` changes its states. With the file `checkpoint` the run saves
        itself there each `checkpoint_interval` seconds of simulated time (default: a hundredth of the run); where the
        file exists, the run continues from it, and it is removed at the end. `parameters` and `inputs` are values by
        name. A parameter is a number or a text with a unit, "4.7 kOhm"; an input is an expression in time, a CSV
        file, a number, a function, or values at times, linear in between: a pair (times, values), an array of two
        columns, a series of pandas. A data frame has several: its index, or its column `time`, and a column an input.
        The derivatives of all variables by the parameters `sensitivities` are `result.sensitivity["C.u", "R.R"]`.
        Raises UsageError for names and values that do not fit, RunError with the result up to then where the run fails.
        """
        options = SimulateOptions.of(stop, interval, tolerance, solver, event_passes=event_passes)
        given = given_values(as_mapping("parameters", parameters))
        as_callback("progress", progress)
        inputs = as_inputs(inputs)
        first = given_values(as_mapping("initial", initial))
        steady, free_initial = as_flag("steady", steady), as_flag("free_initial", free_initial)
        start = Start(steady, free_initial) if steady or free_initial else AS_MODELED
        begun = begin_run(self, options, given, inputs, start, first, start_from)
        model = begun.model
        slopes_by = as_names("sensitivities", sensitivities)
        if slopes_by:
            from acausal.analyses.sensitivities.request import SensitivityRun
            from acausal.analyses.sensitivities.run import run_with_sensitivities

            whole = start_from is None and checkpoint is None and checkpoint_interval is None
            assert isinstance(model, Translation)
            run = SensitivityRun(options, begun.given, begun.inputs)
            return run_with_sensitivities(begun, slopes_by, whole, lambda asked: model.slopes(asked, run))
        with running_in_notebook(progress, f"simulating {self.name}:", lambda: model.times(options)) as shown:
            if checkpoint is None and checkpoint_interval is None:
                result = begun.run(shown)
            else:
                from acausal.checkpointed_run import checkpoints_of, run_with_checkpoints

                result = run_with_checkpoints(begun, checkpoints_of(checkpoint, checkpoint_interval), shown)
        if model is not self:
            further = [d for d in model.report.diagnostics if d not in self.report.diagnostics]
            result.notes = (*further, *result.notes)
        return result

    def runner(self, inputs: "Inputs | None", initial: GivenValues | None) -> "Callable[[float | None, bool], Result]":
        """Runs with these inputs and initial values up to a time, or of the first instant alone."""

        def run(stop: float | None, first: bool) -> "Result":
            end = self.times(SimulateOptions())[0] if first else stop
            return self.simulate(stop=end, inputs=inputs, initial=initial)

        return run

    @property
    def set_values(self) -> dict[str, float]:
        """The values of parameters that were given for the translation."""
        return {} if self.origin is None else self.in_units(dict(self.origin.options.parameters))

    def stepper(
        self,
        *,
        inputs: "Inputs | None" = None,
        parameters: GivenValues | None = None,
        initial: GivenValues | None = None,
        start_from: "State | str | Path | None" = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
    ) -> "Stepper":
        """The model at its start, to be advanced step by step: see `acausal.stepper`.

        For real-time use and co-simulation. The arguments are those of `simulate`; inputs that are numbers can be set
        between steps.
        """
        from acausal.stepper import Stepper

        options = SimulateOptions.of(None, None, tolerance, solver)
        given = given_values(as_mapping("parameters", parameters))
        first = given_values(as_mapping("initial", initial))
        start = Start(as_flag("steady", steady))
        return Stepper(begin_run(self, options, given, as_inputs(inputs), start, first, start_from))

    def in_units(self, given: dict[str, float]) -> dict[str, float]:
        """Values with units as numbers in the units of their parameters."""
        if not given or all(type(value) is float for value in given.values()):  # nearly all
            return given
        from acausal.units.declared import in_declared_units

        return in_declared_units(self.program, given)

    def times(self, options: SimulateOptions) -> tuple[float, float]:
        """Start and stop of a run."""
        from acausal.simulate.system.settings import settings

        chosen = settings(options, self.program.experiment)
        return chosen.start, chosen.stop

    def __repr__(self) -> str:
        return f"<Translation {self.name}>"

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

    def opened_at(self, names: tuple[str, ...]) -> "tuple[Translation, tuple[OpenedLoop, ...]]":
        """The model with the connections to these variables opened."""
        from acausal.elaborate.connections.open_loops import open_loops

        if not names or self.origin is None:
            return self, ()
        loops = open_loops(self.stages.flat, names)[1]
        return self._translated(replace(self.origin.options, opened=names)), loops

    def _with_initial(
        self, given: dict[str, float], initial: dict[str, float]
    ) -> "tuple[Translation, dict[str, float]]":
        """The model with these initial values, and the values of its parameters."""
        begun = begin_run(self, SimulateOptions(), given, None, AS_MODELED, initial, None)
        return self.started(begun.model.compiled.start), begun.given

    def trimmed(self, asked: "TrimRequest", given: dict[str, float], initial: dict[str, float]) -> "Trim":
        """The operating point of a request: the search begins with these parameters and initial values."""
        model, values = self._with_initial(given, initial)
        return model.trimmed_from_start(asked, values)

    def trimmed_from_start(self, asked: "TrimRequest", given: dict[str, float]) -> "Trim":
        """The operating point, with a new translation where a value changes that is part of the equations."""
        from acausal.analyses.trim import trim

        if isinstance(self._runs.parameters(given), Folded):
            return self._for_values_of(given).trimmed_from_start(asked, given)
        return trim(self.executable, self.folded, given, asked, *self.run_context(given))

    def controlled(
        self, asked: "ControlRequest", given: dict[str, float], initial: dict[str, float]
    ) -> "OptimalControl":
        """The optimal control of a request, with these parameters and initial values."""
        model, values = self._with_initial(given, initial)
        return model.controlled_from_start(asked, values)

    def controlled_from_start(self, asked: "ControlRequest", given: dict[str, float]) -> "OptimalControl":
        """The optimal control, with a new translation where a value changes that is part of the equations."""
        from acausal.analyses.optimize.optimal_control import optimal_control

        if isinstance(self._runs.parameters(given), Folded):
            return self._for_values_of(given).controlled_from_start(asked, given)

        def simulate(options: SimulateOptions, inputs: "Mapping[str, InputValue]") -> "Result":
            return self.run(options, given, inputs, None)

        return optimal_control(self.executable, given, asked, self._model.equations, simulate)

    def linear(self, asked: "LinearizeRequest", given: dict[str, float]) -> "Linear":
        """The linear system, with a new translation where a value changes that is part of the equations."""
        from acausal.analyses.linearize import linearize

        p = self._runs.parameters(given)
        if isinstance(p, Folded):
            return self._for_values_of(given).linear(asked, given)
        context = self.run_context(given)
        return linearize(self.executable, self.folded, p, asked, *context, lambda: self.stages.flat.terminals)

    def begun(
        self, run: "SensitivityRun", start: Start, initial: dict[str, float]
    ) -> "tuple[Translation, SensitivityRun]":
        """The model with this first instant, and the run with the values of its parameters."""
        begun = begin_run(self, run.options, run.given, run.inputs, start, initial, None)
        assert isinstance(begun.model, Translation)
        return begun.model, replace(run, given=begun.given, inputs=begun.inputs)

    def slopes(self, asked: "SensitivityRequest", run: "SensitivityRun") -> "Sensitivities":
        """Sensitivities of a run, with a new translation where a value is part of the equations."""
        from acausal.analyses.sensitivities.forward import forward
        from acausal.simulate.system.settings import settings

        p = self._runs.parameters(run.given)
        if isinstance(p, Folded):
            return self._for_values_of(run.given).slopes(asked, run)
        model = self._slope_models.model(self, asked)
        if isinstance(model, Translation):
            return model.slopes(asked, run)
        chosen = settings(run.options, self.program.experiment)
        return forward(model, p, run.given, asked, chosen, run.inputs or {}, *self.run_context(run.given))

    @locked_property
    def _slope_models(self) -> "SlopeModels[Translation]":
        from acausal.analyses.sensitivities.slope_models import SlopeModels

        return SlopeModels()

    @property
    def plotted_or_states(self) -> tuple[str, ...]:
        """The variables that the experiment plots; without any, the states."""
        from acausal.results.result import Result

        found = Result.before(self.program).experiment_plots
        return found or tuple([show_derivative(*slot.symbol) for slot in self.program.state_slots])

    def with_tunable(self, names: tuple[str, ...]) -> "Translation":
        """The same model where these parameters are not part of the equations."""
        assert self.origin is not None
        return self._translated(replace(self.origin.options, tunable=names)).started(self._model.start)

    def _translated(self, options: TranslateOptions) -> "Translation":
        """The same file with other options."""
        assert self.origin is not None
        found = self.origin.translate(self.origin.file, options)
        assert isinstance(found, Translation)
        return found

    def for_values(self, values: GivenValues) -> "Translation":
        """The same model translated with other values."""
        return self._again(given_values(as_mapping("values", values)))

    def run_context(self, given: dict[str, float]) -> "tuple[Variants | None, Equations]":
        """Other needs of a run with these values: the model with other states, equations for messages."""
        return self._model.variants(given), self._model.equations

    def _for_values_of(self, given: dict[str, float]) -> "Translation":
        """A translation for other values of these parameters; the last one is kept, as a sweep needs it again."""
        names, found = tuple(sorted(given)), self._changed
        if found is None or found[0] != names:
            found = self._changed = names, self._again(given)
        return found[1]


def _unpickled(
    stages: StagesAgain, start: Start, ready: "Ready", again: "Callable[[Values], Translation]", origin: "Origin | None"
) -> Translation:
    return Translation(CompiledModel(stages, start, None, ready), again, origin)
