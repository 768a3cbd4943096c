"""Analyses of a translation: sweeps, linearization, operating points, uncertain parameters.

Each is an argument check here, and a folder or module that does it; these are imported when they are called.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_flag, as_mapping, as_names
from acausal.base.options import Limits, SimulateOptions
from acausal.given_number import given_values
from acausal.ir.names import Name, show_name
from acausal.ir.start import Start, initial_parameter
from acausal.render.progress import counting_in_notebook
from acausal.simulate.inputs.sampled_inputs import as_columns, as_inputs
from acausal.translation_views import TranslationViews

if TYPE_CHECKING:
    from acausal.analyses.linear import Linear
    from acausal.analyses.linearize import LinearizeRequest
    from acausal.analyses.optimize.control_request import ControlRequest
    from acausal.analyses.optimize.control_result import OptimalControl
    from acausal.analyses.trim_request import TrimRequest
    from acausal.analyses.trim_result import Trim
    from acausal.analyses.uncertainty.result import Uncertainty
    from acausal.codegen.executable import Executable
    from acausal.elaborate.connections.open_loops import OpenedLoop
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.inputs.sampled_inputs import Inputs
    from acausal.simulate.run.variants import Variants
    from acausal.simulate.state.state import State
    from acausal.sweep.book import Counted
    from acausal.sweep.origin import Origin
    from acausal.sweep.points.distributions import Given as Distribution
    from acausal.sweep.points.input_choices import SeveralInputs
    from acausal.sweep.points.points import Runs as SweepRuns
    from acausal.sweep.points.points import Values as SweepValues
    from acausal.sweep.result import SweepResult

GivenValues = Mapping[str, float | str]
"""A text may have a unit."""


class TranslationAnalyses(TranslationViews):
    """Sweeps, linearization, operating points, uncertain parameters."""

    origin: "Origin | None"
    """The file and options, so that the model can be translated with others."""

    @property
    def name(self) -> str:
        """Name of the model."""
        raise NotImplementedError

    @property
    def folded(self) -> tuple[Name, ...]:
        """The parameters whose values are part of the equations."""
        raise NotImplementedError

    @property
    def executable(self) -> "Executable":
        """The program as native code."""
        raise NotImplementedError

    @property
    def steady_state(self) -> "TranslationAnalyses":
        """The model started where the derivatives of all states are zero."""
        raise NotImplementedError

    def started(self, start: Start) -> "TranslationAnalyses":
        """The model with another first instant."""
        raise NotImplementedError

    def for_values(self, values: GivenValues) -> "TranslationAnalyses":
        """The same model translated with other values."""
        raise NotImplementedError

    def run_context(self, given: dict[str, float]) -> "tuple[Variants | None, Equations]":
        """Other needs of a run with these values: the model with other states, equations for messages."""
        raise NotImplementedError

    def in_units(self, given: dict[str, float]) -> dict[str, float]:
        """Values with units as numbers in the units of their parameters."""
        raise NotImplementedError

    def opened_at(self, names: tuple[str, ...]) -> "tuple[TranslationAnalyses, tuple[OpenedLoop, ...]]":
        """The model with the connections to these variables opened."""
        raise NotImplementedError

    def linear(self, asked: "LinearizeRequest", given: dict[str, float]) -> "Linear":
        """The linear system of a request, with these values of parameters."""
        raise NotImplementedError

    def trimmed(self, asked: "TrimRequest", given: dict[str, float], initial: dict[str, float]) -> "Trim":
        """The operating point of a request: the search begins with these parameters and initial values."""
        raise NotImplementedError

    def controlled(
        self, asked: "ControlRequest", given: dict[str, float], initial: dict[str, float]
    ) -> "OptimalControl":
        """The optimal control of a request, with these parameters and initial values."""
        raise NotImplementedError

    def sweep(
        self,
        parameters: "Mapping[str, SweepValues] | None" = None,
        *,
        runs: "SweepRuns | None" = None,
        final: Iterable[str] = (),
        minimum: Iterable[str] = (),
        maximum: Iterable[str] = (),
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
        inputs: "Inputs | SeveralInputs | None" = None,
        keep: bool = False,
        folder: str | Path | None = None,
        trajectories: str | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: "Counted | None" = None,
        limit: int = Limits().runs,
        initial: "Mapping[str, SweepValues] | None" = None,
        design: str = "grid",
        samples: int | None = None,
        seed: int = 1,
        shard: str | None = None,
        time_limit: float | None = None,
    ) -> "SweepResult":
        """Many runs: all combinations of the values of `parameters`, a table of `runs` (CSV file, columns), or both.

        Values are numbers or text: `"1,2,5"`, `"0.1:10:50"` (50 values), `"1 kOhm:1 MOhm:50:log"`. The table has
        the `final`, `minimum` and `maximum` values of the variables named (patterns too); without any, the final ones
        of what the experiment plots or of the states. Whole results are made when asked for; `keep` holds them in
        memory, `trajectories="npz"` writes them into `folder`. With a `folder` a second call goes on where the first
        stopped. `jobs` threads (default: the processors), or the Dask `cluster` at an address, or "local".
        `progress` is called with the numbers of runs done and of all.
        `initial` are values of initial values by variable, in columns initial(x). An input given as a list of numbers,
        expressions or files, or as a range, has a run for each. With the `design` "lhs" (Latin hypercube) or "sobol"
        every parameter has a range "0.1:10", "0.1:10:log" or a distribution "normal(5, 0.1)", and there are `samples`
        runs (default 100), the same for the same `seed`. The `shard` "3/16" does every 16th run from the third on,
        into `folder`, beside the other shards in processes of their own on any machine; the last one to end writes
        the table, "0/16" makes the folder only. A run that takes longer than `time_limit` seconds fails with R018.
        UsageError for what does not fit, SweepInterrupted with what is done if the user ends it.
        """
        from acausal.sweep.points.designs import design_of
        from acausal.sweep.start import Asked, start
        from acausal.sweep.storage.shard import shard_of

        options = SimulateOptions.of(stop, interval, tolerance, solver, steady)
        columns = as_names("final", final), as_names("minimum", minimum), as_names("maximum", maximum)
        kept, first = as_flag("keep", keep), as_mapping("initial", initial)
        values: dict[str, SweepValues] = as_mapping("parameters", parameters)  # type: ignore[assignment]  # the same
        values |= {show_name(initial_parameter(name)): value for name, value in first.items()}  # type: ignore[misc]
        begun = Start(options.steady, initial=tuple(first))
        asked = Asked(
            options, as_columns(inputs), *columns, kept, folder, trajectories, jobs, cluster, limit,
            design_of(design, samples, seed), shard_of(shard), time_limit, begun,
        )  # fmt: skip
        with counting_in_notebook(progress, f"running {self.name}:") as shown:
            return start(self.started(begun), values, runs, asked, self.origin, shown)

    def uncertainty(
        self,
        parameters: "Mapping[str, Distribution]",
        *,
        outputs: Mapping[str, str] | Iterable[str] | None = None,
        bands: Iterable[str] = (),
        n: int = 1024,
        seed: int = 1,
        indices: bool = False,
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        steady: bool = False,
        inputs: "Inputs | None" = None,
        folder: str | Path | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
        progress: "Counted | None" = None,
    ) -> "Uncertainty":
        """Statistics of runs with uncertain parameters: `acausal.analyses.uncertainty.result.Uncertainty`.

        `parameters` are distributions by name: "uniform(90 Ohm, 110 Ohm)", ("normal", 5, 0.1), `scipy.stats.norm(...)`.
        `outputs` are texts such as "max(C.u)", "min(C.u)", "final(C.u)", by label or a list (default: final values as
        of `sweep`); `bands` are variables whose percentiles over time are asked for. `n` points of a low-discrepancy
        sequence make n runs, with Sobol `indices` n*(parameters + 2). The same `seed` gives the same result. Other
        arguments as of `sweep`. UsageError W005 for what is no distribution, F005 for unknown variables.
        """
        from acausal.analyses.uncertainty.start import Runs, analysis_of

        model = self.steady_state if as_flag("steady", steady) else self
        runs = Runs(SimulateOptions.of(stop, interval, tolerance, solver), as_inputs(inputs), folder, jobs, cluster)
        given = as_mapping("parameters", parameters)
        with counting_in_notebook(progress, f"running {self.name}:") as shown:
            return analysis_of(model, given, outputs, (bands, n, seed, indices), runs, self.origin, shown)

    def linearize(
        self,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
        at: "float | str | State | Trim | Mapping[str, float] | None" = None,
        *,
        open_at: Iterable[str] = (),
        side: str = "after",
        values: "Inputs | None" = None,
        parameters: GivenValues | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
    ) -> "Linear":
        """The linear system at an operating point, with exact matrices: see `acausal.analyses.linear.Linear`.

        `inputs` are inputs of the model, known variables or parameters (default: the inputs of the model), `outputs`
        any variables (default: those of the experiment). `at` is a time, "steady", the state of a result or an
        operating point found by `trim`, values of states by name beside the start, or None: the first instant; `side`
        of an event there is "after" or "before". `values` are those of the model's inputs as `inputs` of `simulate`.
        Loops are opened at the connections to the variables `open_at`: these become inputs, and what they are connected
        to outputs; the operating point is that of the closed loops. Raises UsageError F005 for unknown names,
        ModelError A001 for what cannot be an input and for models with delays, A004 where no steady point is found,
        SimulationError A002 at a singular point, A003 where the motion slides.
        """
        from acausal.analyses.request import request_of, require_steady
        from acausal.analyses.trim_result import Trim
        from acausal.simulate.state.state import State

        at = at.state if isinstance(at, Trim) else at
        given = self.in_units(given_values(as_mapping("parameters", parameters)))
        known = as_inputs(values)
        if isinstance(at, State):
            given, known = {**at.parameters, **given}, {**at.inputs, **known}
        model, loops = self.opened_at(as_names("open_at", open_at))
        asked = request_of(inputs, outputs, at, side, known, tolerance, solver, loops)
        if at == "steady":
            model = model.steady_state
            require_steady(model.report)
        return model.linear(asked, given)

    def trim(
        self,
        fixed: Mapping[str, float],
        free: "Iterable[str] | Mapping[str, tuple[float, float]]" = (),
        *,
        moving: Iterable[str] = (),
        steady: bool = True,
        values: "Inputs | None" = None,
        parameters: GivenValues | None = None,
        initial: GivenValues | None = None,
    ) -> "Trim":
        """An operating point: states rest and outputs have the `fixed` values, for values of what is `free`.

        `free` are inputs and parameters, with bounds where it is a mapping, as many as there are fixed values; the
        states that are `moving` need not rest. Without `steady` none has to, and states may be free. The search begins
        at the start of the model with its `initial` values, inputs' `values` and `parameters`. See
        `acausal.analyses.trim_result.Trim`. UsageError F005 for unknown names, ModelError A014 for other numbers of
        equations than unknowns, SimulationError A015 where they do not determine a point, A016 where none is found.
        """
        from acausal.analyses.trim_request import trim_request

        asked = trim_request(fixed, free, moving, as_flag("steady", steady), as_inputs(values))
        first = given_values(as_mapping("initial", initial))
        return self.trimmed(asked, given_values(as_mapping("parameters", parameters)), first)
