"""Search for the standard library that defines a class: for users who forgot to include it."""

import re
from collections.abc import Iterator
from pathlib import Path

from acausal.base.diagnostics import Edit
from acausal.base.files.paths import stdlib_folder
from acausal.base.source import Span


class MissingInclude(str):
    """The hint to include a library; `library` is its name, `known_as` that of the class in it."""

    library: str
    known_as: str

    @classmethod
    def of(cls, library: str, known_as: str) -> "MissingInclude":
        """The hint."""
        made = cls(f"add the line @{library}, which defines {known_as}")
        made.library, made.known_as = library, known_as
        return made

    def edits(self, name: str, span: Span) -> tuple[Edit, ...]:
        """The line at the begin of the file that names the class; none where the class is spelled in another way."""
        return (Edit(Span(span.file, 0, 0), f"@{self.library}\n"),) if self.known_as == name else ()


def library_with(name: str) -> MissingInclude | None:
    """A hint that names the library with a class of this name, in small or large letters; None if there is none.

    A library that has the class in its own text goes before one that includes it from an `.inc` file.
    """
    wanted = re.compile(rf"^model class (?:\(.*\) )?({re.escape(name)})$", re.MULTILINE | re.IGNORECASE)
    for path, text in _libraries():
        found = wanted.search(text)
        if found is not None:
            return MissingInclude.of(path.name, found[1])
    return None


def _libraries() -> Iterator[tuple[Path, str]]:
    files = [(path, path.read_text(encoding="utf-8")) for path in sorted(stdlib_folder().glob("*.lib"))]
    yield from files
    for path, text in files:
        for part in re.findall(r"^@([\w.]+\.inc)$", text, re.MULTILINE):
            yield path, (path.parent / part).read_text(encoding="utf-8")
