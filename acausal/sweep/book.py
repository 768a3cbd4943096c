"""The runs of a sweep that are done: kept in its folder as they end, and tabulated."""

from collections.abc import Callable, Iterable
from dataclasses import field
from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Severity
from acausal.base.frozen import dataclass
from acausal.ir.names import listed
from acausal.simulate.failure.messages import NO_NUMBER
from acausal.simulate.run.known_zeros import MOST_NAMED
from acausal.sweep.result import Runs, SweepResult, SweepStats
from acausal.sweep.runs.portion import Run
from acausal.sweep.storage.folder import Folder
from acausal.sweep.version import Task
from acausal.sweep.whole_results import WholeResults

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Counted = Callable[[int, int], None]
"""Called with the number of runs that are done and of all."""


@dataclass(slots=True)
class Book:
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
            self.folder.close()

    def result(self, name: str, stats: SweepStats, whole: WholeResults) -> SweepResult:
        """The table of the runs that are done."""
        points = self.task.points
        count = len(points)
        runs_done = [self.runs[i] for i in sorted(self.runs)]
        columns = _columns(self.task, runs_done)
        failures = {run.index: run.failure for run in runs_done if run.failure is not None}
        failures |= _not_finite(self.task, runs_done)
        missing = frozenset(i for i in range(count) if i not in self.runs)
        runs = Runs(count, whole.make)
        return SweepResult(name, points, columns, failures, missing, runs, stats, tuple(self._notes()))

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
