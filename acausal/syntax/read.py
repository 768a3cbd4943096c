"""A file on disk -> its text."""

import os
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, LimitError, ModelError
from acausal.base.files.file_dependencies import note_content
from acausal.base.files.open_texts import open_text
from acausal.base.files.regular_files import PLAIN, first_bytes
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.syntax.automaton.lexer import BYTE_ORDER_MARK

_DEFAULT_LIMITS = Limits()


MOST_FILES = 1000
"""Files of a folder that are searched for a similar name."""


def read_source(path: Path, name: str | None = None, limits: Limits = _DEFAULT_LIMITS) -> SourceFile:
    """The text of the file at `path`, called `name` in messages (else as `path` is written).

    Raises ModelError F001 if it cannot be read, F002 if it is not UTF-8 text;
    LimitError L001 if it is too long. Never reads more than the limit.
    """
    shown = str(path) if name is None else name
    return decoded(read_bytes(path, shown, limits), shown)


def read_bytes(path: Path, shown: str, limits: Limits) -> bytes:
    """Bytes of the file; F001 and L001 as `read_source`."""
    opened = open_text(path)
    if opened is not None:
        return within_limit(opened, shown, limits)
    try:
        data = first_bytes(path, limits.file_length + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        near = _near_file(path) if isinstance(error, FileNotFoundError) else None
        hint = "check the name and the folder" if near is None else f"did you mean {near}?"
        raise ModelError(Diagnostic("F001", f"{shown} cannot be read: {reason}", help=hint)) from None
    if data is None:
        raise ModelError(Diagnostic("F001", f"{shown} is not a file", help="name a file, not a folder or device"))
    note_content(path, within_limit(data, shown, limits))
    return data


def _near_file(path: Path) -> Path | None:
    """A model file of the folder with a similar name; None without one."""
    from difflib import get_close_matches
    from itertools import islice

    try:
        names = [entry.name for entry in islice(path.parent.iterdir(), MOST_FILES) if entry.suffix in (".mdl", ".lib")]
    except (OSError, ValueError):
        return None
    stems = {Path(name).stem: name for name in sorted(names)}  # the extension is no sign of similarity
    near = get_close_matches(path.stem, stems, 1)
    return path.with_name(stems[near[0]]) if near else None


def within_limit(data: bytes, shown: str, limits: Limits) -> bytes:
    """The bytes of a text; LimitError L001 if there are too many."""
    if len(data) > limits.file_length:
        source = SourceFile(shown, data.decode("utf-8", errors="replace"))
        raise LimitError(
            Diagnostic(
                "L001",
                f"{shown} has more than {limits.file_length} bytes",
                Label(Span(source, len(source.text) - 1, len(source.text)), "the limit is reached here"),
                help="raise the limit with --limit file_length=NUMBER, or name the right file",
            )
        )
    return data


def holds_still(path: str, content: bytes) -> bool:
    """True if the file can be read and holds just this."""
    opened = open_text(path)
    if opened is not None:
        return opened == content
    try:
        file = os.open(path, PLAIN)
    except OSError:
        return False
    try:
        return os.read(file, len(content) + 1) == content
    except OSError:
        return False
    finally:
        os.close(file)


def decoded(data: bytes, name: str) -> SourceFile:
    """The bytes as text without byte order mark; F002 at the first that is not text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        source = SourceFile(name, data.decode("utf-16", errors="replace"))
        label = Label(Span(source, 0, 1), "the file begins with a UTF-16 byte order mark")
        raise ModelError(Diagnostic("F002", f"{name} is UTF-16 text, not UTF-8", label, help="save it as UTF-8"))
    try:
        text = data.decode("utf-8")
        bad = text.find("\0")
        what = "a NUL character"
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="replace")
        bad = len(data[: error.start].decode("utf-8"))
        what = f"the byte 0x{data[error.start]:02x}, which is not UTF-8"
    source = SourceFile(name, text.removeprefix(BYTE_ORDER_MARK))
    if bad < 0:
        return source
    at = max(bad - text.startswith(BYTE_ORDER_MARK), 0)
    raise ModelError(
        Diagnostic(
            "F002",
            f"{name} is not UTF-8 text",
            Label(Span(source, at, at + 1), what),
            help="save the file as UTF-8 in your editor, or name the right file",
        )
    )
