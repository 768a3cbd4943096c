"""Points of a characteristic or a map from a CSV file beside the model."""

import csv
import io
from pathlib import Path

from acausal.base.files.file_dependencies import note_content
from acausal.base.files.regular_files import UnreadableError, read_text
from acausal.base.given_values import finite_number
from acausal.elaborate.error_helpers import mistake
from acausal.ir import ast

Points = list[float]


def read_curve(node: ast.Call, name: str, most: int) -> tuple[Points, Points]:
    """The first two columns; F012 where the file cannot be read. A first row of titles is left out."""
    span = node.arguments[0].span
    rows = _rows(node, name, most)
    begin = 0 if rows and finite_number(rows[0][0]) is not None else 1
    xs: Points = []
    ys: Points = []
    for number, row in enumerate(rows[begin:], begin + 1):
        x, y = (finite_number(row[i]) if i < len(row) else None for i in (0, 1))
        if x is None or y is None:
            raise mistake(
                "F012",
                f"row {number} of the table {Path(name).name} does not contain two numbers",
                span,
                hint="write an abscissa and a value in each row",
            )
        xs.append(x)
        ys.append(y)
    return xs, ys


def read_map(node: ast.Call, name: str, most: int) -> tuple[Points, Points, list[Points]]:
    """Abscissas of the first column, those of the first row behind its first cell, and the values; else F012."""
    span = node.arguments[0].span
    rows = _rows(node, name, most)
    ys = [finite_number(cell) for cell in rows[0][1:]] if rows else []
    values = [[finite_number(cell) for cell in row] for row in rows[1:]]
    for number, row in enumerate([ys, *values], 1):
        if None in row or len(row) != len(ys) + (number > 1):
            raise mistake(
                "F012",
                f"row {number} of the table {Path(name).name} does not contain {len(ys)} values",
                span,
                hint="the first row has an empty cell and the abscissas of y, each other one of x and its values",
            )
    numbers = [[float(cell or 0.0) for cell in row] for row in values]
    return [row[0] for row in numbers], [float(y or 0.0) for y in ys], [row[1:] for row in numbers]


def _rows(node: ast.Call, name: str, most: int) -> list[list[str]]:
    path = Path(node.span.file.name).parent / name
    try:
        text, data = read_text(path, most)
        note_content(path, data)
        return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (UnreadableError, csv.Error) as error:
        hint = "the file is searched in the folder of the model"
        message = f"the table {path.name} cannot be read: {error}"
        raise mistake("F012", message, node.arguments[0].span, hint=hint) from None
