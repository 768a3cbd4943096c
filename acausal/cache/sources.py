"""Digest that identifies a version of acausal: the content of its modules and of its grammar."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import time

from acausal.base.caches import once
from acausal.base.files.paths import grammar_folder
from acausal.cache import store

KIND = "sources"
RECENT = 10.0
"""Seconds after which a file that changes again gets another time, on any file system."""
FileState = tuple[str, int, int, int, int]
"""Path and size of a file, when its content and its inode changed in nanoseconds, and the inode."""
_PACKAGE = Path(__file__).parents[1]


@once
def source_digest() -> str:
    """The digest of all of it, kept under the states of the files: reading them takes some milliseconds.

    It does not depend on the folder: that of a wheel is the same when it is built and where it is installed.
    """
    return digest_of_files((_PACKAGE, ".py"), (grammar_folder(), ".lark"))


def digest_of_files(*kinds: tuple[Path, str]) -> str:
    """The digest of the files in folders that end so; as in Git's index, files of the same states are the same."""
    found_in = [(str(folder), state) for folder, ending in kinds for state in sorted(_files(str(folder), ending))]
    states = [state for _, state in found_in]
    key = hashlib.sha256(repr(states).encode()).hexdigest()
    kept = store.read(KIND, key)
    if kept is not None:
        return kept.decode()
    found = _content_digest([(folder, state[0]) for folder, state in found_in])
    if all(max(modified, changed) < (time() - RECENT) * 1e9 for _, _, modified, changed, _ in states):
        store.write(KIND, key, found.encode())
    return found


def _content_digest(files: Iterable[tuple[str, str]]) -> str:
    """The digest of files in folders."""
    digest = hashlib.sha256()
    for folder, path in files:
        data = Path(path).read_bytes()
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _files(folder: str, ending: str) -> Iterator[FileState]:
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(ending):
                    s = entry.stat()
                    yield entry.path, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino
                elif not entry.name.startswith((".", "__")) and entry.is_dir():
                    folders.append(entry.path)
