"""Ranges that can be folded: classes, `when`, `if` and `for`, comments, and includes that follow each other."""

from collections.abc import Iterator, Sequence
from typing import Literal

from acausal.base.frozen import dataclass
from acausal.editor.text.document import Document, Token
from acausal.editor.text.positions import Positions

_OPENS = {"MODEL", "WHEN", "FOR"}
_CLOSES = {"END", "ENDWHEN", "ENDIF", "ENDFOR"}


@dataclass(frozen=True, slots=True)
class Fold:
    """The lines from `first` to `last`, from 0."""

    first: int
    last: int
    kind: Literal["region", "comment", "imports"] = "region"


def folds(document: Document, positions: Positions) -> list[Fold]:
    """All ranges of more than one line, from the tokens: also while something is not finished."""
    found = [fold for fold in _folds(document, positions) if fold.last > fold.first]
    return sorted(found, key=lambda fold: (fold.first, -fold.last))


def _folds(document: Document, positions: Positions) -> Iterator[Fold]:
    stack: list[int] = []
    includes: list[int] = []
    first = True
    tokens = list(document.tokens())
    for number, token in enumerate(tokens):
        line = positions.line_of(token.start)
        if token.kind == "COMMENT":
            yield Fold(line, positions.line_of(token.end), "comment")
            continue
        if token.kind == "INCLUDE":
            includes.append(line)
        elif token.kind in _OPENS or (token.kind == "IF" and first and _is_block(tokens, number)):
            stack.append(line)
        elif token.kind in ("ELSE", "ELSEIF", "ELSEWHEN") and first and stack:
            yield Fold(stack.pop(), line - 1)
            stack.append(line)
        elif token.kind in _CLOSES and first and stack:
            yield Fold(stack.pop(), line - 1)
        first = token.kind == "_END"
    if includes:
        yield Fold(includes[0], includes[-1], "imports")


def _is_block(tokens: Sequence[Token], number: int) -> bool:
    """True for an `if` whose line ends in `then`."""
    for token, following in zip(tokens[number:], tokens[number + 1 :], strict=False):
        if following.kind == "_END":
            return token.kind == "THEN"
    return False
