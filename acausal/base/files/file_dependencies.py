"""Files that a translation has read or searched for, so that its cache entry can be validated."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path

from acausal.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class FileDependencies:
    """Digests of the contents by path, and the paths where there was no file; paths as they were used."""

    contents: dict[str, str] = field(default_factory=dict)
    absent: dict[str, None] = field(default_factory=dict)


_CURRENT: ContextVar[FileDependencies | None] = ContextVar("reads", default=None)


@contextmanager
def recording() -> Iterator[FileDependencies]:
    """Record the files that are read inside."""
    reads = FileDependencies()
    token = _CURRENT.set(reads)
    try:
        yield reads
    finally:
        _CURRENT.reset(token)


def note_content(path: Path | str, content: bytes) -> None:
    """A file was read."""
    reads = _CURRENT.get()
    if reads is not None:
        reads.contents[str(path)] = content_digest(content)


def note_absent(path: Path | str) -> None:
    """A file was not found."""
    reads = _CURRENT.get()
    if reads is not None:
        reads.absent[str(path)] = None


def content_digest(content: bytes) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(content).hexdigest()
