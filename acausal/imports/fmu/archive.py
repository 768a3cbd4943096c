"""The archive of an FMU: checked as a whole before anything is taken from it."""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from acausal.base.files.regular_files import first_bytes
from acausal.base.frozen import dataclass

DESCRIPTION = "modelDescription.xml"
MOST_ENTRIES = 20_000
LONGEST_NAME = 512
MOST_DESCRIPTION = 50_000_000
"""Bytes of a model description."""
RATIO, RATIO_FROM = 200, 1_000_000
"""An entry of so many bytes may not be more than `RATIO` times as long as in the archive."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


class FmuError(Exception):
    """A file is no FMU that can be imported; `hint` says what to do, `limit` is true where a limit was exceeded."""

    def __init__(self, message: str, hint: str = "", limit: bool = False) -> None:
        super().__init__(message)
        self.message, self.hint, self.limit = message, hint, limit


@dataclass(frozen=True, slots=True)
class Archive:
    """A checked archive: its bytes, and its files by their names, `/` between folders."""

    data: bytes
    files: tuple[str, ...]

    def read(self, name: str, most: int) -> bytes:
        """The content of a file; FmuError where it is damaged or longer."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as opened, opened.open(name) as file:
                content = file.read(most + 1)
                if len(content) <= most:
                    file.read()  # the end of the file, where its checksum is compared
        except _DAMAGED as error:
            raise FmuError(f"{name} in the archive is damaged: {_reason(error)}", _AGAIN) from None
        if len(content) > most:
            raise FmuError(f"{name} in the archive has more than {most} bytes", limit=True)
        return content

    def extract(self, folders: Iterable[str], target: Path, most: int) -> None:
        """Write the files below some folders to a new folder `target`."""
        prefixes = tuple(folders)
        for name in self.files:
            if name.startswith(prefixes):
                content = self.read(name, most)
                most -= len(content)
                place = target.joinpath(*name.split("/"))
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)


_AGAIN = "export the FMU again, or copy it again"


def read_archive(path: Path, most: int) -> Archive:
    """The archive at a path whose files have at most so many bytes together; FmuError for any that is not plain."""
    try:
        data = first_bytes(path, most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FmuError(f"it cannot be read: {reason}", "the file is searched in the folder of the model") from None
    if data is None:
        raise FmuError("it is not a regular file", "name a file, not a folder or device")
    if len(data) > most:
        raise FmuError(f"it has more than {most} bytes", limit=True)
    return checked_archive(data, most)


def checked_archive(data: bytes, most: int) -> Archive:
    """The archive with this content."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            entries = opened.infolist()
    except _DAMAGED as error:
        raise FmuError(f"it is not a ZIP archive: {_reason(error)}", _AGAIN) from None
    if len(entries) > MOST_ENTRIES:
        raise FmuError(f"the archive has {len(entries)} entries, at most {MOST_ENTRIES} are allowed", limit=True)
    total = 0
    for entry in entries:
        _check_name(entry.orig_filename)
        _check_kind(entry)
        total += entry.file_size
        if entry.file_size >= RATIO_FROM and entry.file_size > RATIO * max(entry.compress_size, 1):
            raise FmuError(f"{entry.filename} in the archive is compressed more than {RATIO} times", limit=True)
    if total > most:
        raise FmuError(f"the unpacked archive has {total} bytes, at most {most} are allowed", limit=True)
    names = list({(entry.filename, entry.CRC, entry.file_size): entry.filename for entry in entries}.values())
    _check_distinct(names)
    files = tuple([name for name in names if not name.endswith("/")])
    if DESCRIPTION not in files:
        raise FmuError(f"the archive contains no {DESCRIPTION}", "name an FMU for FMI 2.0 or 3.0")
    return Archive(data, files)


def _check_name(name: str) -> None:
    """FmuError for a name that a file could have outside of the folder it is unpacked to."""
    shown = ascii(name[:60])
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or "\\" in name:
        raise FmuError(f"the archive has an entry with an invalid name: {shown}", _AGAIN)
    if name.startswith("/") or name[1:2] == ":":
        raise FmuError(f"the archive has an entry with an absolute path: {shown}", _AGAIN)
    parts = name.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise FmuError(f"the archive has an entry with a path that leads outside: {shown}", _AGAIN)


def _check_kind(entry: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    shown = ascii(entry.filename[:60])
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise FmuError(f"{shown} in the archive is a link or a device", "export the FMU with files and folders only")
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
        raise FmuError(f"{shown} in the archive is encrypted or compressed by an unknown method", _AGAIN)


def _check_distinct(names: list[str]) -> None:
    """FmuError for names that are one file, on some computers at least, and for a file that is a folder, too.

    Entries of one name that are equal are one name here: CMake packs some files twice.
    """
    known: dict[str, str] = {}
    for name in names:
        key = name.removesuffix("/").casefold()
        if key in known and not (name.endswith("/") and known[key] == name):
            raise FmuError(f"the archive has two entries {name[:60]!a}", _AGAIN)
        known[key] = name
    for name in names:
        parts = name.casefold().split("/")
        for length in range(1, len(parts)):
            above = known.get("/".join(parts[:length]))
            if above is not None and not above.endswith("/"):
                raise FmuError(f"{above[:60]!a} in the archive is a file and a folder", _AGAIN)


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".")[:100] or type(error).__name__
