"""A document: its text, its pieces as trees, and where places of the trees are in the text."""

import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.editor.text.chunks import Chunk, Unit, parsed, split
from acausal.editor.text.mention import Mention
from acausal.editor.text.mentions import mentions
from acausal.ir import ast
from acausal.syntax.automaton.lexer import STRAY
from acausal.syntax.automaton.tables import load_tables

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Token:
    """A token or comment of the text; `kind` is the name of its terminal, COMMENT for a comment."""

    kind: str
    text: str
    start: int
    end: int


class Piece:
    """A piece of a document and where it begins; what is found in its tree is kept with it."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.start = 0
        self.kept: dict[str, object] = {}
        """Results that features keep of a piece, as long as its text stays."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Tokens and comments of the text in order, with offsets in the piece; ends of statements are _END."""
        names, found, text = load_tables().symbols, self.chunk.tokens, self.chunk.source.text
        comments = [Token("COMMENT", text[start:end], start, end) for start, end in found.comments]
        columns = zip(found.kinds, found.texts, found.starts, strict=True)
        made = [
            Token("STRAY" if kind == STRAY else names[kind], word, at, at + len(word)) for kind, word, at in columns
        ]
        return tuple(sorted([*made, *comments], key=lambda token: token.start))

    def tokens_from(self, number: int) -> Iterator[Token]:
        """Tokens from this one on, with offsets in the document."""
        for token in islice(self.tokens, number, None):
            yield Token(token.kind, token.text, token.start + self.start, token.end + self.start)

    def begin_of_statement(self, offset: int) -> int:
        """Number of the first token of the statement at an offset in the piece."""
        number = bisect_left(self.tokens, offset, key=lambda token: token.start)
        while number and self.tokens[number - 1].kind != "_END":
            number -= 1
        return number

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The names in the tree."""
        return tuple(mentions(self.chunk.units))


class Document:
    """One version of a text; `changed` makes the next one, and parses what has changed."""

    def __init__(self, path: Path, text: str, before: "Document | None" = None, limits: Limits | None = None) -> None:
        self.path = path
        self.text = text
        self.limits = limits or Limits()
        self.pieces = _pieces(self, before)
        self._by_source = {id(piece.chunk.tree): piece for piece in self.pieces}
        self._by_source |= {id(piece.chunk.source): piece for piece in self.pieces}

    def changed(self, text: str) -> "Document":
        """The document with another text."""
        return self if text == self.text else Document(self.path, text, self, self.limits)

    @cached_property
    def real_path(self) -> str:
        """The path without symbolic links."""
        return os.path.realpath(self.path)

    @cached_property
    def file(self) -> ast.File:
        """All units, as one file."""
        whole = Span(SourceFile(str(self.path), self.text), 0, len(self.text))
        return ast.File(whole, self.units)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Includes, functions and classes in order."""
        return tuple([unit for piece in self.pieces for unit in piece.chunk.units])

    @property
    def mistakes(self) -> Iterator[tuple[Diagnostic, Piece]]:
        """Mistakes of syntax, each with the piece that its spans belong to."""
        for piece in self.pieces:
            for mistake in piece.chunk.mistakes:
                yield mistake, piece

    def place(self, span: Span) -> Range | None:
        """Place in the text of a span of its trees; None for spans of other files, and where the text has changed."""
        piece = self._by_source.get(id(span.file))
        if piece is None:
            return None
        chunk = piece.chunk
        found = (span.start, span.end) if span.file is chunk.source else chunk.in_text(span.start, span.end)
        return None if found is None else (found[0] + piece.start, found[1] + piece.start)

    def piece_at(self, offset: int) -> Piece:
        """The piece around an offset."""
        found = self.pieces[0]
        for piece in self.pieces:
            if piece.start > offset:
                break
            found = piece
        return found

    def mention_at(self, offset: int) -> Mention | None:
        """The name at an offset, or just before it."""
        piece = self.piece_at(offset)
        inside = piece.chunk.in_tree(offset - piece.start)
        touching = [m for m in piece.mentions if m.span.start <= inside <= m.span.end]
        return touching[-1] if touching else None

    def mentions(self) -> Iterator[Mention]:
        """All names."""
        for piece in self.pieces:
            yield from piece.mentions

    def classes_around(self, offset: int) -> tuple[ast.Class, ...]:
        """The classes around an offset, the outermost first."""
        piece = self.piece_at(offset)
        inside = piece.chunk.in_tree(offset - piece.start)
        found: list[ast.Class] = []
        items: list[ast.Item | Unit] = [*piece.chunk.units]
        for item in items:
            if isinstance(item, ast.Class) and item.span.start <= inside <= item.span.end:
                found.append(item)
                items += item.items
        return tuple(found)

    def tokens(self, start: int = 0, end: int | None = None) -> Iterator[Token]:
        """Tokens and comments in order, of the pieces that reach into a range; without ends of statements."""
        end = len(self.text) if end is None else end
        for piece in self.pieces:
            if piece.start <= end and piece.start + len(piece.chunk.source.text) >= start:
                yield from piece.tokens_from(0)

    def tokens_of_statement(self, offset: int) -> Iterator[Token]:
        """Tokens and comments in order, from the begin of the statement at an offset on, in the pieces around it."""
        for piece in self.pieces:
            if piece.start <= offset <= piece.start + len(piece.chunk.source.text):
                yield from piece.tokens_from(piece.begin_of_statement(offset - piece.start))


def _pieces(document: Document, before: Document | None) -> list[Piece]:
    """The pieces of a text; those of the version before where their text is the same."""
    same: dict[str, list[Piece]] = {}
    heads: dict[str, Chunk] = {}
    for old in () if before is None else reversed(before.pieces):
        same.setdefault(old.chunk.source.text, []).append(old)
        heads[old.chunk.head] = old.chunk
    made, start = [], 0
    texts = split(document.text)
    for number, text in enumerate(texts):
        if same.get(text):
            kept = same[text].pop()
            piece = Piece(kept.chunk)
            piece.kept = kept.kept
            piece.__dict__ |= {name: kept.__dict__[name] for name in ("mentions", "tokens") if name in kept.__dict__}
        else:
            earlier = None if before is None else _earlier(text, number, len(texts), before, heads)
            piece = Piece(parsed(str(document.path), text, earlier, document.limits))
        piece.start = start
        start += len(text)
        made.append(piece)
    return made


def _earlier(text: str, number: int, count: int, before: Document, heads: dict[str, Chunk]) -> Chunk | None:
    """The piece that has become this one: the one at its place, or with its head."""
    if count == len(before.pieces):
        return before.pieces[number].chunk
    return heads.get(text.split("\n", 1)[0].strip())
