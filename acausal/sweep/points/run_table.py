"""A table of runs as a CSV file: the first row names parameters, each further row gives the values of one run."""

import re
from collections.abc import Iterator
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, LimitError, UsageError
from acausal.base.files.regular_files import UnreadableError, read_text
from acausal.base.given_values import finite_number
from acausal.base.source import SourceFile, Span
from acausal.sweep.points.ranges import too_many

_CELL = re.compile(r'\s*("(?:[^"]|"")*"|[^,"]*)\s*(,|$)')

Columns = dict[str, tuple[float, ...]]


def read_runs(path: Path, most: int) -> Columns:
    """The columns by name, all of one length.

    UsageError F001 for a file that cannot be read, W002 with the place of what is wrong in it; LimitError W003 for more
    than `most` rows.
    """
    file = _read(path)
    rows = _rows(file)
    head = next(rows, None)
    if head is None:
        raise _wrong(Span(file, 0, 1), "the table is empty", "the first row must name the parameters")
    names = _names(head)
    values: list[tuple[float, ...]] = []
    for row in rows:
        if len(row) != len(names):
            raise _uneven(row, len(names))
        values.append(tuple([_number(cell, name) for cell, name in zip(row, names, strict=True)]))
        if len(values) > most:
            raise _too_long(path, most)
    if not values:
        raise _wrong(head[0][0], "the table has no runs", "write one row per run below the names of the parameters")
    return dict(zip(names, zip(*values, strict=True), strict=True))


Cell = tuple[Span, str]


def _read(path: Path) -> SourceFile:
    try:
        return SourceFile(str(path), read_text(path)[0])
    except UnreadableError as error:
        message = f"{path} cannot be read: {error}"
        raise UsageError(Diagnostic("F001", message, help="--runs takes a CSV file")) from None


def _rows(file: SourceFile) -> Iterator[list[Cell]]:
    """The cells of each row that is not blank."""
    start = 0
    for line in file.text.splitlines(keepends=True):
        if line.strip():
            yield list(_cells(file, start, line.rstrip("\r\n")))
        start += len(line)


def _cells(file: SourceFile, start: int, line: str) -> Iterator[Cell]:
    place = 0
    while True:
        found = _CELL.match(line, place)
        if found is None:
            span = Span(file, start + place, start + max(len(line), place + 1))
            raise _wrong(span, "misplaced quotation mark", 'write a name with a comma as "J[1,2]"')
        text = found[1].strip()
        end = max(start + found.start(1) + len(text), start + found.start(1) + 1)
        span = Span(file, start + found.start(1), end)
        yield span, text[1:-1].replace('""', '"') if text.startswith('"') else text
        if not found[2]:
            return
        place = found.end()


def _names(head: list[Cell]) -> list[str]:
    names: list[str] = []
    for span, name in head:
        if not name:
            raise _wrong(span, "a column has no name", "name each column after its parameter")
        if name in names:
            raise _wrong(span, f"two columns are named {name}", "omit one of them")
        names.append(name)
    if all(finite_number(name) is not None for name in names):
        raise _wrong(head[0][0], "the first row contains numbers", "the first row must name the parameters")
    return names


def _number(cell: Cell, name: str) -> float:
    span, text = cell
    if not text:
        raise _wrong(span, f"{name} has no value in this run", "write a value: missing values are not filled in")
    number = finite_number(text)
    if number is None:
        raise _wrong(span, f"the value of {name} is not a number: {text}", "write it as in 0.5 or 2e-3")
    return number


def _uneven(row: list[Cell], wanted: int) -> UsageError:
    if len(row) < wanted:
        missing = (
            f"{wanted - len(row)} of {wanted} values {'is' if wanted - len(row) == 1 else 'are'} missing in this run"
        )
        return _wrong(row[0][0].to(row[-1][0]), missing, "give each run a value in every column")
    return _wrong(row[wanted][0], f"one value more than the {wanted} named columns", "omit it")


def _too_long(path: Path, most: int) -> LimitError:
    (found,) = too_many(most + 1, most).report.diagnostics
    return LimitError(Diagnostic("W003", f"{path} has more runs than the limit of {most}", help=found.help))


def _wrong(span: Span, message: str, hint: str) -> UsageError:
    return UsageError(Diagnostic("W002", message, Label(span), help=hint))
