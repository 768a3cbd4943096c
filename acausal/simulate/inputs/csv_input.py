"""Input signals from a CSV file: a column of times, then columns of values; linear in between."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.regular_files import UnreadableError, read_text
from acausal.base.frozen import dataclass
from acausal.base.given_values import finite_number
from acausal.base.name_and_unit import name_and_unit

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """Values at increasing times, linear in between (`runtime/inputs.table_value`)."""

    times: "Array"
    values: "Array"

    def __repr__(self) -> str:
        return f"Table({self.times.tolist()}, {self.values.tolist()})"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An input that a column is read for: its name and unit, if it has one; `is_known` where that is known."""

    name: str
    unit: str | None = None
    is_known: bool = True


def read_table(wanted: Wanted, path: Path, needed: tuple[float, float]) -> Table:
    """The column called like the input, or the second, in the units of time and input.

    Units are those of the header, `u [mV]`, or of a second header row. UsageError R007 where the table does not cover
    the times needed, or its units do not fit.
    """
    import numpy as np

    try:
        text, _ = read_text(path)
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (UnreadableError, csv.Error) as error:
        raise UsageError(Diagnostic("F001", f"{path} cannot be read: {error}")) from None
    first = rows[0] if rows else []
    with_head = bool(first) and finite_number(first[0]) is None
    name, head = wanted.name, [text.strip() for text in first]
    if name not in head:
        head = [name_and_unit(text)[0] for text in first]
    column = head.index(name) if with_head and name in head else 1
    if with_head and name not in head and len(head) > 2:
        raise _unfit(path, f"it has no column {name}", f"its columns are {', '.join(head[1:])}")
    times: list[float] = []
    values: list[float] = []
    heads = with_head + (with_head and len(rows) > 1 and rows[1][0].rstrip().endswith("]"))  # the second one has units
    for number, row in enumerate(rows[heads:], 1 + heads):
        time, value = (finite_number(row[i]) if i < len(row) else None for i in (0, column))
        if time is None or value is None:
            raise _unfit(path, f"row {number} has no number in column {column + 1} or no time", "correct that row")
        if times and time < times[-1]:
            raise _unfit(path, f"the time decreases in row {number}", "sort the rows by time")
        times.append(time)
        values.append(value)
    labels = rows[heads - 1] if heads else []
    seconds = _in_unit(path, np.array(times), _unit_of(labels, 0), Wanted("time", "s"))
    return covering(
        Table(seconds, _in_unit(path, np.array(values), _unit_of(labels, column), wanted)), f"the table {path}", needed
    )


def _unit_of(labels: list[str], column: int) -> str | None:
    """The unit at the end of a cell, `mV` of `u [mV]` or of `[mV]`."""
    unit = name_and_unit(labels[column])[1] if column < len(labels) else None
    return None if unit is None else unit.partition("|")[0].strip() or None  # the unit to display comes second


def _in_unit(path: Path, numbers: "Array", unit: str | None, wanted: Wanted) -> "Array":
    """Numbers of a column in the unit of the input, without one in SI units; UsageError R007 where they have another.

    All conversions are linear.
    """
    if unit is None or unit == wanted.unit:
        return numbers
    if not wanted.is_known:
        hint = f"name {wanted.name} among the outputs, or remove the units from the table"
        raise _unfit(path, f"its unit is {unit}, that of {wanted.name} is not part of the program", hint)
    from acausal.units.convert import MismatchError, converted
    from acausal.units.parse_unit import UnitError

    try:
        zero, one = (converted(number, "", unit, wanted.unit) for number in "01")
    except (MismatchError, UnitError):
        other = "which is not a known unit" if wanted.unit is None else f"that of {wanted.name} {wanted.unit}"
        raise _unfit(path, f"the unit of a column is {unit}, {other}", "correct the unit of the column") from None
    return numbers * (one - zero) + zero


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
