"""Many runs of a translation: sweeps, uncertain parameters."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_flag, as_mapping, as_names
from acausal.base.options import Limits, SimulateOptions
from acausal.ir.experiment import Start, initial_parameter
from acausal.ir.names import show_name
from acausal.render.progress import counting_in_notebook
from acausal.simulate.inputs.sampled_inputs import as_columns, as_inputs
from acausal.translation.translated_model import TranslatedModel

if TYPE_CHECKING:
    from acausal.analyses.uncertainty.result import Uncertainty
    from acausal.simulate.inputs.sampled_inputs import Inputs
    from acausal.sweep.book import Counted
    from acausal.sweep.points.distributions import Given as Distribution
    from acausal.sweep.points.input_choices import SeveralInputs
    from acausal.sweep.points.points import Runs as SweepRuns
    from acausal.sweep.points.points import Values as SweepValues
    from acausal.sweep.result import SweepResult


class TranslationSweeps(TranslatedModel):
    """Sweeps and statistics of runs."""

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
