"""Pages of libraries, and the list of all of them."""

from collections.abc import Iterator

from acausal.reference.class_page import comment_blocks
from acausal.reference.comments import first_sentence
from acausal.reference.data import ClassSummary, LibraryEntry
from acausal.reference.libraries import classes, libraries
from acausal.reference.page import Page, Paragraph, Section, Table


def library_page(library: LibraryEntry) -> Page:
    """The opening comment of a library, its classes and its functions."""
    sections = [Section("", comment_blocks(library.comment))]
    if library.includes:
        sections.append(Section("", (Paragraph(f"Includes {', '.join(library.includes)}."),)))
    if library.variant_of:
        same = " and ".join(library.variant_of)
        sections.append(Section("", (Paragraph(f"Defines the classes of {same} with other equations."),)))
    if library.classes:
        sections.append(Section("Classes", (_table(library.classes),)))
    if library.functions:
        rows = [(f"{f.name}({', '.join(f.arguments)})", first_sentence(f.comment)) for f in library.functions]
        sections.append(Section("Functions", (Table(tuple(rows)),)))
    return Page(library.name, "library", tuple(sections))


def list_page(word: str | None) -> Page | None:
    """All libraries with their classes, or those whose names or summaries contain a word; None without any."""
    sections = []
    for library, chosen in _chosen(word):
        table = (_table(chosen),) if chosen else ()
        sections.append(Section(f"{library.name}: {library.summary}", table))
    if not sections:
        return None
    count = sum(len(block.rows) for s in sections for block in s.blocks if isinstance(block, Table))
    title = f"{count} {'class' if count == 1 else 'classes'}{'' if word is None else f' with {word}'}"
    return Page(title, "acausal docs NAME shows one", tuple(sections))


def _chosen(word: str | None) -> Iterator[tuple[LibraryEntry, tuple[ClassSummary, ...]]]:
    """Libraries whose names or summaries contain a word, or which have such classes, each with these; all for None."""
    for library in libraries():
        found = tuple([known for known in library.classes if word is None or _has(known, word)])
        if found or (word is not None and _has(library, word)):
            yield library, found


def _has(known: ClassSummary | LibraryEntry, word: str) -> bool:
    return word.lower() in f"{known.name} {known.summary}".lower()


def _table(chosen: tuple[ClassSummary, ...]) -> Table:
    return Table(tuple([(known.name, known.summary) for known in chosen]))


def list_data(word: str | None) -> list[dict[str, object]]:
    """The same as data: a library with its classes each."""
    return [
        {"library": library.name, "summary": library.summary, "classes": {c.name: c.summary for c in chosen}}
        for library, chosen in _chosen(word)
    ]


def class_names() -> tuple[str, ...]:
    """The names of all classes."""
    return tuple(classes())
