"""Texts of files that are open in an editor: they are read in place of what is on disk."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_OPEN: ContextVar[Mapping[str, bytes] | None] = ContextVar("open_texts", default=None)


@contextmanager
def open_texts(texts: Mapping[str, bytes]) -> Iterator[None]:
    """Read these texts for these files, by their real paths, inside."""
    token = _OPEN.set(texts or None)
    try:
        yield
    finally:
        _OPEN.reset(token)


def open_text(path: str | os.PathLike[str]) -> bytes | None:
    """The text of a file that is open; None for others."""
    texts = _OPEN.get()
    return None if texts is None else texts.get(os.path.realpath(path))
