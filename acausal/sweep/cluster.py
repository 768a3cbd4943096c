"""The same runs on a Dask cluster: each worker gets the files, translates once, and runs portions of the points.

Portions take about a second, longer runs one each, and are kept as they end, in the folder if there is one: a portion
of a worker that is lost is given to another one (distributed does it), and no more than it is made again. Workers
need acausal in the same version; files travel with the sweep.
"""

import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.base.optional_library import required
from acausal.simulate.inputs.inputs import InputValue
from acausal.sweep.origin import Origin
from acausal.sweep.runs.portion import Run
from acausal.sweep.version import Model, Task, Version
from acausal.sweep.workers import Sources, absolute, below, client_at, packed, result_of, unpacked
from acausal.sweep.zeros import all_runs

if TYPE_CHECKING:
    from distributed import Future

AHEAD = 2
"""Portions for each thread of the cluster that are sent at once: a worker that ends one has the next."""
SECONDS = 1.0
"""Time of a portion: so much is made again if a worker is lost, or one run that takes longer."""


class Done(NamedTuple):
    """Runs that a worker has done in so many seconds: number, values, and code, message and hint of the failure."""

    runs: list[tuple[int, tuple[float, ...], tuple[str, str, str | None] | None]]
    seconds: float


@dataclass(frozen=True, slots=True)
class Parcel:
    """A sweep as a worker gets it: the sources of the model, and what to do with it."""

    sources: Sources
    task: Task


def on_cluster(address: str, origin: Origin, task: Task) -> Callable[[list[int], Callable[[list[Run]], None]], None]:
    """Does runs on the cluster; UsageError F007 without distributed, F006 where no cluster answers."""
    with required("a sweep on a cluster", "distributed", "'acausal[sweep]'"):
        import distributed  # noqa: F401 - before anything else is done

    def runs(indices: list[int], report: Callable[[list[Run]], None]) -> None:
        from distributed import as_completed

        parcel = _parcel(origin, task)
        key = parcel.sources.key(parcel.task)
        with client_at(address) as client:
            sent = client.scatter(parcel, broadcast=True, hash=False)
            portions = Portions(indices, AHEAD * (sum(client.nthreads().values()) or 1))

            def submit() -> "list[Future]":
                portion = portions.take()
                return [client.submit(work, sent, key, portion, pure=False)] if portion else []

            waiting = as_completed([future for _ in range(portions.ahead) for future in submit()])
            try:
                for future in waiting:
                    done: Done = result_of(future)
                    portions.took(done)
                    report([_run(*run) for run in done.runs])
                    waiting.update(submit())
            except BaseException:
                client.cancel(list(waiting.futures))
                raise

    return runs


class Portions:
    """Numbers of runs in portions that take about SECONDS, single runs at first; `ahead` portions are on their way."""

    def __init__(self, indices: Sequence[int], ahead: int) -> None:
        self._indices = indices
        self._next = 0
        self._size = 1
        self.ahead = ahead

    def take(self) -> list[int]:
        """The next ones, few towards the end, so that all workers end together; none where there are no more."""
        share = ceil((len(self._indices) - self._next) / (2 * self.ahead))
        begin, self._next = self._next, self._next + max(1, min(self._size, share))
        return list(self._indices[begin : self._next])

    def took(self, done: "Done") -> None:
        """Learns how long a run takes; the time of the translation counts for none."""
        wanted = int(SECONDS * len(done.runs) / max(done.seconds, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size))


def _run(index: int, numbers: tuple[float, ...], failure: tuple[str, str, str | None] | None) -> Run:
    return Run(index, numbers, None if failure is None else Diagnostic(failure[0], failure[1], help=failure[2]))


def _parcel(origin: Origin, task: Task) -> Parcel:
    task = _with_inputs(task, absolute)
    tables = [value for given in task.all_inputs() for value in given.values() if isinstance(value, Path)]
    return Parcel(packed(origin, tables), task)


def _with_inputs(task: Task, changed: Callable[[InputValue], InputValue]) -> Task:
    """The task with other places of the files of its inputs."""
    same = {name: changed(value) for name, value in task.inputs.items()}
    several = {name: {k: changed(value) for k, value in own.items()} for name, own in task.points.inputs.items()}
    return replace(task, inputs=same, points=replace(task.points, inputs=several))


# ------------------------------------------------------------------ on a worker

_MODELS: dict[str, "_Unpacked"] = {}
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Unpacked:
    """A parcel's model; its files are below `folder` as long as it may be translated again."""

    first: Version
    model: Model
    task: Task
    folder: "tempfile.TemporaryDirectory[str]"


def work(parcel: Parcel, key: str, indices: list[int]) -> Done:
    """The runs of these numbers."""
    with _LOCK:
        if key not in _MODELS:
            _MODELS.clear()
            _MODELS[key] = _unpacked(parcel)
        unpacked = _MODELS[key]
    done: list[Run] = []
    begin = perf_counter()

    def perform(version: Version, numbers: Sequence[int], report: Callable[[list[Run]], None]) -> None:
        while numbers:
            portion = version.runs(numbers)
            numbers = numbers[len(portion.runs) + portion.is_halted :]
            report(portion.runs)

    all_runs(unpacked.first, unpacked.model, unpacked.task, indices, perform, done.extend, lambda _: None)
    found = [(run.index, run.numbers, _failure_data(run.failure)) for run in done]
    return Done(found, perf_counter() - begin)


def _failure_data(failure: Diagnostic | None) -> tuple[str, str, str | None] | None:
    return None if failure is None else (failure.code, failure.message, failure.help)


def _unpacked(parcel: Parcel) -> _Unpacked:
    """The translation of its files, which are below a folder of their own."""
    folder, root, made = unpacked(parcel.sources)
    model: Model = made.started(parcel.task.start)
    task = _with_inputs(parcel.task, lambda value: below(root, str(value)) if isinstance(value, Path) else value)
    return _Unpacked(Version(model, task), model, task, folder)
