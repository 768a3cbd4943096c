"""Where a name is declared and used; renaming it everywhere."""

import re
from collections.abc import Iterator

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.editor.text.document import Document
from acausal.editor.text.mention import Mention
from acausal.editor.text.project import Location, Project, is_standard
from acausal.editor.text.resolve import Target, resolve
from acausal.ir import ast
from acausal.ir.model.classes import Definition, Submodel
from acausal.syntax.automaton.tables import load_tables

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class RenameError(Exception):
    """A name cannot be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a name is used or declared."""

    location: Location
    declares: bool


def definition(project: Project, document: Document, offset: int) -> Location | None:
    """Where the name at an offset is declared; of an include the begin of the file."""
    found = project.target(document, offset)
    if found is None:
        return None
    mention, target = found
    if target.kind == "file":
        return _included_file(project, document, mention)
    return project.location(target.span, document)


def _included_file(project: Project, document: Document, mention: Mention) -> Location | None:
    for unit in document.units:
        if isinstance(unit, ast.Include) and unit.span.start == mention.span.start and unit.file == mention.name:
            with project.reading():
                path = project.names(document).file_of(unit)
            return None if path is None else Location(path, 0, 0)
    return None


def type_definition(project: Project, document: Document, offset: int) -> Location | None:
    """The class of the submodel at an offset."""
    found = project.target(document, offset)
    about = None if found is None else found[1].about
    if isinstance(about, Submodel):
        return project.location(about.class_.definition.node.name_span, document)
    return project.location(about.node.name_span, document) if isinstance(about, Definition) else None


def references(project: Project, document: Document, offset: int) -> list[Use]:
    """All places where the declaration that the name at an offset means is named, in all documents."""
    found = project.target(document, offset)
    if found is None:
        return []
    mention, target = found
    if target.kind in ("word", "file"):
        return []
    identity = project.identity(target.span, document)
    name = mention.name
    places: list[Use] = []
    if identity is None:
        return places
    documents = [document] if target.kind in ("local name", "prefix") else list(project.documents_with(name))
    if target.kind not in ("local name", "prefix") and document not in documents:
        documents.insert(0, document)
    for other in documents:
        places += uses_in(project, other, name, identity)
    return places


def uses_in(project: Project, document: Document, name: str, identity: tuple[str, int]) -> Iterator[Use]:
    """The uses of a declaration in one document."""
    names = project.names(document)
    for mention in document.mentions():
        if mention.name != name:
            continue
        target = resolve(mention, names)
        if target is not None and project.identity(target.span, document) == identity:
            place = document.place(mention.span)
            if place is not None:
                yield Use(Location(document.path, *place), mention.declares)


def highlights(project: Project, document: Document, offset: int) -> list[Use]:
    """The uses in the document itself."""
    found = project.target(document, offset)
    if found is None:
        return []
    mention, target = found
    if target.kind in ("word", "file"):
        same = [m for m in document.mentions() if m.name == mention.name and m.kind == mention.kind]
        places = [(m, document.place(m.span)) for m in same]
        return [Use(Location(document.path, *place), declares=False) for _, place in places if place is not None]
    identity = project.identity(target.span, document)
    return [] if identity is None else list(uses_in(project, document, mention.name, identity))


def renamable(project: Project, document: Document, offset: int) -> Location:
    """The place of the name at an offset; RenameError where it cannot be changed."""
    mention, target = _to_rename(project, document, offset)
    place = document.place(mention.span)
    if place is None or target.span is None:
        raise RenameError("there is no name here")
    return Location(document.path, *place)


def _to_rename(project: Project, document: Document, offset: int) -> tuple[Mention, Target]:
    found = project.target(document, offset)
    if found is None or found[1].kind in ("word", "file"):
        raise RenameError("no declared name is here")
    mention, target = found
    location = project.location(target.span, document)
    if location is None:
        raise RenameError(f"the declaration of {target.name} was not found")
    if is_standard(location.path):
        raise RenameError(f"{target.name} is declared in the standard library ({location.path.name})")
    return mention, target


def rename(project: Project, document: Document, offset: int, new: str) -> list[Location]:
    """The places that are to hold the new name; RenameError where it cannot be changed to this."""
    _to_rename(project, document, offset)
    if not NAME.fullmatch(new):
        raise RenameError(f"`{new}` is not a name: a letter or _, then letters, digits and _")
    if new in reserved_words():
        raise RenameError(f"`{new}` is a reserved word")
    uses = references(project, document, offset)
    _need_free(project, uses, new)
    return list(dict.fromkeys([use.location for use in uses]))


def _need_free(project: Project, uses: list[Use], new: str) -> None:
    """RenameError where the new name means something else at one of the places."""
    for use in uses:
        other = project.document(use.location.path)
        if other is None or new not in other.text:
            continue
        mention = other.mention_at(use.location.start)
        if mention is None:
            continue
        meant = resolve(_renamed(mention, new), project.names(other))
        if meant is not None and meant.span is not None and meant.kind != "local name" and _is_declared(meant):
            raise RenameError(f"{new} is already a {meant.kind} here ({other.path.name})")


def _is_declared(target: Target) -> bool:
    return target.about is not None or target.kind == "class parameter"


def _renamed(mention: Mention, new: str) -> Mention:
    span = Span(mention.span.file, mention.span.start, mention.span.end)
    return Mention(
        span, new, mention.kind, mention.home, mention.declares, mention.before, mention.object_names,
        mention.is_last, None, mention.of,
    )  # fmt: skip


def reserved_words() -> frozenset[str]:
    """Words that no name can be."""
    patterns = load_tables().patterns
    soft = frozenset("loop join branch close closing root ic from as der".split())
    words = [text for kind, text in patterns.values() if kind == "str" and text[0].isalpha()]
    return frozenset(words) - soft | {"time", "pi"}
