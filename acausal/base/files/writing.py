"""Files that are replaced whole, or a message that says why not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from acausal.base.files.atomic_write import replacing
from acausal.base.files.output_folder import cannot_write


@contextmanager
def writing(path: str | Path) -> Iterator[Path]:
    """A path to write, which replaces `path` at the end of the block; UsageError F008 where the system refuses it."""
    try:
        with replacing(path) as temporary:
            yield temporary
    except OSError as error:
        raise cannot_write(path, error) from None


def save_text(path: str | Path, text: str) -> None:
    """Write text as it is, in UTF-8; UsageError F008 where the system refuses it."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


def save_bytes(path: str | Path, content: bytes) -> None:
    """Write bytes; UsageError F008 where the system refuses it."""
    with writing(path) as temporary:
        temporary.write_bytes(content)
