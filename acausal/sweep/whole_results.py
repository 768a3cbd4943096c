"""Whole results of the runs of a sweep: kept in memory, kept in its folder, or computed again."""

from collections.abc import Callable, Sequence

from acausal.base.diagnostics import SimulationError
from acausal.base.frozen import dataclass
from acausal.results.result import Result
from acausal.sweep.runs.portion import Run
from acausal.sweep.storage.folder import Folder
from acausal.sweep.version import Model, Task, Version
from acausal.sweep.zeros import all_runs


@dataclass(frozen=True, slots=True)
class WholeResults:
    """Makes the result of a run when it is asked for."""

    first: Version | None
    model: Model
    task: Task
    folder: Folder | None
    kind: str | None
    runs: dict[int, Run]

    def __reduce__(self) -> tuple[object, ...]:
        return WholeResults, (None, self.model, self.task, self.folder, self.kind, self.runs)

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

        first = self.first or Version(self.model, self.task)
        all_runs(first, self.model, self.task, [index], perform, made.extend, lambda _: None)
        return made[0]
