"""Links from includes to the files that they name."""

from pathlib import Path

from acausal.base.frozen import dataclass
from acausal.editor.text.document import Document, Range
from acausal.editor.text.names import Names
from acausal.ir import ast


@dataclass(frozen=True, slots=True)
class Link:
    """The file that the text of a range names."""

    range: Range
    path: Path


def links(document: Document, names: Names) -> list[Link]:
    """The links of all includes whose file is found."""
    found = []
    for mention in document.mentions():
        if mention.kind != "file":
            continue
        place = document.place(mention.span)
        path = names.file_of(ast.Include(mention.span, mention.name))
        if place is not None and path is not None:
            found.append(Link((place[0] + 1, place[1]), path))
    return found
