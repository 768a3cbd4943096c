"""Tables of sweeps as text."""

import csv
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 20
"""Rows that are shown of a long table: half of them its first, half its last."""


def write_rows(file: TextIO, rows: Iterator[tuple[str, ...]]) -> None:
    """As CSV."""
    csv.writer(file, lineterminator="\n").writerows(rows)


def shown_table(table: Mapping[str, "Array"], count: int, status: Callable[[int], str]) -> list[str]:
    """The lines of a table of `count` runs as people read it; `status` is that of a run."""
    rows = table_cells(table, count, status)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            c.ljust(w) if i == last else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def table_cells(table: Mapping[str, "Array"], count: int, status: Callable[[int], str]) -> list[tuple[str, ...]]:
    """The head and some rows, with six digits."""
    chosen: list[int] = list(range(count))
    if count > SHOWN:
        chosen = [*range(SHOWN // 2), *range(count - SHOWN // 2, count)]
    rows: list[tuple[str, ...]] = [("run", *table, "status")]
    for place, index in enumerate(chosen):
        if place and index != chosen[place - 1] + 1:
            rows.append(("...",) * len(rows[0]))
        numbers = ["" if x != x else f"{x:.6g}" for x in (float(c[index]) for c in table.values())]
        rows.append((str(index), *numbers, status(index)))
    return rows
