"""Files to be written: their folders, checked before time is spent on a run, and what the system refuses."""

import errno
from collections.abc import Iterable
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.files.regular_files import is_folder

_HINTS = {
    errno.EISDIR: "it is a folder: name a file in it",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOSPC: "free space, or name a file on another disk",
    errno.EDQUOT: "free space, or name a file on another disk",
    errno.EFBIG: "the system limits the size of files: write fewer variables or rows",
}
_ELSEWHERE = "name a file in a folder that you may write to"


def require_folder(path: Path | None) -> None:
    """UsageError F008 where the folder of a file to be written does not exist; without a file nothing is checked."""
    if path is not None and not is_folder(path.parent):
        message = f"{path} cannot be written: no folder {path.parent}"
        raise UsageError(Diagnostic("F008", message, help=_other_folder(path)))


def cannot_write(path: str | Path, error: OSError) -> UsageError:
    """F008 for a file that the system refuses to write, with a hint that follows from the reason."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        hint = _other_folder(Path(path))
    else:
        hint = _HINTS.get(error.errno or 0, _ELSEWHERE)
    return UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}", help=hint))


def unknown_format(path: Path, kind: str, known: Iterable[str]) -> UsageError:
    """F008 for a file whose ending names no format of this kind."""
    message = f"{path} cannot be written: unknown {kind} {path.suffix or path.name}"
    return UsageError(Diagnostic("F008", message, help=f"known formats: {', '.join(known)}"))


def _other_folder(path: Path) -> str:
    try:
        above = next(folder for folder in path.parents if folder.exists())
    except (OSError, ValueError, StopIteration):  # too long a name, a NUL character
        return _ELSEWHERE
    if above.is_dir() and above == path.parent:
        return _ELSEWHERE
    if above.is_dir():
        return f"create the folder {path.parent}, or name a file in an existing one"
    return f"{above} is a file: name another folder"
