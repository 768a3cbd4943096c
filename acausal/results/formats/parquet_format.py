"""Apache Parquet: a column a variable, the time first; units and descriptions are metadata of the fields."""

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from acausal.base.optional_library import required
from acausal.results.formats.columns import Column
from acausal.results.formats.heading import Heading, Loaded, loaded, parameters_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class ParquetWriter:
    """Writes a row group for each portion of rows."""

    def __init__(self, path: Path, heading: Heading) -> None:
        pyarrow, parquet = _pyarrow()
        self._columns = heading.with_time
        fields = [pyarrow.field(name, pyarrow.float64(), metadata=_metadata(column)) for name, column in self._columns]
        about = {"model": heading.name, "plotted": "\n".join(heading.plotted)}
        about["parameters"] = "\n".join(heading.parameter_texts)
        self._schema = pyarrow.schema(fields, metadata=about)
        self._table = pyarrow.Table
        self._writer = parquet.ParquetWriter(path, self._schema)

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows."""
        arrays = [column.values(time, stored) for _, column in self._columns]
        self._writer.write_table(self._table.from_arrays(arrays, schema=self._schema))

    def finish(self) -> None:
        """Complete the file."""
        self._writer.close()

    def close(self) -> None:
        """Release the file."""
        self._writer.close()


def read_parquet(path: Path) -> Loaded:
    """The table of a file; ValueError where it is none."""
    import numpy as np

    pyarrow, parquet = _pyarrow()
    try:
        table = parquet.read_table(path, memory_map=False)
        columns = [column.to_numpy().astype(np.float64, copy=False) for column in table.columns]
    except pyarrow.ArrowException as error:
        raise ValueError(str(error).partition("\n")[0]) from None
    if not columns or table.column_names[0] != "time":
        raise ValueError("its first column is not called time")
    fields = [(field.name, *_about(field.metadata or {})) for field in table.schema]
    about = table.schema.metadata or {}
    plotted, parameters = (
        list(filter(None, about.get(key, b"").decode("utf-8", "replace").split("\n")))
        for key in (b"plotted", b"parameters")
    )
    return loaded(np.column_stack(columns), fields[1:], plotted, parameters_of(parameters))


def _metadata(column: Column) -> dict[str, str]:
    about = {"unit": column.unit, "description": column.about}
    return {key: text for key, text in about.items() if text is not None}


def _about(metadata: Mapping[bytes, bytes]) -> tuple[str | None, str | None]:
    unit, description = metadata.get(b"unit"), metadata.get(b"description")
    return unit and unit.decode("utf-8", "replace"), description and description.decode("utf-8", "replace")  # type: ignore[return-value]  # b"" is None here


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    with required("a Parquet file", "pyarrow", "'acausal[notebook]'"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow, pyarrow.parquet
