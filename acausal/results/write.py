"""Result files that are written: CSV, NumPy's npz, MAT as Modelica tools have it, Parquet."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.atomic_write import AtomicFile
from acausal.base.files.output_folder import cannot_write, require_folder
from acausal.results.formats.csv_format import CsvWriter
from acausal.results.formats.heading import Heading, Writer
from acausal.results.formats.kinds import KINDS, READERS, WRITERS
from acausal.results.trajectories import Trajectories

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

AT_ONCE = 4096
"""Rows that are written at a time."""


class ResultFile:
    """A result file that takes rows as they come, and replaces `path` when it is complete.

    `units` asks for the second header row of CSV; the other kinds always have units. UsageError F008 for an unknown
    kind and where it cannot be written, F007 without pyarrow.
    """

    def __init__(self, path: Path, heading: Heading, *, units: bool = False) -> None:
        check_kind(path)
        self.path = path
        try:
            self._file = AtomicFile(path)
            self._writer = self._open(heading, units)
        except OSError as error:
            raise cannot_write(path, error) from None

    def _open(self, heading: Heading, units: bool) -> Writer:
        kind, place = self.path.suffix.lower(), self._file.temporary
        try:
            return CsvWriter(place, heading, units=units) if kind == ".csv" else WRITERS[kind](place, heading)
        except BaseException:
            self._file.discard()
            raise

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows."""
        try:
            self._writer.add(time, stored)
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def attach(self, members: "Mapping[str, Array]") -> None:
        """Arrays that belong to the run, for a kind that can have them."""
        if self.path.suffix.lower() == ".npz":
            from acausal.results.formats.npz_format import NpzWriter

            assert isinstance(self._writer, NpzWriter)
            self._writer.members = members

    def finish(self) -> None:
        """Complete the file and put it in its place."""
        try:
            self._writer.finish()
            self._file.commit()
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def discard(self) -> None:
        """Give it up: what was at the place before stays there."""
        with suppress(OSError):  # what a full disk does not take is given up as well
            self._writer.close()
        self._file.discard()


def write(result: Trajectories, path: Path, names: tuple[str, ...], *, units: bool = False) -> None:
    """Write variables; UsageError as `ResultFile`."""
    columns = tuple([(name, result.column(name)) for name in names if name != "time"])
    heading = Heading(
        result.name, columns, tuple([name for name in result.experiment_plots if name in names]), result.parameters
    )
    file = ResultFile(path, heading, units=units)
    try:
        for first in range(0, len(result.time), AT_ONCE):
            rows = slice(first, first + AT_ONCE)
            file.add(result.time[rows], result.stored[rows])
        file.finish()
    except BaseException:
        file.discard()
        raise


def check_result(path: Path | None) -> None:
    """UsageError F008 where a result file cannot be written: no folder, or no known kind."""
    require_folder(path)
    if path is not None:
        check_kind(path)


def check_kind(path: Path) -> None:
    """UsageError F008 where the ending of a file to write names no kind."""
    if path.suffix.lower() not in READERS:
        shown = path.suffix.lower()
        message = f"unknown file format {shown}" if shown else "a result file without extension"
        raise UsageError(Diagnostic("F008", f"{path}: {message}", help=KINDS))
