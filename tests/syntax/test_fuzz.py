"""Damaged texts give errors with places, never another exception."""

from random import Random

import pytest

from acausal.diagnostics import ModelError
from acausal.render import render
from acausal.source import SourceFile
from acausal.syntax.format import fmt
from acausal.syntax.lexer import tokenize
from acausal.syntax.parser import parse, parse_expression, parse_item
from acausal.syntax.tables import load_tables

from .listings import LISTINGS

TEXT = "".join(LISTINGS.values())
FRAGMENTS = [
    *"""( ) [ ] { } " ' ; , = == := < > <> <= + - * / // ^ \\ . .* : @x @ # % & | ! ~ ? $ \0 é ٣ 1e 1e999 .5 x 3 "t"
    model class end function submodel cut main path node connect at to par parameter local when then elsewhen endwhen
    if else elseif endif for endfor assert initial der loop closing root ic from as""".split(),
    *(" ", "\n", "\r", "\r\n", "\t", "\v", "\u2028", "\ufeff"),
]


def mutated(random: Random, pieces: list[str]) -> str:
    """A stretch of the pieces with a few deleted, doubled, exchanged or put in."""
    start = random.randrange(len(pieces))
    part = pieces[start : start + random.randrange(200)]
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


def check(text: str) -> None:
    source = SourceFile("fuzz.mdl", text)
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


def token_pieces() -> list[str]:
    """The listings cut into tokens and what stands between them."""
    tokens = tokenize(SourceFile("all", TEXT), load_tables())
    pieces, at = [], 0
    for start, text in zip(tokens.starts, tokens.texts, strict=True):
        pieces += [TEXT[at:start], text]
        at = start + len(text)
    return pieces


@pytest.mark.parametrize("block", range(10))
def test_tokens_changed(block: int) -> None:
    random, pieces = Random(block), token_pieces()
    for _ in range(150):
        check(mutated(random, pieces))


@pytest.mark.parametrize("block", range(10))
def test_characters_changed(block: int) -> None:
    random, pieces = Random(block), list(TEXT)
    for _ in range(150):
        check(mutated(random, pieces))


@pytest.mark.parametrize("block", range(4))
def test_models_cut_short_and_put_together(block: int) -> None:
    random, texts = Random(block), list(LISTINGS.values())
    for _ in range(50):
        text = random.choice(texts)
        check(text[: random.randrange(len(text))] + random.choice(["", "\n", *FRAGMENTS]) + random.choice(texts))
