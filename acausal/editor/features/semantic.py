"""Semantic tokens: what each name means, beside words, numbers, strings and comments.

The numbers of a piece of the document are kept as long as its text stays and no declaration elsewhere changes.
"""

from collections.abc import Iterator
from typing import cast

from acausal.editor.text.document import Document, Piece, Range
from acausal.editor.text.mention import Mention
from acausal.editor.text.names import Names
from acausal.editor.text.positions import Encoding, Positions
from acausal.editor.text.resolve import Target, resolve

TYPES = (
    "namespace", "class", "type", "parameter", "variable", "property", "function", "keyword", "comment", "string",
    "number", "macro",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary")
_BY_TARGET = {
    "class": "class", "class parameter": "type", "parameter": "parameter", "variable": "variable",
    "submodel": "variable", "cut": "property", "path": "property", "node": "property", "function": "function",
    "local name": "variable", "file": "namespace", "prefix": "namespace", "word": "macro",
}  # fmt: skip
_BY_KIND = {"value": "variable", "connector": "variable", "argument": "parameter", "initial": "variable"}
_DECLARATION, _READONLY, _LIBRARY = 1, 2, 4
Mark = tuple[int, int, str, int]


def semantic_tokens(document: Document, names: Names, encoding: Encoding, visible: Range | None = None) -> list[int]:
    """Five numbers for each token, relative to the one before, as the protocol wants them."""
    stamp = (names.included, tuple([_interface(piece) for piece in document.pieces]), encoding)
    data: list[int] = []
    line = last = 0
    for piece in document.pieces:
        text = piece.chunk.source.text
        if visible is None or (piece.start <= visible[1] and piece.start + len(text) >= visible[0]):
            numbers, end = _numbers(piece, names, encoding, stamp)
            if numbers:
                data.append(line + numbers[0] - last)
                data += numbers[1:]
                last = line + end
        line += text.count("\n")
    return data


def _interface(piece: Piece) -> tuple[object, ...]:
    """Parts of a piece that others see: its declarations, and the classes that it names."""
    if "interface" not in piece.kept:
        seen = [(m.name, m.kind) for m in piece.mentions if m.declares or m.kind == "class"]
        piece.kept["interface"] = tuple(seen)
    return cast("tuple[object, ...]", piece.kept["interface"])


def _numbers(piece: Piece, names: Names, encoding: Encoding, stamp: object) -> tuple[list[int], int]:
    """The numbers of a piece, the first line from its begin; and the line of the last token."""
    kept = piece.kept.get("semantic")
    if kept is not None and cast("tuple[object, object]", kept)[0] == stamp:
        return cast("tuple[object, tuple[list[int], int]]", kept)[1]
    positions = Positions(piece.chunk.source.text, encoding)
    numbers: list[int] = []
    last_line = last_column = 0
    for start, end, type_, modifiers in sorted(_marks(piece, names)):
        line, column = positions.position(start)
        end_line, end_column = positions.position(end)
        if end_line != line:
            continue  # a comment over several lines: the grammar of the editor has it
        numbers += (
            line - last_line,
            column - last_column if line == last_line and numbers else column,
            end_column - column,
            TYPES.index(type_),
            modifiers,
        )
        last_line, last_column = line, column
    made = numbers, last_line
    piece.kept["semantic"] = stamp, made
    return made


def _marks(piece: Piece, names: Names) -> Iterator[Mark]:
    taken: set[int] = set()
    for mention in piece.mentions:
        place = piece.chunk.in_text(mention.span.start, mention.span.end)
        if place is None or place[0] in taken or place[0] >= place[1]:
            continue
        taken.add(place[0])
        yield (*place, *_of_mention(mention, resolve(mention, names)))
    for token in piece.tokens:
        type_ = _of_token(token.kind, token.text)
        if type_ is not None and token.start not in taken:
            yield token.start, token.end, type_, 0


def _of_token(kind: str, text: str) -> str | None:
    if kind in ("COMMENT", "NUMBER", "STRING"):
        return kind.lower()
    if kind == "QUANTITY":
        return "number"
    return "keyword" if kind not in ("NAME", "INCLUDE", "STRAY") and text.isidentifier() else None


def _of_mention(mention: Mention, target: Target | None) -> tuple[str, int]:
    modifiers = _DECLARATION if mention.declares else 0
    if target is None:
        return _BY_KIND.get(mention.kind, mention.kind if mention.kind in TYPES else "variable"), modifiers
    if target.kind == "word":
        return ("function", _LIBRARY) if mention.kind == "function" else ("macro", _LIBRARY)
    if target.kind == "parameter":
        modifiers |= _READONLY
    return _BY_TARGET[target.kind], modifiers
