"""Searches of a fit from several starts on a Dask cluster: each worker translates the model once."""

import tempfile
import threading
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.analyses.fitting.measurements import Experiment
from acausal.analyses.fitting.problem import FitProblem
from acausal.analyses.fitting.search import Ways, attempt
from acausal.analyses.fitting.unknowns import Unknown
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.base.optional_library import required
from acausal.ir.experiment import Start
from acausal.sweep.origin import Origin
from acausal.sweep.workers import Sources, absolute, below, client_at, packed, result_of, unpacked

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False)
class FitTask:
    """All of a fit but the starts: what `FitProblem` takes, and how its runs are made."""

    variables: tuple[str, ...]
    unknowns: tuple[Unknown, ...]
    experiments: tuple[Experiment, ...]
    sigma: "Array"
    tolerance: float | None
    solver: str
    start: Start

    def with_files(self, root: Path | None) -> "FitTask":
        """The task with files of inputs below a folder, or with their whole paths."""
        made = []
        for e in self.experiments:
            inputs = {name: absolute(value) for name, value in e.inputs.items()}
            if root is not None:
                inputs = {
                    n: below(root, str(value)) if isinstance(value, Path) else value for n, value in inputs.items()
                }
            made.append(replace(e, inputs=inputs))
        return replace(self, experiments=tuple(made))


@dataclass(frozen=True, slots=True, eq=False)
class _Unpacked:
    """The problem of a task; the files of its model are below `folder` as long as it may be translated again."""

    problem: FitProblem
    folder: "tempfile.TemporaryDirectory[str]"


def on_cluster(address: str, origin: Origin | None, task: FitTask, points: "Sequence[Array]", ways: Ways) -> list[Any]:
    """SciPy's solutions, None where no run is possible; UsageError F006, F007 as of sweeps."""
    with required("a fit on a cluster", "distributed", "'acausal[sweep]'"):
        import distributed  # noqa: F401 - before anything else is done
    if origin is None or any(callable(value) for e in task.experiments for value in e.inputs.values()):
        hint = "give inputs as expressions in time or values at times"
        raise UsageError(Diagnostic("F006", "Python functions cannot be sent to a cluster", help=hint))
    task = task.with_files(None)
    tables = [value for e in task.experiments for value in e.inputs.values() if isinstance(value, Path)]
    sources = packed(origin, tables)
    key = uuid.uuid4().hex  # of this call, on workers
    with client_at(address) as client:
        sent = client.scatter((sources, task), broadcast=True, hash=False)
        futures = [client.submit(work, sent, key, x, ways, pure=False) for x in points]
        try:
            return [result_of(future) for future in futures]
        except BaseException:
            client.cancel(futures)
            raise


# ------------------------------------------------------------------ on a worker

_PROBLEMS: dict[str, _Unpacked] = {}
_LOCK = threading.Lock()


def work(sent: tuple[Sources, FitTask], key: str, x: "Array", ways: Ways) -> Any:  # noqa: ANN401 - SciPy has no types
    """The search from one start."""
    with _LOCK:
        if key not in _PROBLEMS:
            _PROBLEMS.clear()
            _PROBLEMS[key] = _unpacked(*sent)
        problem = _PROBLEMS[key].problem
    return attempt(problem, x, ways)


def _unpacked(sources: Sources, task: FitTask) -> _Unpacked:
    folder, root, model = unpacked(sources)
    own = task.with_files(root)
    names = [unknown.name for unknown in own.unknowns]
    slopes = model.started(own.start).fit_slopes(names, own.variables, own.tolerance, own.solver)
    return _Unpacked(FitProblem(own.unknowns, own.experiments, slopes, own.sigma), folder)
