"""Source text and places in it.

A place is two offsets into one file; line and column are computed only when an
error is rendered.
"""

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One text, `name` as the user wrote or would write it."""

    name: str
    text: str = field(repr=False)

    def line_starts(self) -> list[int]:
        """Offsets of the first character of every line."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        return self.text.split("\n")[number - 1].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` to `end` (exclusive) of a file."""

    file: SourceFile
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.file.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, counted from 1."""
        return self.file.position(self.start)[0]

    def to(self, other: "Span") -> "Span":
        """The span from the start of this one to the end of `other`."""
        return Span(self.file, self.start, other.end)

    def __str__(self) -> str:
        line, column = self.file.position(self.start)
        return f"{self.file.name}:{line}:{column}"
