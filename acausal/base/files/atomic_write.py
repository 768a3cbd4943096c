"""Files that are replaced whole or not at all.

A writer gets a temporary file beside its target; the target changes by one rename when all is written. So neither an
exception, a signal nor a full disk leaves a truncated file or destroys the previous one.
"""

import errno
import os
import platform
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

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
        temporary = self.path.with_name(f"{_start_of(self.path)}{os.urandom(4).hex()}{self.path.suffix}")
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            _remove_abandoned(self.path)
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


def _start_of(path: Path) -> str:
    """The start of the names of this process's temporary files for a target: machine and process; a number follows."""
    return f".{path.stem[:_LONGEST_STEM]}-{_machine()}-{os.getpid():x}-"


def _machine() -> str:
    return f"{crc32(platform.node().encode()):08x}"


def _remove_abandoned(path: Path) -> None:
    """Remove temporary files of this target whose process was killed.

    Files of other machines stay, and those of any process that is alive, also of an unrelated one with that number.
    """
    start = re.escape(f".{path.stem[:_LONGEST_STEM]}-{_machine()}-")
    name = re.compile(rf"{start}([0-9a-f]+)-[0-9a-f]{{8}}{re.escape(path.suffix)}")
    with suppress(OSError):
        for other in path.parent.iterdir():
            found = name.fullmatch(other.name)
            if found and not _is_alive(int(found[1], 16)):
                with suppress(OSError):
                    other.unlink()


def _is_alive(process: int) -> bool:
    """True unless the system knows that there is no such process."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
