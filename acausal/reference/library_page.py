"""Pages of libraries, and the list of all of them."""

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
    for library in libraries():
        chosen = [known for known in library.classes if word is None or _has(known, word)]
        if chosen or (word is not None and word.lower() in f"{library.name} {library.summary}".lower()):
            table = (_table(tuple(chosen)),) if chosen else ()
            sections.append(Section(f"{library.name}: {library.summary}", table))
    if not sections:
        return None
    count = sum(len(block.rows) for s in sections for block in s.blocks if isinstance(block, Table))
    title = f"{count} {'class' if count == 1 else 'classes'}{'' if word is None else f' with {word}'}"
    return Page(title, "acausal docs NAME shows one", tuple(sections))


def _has(known: ClassSummary, word: str) -> bool:
    return word.lower() in f"{known.name} {known.summary}".lower()


def _table(chosen: tuple[ClassSummary, ...]) -> Table:
    return Table(tuple([(known.name, known.summary) for known in chosen]))


def list_data(word: str | None) -> list[dict[str, object]]:
    """The same as data: a library with its classes each."""
    found: list[dict[str, object]] = []
    for library in libraries():
        chosen = {c.name: c.summary for c in library.classes if word is None or _has(c, word)}
        if chosen:
            found.append({"library": library.name, "summary": library.summary, "classes": chosen})
    return found


def class_names() -> tuple[str, ...]:
    """The names of all classes."""
    return tuple(classes())
