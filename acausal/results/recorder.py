"""Rows that go into a file while the run goes on; in memory stays only what is plotted or animated."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from acausal.ir.program.program import Program
from acausal.results.formats.columns import Column
from acausal.results.formats.heading import Heading
from acausal.results.result import Result
from acausal.results.write import ResultFile
from acausal.simulate.run.outcome import Outcome

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Choose = Callable[[Result], Iterable[str]]
"""Chooses variables of a result, which has no rows yet."""


class RunRecorder(Protocol):
    """The sink of a run that makes its result."""

    def begin(self, program: Program, p: "Array") -> None:
        """The run of a program with these parameters begins."""
        ...

    def take(self, times: "Array", stored: "Array") -> None:
        """The next rows."""
        ...

    def result(self, outcome: Outcome) -> Result:
        """The result of the run."""
        ...


class Recorder:
    """The sink of a run: `written` chooses what its file has, `kept` what its result has."""

    def __init__(self, path: Path | None, written: Choose, kept: Choose, *, units: bool = False) -> None:
        self._path, self._written, self._kept = path, written, kept
        self._units = units
        self._file: ResultFile | None = None
        self._columns: Mapping[str, Column] = {}
        self._positions: list[int] = []
        self._times: list[Array] = []
        self._rows: list[Array] = []

    def begin(self, program: Program, p: "Array") -> None:
        """Open the file; UsageError F008 where it cannot be written. Rows of a run that began before are given up."""
        self.discard()
        self._times, self._rows = [], []
        result = Result.before(program, p)
        if self._path is not None:
            names = [name for name in self._written(result) if name != "time"]
            plotted = tuple([name for name in result.experiment_plots if name in names])
            heading = Heading(
                program.name, tuple([(name, result.column(name)) for name in names]), plotted, result.parameters
            )
            self._file = ResultFile(self._path, heading, units=self._units)
        chosen = {name: result.column(name) for name in self._kept(result) if name in result.columns}
        self._positions = sorted({c.position for c in chosen.values() if c.position is not None})
        place = {position: i for i, position in enumerate(self._positions)}
        self._columns = {
            name: column if column.position is None else replace(column, position=place[column.position])
            for name, column in chosen.items()
        }

    def take(self, times: "Array", stored: "Array") -> None:
        """Write rows."""
        if self._file is not None:
            self._file.add(times, stored)
        self._times.append(times.copy())
        self._rows.append(stored[:, self._positions])

    def result(self, outcome: Outcome) -> Result:
        """The result of the run with what was kept."""
        import numpy as np

        times = np.concatenate([outcome.time[:0], *self._times])
        rows = np.concatenate([np.empty((0, len(self._positions))), *self._rows])
        return Result.of(replace(outcome, time=times, stored=rows), self._columns)

    def attach(self, members: "Mapping[str, Array]") -> None:
        """Arrays that belong to the run, for a file that can have them."""
        if self._file is not None:
            self._file.attach(members)

    def finish(self) -> bool:
        """Put the file in its place; whether there is one."""
        file, self._file = self._file, None
        if file is not None:
            file.finish()
        return file is not None

    def discard(self) -> None:
        """Give up the file, if it is not in its place."""
        file, self._file = self._file, None
        if file is not None:
            file.discard()
