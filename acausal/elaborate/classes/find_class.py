"""Search for the standard library that defines a class: for users who forgot to include it."""

import re
from collections.abc import Iterator
from pathlib import Path

from acausal.base.paths import stdlib_folder


def library_with(name: str) -> str | None:
    """A hint that names the library with a class of this name, in small or large letters; None if there is none.

    A library that has the class in its own text goes before one that includes it from an `.inc` file.
    """
    wanted = re.compile(rf"^model class (?:\(.*\) )?({re.escape(name)})$", re.MULTILINE | re.IGNORECASE)
    for path, text in _libraries():
        found = wanted.search(text)
        if found is not None:
            return f"add the line @{path.name}, which defines {found[1]}"
    return None


def _libraries() -> Iterator[tuple[Path, str]]:
    files = [(path, path.read_text(encoding="utf-8")) for path in sorted(stdlib_folder().glob("*.lib"))]
    yield from files
    for path, text in files:
        for part in re.findall(r"^@([\w.]+\.inc)$", text, re.MULTILINE):
            yield path, (path.parent / part).read_text(encoding="utf-8")
