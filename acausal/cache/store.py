"""A folder of the user's own, where bytes are kept by a key: object code, translated models.

Machine code from a file is run, so that the folder is trusted only where it and its files belong to the user and
nobody else may write into it (mode 0700), and a file only where its digest fits its key and content. What does not fit
counts as missing and is written again. Files come by renaming, whole or not at all, so that processes may share the
folder; a folder that cannot be had only costs time.
"""

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import time
from zlib import crc32

from acausal.base.files.paths import kept_folder

MOST_BYTES = 500_000_000
"""Size above which the least recently used entries are removed; not at once."""
ENOUGH = 0.8
"""The share of it that is left then."""
SELDOM = 16
"""One of so many entries, by its key, has the folder searched for whether there are more."""
ABANDONED = 3600.0
"""Seconds after which an unfinished file belongs to nobody."""

_MARK = b"acausal kept 1\n"
_HEAD = len(_MARK) + 32
_UNFINISHED = ".new-"


def read(kind: str, key: str) -> bytes | None:
    """Content stored under the key; None if there is none that can be trusted."""
    folder = _trusted_folder()
    if folder is None:
        return None
    try:
        descriptor = os.open(_file(folder, kind, key), os.O_RDONLY | _flag("O_NOFOLLOW") | _flag("O_BINARY"))
        with os.fdopen(descriptor, "rb") as file:
            if not _is_own(os.fstat(descriptor), stat.S_ISREG):
                return None
            data = file.read()
    except OSError:
        return None
    if data[:_HEAD] != _head(kind, key, data[_HEAD:]):
        return None
    with suppress(OSError):
        os.utime(_file(folder, kind, key))  # used now: it is removed last
    return data[_HEAD:]


def write(kind: str, key: str, content: bytes) -> None:
    """Keep the content under the key."""
    folder = _trusted_folder(make=True)
    if folder is None or len(content) > MOST_BYTES * ENOUGH:
        return
    import tempfile

    try:
        descriptor, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_head(kind, key, content))
                file.write(content)
            Path(name).replace(_file(folder, kind, key))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError:
        return
    if not crc32(key.encode()) % SELDOM:
        _make_room(folder)


def is_enabled() -> bool:
    """True if anything is kept at all."""
    return kept_folder() is not None


def size() -> tuple[int, int]:
    """Number of entries, and their bytes."""
    folder = _trusted_folder()
    found = [] if folder is None else _entries(folder)
    return len(found), sum(length for _, length, _ in found)


def clear() -> int:
    """Remove all entries; how many there were."""
    folder = _trusted_folder()
    found = [] if folder is None else _entries(folder)
    for _, _, path in found:
        with suppress(OSError):
            Path(path).unlink()
    return len(found)


def fault() -> str | None:
    """Why nothing is kept, though that is enabled; None if it works, or is switched off."""
    folder = kept_folder()
    if folder is None or _trusted_folder(make=True) is not None:
        return None
    return f"{folder} must be a folder owned by you and accessible only to you (mode 0700)"


# ------------------------------------------------------------------ trust


def _trusted_folder(*, make: bool = False) -> Path | None:
    folder = kept_folder()
    if folder is None:
        return None
    try:
        if make:
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        return folder if _is_own(folder.lstat(), stat.S_ISDIR) else None
    except OSError:
        return None


def _is_own(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """True if it is of the kind, the user's, and closed to all others; Windows reports neither owner nor mode."""
    if not is_kind(found.st_mode):
        return False
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)


def _head(kind: str, key: str, content: bytes) -> bytes:
    """Header before the content: a file under another name does not match."""
    digest = hashlib.sha256(f"{kind} {key}\n".encode())
    digest.update(content)
    return _MARK + digest.digest()


def _file(folder: Path, kind: str, key: str) -> Path:
    return folder / f"{key}.{kind}"


def _flag(name: str) -> int:
    """A flag of `os.open`, nothing where the system does not know it."""
    return int(getattr(os, name, 0))


# ------------------------------------------------------------------ room


def _entries(folder: Path) -> list[tuple[float, int, str]]:
    """Time of the last use, length and path of each entry; unfinished ones that nobody will finish are removed."""
    found = []
    with suppress(OSError), os.scandir(folder) as files:
        for file in files:
            with suppress(OSError):
                status = file.stat(follow_symlinks=False)
                if not file.name.startswith(_UNFINISHED):
                    found.append((status.st_mtime, status.st_size, file.path))
                elif status.st_mtime < time() - ABANDONED:
                    Path(file.path).unlink()
    return found


def _make_room(folder: Path) -> None:
    found = _entries(folder)
    total = sum(length for _, length, _ in found)
    if total <= MOST_BYTES:
        return
    for _, length, path in sorted(found):
        with suppress(OSError):
            Path(path).unlink()
            total -= length
        if total <= MOST_BYTES * ENOUGH:
            return
