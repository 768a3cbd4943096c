"""Runs of a translation: from start to stop, step by step, and its derivatives as a function."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_callback, as_flag, as_mapping, as_names
from acausal.base.file_lock import locked_property
from acausal.base.options import LastOptions, SimulateOptions
from acausal.given_number import given_values
from acausal.ir.experiment import AS_MODELED, Start
from acausal.render.progress import running_in_notebook
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.simulate.run.known_zeros import has_failed
from acausal.translation.slopes import slopes
from acausal.translation.translated_model import GivenValues, TranslatedModel

if TYPE_CHECKING:
    from acausal.results.result import Result
    from acausal.simulate.inputs.sampled_inputs import Inputs
    from acausal.simulate.run.run import Progress
    from acausal.simulate.state.state import State
    from acausal.simulate.system.derivative import Derivative
    from acausal.stepper import Stepper


class TranslationSimulation(TranslatedModel):
    """Runs."""

    @locked_property
    def _last_options(self) -> LastOptions:
        return LastOptions()

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
        `start_from` is a state (`Result.state`) or a file with one: the run continues from there, with the parameters
        that it has unless others are given, and `initial` changes its states. With the file `checkpoint` the run saves
        itself there each `checkpoint_interval` seconds of simulated time (default: a hundredth of the run); where the
        file exists, the run continues from it, and it is removed at the end. `parameters` and `inputs` are values by
        name. A parameter is a number or a text with a unit, "4.7 kOhm"; an input is an expression in time, a CSV
        file, a number, a function, or values at times, linear in between: a pair (times, values), an array of two
        columns, a series of pandas. A data frame has several: its index, or its column `time`, and a column an input;
        a mapping with `time` likewise. With the parameters `sensitivities`, `result.sensitivity["C.u", "R.R"]` are
        derivatives of variables.
        Raises UsageError for names and values that do not fit, RunError with the result up to then where the run fails,
        or with the whole result where a variable is no finite number (R004).
        """
        options = self._last_options.of(stop, interval, tolerance, solver, event_passes)
        given = {} if parameters is None else given_values(as_mapping("parameters", parameters))
        as_callback("progress", progress)
        inputs = as_inputs(inputs)
        first = {} if initial is None else given_values(as_mapping("initial", initial))
        steady, free_initial = as_flag("steady", steady), as_flag("free_initial", free_initial)
        start = Start(steady, free_initial) if steady or free_initial else AS_MODELED
        model, begun = self.begun(options, given, inputs, start, first, start_from)
        slopes_by = as_names("sensitivities", sensitivities)
        if slopes_by:
            from acausal.analyses.sensitivities.request import SensitivityRun
            from acausal.analyses.sensitivities.run import run_with_sensitivities
            from acausal.runs import finite

            whole = start_from is None and checkpoint is None and checkpoint_interval is None
            run = SensitivityRun(options, begun.given, begun.inputs)
            return finite(run_with_sensitivities(begun, slopes_by, whole, lambda asked: slopes(model, asked, run)))
        with running_in_notebook(progress, lambda: f"simulating {self.name}:", lambda: model.times(options)) as shown:
            if checkpoint is None and checkpoint_interval is None:
                result = begun.run(shown)
            else:
                from acausal.checkpointed_run import checkpoints_of, run_with_checkpoints

                result = run_with_checkpoints(begun, checkpoints_of(checkpoint, checkpoint_interval), shown)
        if model is not self:
            further = [d for d in model.report.diagnostics if d not in self.report.diagnostics]
            result.notes = (*further, *result.notes)
        if not has_failed(result.notes):
            return result
        from acausal.runs import finite

        return finite(result)

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
        return Stepper(self.begun(options, given, as_inputs(inputs), start, first, start_from)[1])

    @locked_property
    def derivative(self) -> "Derivative":
        """dy/dt as a function of arrays: f(t, y), and f.batch(states) for many states or parameter sets at once."""
        from acausal.simulate.system.derivative import Derivative

        return Derivative(self.executable, self.folded)
