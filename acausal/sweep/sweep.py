"""All runs of a sweep, from the points to the table: what `Translation.sweep` calls."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from acausal.base.frozen import dataclass
from acausal.results.result import Result
from acausal.simulate.inputs.input_content import content_of
from acausal.sweep.book import Book, Counted
from acausal.sweep.points.points import Points
from acausal.sweep.result import SweepInterrupted, SweepResult, SweepStats
from acausal.sweep.runs.portion import Portion, Run, one_by_one
from acausal.sweep.storage.folder import Folder
from acausal.sweep.storage.manifest import digest
from acausal.sweep.storage.shard import WHOLE, Shard
from acausal.sweep.threads import Work, in_threads
from acausal.sweep.version import Model, Task, Version
from acausal.sweep.whole_results import WholeResults
from acausal.sweep.zeros import all_runs

Others = Callable[[list[int], Callable[[list[Run]], None]], None]
"""Does runs elsewhere and reports portions of them."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Storage of the runs: a folder, the file format of whole results, if requested, and the runs of this process."""

    folder: Path | None = None
    trajectories: str | None = None
    shard: Shard = WHOLE


def sweep(
    model: Model,
    task: Task,
    jobs: int,
    keeping: Keeping,
    counted: Counted | None = None,
    elsewhere: Others | None = None,
) -> SweepResult:
    """The runs of the task, `jobs` at a time, or `elsewhere`; those that the folder has are not made again.

    A run that fails is reported in the result and stops no other. SweepInterrupted with what is done if the user ends
    it; UsageError for names, options and folders that do not fit, before any run.
    """
    begin = perf_counter()
    first = Version(model, task)
    first.check()  # before a folder is made
    folder = None if keeping.folder is None else sweep_folder(model, task, keeping, keeping.folder)
    book = Book(task, folder, counted)
    left = [i for i in keeping.shard.runs(len(task.points)) if i not in book.runs]
    found = len(book.runs)
    interrupted = False
    try:
        if elsewhere is None:
            _here(first, model, task, left, jobs, book, keeping)
        elif left:
            elsewhere(left, book.add)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        book.close()
    stats = SweepStats(len(book.runs) - found, found, len(book.changed), perf_counter() - begin, jobs)
    whole = WholeResults(first, model, task, folder, keeping.trajectories, book.runs)
    result = book.result(model.name, stats, whole)
    if interrupted:
        raise SweepInterrupted(result)
    return result


def sweep_folder(model: Model, task: Task, keeping: Keeping, path: Path) -> Folder:
    """The folder of a sweep; UsageError W004 where it has another one, F008 where it cannot be written."""
    columns = tuple(map(str, task.quantities))
    from acausal.ir.show.program_digest import program_digest

    program, options = model.program, task.options
    content = digest(program_digest(program), program.experiment)
    manifest = {
        "model": {"name": model.name, "digest": content},
        "runs": {"count": len(task.points), "digest": digest(task.points.names, task.points.rows)},
        "settings": [options.stop, options.interval, options.tolerance, options.solver, options.steady],
        "inputs": {name: _content(value) for name, value in task.inputs.items()} | _contents(task.points),
        "columns": list(columns),
        "results": keeping.trajectories or "",
    }
    repeats = task.time_limit is None
    return Folder(path, manifest, task.points, columns, keeping.shard, repeats_timeouts=repeats)


def _contents(points: Points) -> dict[str, list[str]]:
    return {name: [_content(value) for value in values.values()] for name, values in points.inputs.items()}


def _content(value: object) -> str:
    """Content of an input."""
    found = content_of(value)
    return str(value) if found is None else found


def _here(
    first: Version, model: Model, task: Task, left: Sequence[int], jobs: int, book: Book, keeping: Keeping
) -> None:
    """In threads."""

    def perform(version: Version, indices: Sequence[int], report: Callable[[list[Run]], None]) -> None:
        in_threads(indices, jobs, _work(version, keeping, book), report)

    all_runs(first, model, task, left, perform, book.add, book.changed.append)


def _work(version: Version, keeping: Keeping, book: Book) -> Work:
    """Work of a thread on numbers."""
    kind, folder = keeping.trajectories, book.folder
    if kind is None or folder is None:
        return version.runs

    def work(indices: Sequence[int], halted: Callable[[], bool]) -> Portion:
        return one_by_one(indices, lambda index: written(index, halted))

    def written(index: int, halted: Callable[[], bool]) -> Run | None:
        run = version.run(index, halted, whole=True)
        if run is None or run.outcome is None:
            return run
        place = folder.result(index, kind)
        new = folder.unfinished(index, kind)
        Result.of(run.outcome).write(new, ["*"])
        new.replace(place)
        return run if version.keeps else replace(run, outcome=None)

    return work
