"""Input signals from a CSV file: a column of times, then columns of values; linear in between."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.regular_files import UnreadableError, read_text
from acausal.base.frozen import dataclass
from acausal.base.given_values import finite_number

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """Values at increasing times, linear in between (`runtime/inputs.table_value`)."""

    times: "Array"
    values: "Array"

    def __repr__(self) -> str:
        return f"Table({self.times.tolist()}, {self.values.tolist()})"


def read_table(name: str, path: Path, needed: tuple[float, float]) -> Table:
    """The column called like the input, or the second; UsageError R007 where it does not cover the times needed."""
    import numpy as np

    try:
        text, _ = read_text(path)
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (UnreadableError, csv.Error) as error:
        raise UsageError(Diagnostic("F001", f"{path} cannot be read: {error}")) from None
    head = [text.strip() for text in rows[0]] if rows else []
    with_head = bool(head) and finite_number(head[0]) is None
    column = head.index(name) if with_head and name in head else 1
    if with_head and name not in head and len(head) > 2:
        raise _unfit(path, f"it has no column {name}", f"its columns are {', '.join(head[1:])}")
    times: list[float] = []
    values: list[float] = []
    heads = with_head + (with_head and len(rows) > 1 and rows[1][0].startswith("["))  # the second one has units
    for number, row in enumerate(rows[heads:], 1 + heads):
        time, value = (finite_number(row[i]) if i < len(row) else None for i in (0, column))
        if time is None or value is None:
            raise _unfit(path, f"row {number} has no number in column {column + 1} or no time", "correct that row")
        if times and time < times[-1]:
            raise _unfit(path, f"the time decreases in row {number}", "sort the rows by time")
        times.append(time)
        values.append(value)
    return covering(Table(np.array(times), np.array(values)), f"the table {path}", needed)


def covering(table: Table, what: str, needed: tuple[float, float]) -> Table:
    """The table; UsageError R007 where it does not cover the times needed."""
    times = table.times
    if len(times) < 2 or times[0] > needed[0] or times[-1] < needed[1]:
        covered = f"its times are from {times[0]:g} to {times[-1]:g}" if len(times) else "it has no rows"
        why = f"{covered}, the run from {needed[0]:g} to {needed[1]:g}"
        message = f"{what} cannot be used as input: {why}"
        raise UsageError(Diagnostic("R007", message, help="add rows or shorten the run"))
    return table


def _unfit(path: Path, why: str, hint: str) -> UsageError:
    return UsageError(Diagnostic("R007", f"the table {path} cannot be used as input: {why}", help=hint))
