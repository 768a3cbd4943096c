"""NumPy's npz: `names`, `units` and `descriptions` of the columns, the time first, and `values`, a row an instant.

`plotted` are the names that the model's experiment plots, `parameters` JSON texts: name, value, unit, description.
The file of a run has further members: `run`, how it was made, and the state at its end (`simulate/state/state_file`).
"""

import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.results.formats.heading import Heading, Loaded, loaded, parameters_of

if TYPE_CHECKING:
    from numpy import str_
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

MOST_BYTES = 20_000_000_000
"""Bytes of all arrays of a file that is read: a small file may unpack to any size."""
_AT_ONCE = 1 << 24
"""Bytes that are copied at a time."""


class NpzWriter:
    """Keeps rows in a temporary file beside the target: how many there are stands before them in the npz."""

    def __init__(self, path: Path, heading: Heading) -> None:
        self._path = path
        self._heading = heading
        self._rows = 0
        self.members: Mapping[str, Array] = {}
        self._values = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115 - open until the file is complete

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows."""
        import numpy as np

        columns = [column.values(time, stored) for _, column in self._heading.with_time]
        self._values.write(np.ascontiguousarray(np.column_stack(columns), dtype="<f8").data)
        self._rows += len(time)

    def finish(self) -> None:
        """Write the file."""
        import numpy as np

        columns = self._heading.with_time
        texts = {
            "names": [name for name, _ in columns],
            "units": [column.unit or "" for _, column in columns],
            "descriptions": [column.about or "" for _, column in columns],
            "plotted": list(self._heading.plotted),
            "parameters": self._heading.parameter_texts,
        }
        with zipfile.ZipFile(self._path, "w", zipfile.ZIP_DEFLATED) as file:
            for key, words in texts.items():
                with file.open(_member(key), "w") as member:
                    np.lib.format.write_array(member, np.array(words, dtype=np.str_), allow_pickle=False)
            for key, array in self.members.items():
                with file.open(_member(key), "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            with file.open(_member("values"), "w", force_zip64=True) as member:
                head = {"descr": "<f8", "fortran_order": False, "shape": (self._rows, len(columns))}
                np.lib.format.write_array_header_1_0(member, head)
                self._values.seek(0)
                while piece := self._values.read(_AT_ONCE):
                    member.write(piece)
        self.close()

    def close(self) -> None:
        """Release the temporary file."""
        self._values.close()


def _member(key: str) -> zipfile.ZipInfo:
    """Without a date: two files of one result are equal."""
    member = zipfile.ZipInfo(f"{key}.npy")
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def read_npz(path: Path) -> Loaded:
    """The arrays of a file; ValueError or KeyError where they are no result."""
    import numpy as np

    with zipfile.ZipFile(path) as file:
        if sum(member.file_size for member in file.infolist()) > MOST_BYTES:
            raise ValueError(f"its arrays have more than {MOST_BYTES} bytes")
    with np.load(path, allow_pickle=False) as data:
        names = _texts(data["names"])
        none = [""] * len(names)
        units, descriptions = (_texts(data[key]) if key in data else none for key in ("units", "descriptions"))
        plotted = _texts(data["plotted"]) if "plotted" in data else []
        parameters = parameters_of(_texts(data["parameters"])) if "parameters" in data else {}
        values = data["values"]
    if values.dtype.kind not in "fiu" or values.ndim != 2 or values.shape[1] != len(names) or not names:
        raise ValueError("its values are not a table with a column for each name")
    if len(units) != len(names) or len(descriptions) != len(names):
        raise ValueError("it does not have a unit and a description for each name")
    about = [(unit or None, text or None) for unit, text in zip(units, descriptions, strict=True)]
    table = values.astype(np.float64, copy=False)
    return loaded(
        table, [(name, *known) for name, known in zip(names[1:], about[1:], strict=True)], plotted, parameters
    )


def _texts(array: "NDArray[str_]") -> list[str]:
    return [str(text) for text in array.ravel()]
