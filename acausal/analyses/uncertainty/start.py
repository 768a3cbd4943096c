"""An uncertainty analysis of a translation: checks, then sweeps."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from acausal.analyses.uncertainty.analysis import uncertainty
from acausal.analyses.uncertainty.request import request_of
from acausal.analyses.uncertainty.result import Uncertainty
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.options import Limits, SimulateOptions
from acausal.simulate.system.settings import settings
from acausal.sweep.book import Counted
from acausal.sweep.origin import Origin
from acausal.sweep.points.distributions import Given, distributions_of
from acausal.sweep.result import SweepResult
from acausal.sweep.start import Asked, start
from acausal.sweep.version import Model
from acausal.units.declared import in_declared_unit


@dataclass(frozen=True, slots=True)
class Runs:
    """Ways to do the runs, as of a sweep."""

    options: SimulateOptions
    inputs: Mapping[str, object]
    folder: str | Path | None
    jobs: int | None
    cluster: str | None


def analysis_of(
    model: Model,
    given: Mapping[str, Given],
    outputs: Mapping[str, str] | Iterable[str] | None,
    numbers: tuple[Iterable[str], object, object, object],
    runs: Runs,
    origin: Origin | None,
    counted: Counted | None,
) -> Uncertainty:
    """The analysis; `numbers` are the variables with bands, n, the seed, and whether indices are asked for."""
    program = model.program
    distributions = distributions_of(given, partial(in_declared_unit, program))
    asked = request_of(program, outputs, *numbers)
    if asked.bands and (runs.folder is not None or runs.cluster is not None):
        hint = "drop the bands, the folder or the cluster"
        raise UsageError(
            Diagnostic(
                "F006",
                "bands require the trajectories of all runs: they cannot be combined with a folder or a cluster",
                help=hint,
            )
        )
    total = asked.n * (len(distributions) + 2 if asked.indices else 1)
    by_kind = {kind: [q.name for q in asked.outputs.values() if q.kind == kind] for kind in ("final", "min", "max")}

    def sweep(table: Mapping[str, list[float]], whole: bool, before: int) -> SweepResult:
        wanted = Asked(
            runs.options, runs.inputs, by_kind["final"], by_kind["min"], by_kind["max"], whole, runs.folder, None,
            runs.jobs, runs.cluster, max(total, Limits().runs),
        )  # fmt: skip
        return start(model, {}, table, wanted, origin, _shifted(counted, before, total))

    times = settings(runs.options, program.experiment).grid
    return uncertainty(program.name, distributions, asked, sweep, times)


def _shifted(counted: Counted | None, before: int, total: int) -> Counted | None:
    """Progress of a portion as that of all runs."""
    if counted is None:
        return None
    report: Callable[[int, int], None] = counted
    return lambda done, _: report(before + done, total)
