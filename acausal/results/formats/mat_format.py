"""MAT, version 4, in the layout that Dymola and OpenModelica write: trajectories 1.1, `binTrans`.

Aclass       Atrajectory, 1.1, "", binTrans
name         the names, time first                 description  `angle of the arm [rad]`
dataInfo     for each name: which data matrix (0: both), which row of it (negative: with the other sign), 0, -1
data_1       what is constant, at the first and at the last instant      data_2       what varies, at every instant
plotted, parameters      ours, which other tools pass over: the names that the model's experiment plots; JSON texts of
                         the parameters

The first row of both data matrices is the time. Matrices are stored column by column, so `data_2` instant by instant:
rows are appended as they come, and the number of its columns is corrected at the end. Sources: Dymola User Manual,
volume 1, section 5.6.3; OpenModelica, `simulation_result_mat4.cpp`; MathWorks, MAT-File Format, chapter 2 (level 4).
"""

import struct
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.results.formats.columns import Column
from acausal.results.formats.heading import Heading, Loaded, label, parameters_of, parse_label, with_remark

if TYPE_CHECKING:
    from io import BufferedRandom, BufferedReader

    from numpy import generic
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

    Matrix = NDArray[generic]

_HEAD = struct.Struct("<5i")
"""Type, rows, columns, 0, length of the name with its end."""
_DOUBLES, _INTEGERS, _TEXT = 0, 20, 51
_TYPES = ("<f8", "<f4", "<i4", "<i2", "<u2", "u1")
_CLASS = ("Atrajectory", "1.1", "", "binTrans")
_LONGEST_NAME = 64


class MatWriter:
    """Writes what varies instant by instant; variables that are equal, or equal but for the sign, share a row."""

    def __init__(self, path: Path, heading: Heading) -> None:
        import numpy as np

        self._heading = heading
        self._places: dict[int, int] = {}
        constants: list[float] = []
        info = [(0, 1)]
        for _, column in heading.columns:
            if column.position is None and not column.is_time:
                constants.append(column.sign * column.value)
                info.append((1, 1 + len(constants)))
            else:
                position = -1 if column.position is None else column.position
                place = self._places.setdefault(position, len(self._places))
                info.append((2, -(2 + place) if column.sign < 0 else 2 + place))
        self._span: list[float] = []
        self._instants = 0
        self._file = file = path.open("wb+")
        _write_texts(file, "Aclass", _CLASS, transposed=False)
        columns = heading.with_time
        _write_texts(file, "name", [name for name, _ in columns])
        _write_texts(file, "description", [label(column.unit, column.about) for _, column in columns])
        _write(file, "dataInfo", _INTEGERS, np.array([(*which, 0, -1) for which in info], dtype="<i4"))
        first = np.array([[0.0, *constants]] * 2, dtype="<f8")
        self._times = file.tell() + _HEAD.size + len("data_1") + 1
        self._stride = first.shape[1] * 8
        _write(file, "data_1", _DOUBLES, first)
        self._head = file.tell()
        _write(file, "data_2", _DOUBLES, np.empty((0, 1 + len(self._places)), dtype="<f8"))

    def add(self, time: "Array", stored: "Array") -> None:
        """Append rows."""
        import numpy as np

        if not len(time):
            return
        self._span = [self._span[0] if self._span else float(time[0]), float(time[-1])]
        rows = np.empty((len(time), 1 + len(self._places)), dtype="<f8")
        rows[:, 0] = time
        for position, place in self._places.items():
            rows[:, 1 + place] = time if position < 0 else stored[:, position]
        self._file.write(rows.data)
        self._instants += len(time)

    def finish(self) -> None:
        """Complete what is known at the end only."""
        file = self._file
        file.seek(self._head)
        file.write(_HEAD.pack(_DOUBLES, 1 + len(self._places), self._instants, 0, len("data_2") + 1))
        for i, t in enumerate(self._span):
            file.seek(self._times + i * self._stride)
            file.write(struct.pack("<d", t))
        file.seek(0, SEEK_END)
        for name, texts in (("plotted", self._heading.plotted), ("parameters", self._heading.parameter_texts)):
            if texts:
                _write_texts(file, name, texts)
        file.close()

    def close(self) -> None:
        """Release the file."""
        self._file.close()


def _write(file: "BufferedRandom", name: str, kind: int, columns: "Matrix") -> None:
    """A matrix, given by its columns."""
    count, rows = columns.shape
    file.write(_HEAD.pack(kind, rows, count, 0, len(name) + 1) + name.encode() + b"\0")
    file.write(columns.tobytes())


def _write_texts(
    file: "BufferedRandom", name: str, texts: "list[str] | tuple[str, ...]", transposed: bool = True
) -> None:
    """Texts as the columns of a matrix, or as its rows; filled up with blanks."""
    import numpy as np

    lines = [text.encode() for text in texts]
    width = max(1, *map(len, lines))
    matrix = np.frombuffer(b"".join(line.ljust(width) for line in lines), dtype="u1").reshape(len(lines), width)
    _write(file, name, _TEXT, matrix if transposed else np.ascontiguousarray(matrix.T))


# ---------------------------------------------------------------------- reading


def read_mat(path: Path) -> Loaded:
    """The trajectories of a file, of ours or of a Modelica tool; ValueError where there are none."""
    with path.open("rb") as file:
        matrices = _matrices(file, path.stat().st_size)
    kind = [] if "Aclass" not in matrices else _texts(matrices["Aclass"].T)
    if len(kind) < 4 or kind[:2] != ["Atrajectory", "1.1"] or kind[3] not in ("binTrans", "binNormal"):
        raise ValueError("it has no trajectories of the layout 1.1 that Modelica tools write")
    if kind[3] == "binNormal":
        matrices = {name: matrix.T for name, matrix in matrices.items()}
    names, labels = _texts(matrices["name"]), _texts(matrices["description"])
    info, constants = matrices["dataInfo"], matrices["data_1"].astype("f8")
    varying = matrices["data_2"].astype("f8", copy=False)
    if info.shape != (info.shape[0], len(names)) or len(labels) != len(names) or info.shape[0] < 2 or not len(varying):
        raise ValueError("its tables of names, descriptions and data are inconsistent")
    columns: dict[str, Column] = {}
    for i, name in enumerate(names):
        which, place = int(info[0, i]), int(info[1, i])
        row, sign = abs(place) - 1, -1.0 if place < 0 else 1.0
        if which not in (0, 1, 2) or not 0 <= row < len(constants if which == 1 else varying):
            raise ValueError(f"it contains no data of {name}")
        about = parse_label(labels[i])
        if which == 1:
            columns[name] = Column(None, sign * float(constants[row, 0]) if constants.shape[1] else 0.0, 1.0, *about)
        elif row > 0:
            columns[name] = Column(row - 1, 0.0, sign, *about)
        elif which == 2 and i:
            columns[name] = Column(None, 0.0, sign, *about, is_time=True)
    columns = {name: with_remark(column) for name, column in columns.items()}
    plotted = _texts(matrices["plotted"]) if "plotted" in matrices else []
    parameters = parameters_of(_texts(matrices["parameters"])) if "parameters" in matrices else {}
    return Loaded(varying[0].copy(), varying[1:].T, columns, tuple(plotted), parameters)


def _matrices(file: "BufferedReader", length: int) -> "dict[str, Matrix]":
    """All matrices; ValueError for what is none, or says that it is longer than the file."""
    import numpy as np

    found: dict[str, Matrix] = {}
    while head := file.read(_HEAD.size):
        if len(head) < _HEAD.size:
            raise ValueError("it ends within a matrix")
        kind, rows, columns, imaginary, name_length = _HEAD.unpack(head)
        if not 0 <= kind <= 52 or kind // 10 % 10 >= len(_TYPES) or kind % 10 > 1 or kind >= 60 or imaginary:
            raise ValueError("it is not a MAT file of version 4 as written by Modelica tools")
        if min(rows, columns) < 0 or not 1 <= name_length <= _LONGEST_NAME:
            raise ValueError("it is not a MAT file of version 4 as written by Modelica tools")
        name = file.read(name_length).rstrip(b"\0").decode("latin-1")
        dtype = np.dtype(_TYPES[kind // 10 % 10])
        if rows * columns * dtype.itemsize > length - file.tell():
            raise ValueError("it ends within a matrix")
        found[name] = np.fromfile(file, dtype, rows * columns).reshape(columns, rows).T
    return found


def _texts(matrix: "Matrix") -> list[str]:
    """The texts that stand in the columns of a matrix."""
    rows = matrix.T.astype("u1")
    return [bytes(row).rstrip(b" \0").decode("utf-8", "replace") for row in rows]
