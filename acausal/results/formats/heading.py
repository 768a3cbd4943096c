"""Heading of a result file: the description of its columns, and the form in which its reader returns it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from acausal.base.frozen import dataclass
from acausal.results.formats.columns import NOT_UNIQUE, Column

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

TIME = Column(None, is_time=True, unit="s")
NO_PARAMETERS: Mapping[str, Column] = {}


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of the model and the columns of a file besides the time.

    `plotted` are the columns that the model's experiment plots; formats that have a place for it keep the `parameters`.
    """

    name: str
    columns: tuple[tuple[str, Column], ...]
    plotted: tuple[str, ...] = ()
    parameters: Mapping[str, Column] = field(default_factory=dict)

    @property
    def parameter_texts(self) -> list[str]:
        """Parameters as JSON: name, value, unit, description."""
        found = [(name, p.value, p.unit, p.description) for name, p in self.parameters.items()]
        return [json.dumps(parameter, ensure_ascii=True) for parameter in found]

    @property
    def with_time(self) -> tuple[tuple[str, Column], ...]:
        """All columns, the time first."""
        return ("time", TIME), *self.columns


class Writer(Protocol):
    """Writes the rows of one file."""

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows: their times, and the stored variables that the columns of the heading refer to."""
        ...

    def finish(self) -> None:
        """Complete the file and close it."""
        ...

    def close(self) -> None:
        """Release the file, complete or not."""
        ...


class Loaded(NamedTuple):
    """The content of a result file, as `Result` takes it."""

    time: "Array"
    stored: "Array"
    columns: dict[str, Column]
    plotted: tuple[str, ...] = ()
    parameters: Mapping[str, Column] = NO_PARAMETERS


def parameters_of(texts: Iterable[str]) -> dict[str, Column]:
    """Parameters from their texts in a file; ValueError where they are none."""
    found: dict[str, Column] = {}
    for text in texts:
        name, value, unit, description = json.loads(text)
        known = [part if isinstance(part, str) else None for part in (unit, description)]
        found[str(name)] = Column(None, float(value), 1.0, known[0], known[1])
    return found


def loaded(
    table: "Array",
    fields: list[tuple[str, str | None, str | None]],
    plotted: Iterable[str] = (),
    parameters: Mapping[str, Column] = NO_PARAMETERS,
) -> Loaded:
    """From a table whose first column is the time; `fields` are name, unit and description of the others."""
    columns = {name: with_remark(Column(i, unit=unit, description=text)) for i, (name, unit, text) in enumerate(fields)}
    return Loaded(table[:, 0].copy(), table[:, 1:].copy(), columns, tuple(plotted), parameters)


def with_remark(column: Column) -> Column:
    """A column of a file, whose description may say that its values are not unique (`Column.about`)."""
    text = column.description
    if text is None or not text.endswith(NOT_UNIQUE):
        return column
    return replace(column, description=text.removesuffix(NOT_UNIQUE).removesuffix("; ") or None, unique=False)


def label(unit: str | None, description: str | None) -> str:
    """Description and unit in one text, as Modelica tools write it: `angle of the arm [rad]`.

    A description without unit that ends in a bracket gets an empty one.
    """
    if unit is not None:
        unit = unit.replace("[", "(").replace("]", ")")
    elif description and description.endswith("]"):
        unit = ""
    parts = [description] if description else []
    return " ".join(parts if unit is None else [*parts, f"[{unit}]"])


def parse_label(text: str) -> tuple[str | None, str | None]:
    """Unit and description of a label; None for what it does not say."""
    text = text.strip()
    before, bracket, inside = text.rpartition("[")
    if not bracket or not text.endswith("]"):
        return None, text or None
    unit, _, _ = inside[:-1].partition("|")  # `rad|deg`: the unit to display comes second
    return unit.strip() or None, before.strip() or None
