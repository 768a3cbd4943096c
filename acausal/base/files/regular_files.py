"""Files are read up to a limit, and only regular ones: devices and pipes have no end, or make the reader wait."""

import os
from pathlib import Path
from stat import S_ISREG

MOST_DATA = 200_000_000
"""Bytes of a table of inputs or runs."""

PLAIN = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags to open a file without blocking. (Python's `open` takes seven times as long as opening and reading.)"""


class UnreadableError(Exception):
    """A file cannot be read as text; the message says why."""


def first_bytes(path: Path, most: int) -> bytes | None:
    """The bytes of a file, or so many of them; None for a folder, a device or a pipe. OSError, ValueError as `open`."""
    file = os.open(path, PLAIN)
    try:
        about = os.fstat(file)
        if not S_ISREG(about.st_mode):
            return None
        pieces, length = [], 0
        while piece := os.read(file, min(about.st_size + 1, most - length)):
            pieces.append(piece)
            length += len(piece)
        return b"".join(pieces)
    finally:
        os.close(file)


def read_text(path: Path, most: int = MOST_DATA) -> tuple[str, bytes]:
    """The text of a file without byte order mark, and its bytes; UnreadableError where there is none."""
    try:
        data = first_bytes(path, most + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(getattr(error, "strerror", None) or str(error)) from None
    if data is None:
        raise UnreadableError("it is not a regular file")
    if len(data) > most:
        raise UnreadableError(f"it has more than {most} bytes")
    try:
        return data.decode("utf-8-sig"), data
    except UnicodeDecodeError:
        raise UnreadableError("it is not UTF-8 text") from None


def is_file(path: str | Path) -> bool:
    """True if there is such a file; False too where no file can have the name."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """True if there is such a folder; False too where no folder can have the name."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
