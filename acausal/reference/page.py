"""Pages of the reference as data: a title, and sections of paragraphs, code and tables.

`lines` lays a page out for a width, each line as pieces with a role: headings and names may be colored by who prints.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Literal

from acausal.base.frozen import dataclass

Role = Literal["title", "heading", "name", "code", "text", "faint"]
Line = tuple[tuple[Role, str], ...]

WIDTH = 88
"""Columns where the output is not a terminal."""
INDENT = "  "
_LEAST = 24
"""Columns that the last column of a table gets at least."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that stay as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first column holds names, the last running text."""

    rows: tuple[tuple[str, ...], ...]


Block = Paragraph | Code | Table


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading, or without one."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of `acausal docs NAME`: `place` tells the kind of the thing and where it is defined."""

    title: str
    place: str
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return plain([self])


def plain(pages: Sequence[Page], width: int = WIDTH) -> str:
    """Pages as text."""
    parts = ["\n".join("".join(text for _, text in line) for line in lines(page, width)) for page in pages]
    return "\n\n\n".join(parts)


def lines(page: Page, width: int) -> Iterator[Line]:
    """The lines of a page."""
    gap = " " * max(width - len(page.title) - len(page.place), 2)
    yield (("title", page.title), ("faint", f"{gap}{page.place}")) if page.place else (("title", page.title),)
    for section in page.sections:
        yield ()
        if section.heading:
            yield from ((("heading", line),) for line in _wrapped(section.heading, width, ""))
        for number, block in enumerate(section.blocks):
            if number and not (isinstance(block, Table) and isinstance(section.blocks[number - 1], Table)):
                yield ()
            yield from _block(block, width, INDENT if section.heading else "")


def _block(block: Block, width: int, indent: str) -> Iterator[Line]:
    if isinstance(block, Paragraph):
        yield from ((("text", line),) for line in _wrapped(block.text, width, indent))
    elif isinstance(block, Code):
        yield from ((("code", f"{indent}{line}".rstrip()),) for line in block.text.split("\n"))
    else:
        yield from _table(block, width, indent)


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    size = max(width, _LEAST)
    return wrap(text, size, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _table(table: Table, width: int, indent: str) -> Iterator[Line]:
    """Columns side by side, the last one wrapped; where they leave it no room it stands below."""
    inner = [max(len(row[i]) for row in table.rows) for i in range(len(table.rows[0]) - 1)]
    shown = [i for i, size in enumerate(inner) if size]
    start = len(indent) + sum(inner[i] + 2 for i in shown)
    below = width - start < _LEAST
    margin = " " * (len(indent) + 4 if below else start)
    for row in table.rows:
        cells: list[tuple[Role, str]] = [
            ("name" if i == 0 else "text", f"{'' if number else indent}{row[i]:{inner[i]}}{INDENT}")
            for number, i in enumerate(shown)
        ]
        rest = [line.strip() for line in _wrapped(row[-1], width, margin)] if row[-1] else [""]
        first, more = ("", rest) if below else (rest[0], rest[1:])
        yield _stripped([*cells, ("text", first)])
        yield from ((("text", f"{margin}{text}"),) for text in more if text)


def _stripped(line: list[tuple[Role, str]]) -> Line:
    """The line without blanks at its end."""
    while line and not line[-1][1].strip():
        line.pop()
    return (*line[:-1], (line[-1][0], line[-1][1].rstrip())) if line else ()
