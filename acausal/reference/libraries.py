"""The standard library as entries: which classes and functions each file defines, with what their comments say.

A class belongs to the library that defines it, in its own text or in an `.inc` file that it includes. Where several
libraries define a class of one name (mbsdir.lib, mbsinv.lib, ...), the first of them has its entry.
"""

from dataclasses import replace
from pathlib import Path

from acausal.base.caches import memoized
from acausal.base.files.paths import stdlib_folder
from acausal.ir import ast
from acausal.reference.comments import comment_before, opening_comment
from acausal.reference.data import ClassSummary, FunctionSummary, LibraryEntry
from acausal.syntax.parser import Parsed, parse
from acausal.syntax.read import read_source


def libraries() -> tuple[LibraryEntry, ...]:
    """All libraries of the standard library, by name; each class is in the first that defines it."""
    return _libraries(stdlib_folder())


def classes() -> dict[str, ClassSummary]:
    """Every class of the standard library by its name."""
    return {entry.name: entry for library in libraries() for entry in library.classes}


@memoized(2)
def _libraries(folder: Path) -> tuple[LibraryEntry, ...]:
    texts = {path.name: parse(read_source(path)) for path in sorted([*folder.glob("*.lib"), *folder.glob("*.inc")])}
    entries = [_entry(folder, name, texts) for name in texts if name.endswith(".lib")]
    homes: dict[str, list[str]] = {}
    for entry in entries:
        for known in entry.classes:
            homes.setdefault(known.name, []).append(entry.name)
    return tuple([_with_own_classes(entry, homes) for entry in entries])


def _with_own_classes(entry: LibraryEntry, homes: dict[str, list[str]]) -> LibraryEntry:
    """The entry with the classes that no library before it defines; they name those after it that do."""
    own = [replace(c, also=tuple(homes[c.name][1:])) for c in entry.classes if homes[c.name][0] == entry.name]
    others = tuple(dict.fromkeys(homes[c.name][0] for c in entry.classes if homes[c.name][0] != entry.name))
    return replace(entry, classes=tuple(own), variant_of=others)


def _entry(folder: Path, name: str, texts: dict[str, Parsed]) -> LibraryEntry:
    parts, includes = _parts(name, texts)
    units = [(part, unit) for part in parts for unit in texts[part].file.units]
    return LibraryEntry(
        name,
        folder / name,
        opening_comment(texts[name].file, texts[name].comments),
        includes,
        tuple([_summary(folder, name, part, u, texts) for part, u in units if isinstance(u, ast.Class)]),
        tuple([_function(part, u, texts) for part, u in units if isinstance(u, ast.Function)]),
    )


def _parts(name: str, texts: dict[str, Parsed]) -> tuple[list[str], tuple[str, ...]]:
    """The texts that make a library, itself first and then its `.inc` files; and the libraries that it includes."""
    parts, includes = [name], []
    for part in parts:
        named = [unit.file for unit in texts[part].file.units if isinstance(unit, ast.Include)]
        parts += [file for file in named if file.endswith(".inc") and file not in parts]
        includes += [file for file in named if not file.endswith(".inc")]
    return parts, tuple(dict.fromkeys(includes))


def _summary(folder: Path, library: str, part: str, node: ast.Class, texts: dict[str, Parsed]) -> ClassSummary:
    supers = tuple([super_.class_.names[-1] for super_ in node.supers])
    comment = comment_before(node.span, texts[part].comments)
    return ClassSummary(node.name, library, (), folder / part, node.span.line, comment, supers)


def _function(part: str, node: ast.Function, texts: dict[str, Parsed]) -> FunctionSummary:
    comment = comment_before(node.span, texts[part].comments)
    return FunctionSummary(node.name, tuple([p.name for p in node.parameters]), comment)
