"""Results as files: CSV, NumPy's npz, Matlab's mat, Parquet.

CSV: the first column is `time`, then a column a variable; the shortest digits that give
exactly the same number again.
"""

import csv
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TextIO

from acausal.atomic import replacing
from acausal.diagnostics import Diagnostic, UsageError
from acausal.results.columns import Column
from acausal.results.result import Result

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def write(result: Result, path: Path) -> None:
    """Write all variables; UsageError F008 for an unknown ending or an unwritable place, F007 without pyarrow."""
    kind = path.suffix.lower()
    if kind not in _WRITE:
        raise UsageError(Diagnostic("F008", f"{path}: no kind of file ends in {kind or 'nothing'}", help=_KINDS))
    try:
        with replacing(path) as temporary:
            _WRITE[kind](result, temporary)
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}")) from None


def read(path: str | Path) -> Result:
    """The result in a file; UsageError F001 where it cannot be read or holds no result."""
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in _READ:
        raise UsageError(Diagnostic("F001", f"{path} is no result: it ends in {kind or 'nothing'}", help=_KINDS))
    try:
        names, table = _READ[kind](path)
    except OSError as error:
        raise UsageError(Diagnostic("F001", f"{path} cannot be read: {error.strerror or error}")) from None
    except (ValueError, KeyError, IndexError, StopIteration) as error:
        raise UsageError(Diagnostic("F001", f"{path} holds no result: {error}")) from None
    columns = {name: Column(i) for i, name in enumerate(names)}
    return Result(path.stem, table[:, 0].copy(), table[:, 1:].copy(), columns)


Loaded = tuple[list[str], "Array"]
"""Names of the variables; a row an instant: the time, then their values."""


def _table(result: Result) -> "Array":
    import numpy as np

    return np.column_stack([result.time, *[result[name] for name in result.names]])


# ---------------------------------------------------------------------- CSV


def _write_csv(result: Result, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["time", *result.names])
        file.writelines(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    """The rows as text; what several variables share is made into text once."""
    import numpy as np

    places: dict[tuple[int, bool], int] = {}
    constants: dict[str, int] = {}
    chosen: list[tuple[bool, int]] = []
    for column in result.columns.values():
        if column.position is not None or column.is_time:
            key = (-1 if column.position is None else column.position, column.sign < 0)
            chosen.append((False, places.setdefault(key, len(places))))
        else:
            chosen.append((True, constants.setdefault(repr(float(column.value)), len(constants))))
    count = len(places)
    pick = itemgetter(0, *[1 + place + (count if fixed else 0) for fixed, place in chosen], 0)
    signed = np.empty((len(result.time), count + 1))
    signed[:, 0] = result.time
    for (position, negative), place in places.items():
        values = result.time if position < 0 else result.stored[:, position]
        signed[:, 1 + place] = -values if negative else values
    fixed_texts = list(constants)
    for row in signed:
        texts = [*map(repr, row.tolist()), *fixed_texts]
        yield ",".join(pick(texts)[:-1]) + "\n"


def _read_csv(path: Path) -> Loaded:
    import numpy as np

    with path.open(encoding="utf-8", newline="") as file:
        names = _head(file)
        lines = file.readlines()
    table = np.loadtxt(lines, delimiter=",", ndmin=2) if lines else np.empty((0, len(names) + 1))
    if table.shape[1] != len(names) + 1:
        raise ValueError(f"{len(names) + 1} names stand above {table.shape[1]} columns")
    return names, table


def _head(file: TextIO) -> list[str]:
    names = next(csv.reader([file.readline()]))
    if not names or names[0] != "time":
        raise ValueError("its first column is not called time")
    return names[1:]


# ------------------------------------------------------------ other kinds


def _write_npz(result: Result, path: Path) -> None:
    import numpy as np

    with path.open("wb") as file:
        np.savez_compressed(file, names=np.array(["time", *result.names]), values=_table(result))


def _read_npz(path: Path) -> Loaded:
    import numpy as np

    with np.load(path, allow_pickle=False) as data:
        return [str(name) for name in data["names"][1:]], data["values"]


def _write_mat(result: Result, path: Path) -> None:
    import numpy as np
    from scipy.io import savemat

    names = np.array(["time", *result.names], dtype=object)
    with path.open("wb") as file:
        savemat(file, {"names": names, "values": _table(result)}, do_compression=True)


def _read_mat(path: Path) -> Loaded:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    with path.open("rb") as file:
        try:
            data = loadmat(file)
        except MatReadError as error:
            raise ValueError(str(error)) from None
    return [str(cell[0]) for cell in data["names"].ravel()][1:], data["values"]


def _write_parquet(result: Result, path: Path) -> None:
    pyarrow, parquet = _pyarrow()
    table = pyarrow.table({"time": result.time, **{name: result[name] for name in result.names}})
    parquet.write_table(table, path)


def _read_parquet(path: Path) -> Loaded:
    import numpy as np

    _, parquet = _pyarrow()
    table = parquet.read_table(path)
    return table.column_names[1:], np.column_stack([column.to_numpy() for column in table.columns])


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            Diagnostic("F007", "Parquet files need pyarrow", help="pip install 'acausal[notebook]'")
        ) from None
    return pyarrow, pyarrow.parquet


_WRITE: dict[str, Callable[[Result, Path], None]] = {
    ".csv": _write_csv,
    ".npz": _write_npz,
    ".mat": _write_mat,
    ".parquet": _write_parquet,
}
_READ: dict[str, Callable[[Path], Loaded]] = {
    ".csv": _read_csv,
    ".npz": _read_npz,
    ".mat": _read_mat,
    ".parquet": _read_parquet,
}
_KINDS = f"results are kept in {', '.join(_WRITE)}"
