"""All runs of a sweep, from the points to the table: what `Translation.sweep` calls."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, ModelError, Severity, SimulationError
from acausal.base.files.regular_files import is_file
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.results.result import Result
from acausal.simulate.failure.messages import NO_NUMBER
from acausal.sweep.folder import Folder, digest
from acausal.sweep.portion import Portion, Run, one_by_one
from acausal.sweep.result import Runs, SweepInterrupted, SweepResult, SweepStats
from acausal.sweep.threads import Work, in_threads
from acausal.sweep.versions import Model, Task, Version, in_versions

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_NAMED = 4
"""So many parameters a note names."""
Counted = Callable[[int, int], None]
"""Called with the number of runs that are done and of all."""
Others = Callable[[list[int], Callable[[list[Run]], None]], None]
"""Does runs elsewhere and reports portions of them."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Storage of the runs: a folder, and the file format of whole results, if requested."""

    folder: Path | None = None
    trajectories: str | None = None


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
    folder = None if keeping.folder is None else _folder(model, task, keeping, keeping.folder)
    book = _Book(task, folder, counted)
    left = [i for i in range(len(task.points)) if i not in book.runs]
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
    found = len(task.points) - len(left)
    stats = SweepStats(len(book.runs) - found, found, len(book.changed), perf_counter() - begin, jobs)
    result = book.result(model, stats, _Makers(first, model, task, folder, keeping.trajectories, book.runs))
    if interrupted:
        raise SweepInterrupted(result)
    return result


def _folder(model: Model, task: Task, keeping: Keeping, path: Path) -> Folder:
    columns = tuple(map(str, task.quantities))
    from acausal.ir.show.program import show_program

    program, options = model.program, task.options
    slots = [(slot.name, slot.value) for slot in program.parameter_slots]
    manifest = {
        "model": digest(program.name, show_program(program), slots, program.experiment),
        "runs": digest(task.points.names, task.points.rows),
        "settings": [options.stop, options.interval, options.tolerance, options.solver, options.steady],
        "inputs": {name: _content(value) for name, value in task.inputs.items()},
        "columns": list(columns),
        "results": keeping.trajectories or "",
    }
    return Folder(path, manifest, task.points, columns)


def _content(value: object) -> str:
    """Content of an input: a file by its content."""
    names_file = isinstance(value, Path) or (isinstance(value, str) and value.lower().endswith(".csv"))
    if names_file and is_file(str(value)):
        return digest(Path(str(value)).read_bytes())
    return str(value)


def _here(
    first: Version, model: Model, task: Task, left: Sequence[int], jobs: int, book: "_Book", keeping: Keeping
) -> None:
    """In threads; what fails with a value of 0 that a symbol stands for is tried with a translation for it."""
    doubtful: dict[int, Run] = {}

    def perform(version: Version, indices: Sequence[int], report: Callable[[list[Run]], None]) -> None:
        in_threads(indices, jobs, _work(version, keeping, book), report)

    def report(version: Version, runs: list[Run]) -> None:
        doubtful.update({r.index: r for r in runs if r.failure is not None and version.has_zero(r.index)})
        book.add([run for run in runs if run.index not in doubtful])

    in_versions(first, model, task, left, perform, report, book.changed.append)
    while doubtful:
        _again(model, task, doubtful, book, keeping)


def _again(model: Model, task: Task, doubtful: dict[int, Run], book: "_Book", keeping: Keeping) -> None:
    """A translation for the values of the first of these runs, and all of them that it serves."""
    index = next(iter(doubtful))
    try:
        version = Version(model.for_values(task.points.given(index)), task)
    except ModelError:
        book.add([doubtful.pop(index)])
        return
    book.changed.append(tuple([name for name, value in task.points.given(index).items() if value == 0.0]))
    work = _work(version, keeping, book)
    for i in [i for i in doubtful if i == index or not version.has_zero(i)]:
        portion = work([i], lambda: False)
        if portion.is_halted:
            raise KeyboardInterrupt
        (run,) = portion.runs
        if i == index or not run.changed:
            before = doubtful.pop(i)
            book.add([before if run.failure is not None or run.changed else run])


def _work(version: Version, keeping: Keeping, book: "_Book") -> Work:
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
        new = place.with_name(f"new-{place.name}")
        Result.of(run.outcome).write(new, ["*"])
        new.replace(place)
        return run if version.keeps else replace(run, outcome=None)

    return work


@dataclass(slots=True)
class _Book:
    """The runs that are done."""

    task: Task
    folder: Folder | None
    counted: Counted | None
    runs: dict[int, Run] = field(default_factory=dict)
    changed: list[tuple[str, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.folder is not None:
            self.runs.update(self.folder.done)

    def add(self, runs: list[Run]) -> None:
        """Add finished runs."""
        if not runs:
            return
        if self.folder is not None:
            self.folder.add(runs)
        self.runs.update({run.index: run for run in runs})
        if self.counted is not None:
            self.counted(len(self.runs), len(self.task.points))

    def close(self) -> None:
        """All are done that will be."""
        if self.folder is not None:
            self.folder.close(self.in_order())

    def in_order(self) -> list[Run]:
        """By their numbers."""
        return [self.runs[i] for i in sorted(self.runs)]

    def result(self, model: Model, stats: SweepStats, makers: "_Makers") -> SweepResult:
        points = self.task.points
        count = len(points)
        runs_done = self.in_order()
        columns = _columns(self.task, runs_done)
        failures = {run.index: run.failure for run in runs_done if run.failure is not None}
        failures |= _not_finite(self.task, runs_done)
        missing = frozenset(i for i in range(count) if i not in self.runs)
        runs = Runs(count, makers.make)
        return SweepResult(model.name, points, columns, failures, missing, runs, stats, tuple(self._notes()))

    def _notes(self) -> Iterable[Diagnostic]:
        if self.changed:
            names = listed(dict.fromkeys(name for names in self.changed for name in names), MOST_NAMED)
            often = "retranslated" if len(self.changed) == 1 else f"retranslated {len(self.changed)} times"
            message = f"{often}: folded were other values of {names}"
            yield Diagnostic("R012", message, severity=Severity.NOTE)


def _columns(task: Task, runs: list[Run]) -> "dict[str, Array]":
    import numpy as np

    points = task.points
    given = np.array(points.rows, dtype=np.float64).reshape(len(points), len(points.names))
    columns = {name: given[:, i].copy() for i, name in enumerate(points.names)}
    numbers = np.full((len(points), len(task.quantities)), np.nan)
    for run in runs:
        if run.numbers:
            numbers[run.index] = run.numbers
    return columns | {str(q): numbers[:, i].copy() for i, q in enumerate(task.quantities)}


def _not_finite(task: Task, runs: list[Run]) -> dict[int, Diagnostic]:
    """R004 for each run that reached its end with a quantity that is no finite number."""
    found: dict[int, Diagnostic] = {}
    for run in runs:
        if all(map(isfinite, run.numbers)):
            continue
        first, *others = [str(q) for q, x in zip(task.quantities, run.numbers, strict=True) if not isfinite(x)]
        notes = (f"also not finite: {listed(others, MOST_NAMED)}",) if others else ()
        found[run.index] = Diagnostic("R004", f"{first} is not finite", notes=notes, help=NO_NUMBER)
    return found


@dataclass(frozen=True, slots=True)
class _Makers:
    """Whole results: kept in memory, kept in the folder, or computed again."""

    first: Version | None
    model: Model
    task: Task
    folder: Folder | None
    kind: str | None
    runs: dict[int, Run]

    def __reduce__(self) -> tuple[object, ...]:
        return _Makers, (None, self.model, self.task, self.folder, self.kind, self.runs)

    def make(self, index: int) -> Result:
        """The result of a run; SimulationError where not even its first instant can be computed."""
        run = self.runs.get(index)
        if run is not None and run.outcome is not None:
            return Result.of(run.outcome)
        if self.folder is not None and self.kind is not None and self.folder.result(index, self.kind).exists():
            from acausal.results.read import read

            return read(self.folder.result(index, self.kind))
        made = self._anew(index)
        if made.outcome is None:
            assert made.failure is not None
            raise SimulationError(made.failure)
        return Result.of(made.outcome)

    def _anew(self, index: int) -> Run:
        made: list[Run] = []

        def perform(version: Version, indices: Sequence[int], report: Callable[[list[Run]], None]) -> None:
            run = version.run(indices[0], whole=True)
            if run is None:
                raise KeyboardInterrupt
            report([run])

        def report(_: Version, runs: list[Run]) -> None:
            made.extend(runs)

        first = self.first or Version(self.model, self.task)
        in_versions(first, self.model, self.task, [index], perform, report, lambda _: None)
        return made[0]
