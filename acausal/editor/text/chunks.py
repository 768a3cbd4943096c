"""Pieces of a document that are parsed one by one: a unit that begins in the first column, up to the next.

    @electrical.lib         piece 1
    model class A           piece 2
      ...
    end
    model M                 piece 3

So that a keystroke parses one class, and a mistake in one class leaves the others whole. A piece that does not parse
is parsed without its faulty statements, then without the lines of its mistakes; where all fails it keeps its last good
tree.
"""

import re
from functools import cached_property

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.editor.text.edits import Change, change
from acausal.ir import ast
from acausal.syntax.automaton.lexer import Tokens
from acausal.syntax.parser import Attempt, attempt

Unit = ast.Include | ast.Function | ast.Class

_BEGIN = re.compile(r'\{[^}]*\}?|"[^"\r\n]*"?|(^)(?:model\b|function\b|@)', re.MULTILINE)
_HEAD = re.compile(r"model[ \t]+(?:class|type)?[ \t]*(?:\([^)]*\))?[ \t]*(\w+)|function[ \t]+(\w+)|@(\S+)")
_TRIES = 4
_EDITED = 4
"""Lines that are left out because they have just been changed, if no more."""


@dataclass(frozen=True, eq=False)
class Chunk:
    """A piece: its text as `source`; its units, which were parsed from `tree`: after a mistake another text.

    `aligned` says that offsets are the same in both.
    """

    source: SourceFile
    tokens: Tokens
    mistakes: tuple[Diagnostic, ...]
    units: tuple[Unit, ...]
    tree: SourceFile
    aligned: bool = True

    @cached_property
    def since(self) -> Change | None:
        """The change from the text of the tree; None where offsets are the same."""
        return None if self.aligned else change(self.tree.text, self.source.text)

    def in_tree(self, offset: int) -> int:
        """Offset in the tree of an offset in the text."""
        return offset if self.since is None else self.since.backward(offset)

    def in_text(self, start: int, end: int) -> tuple[int, int] | None:
        """Place in the text of a place in the tree; None where the text has changed there."""
        if self.since is None:
            return min(start, len(self.source.text)), min(end, len(self.source.text))
        return self.since.forward(start, end)

    @property
    def head(self) -> str:
        """The name of the first unit."""
        found = _HEAD.match(self.source.text)
        return "" if found is None else found[0]


def split(text: str) -> list[str]:
    """The pieces of a text; together they are the text."""
    starts = [found.start() for found in _BEGIN.finditer(text) if found[1] is not None and found.start()]
    return [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]


def parsed(name: str, text: str, before: Chunk | None, limits: Limits) -> Chunk:
    """A piece parsed as well as it goes; `before` is the piece as it was before the last change."""
    source = SourceFile(name, text)
    first = attempt(source, limits)
    made = Chunk(source, first.tokens, first.mistakes, (), source)
    if first.file is not None:
        return Chunk(source, first.tokens, first.mistakes, first.file.units, source)
    tree, units = _without_lines(source, first, before, limits)
    if units is not None:
        return Chunk(source, first.tokens, first.mistakes, units, tree)
    if before is not None:
        return Chunk(source, first.tokens, first.mistakes, before.units, before.tree, aligned=False)
    return made


def _without_lines(
    source: SourceFile, failed: Attempt, before: Chunk | None, limits: Limits
) -> tuple[SourceFile, tuple[Unit, ...] | None]:
    """The tree of the text with blanks in place of faulty lines, and with an `end` where it is missing."""
    text, places = source.text, _places(failed)
    if before is not None:
        edited = change(before.source.text, source.text)
        place = edited.prefix, max(edited.prefix, len(text) - edited.suffix)
        if text.count("\n", *place) < _EDITED:
            places = [place, *places]
    header = text.find("\n") if _HEAD.match(text) else -1
    for _ in range(_TRIES):
        for start, end in places:
            if start <= header:
                text, header = f"{text}\nend", -1
            else:
                text = _blank(text, start, end)
        tried = SourceFile(source.name, text)
        found = attempt(tried, limits)
        if found.file is not None:
            return tried, found.file.units
        places = _places(found)
    return source, None


def _places(failed: Attempt) -> list[tuple[int, int]]:
    return [(d.primary.span.start, d.primary.span.end) for d in failed.mistakes if d.primary is not None]


def _blank(text: str, start: int, end: int) -> str:
    """The text with blanks in the lines of a place."""
    start = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    return text[:start] + re.sub(r"[^\n\r]", " ", text[start:stop]) + text[stop:]
