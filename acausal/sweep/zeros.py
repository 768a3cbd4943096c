"""Runs that failed with a value of 0 that a symbol stands for, which their equations may divide by.

They are tried again with a translation made for such values. Which one does not depend on the other runs that are
made or on their order, so that every shard and every call that goes on finds the same numbers: runs whose values are
0, 1 and -1 at the same places share the translation for the first of them in the whole sweep.
"""

from collections.abc import Callable

from acausal.base.diagnostics import ModelError
from acausal.sweep.book import Book
from acausal.sweep.runs.portion import Run
from acausal.sweep.threads import Work
from acausal.sweep.version import Model, Task, Version
from acausal.sweep.versions import UNITS

Pattern = tuple[float | None, ...]


def retried(model: Model, task: Task, doubtful: dict[int, Run], work_of: Callable[[Version], Work], book: Book) -> None:
    """Adds these runs to the book, as they were where no translation serves them better; KeyboardInterrupt."""
    works: dict[Pattern, Work | None] = {}
    for index in sorted(doubtful):
        pattern = _pattern(task, index)
        if pattern not in works:
            first = next(i for i in range(index + 1) if _pattern(task, i) == pattern)
            works[pattern] = _work(model, task, first, work_of, book)
        run = _run(works[pattern], index)
        if run is not None and run.changed:  # what is part of the equations differs, too
            run = _run(_work(model, task, index, work_of, book), index)
        book.add([doubtful[index] if run is None or run.failure is not None or run.changed else run])


def _pattern(task: Task, index: int) -> Pattern:
    return tuple([value if value in UNITS else None for value in task.points.values(index)])


def _work(model: Model, task: Task, index: int, work_of: Callable[[Version], Work], book: Book) -> Work | None:
    """With a translation for the values of a run; None where there is none."""
    given = task.points.given(index)
    try:
        version = Version(model.for_values(given), task)
    except ModelError:
        return None
    book.changed.append(tuple([name for name, value in given.items() if value == 0.0]))
    return work_of(version)


def _run(work: Work | None, index: int) -> Run | None:
    if work is None:
        return None
    portion = work([index], lambda: False)
    if portion.is_halted:
        raise KeyboardInterrupt
    (run,) = portion.runs
    return run
