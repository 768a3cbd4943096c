"""Assignment of translations to runs, and one run of a translation.

A value that is part of the equations needs a translation of its own; where a parameter may stay a symbol, one serves
all of its values: it is made for the run with the fewest values of 0, 1 and -1.
"""

from collections.abc import Callable, Sequence

from acausal.base.diagnostics import ModelError
from acausal.simulate.run.known_zeros import UNITS
from acausal.sweep.runs.portion import Run
from acausal.sweep.version import Model, Task, Version

OnRuns = Callable[[Version, list[Run]], None]
"""Takes portions of runs that are done, with the version that did them."""
Perform = Callable[[Version, Sequence[int], Callable[[list[Run]], None]], None]
"""Does runs with a version and reports portions of them."""


def in_versions(
    first: Version,
    model: Model,
    task: Task,
    indices: Sequence[int],
    perform: Perform,
    report: OnRuns,
    translated: Callable[[tuple[str, ...]], None],
) -> None:
    """All runs, `first` with the model as it is, then with translations for those that need another one.

    These are made one by one, in the order in which the whole sweep makes them, so that a run has the same translation
    whatever other runs are made here; `translated` is called for each with the parameters it was made for. A run whose
    values have no translation fails.
    """
    version, left = first, list(indices)
    unserved = list(range(len(task.points)))
    while left:
        unfit: dict[int, tuple[str, ...]] = {}

        def sort_out(runs: list[Run], by: Version = version, unfit: dict[int, tuple[str, ...]] = unfit) -> None:
            unfit.update({run.index: run.changed for run in runs if run.changed})
            report(by, [run for run in runs if not run.changed])

        perform(version, left, sort_out)
        left = [i for i in left if i in unfit]
        if left:
            unserved = [i for i in unserved if not version.serves(i)]
        while left:
            chosen = min(unserved, key=lambda i: (sum(x in UNITS for x in task.points.values(i)), i))
            try:
                version = Version(model.for_values(task.points.given(chosen)), task)
            except ModelError as error:
                unserved.remove(chosen)
                if chosen in left:
                    report(version, [Run(chosen, (), error.report.diagnostics[0])])
                    left.remove(chosen)
            else:
                translated(unfit.get(chosen) or next(iter(unfit.values())))
                break
