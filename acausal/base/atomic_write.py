"""Files that are replaced whole or not at all.

A writer gets a temporary file beside its target; the target changes by one rename when all is written. So neither an
exception, a signal nor a full disk leaves a truncated file or destroys the previous one.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LONGEST_STEM = 60
"""Characters of the target's name in the temporary one: file systems limit names to 255 bytes."""


class AtomicFile:
    """A file to write at `temporary`; `commit` puts it in place of `path`, `discard` removes it.

    The temporary file keeps the suffix of the target, as libraries choose formats by it, and the mode of the file that
    it replaces. A symbolic link stays one: what it points to is replaced. Devices and pipes are written directly, and
    so is a writable file in a folder that is not. Raises OSError where nothing can be written.
    """

    def __init__(self, path: str | Path) -> None:
        if "\0" in str(path):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        self.path = Path(os.path.realpath(path))
        self.temporary = self.path
        found = _status(self.path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            if stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
            return
        if found is not None and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        temporary = self.path.with_name(f".{self.path.stem[:_LONGEST_STEM]}-{os.urandom(4).hex()}{self.path.suffix}")
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except PermissionError:
            if found is None:
                raise
            return
        self.temporary = temporary
        if found is not None:
            with suppress(OSError):
                temporary.chmod(stat.S_IMODE(found.st_mode))

    def commit(self) -> None:
        """Replace the target; the temporary file must be closed."""
        if self.temporary != self.path:
            self.temporary.replace(self.path)

    def discard(self) -> None:
        """Remove the temporary file; the target stays as it was."""
        if self.temporary != self.path:
            with suppress(OSError):
                self.temporary.unlink(missing_ok=True)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A path to write, which replaces `path` at the end of the block, unless this raises an exception."""
    file = AtomicFile(path)
    try:
        yield file.temporary
        file.commit()
    except BaseException:
        file.discard()
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write text as it is, in UTF-8, atomically."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
