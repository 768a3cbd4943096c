"""Damaged texts: the parser and the formatter give errors with places, never another exception."""

from functools import cache
from random import Random
from time import process_time

from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile
from acausal.render import render
from acausal.syntax.automaton.lexer import tokenize
from acausal.syntax.automaton.tables import load_tables
from acausal.syntax.format import fmt
from acausal.syntax.parser import parse, parse_expression, parse_item
from tests.syntax.listings import LISTINGS

SECONDS = 2.0
"""Processor time that one text may take."""
TEXT = "".join(LISTINGS.values())
FRAGMENTS = [
    *"""( ) [ ] { } " ' ; , = == := < > <> <= + - * / // ^ \\ . .* : @x @ # % & | ! ~ ? $ \0 é ٣ 1e 1e999 .5 x 3 "t"
    model class end function submodel cut main path node connect at to par parameter local when then elsewhen endwhen
    if else elseif endif for endfor assert initial der loop closing root ic from as""".split(),
    *(" ", "\n", "\r", "\r\n", "\t", "\v", "\u2028", "\ufeff"),
]


def mutated(random: Random, pieces: list[str], longest: int = 200) -> str:
    """A stretch of the pieces with a few deleted, doubled, exchanged or put in."""
    start = random.randrange(len(pieces)) if longest < len(pieces) else 0
    part = pieces[start : start + random.randrange(longest)] if longest < len(pieces) else list(pieces)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(part) + 1)
        kind = random.randrange(4)
        if kind == 0:
            del part[at : at + random.randint(1, 3)]
        elif kind == 1:
            part[at:at] = part[at : at + random.randint(1, 5)]
        elif kind == 2 and part:
            other = random.randrange(len(part))
            at = min(at, len(part) - 1)
            part[at], part[other] = part[other], part[at]
        else:
            part.insert(at, random.choice(FRAGMENTS))
    return "".join(part)


def token_pieces(text: str) -> list[str]:
    """A text cut into tokens and what stands between them."""
    tokens = tokenize(SourceFile("all", text), load_tables())
    pieces, at = [], 0
    for start, token in zip(tokens.starts, tokens.texts, strict=True):
        pieces += [text[at:start], token]
        at = start + len(token)
    return pieces


def read(text: str) -> None:
    """Every way to read a text: a mistake has a place in it and can be shown."""
    source = SourceFile("fuzz.mdl", text)
    begin = process_time()
    for entry in (parse, fmt, parse_item, parse_expression):
        try:
            entry(source)
        except ModelError as caught:
            told = caught.report
        else:
            continue
        assert told.errors
        for error in told.errors:
            assert error.primary is not None
            assert 0 <= error.primary.span.start <= error.primary.span.end <= len(text)
        assert render(told)
    assert process_time() - begin < SECONDS


def tokens_changed(random: Random) -> None:
    """One text with tokens of the listings changed."""
    read(mutated(random, _listing_tokens()))


def characters_changed(random: Random) -> None:
    """One text with characters of the listings changed."""
    read(mutated(random, list(TEXT)))


def models_put_together(random: Random) -> None:
    """One listing cut short, and another behind it."""
    texts = list(LISTINGS.values())
    text = random.choice(texts)
    read(text[: random.randrange(len(text))] + random.choice(["", "\n", *FRAGMENTS]) + random.choice(texts))


@cache
def _listing_tokens() -> list[str]:
    return token_pieces(TEXT)
