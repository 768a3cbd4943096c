"""Runs with all translations they need, also those that failed with a value of 0 that a symbol stands for.

These are tried again with a translation in which such values are known (`simulate/run/known_zeros`). Which one does not
depend on the other runs that are made or on their order, so that every shard, every worker and every call that goes on
finds the same numbers: runs whose values are 0, 1 and -1 at the same places share the translation for the first of them
in the whole sweep.
"""

from collections.abc import Callable, Sequence
from math import isfinite

from acausal.simulate.run.known_zeros import Pattern, pattern_of, translated_for
from acausal.sweep.runs.portion import Run
from acausal.sweep.version import Model, Task, Version
from acausal.sweep.versions import Perform, in_versions

Report = Callable[[list[Run]], None]
"""Takes portions of runs that are done."""
OnTranslation = Callable[[tuple[str, ...]], None]
"""Called for each translation with the parameters it was made for."""


def all_runs(
    first: Version,
    model: Model,
    task: Task,
    indices: Sequence[int],
    perform: Perform,
    report: Report,
    translated: OnTranslation,
) -> None:
    """See `in_versions`; runs that no translation serves better are reported as they failed."""
    doubtful: dict[int, Run] = {}

    def sort_out(version: Version, runs: list[Run]) -> None:
        doubtful.update({r.index: r for r in runs if _is_bad(r) and version.has_zero(r.index)})
        report([run for run in runs if run.index not in doubtful])

    in_versions(first, model, task, indices, perform, sort_out, translated)
    _retry(model, task, doubtful, perform, report, translated)


def _retry(
    model: Model, task: Task, doubtful: dict[int, Run], perform: Perform, report: Report, translated: OnTranslation
) -> None:
    versions: dict[Pattern, Version | None] = {}
    for index in sorted(doubtful):
        pattern = pattern_of(task.points.values(index))
        if pattern not in versions:
            same = next(i for i in range(index + 1) if pattern_of(task.points.values(i)) == pattern)
            versions[pattern] = _version(model, task, same, translated)
        run = _run(versions[pattern], index, perform)
        if run is not None and run.changed:  # what is part of the equations differs, too
            run = _run(_version(model, task, index, translated), index, perform)
        report([doubtful[index] if run is None or _is_bad(run) or run.changed else run])


def _is_bad(run: Run) -> bool:
    return run.failure is not None or not all(map(isfinite, run.numbers))


def _version(model: Model, task: Task, index: int, translated: OnTranslation) -> Version | None:
    """With a translation for the values of a run; None where there is none."""
    given = task.points.given(index)
    version = translated_for(given, lambda values: Version(model.for_values(values), task))
    if version is not None:
        translated(tuple([name for name, value in given.items() if value == 0.0]))
    return version


def _run(version: Version | None, index: int, perform: Perform) -> Run | None:
    made: list[Run] = []
    if version is not None:
        perform(version, [index], made.extend)
    return made[0] if made else None
