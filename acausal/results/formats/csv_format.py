"""CSV: first column `time`, then a column a variable; the shortest digits that give exactly the same number again.

A second header row with descriptions and units is optional: its first cell ends in `[s]`, so that
readers recognize it, and names what the model's experiment plots. A row of bare units (`s,V,A`) is read as well, and
units behind the names in the header (`time [ms],C.u [mV]`); times are in seconds then.
"""

import csv
from collections.abc import Sequence
from io import StringIO
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.given_values import finite_number
from acausal.base.name_and_unit import name_and_unit
from acausal.results.formats.columns import Column
from acausal.results.formats.heading import TIME, Heading, Loaded, label, loaded, parse_label

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_UNIT_OF_TIME = label(TIME.unit, TIME.description)
NOT_FINITE = ("nan", "inf", "infinity")
_PLOTTED = "experiment plots: "


class CsvWriter:
    """Writes rows as text; what several variables share is made into text once."""

    def __init__(self, path: Path, heading: Heading, *, units: bool = False) -> None:
        self._places: dict[tuple[int, bool], int] = {}
        constants: dict[str, int] = {}
        chosen = [self._chosen(column, constants) for _, column in heading.columns]
        count = len(self._places)
        self._pick = itemgetter(0, *[1 + place + (count if fixed else 0) for fixed, place in chosen], 0)
        self._constants = list(constants)
        self._file = path.open("w", encoding="utf-8", newline="")
        rows = csv.writer(self._file, lineterminator="\n")
        rows.writerow([name for name, _ in heading.with_time])
        if units:
            time = label(TIME.unit, f"{_PLOTTED}{'; '.join(heading.plotted)}" if heading.plotted else None)
            rows.writerow([time, *[label(column.unit, column.about) for _, column in heading.columns]])

    def _chosen(self, column: Column, constants: dict[str, int]) -> tuple[bool, int]:
        """Constancy of the column, and its place among the constant or varying ones."""
        if column.position is not None or column.is_time:
            key = (-1 if column.position is None else column.position, column.sign < 0)
            return False, self._places.setdefault(key, len(self._places))
        return True, constants.setdefault(repr(float(column.value)), len(constants))

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows."""
        import numpy as np

        signed = np.empty((len(time), len(self._places) + 1))
        signed[:, 0] = time
        for (position, negative), place in self._places.items():
            values = time if position < 0 else stored[:, position]
            signed[:, 1 + place] = -values if negative else values
        pick, constants, write = self._pick, self._constants, self._file.write
        for row in signed:
            texts = [*map(repr, row.tolist()), *constants]
            write(",".join(pick(texts)[:-1]) + "\n")

    def finish(self) -> None:
        """Complete the file."""
        self._file.close()

    def close(self) -> None:
        """Release the file."""
        self._file.close()


def read_csv(path: Path) -> Loaded:
    """The table of a file; ValueError where it is none."""
    import numpy as np

    with path.open(encoding="utf-8", newline="") as file:
        names, units = _names_and_units(_cells(file.readline()))
        if not names:
            raise ValueError("it has no header row")
        if names[0] != "time":
            raise ValueError("its first column is not called time")
        first = file.readline()
        cells = _cells(first)
        labels = cells if cells and cells[0].endswith(_UNIT_OF_TIME) else []
        if cells and cells[0].strip() == TIME.unit:
            labels = [f"[{cell.strip()}]" if cell.strip() else "" for cell in cells]
        lines = file.readlines()
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise ValueError(f"two columns are called {twice}")
    if labels and len(labels) != len(names):
        raise ValueError(f"{len(names)} names, but {len(labels)} units")
    if first and not labels:
        lines.insert(0, first)
    table = _numbers(lines, names, 3 if labels else 2) if lines else np.empty((0, len(names)))
    labels = labels or units
    if units:
        table[:, 0] *= _seconds(parse_label(units[0])[0])
    if table.shape[1] != len(names):
        raise ValueError(f"{len(names)} names, but {table.shape[1]} columns")
    said = (parse_label(labels[0])[1] or "") if labels else ""
    plotted = said.removeprefix(_PLOTTED).split("; ") if said.startswith(_PLOTTED) else []
    about = [parse_label(text) for text in labels[1:]] or [(None, None)] * (len(names) - 1)
    return loaded(table, [(name, *known) for name, known in zip(names[1:], about, strict=True)], plotted)


def _names_and_units(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of a header, and labels of their units if there are any."""
    found = [name_and_unit(cell) for cell in cells]
    if not any(unit for _, unit in found):
        return list(cells), []
    return [name for name, _ in found], ["" if unit is None else f"[{unit}]" for _, unit in found]


def _seconds(unit: str | None) -> float:
    """The seconds of a unit; ValueError for one that is none of time."""
    if unit is None or unit == TIME.unit:
        return 1.0
    from acausal.units.convert import MismatchError, converted
    from acausal.units.parse_unit import UnitError

    try:
        return converted("1", "", unit, TIME.unit)
    except (UnitError, MismatchError):
        raise ValueError(f"its times are in {unit}, not in a unit of time") from None


def _numbers(lines: list[str], names: Sequence[str], first: int) -> "Array":
    """The table; ValueError with line and column of what is no number, the lines counted from `first`."""
    import numpy as np

    try:
        found: Array = np.loadtxt(lines, delimiter=",", ndmin=2)
    except ValueError:
        for number, line in enumerate(lines, first):
            cells = _cells(line.partition("#")[0])
            if cells and len(cells) != len(names):
                raise ValueError(f"line {number} has {len(cells)} cells, the header {len(names)}") from None
            for name, cell in zip(names, cells, strict=False):
                if finite_number(cell) is None and cell.strip().lower().lstrip("+-") not in NOT_FINITE:
                    shown = f"`{cell[:40]}` is not a number" if cell.strip() else "the cell is empty"
                    raise ValueError(f"line {number}, column {name}: {shown}") from None
        raise
    return found


def _cells(line: str) -> Sequence[str]:
    return next(csv.reader(StringIO(line)), [])
