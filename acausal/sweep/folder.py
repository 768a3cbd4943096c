"""A folder that keeps a sweep, run by run, so that another call goes on where one stopped.

sweep.json   what the sweep is: digests of model and runs, settings, columns
runs.csv     a row a run: its number, values, columns, `ok` or the failure; in order when all are done
runs/        whole results where they are asked for, run000017.npz
"""

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.atomic_write import replacing, write_text
from acausal.sweep.points import Points
from acausal.sweep.portion import Run

OK = "ok"
Manifest = Mapping[str, object]


def digest(*parts: object) -> str:
    """Of numbers and texts."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class Folder:
    """The folder at `path`, made if there is none; UsageError W004 where it keeps another sweep, F008 unwritable."""

    def __init__(self, path: Path, manifest: Manifest, points: Points, columns: tuple[str, ...]) -> None:
        self.path = path
        self._points = points
        self._head = ("run", *points.names, *columns, "status")
        self._file: TextIO | None = None
        self._table = path / "runs.csv"
        try:
            self.results.mkdir(parents=True, exist_ok=True)
            self._claim(manifest)
            self.done = self._read()
            self._rewrite(self.done.values())
        except OSError as error:
            raise UsageError(
                Diagnostic("F008", f"{path} cannot store the sweep: {error.strerror or error}", help="name a folder")
            ) from None

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_file": None}

    @property
    def results(self) -> Path:
        """Folder of whole results."""
        return self.path / "runs"

    def result(self, index: int, kind: str) -> Path:
        """The file of a whole result."""
        return self.results / f"run{index:06}.{kind}"

    def add(self, runs: Iterable[Run]) -> None:
        """Keep these."""
        if self._file is None:
            self._file = self._table.open("a", encoding="utf-8", newline="")
        csv.writer(self._file, lineterminator="\n").writerows([self._row(run) for run in runs])
        self._file.flush()

    def close(self, runs: Iterable[Run]) -> None:
        """Nothing more is added; `runs` are all of those that are done, in order."""
        if self._file is not None:
            self._file.close()
            self._rewrite(runs)

    # ------------------------------------------------------------------ files

    def _claim(self, manifest: Manifest) -> None:
        """Writes what the sweep is, or compares."""
        place = self.path / "sweep.json"
        if not place.exists():
            others = [entry.name for entry in self.path.iterdir() if entry.name != "runs" and entry.name[0] != "."]
            if others:
                raise UsageError(Diagnostic("W004", f"{self.path} contains other files: {min(others)}", help=_OTHER))
            write_text(place, json.dumps(manifest, indent=2) + "\n")
            return
        try:
            found = json.loads(place.read_text(encoding="utf-8"))
        except ValueError:
            raise UsageError(Diagnostic("W004", f"{place} was not written by a sweep", help=_OTHER)) from None
        wanted = json.loads(json.dumps(manifest))
        differing = [name for name in wanted if not isinstance(found, dict) or found.get(name) != wanted[name]]
        if differing:
            message = f"{self.path} contains another sweep: the {' and '.join(differing)} differ"
            raise UsageError(Diagnostic("W004", message, help=_OTHER))

    def _read(self) -> dict[int, Run]:
        """The runs that are kept; what a broken call has left of a row does not count."""
        if not self._table.exists():
            return {}
        text = self._table.read_text(encoding="utf-8", errors="replace")
        complete = text[: text.rfind("\n") + 1]
        found = [self._run(row) for row in csv.reader(complete.splitlines()[1:])]
        return {run.index: run for run in sorted([r for r in found if r], key=lambda r: r.index)}

    def _row(self, run: Run) -> tuple[str, ...]:
        values = map(repr, self._points.rows[run.index])
        count = len(self._head) - len(self._points.names) - 2
        numbers = ["" if x != x else repr(x) for x in run.numbers] or [""] * count
        return (str(run.index), *values, *numbers, OK if run.failure is None else shown_failure(run.failure))

    def _run(self, row: list[str]) -> Run | None:
        if len(row) != len(self._head) or not row[0].isdigit() or int(row[0]) >= len(self._points):
            return None
        status = row[-1]
        if status != OK:
            code, _, message = status.partition(": ")
            return Run(int(row[0]), (), Diagnostic(code, message))
        try:
            numbers = tuple([float(x) if x else float("nan") for x in row[1 + len(self._points.names) : -1]])
        except ValueError:
            return None
        return Run(int(row[0]), numbers)

    def _rewrite(self, runs: Iterable[Run]) -> None:
        """The whole table, there at once."""
        with replacing(self._table) as new, new.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self._head)
            writer.writerows(self._row(run) for run in runs)


def shown_failure(failure: Diagnostic) -> str:
    """In one line."""
    return f"{failure.code}: {' '.join(failure.message.split())}"


_OTHER = "name another folder for this sweep"
