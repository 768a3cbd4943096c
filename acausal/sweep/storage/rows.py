"""Rows of runs as CSV files have them: complete ones are read, whatever a process that was killed has left behind."""

import csv
from collections.abc import Iterator
from pathlib import Path

from acausal.base.diagnostics import Diagnostic
from acausal.sweep.points.points import Points
from acausal.sweep.runs.portion import Run

OK = "ok"


def shown_failure(failure: Diagnostic) -> str:
    """In one line."""
    return f"{failure.code}: {' '.join(failure.message.split())}"


def complete_rows(path: Path) -> Iterator[list[str]]:
    """The rows below the first one that end with a line break; none where there is no such file."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    complete = text[: text.rfind("\n") + 1]
    yield from csv.reader(complete.split("\n")[1:-1])


class RowForm:
    """Rows of the runs of a sweep: number, values of the parameters, columns, `ok` or the failure."""

    def __init__(self, points: Points, columns: tuple[str, ...]) -> None:
        self._points = points
        self._columns = len(columns)
        self.head = ("run", *points.names, *columns, "status")

    def row(self, run: Run) -> tuple[str, ...]:
        """A run as text."""
        numbers = ["" if x != x else repr(x) for x in run.numbers] or [""] * self._columns
        status = OK if run.failure is None else shown_failure(run.failure)
        return (str(run.index), *self._values(run.index), *numbers, status)

    def run(self, row: list[str]) -> Run | None:
        """The run of a row; None for what is no row of this sweep."""
        if len(row) != len(self.head) or not row[0].isdecimal() or int(row[0]) >= len(self._points):
            return None
        index, first = int(row[0]), 1 + len(self._points.names)
        if row[1:first] != self._values(index):
            return None
        if row[-1] != OK:
            code, _, message = row[-1].partition(": ")
            return Run(index, (), Diagnostic(code, message))
        try:
            return Run(index, tuple([float(x) if x else float("nan") for x in row[first:-1]]))
        except ValueError:
            return None

    def _values(self, index: int) -> list[str]:
        return list(map(repr, self._points.rows[index]))
