"""A folder that keeps a sweep, run by run, so that another call goes on where one stopped.

sweep.json   what the sweep is: its model, its runs, settings, columns
runs.csv     when all runs are done: a row a run in their order
parts/       until then: a file for each process, with its rows in the order in which they ended
runs/        whole results where they are asked for, run000017.npz

Any number of processes on any machines may write to the folder at once. They need no locks, which network file
systems lack: each appends to a file of its own, and `runs.csv` is written as a whole by whoever finds that no run is
left. Its content does not depend on who that is. Only then the parts are removed: nobody loses a run by that.
"""

import csv
import os
import platform
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.atomic_write import replacing
from acausal.sweep.points.points import Points
from acausal.sweep.runs.portion import Run
from acausal.sweep.runs.time_limit import is_timeout
from acausal.sweep.storage.manifest import NAME, Manifest, claim
from acausal.sweep.storage.rows import RowForm, complete_rows
from acausal.sweep.storage.shard import WHOLE, Shard

TABLE, PARTS, RESULTS, SCRIPT = "runs.csv", "parts", "runs", "sweep.slurm"
_UNFINISHED = "new-"
"""Begin of the names of whole results that are being written."""


class Folder:
    """The folder at `path`, made if there is none; UsageError W004 where it keeps another sweep, F008 unwritable."""

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        points: Points,
        columns: tuple[str, ...],
        shard: Shard = WHOLE,
        *,
        repeats_timeouts: bool = False,
    ) -> None:
        self.path = path
        self._count = len(points)
        self._form = RowForm(points, columns)
        self._file: TextIO | None = None
        self._part = part_name(shard)
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            self._results.mkdir(exist_ok=True)
            claim(path, manifest, (NAME, TABLE, PARTS, RESULTS, SCRIPT))
            found = self._read()
        except OSError as error:
            raise UsageError(
                Diagnostic("F008", f"{path} cannot store the sweep: {error.strerror or error}", help="name a folder")
            ) from None
        self.done = {i: run for i, run in found.items() if not (repeats_timeouts and is_timeout(run))}

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_file": None}

    @property
    def _parts(self) -> Path:
        return self.path / PARTS

    @property
    def _results(self) -> Path:
        return self.path / RESULTS

    def result(self, index: int, kind: str) -> Path:
        """The file of a whole result."""
        return self._results / f"run{index:06}.{kind}"

    def unfinished(self, index: int, kind: str) -> Path:
        """The file of a whole result as long as this process writes it."""
        return self._results / f"{_UNFINISHED}{self._part}-{index}.{kind}"

    def add(self, runs: Iterable[Run]) -> None:
        """Keep these."""
        if self._file is None:
            self._file = (self._parts / f"{self._part}.csv").open("x", encoding="utf-8", newline="")
            csv.writer(self._file, lineterminator="\n").writerow(self._form.head)
        csv.writer(self._file, lineterminator="\n").writerows([self._form.row(run) for run in runs])
        self._file.flush()

    def close(self) -> None:
        """This process adds nothing more; the last of all processes to end writes the table."""
        if self._file is not None:
            self._file.close()
            self._file = None
        parts = list(self._parts.glob("*.csv"))
        if not parts:
            return
        found = self._read()
        if len(found) == self._count:
            self._write_table(found.values())
            for leftover in (*parts, *self._results.glob(f"{_UNFINISHED}*")):
                with suppress(OSError):  # another process has removed it, or has it open on Windows
                    leftover.unlink()

    # ------------------------------------------------------------------ files

    def _read(self) -> dict[int, Run]:
        """The runs that are kept, in order. The table comes last: it has what parts had that are removed meanwhile."""
        files = [*sorted(self._parts.glob("*.csv")), self.path / TABLE]
        found = [self._form.run(row) for file in files for row in complete_rows(file)]
        in_order = sorted([r for r in found if r], key=lambda r: (r.index, not is_timeout(r)))
        return {run.index: run for run in in_order}

    def _write_table(self, runs: Iterable[Run]) -> None:
        """The whole table, there at once."""
        with replacing(self.path / TABLE) as new, new.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self._form.head)
            writer.writerows(self._form.row(run) for run in runs)


def part_name(shard: Shard) -> str:
    """A name that no other process has: the shard, the machine, the process and a random number."""
    machine = re.sub(r"[^A-Za-z0-9.]", "_", platform.node())[:40] or "unknown"
    return f"{shard.number}of{shard.count}-{machine}-{os.getpid()}-{os.urandom(4).hex()}"


def shard_of_part(name: str) -> Shard | None:
    """The shard whose process has written a part."""
    found = re.match(r"(\d+)of(\d+)-", name)
    return Shard(int(found[1]), int(found[2])) if found else None
