"""A sweep as it is asked for: what does not fit is an error before anything is run."""

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from acausal.base.arguments import as_count, as_number, as_path, as_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.options import SimulateOptions
from acausal.ir.experiment import AS_MODELED, Start
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.sweep.book import Counted
from acausal.sweep.columns import choose_quantities
from acausal.sweep.origin import Origin
from acausal.sweep.points.designs import COMBINATIONS, Design
from acausal.sweep.points.input_choices import split_inputs
from acausal.sweep.points.points import Runs, Values, make_points
from acausal.sweep.result import SweepResult
from acausal.sweep.storage.shard import WHOLE, Shard
from acausal.sweep.sweep import Keeping, Others, sweep
from acausal.sweep.version import Model, Task
from acausal.units.declared import in_declared_unit

KINDS = ("csv", "npz", "mat", "parquet")
"""Files of whole results."""


@dataclass(frozen=True, slots=True)
class Asked:
    """All but the values; see `Translation.sweep`."""

    options: SimulateOptions
    inputs: Mapping[str, object]
    final: Iterable[str]
    minimum: Iterable[str]
    maximum: Iterable[str]
    keep: bool
    folder: str | Path | None
    trajectories: str | None
    jobs: int | None
    cluster: str | None
    limit: int
    design: Design = COMBINATIONS
    shard: Shard = WHOLE
    time_limit: float | None = None
    start: Start = AS_MODELED


def start(
    model: Model,
    parameters: Mapping[str, Values],
    runs: Runs | None,
    asked: Asked,
    origin: Origin | None,
    counted: Counted | None,
) -> SweepResult:
    """Checks, and does it."""
    task = task_of(model, parameters, runs, asked)
    keeping = keeping_of(asked)
    jobs = processors() if asked.jobs is None else as_count("jobs", asked.jobs)
    elsewhere = None if asked.cluster is None else _elsewhere(asked, task, origin)
    return sweep(model, task, jobs, keeping, counted, elsewhere)


def task_of(model: Model, parameters: Mapping[str, Values], runs: Runs | None, asked: Asked) -> Task:
    """The task; UsageError for what does not fit."""
    most = as_count("limit", asked.limit)
    same, choices = split_inputs({**dict(asked.options.inputs), **asked.inputs}, most)
    points = make_points(parameters, runs, most, partial(in_declared_unit, model.program), asked.design, choices)
    quantities = choose_quantities(model.program, tuple(asked.final), tuple(asked.minimum), tuple(asked.maximum))
    limit = as_number("time_limit", asked.time_limit)
    if limit is not None and not limit > 0.0:
        raise UsageError(Diagnostic("F006", f"time_limit={limit:g}: it must be a positive number of seconds"))
    return Task(points, asked.options, as_inputs(same), quantities, asked.keep, limit, asked.start)


def processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def keeping_of(asked: Asked) -> Keeping:
    """Storage of the runs; UsageError F006 for what does not fit."""
    kind = None if asked.trajectories is None else as_text("trajectories", asked.trajectories)
    if kind is not None and kind not in KINDS:
        message = f"unknown format of trajectories {kind}"
        raise UsageError(Diagnostic("F006", message, help=f"known formats: {', '.join(KINDS)}"))
    if kind is not None and asked.folder is None:
        raise UsageError(Diagnostic("F006", "trajectories are written to a folder", help="name a folder"))
    if asked.shard != WHOLE and asked.folder is None:
        raise UsageError(Diagnostic("F006", "shards need a folder for their runs", help="name a folder"))
    if asked.folder is not None and any(callable(value) for value in asked.inputs.values()):
        hint = "give the input as an expression in time or as a CSV file"
        raise UsageError(Diagnostic("F006", "a folder cannot identify a Python function", help=hint))
    return Keeping(None if asked.folder is None else as_path("folder", asked.folder), kind, asked.shard)


def _elsewhere(asked: Asked, task: Task, origin: Origin | None) -> Others:
    from acausal.sweep.cluster import on_cluster

    assert asked.cluster is not None
    if asked.keep or asked.trajectories:
        hint = "request final, minimum or maximum values; runs[i] computes a whole result locally"
        raise UsageError(Diagnostic("F006", "a cluster computes the columns of the table, not trajectories", help=hint))
    if origin is None or any(callable(value) for value in task.inputs.values()):
        hint = "give inputs as expressions in time"
        raise UsageError(Diagnostic("F006", "Python functions cannot be sent to a cluster", help=hint))
    return on_cluster(asked.cluster, origin, task)
