"""Arrays in files of NumPy (npz), without pickle and without dates: two files of the same arrays are equal."""

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.base.arguments import as_path
from acausal.base.files.writing import writing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from acausal.codegen.executable import Array

MOST_BYTES = 20_000_000_000
"""Bytes of all arrays of a file that is read: a small file may unpack to any size."""


def text_array(text: str) -> "Array":
    """A text as an array."""
    import numpy as np

    return np.array([text])


def write_npz(path: str | Path, arrays: "Mapping[str, Array]") -> None:
    """Write a file, which replaces `path` at once; UsageError F008 where it cannot be written."""
    target = as_path("path", path)
    with writing(target) as temporary, temporary.open("wb") as file:
        write_members(file, arrays)


def write_members(file: Any, arrays: "Mapping[str, Array]") -> None:  # noqa: ANN401 - a binary file
    """Arrays as npz without dates: two files of one state are equal."""
    import numpy as np

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as target:
                np.lib.format.write_array(target, np.ascontiguousarray(array), allow_pickle=False)


def read_members(path: Path, first: str) -> "dict[str, Array]":
    """The members of a file whose names begin with `first`; ValueError where there are too many bytes."""
    import numpy as np

    with zipfile.ZipFile(path) as archive:
        sizes = {m.filename: m.file_size for m in archive.infolist() if m.filename.startswith(first)}
        if sum(sizes.values()) > MOST_BYTES:
            raise ValueError(f"its arrays have more than {MOST_BYTES} bytes")
    with np.load(path, allow_pickle=False) as data:
        return {name: data[name] for name in data.files if f"{name}.npy" in sizes}
