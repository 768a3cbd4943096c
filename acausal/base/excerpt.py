"""A line of source as it looks on a terminal, with the columns to put marks under.

Example in: `\tx = 速度 + q`, the characters 5 to 7; out: `    x = 速度 + q`, the columns 8 to 12.
"""

import re
import unicodedata

from acausal.base.frozen import dataclass

TAB = 4
WIDTH = 110
"""Characters of a line that are shown; of a longer one a window round its first mark."""

CLIPPED = "..."
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories that move the cursor, turn the direction of text or show nothing: a model must not steer a terminal."""
_ENDLESS = re.compile(rf"\S{{{WIDTH},}}")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The line as shown, and the columns (from 0) of characters `first` to `first + len(columns) - 1`."""

    text: str
    first: int
    columns: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The column of character `start` and the columns up to `end` (from 0, exclusive), at least one."""
        last = len(self.columns) - 1
        left = self.columns[min(max(start - self.first, 0), last)]
        right = self.columns[min(max(end - self.first, 0), last)]
        return left, max(right - left, 1)


def excerpt(line: str, start: int, end: int) -> Excerpt:
    """The line, or of a long one the part round the characters `start` to `end`."""
    first, stop = _window(len(line), start, end)
    shown, at = ([CLIPPED], len(CLIPPED)) if first else ([], 0)
    columns = []
    for character in line[first:stop]:
        columns.append(at)
        text, width = _cell(character, at)
        shown.append(text)
        at += width
    columns.append(at)
    if stop < len(line):
        shown.append(CLIPPED)
    return Excerpt("".join(shown).rstrip(), first, tuple(columns))


def clean(text: str) -> str:
    """The text on one line, without characters that steer a terminal; endless words are cut."""
    if len(text) > WIDTH:
        text = _ENDLESS.sub(lambda word: word[0][: WIDTH // 2] + CLIPPED, text)
    if text.isascii() and text.isprintable():
        return text
    return "".join(REPLACEMENT if unicodedata.category(c) in HIDDEN else c for c in " ".join(text.splitlines()))


def _window(length: int, start: int, end: int) -> tuple[int, int]:
    """The first and last (exclusive) character to show: all, or a window with the mark near its middle."""
    if length <= WIDTH:
        return 0, length
    middle = (start + min(end, start + WIDTH // 2)) // 2
    first = min(max(middle - WIDTH // 2, 0), length - WIDTH)
    return first, first + WIDTH


def _cell(character: str, column: int) -> tuple[str, int]:
    """Text shown for a character at a column, and its width in columns."""
    if character == "\t":
        width = TAB - column % TAB
        return " " * width, width
    if character.isascii() and character.isprintable():
        return character, 1
    if unicodedata.category(character) in HIDDEN:
        return REPLACEMENT, 1
    if unicodedata.combining(character):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1
