"""Source text and places in it.

A place is two offsets into one file; line and column are computed only when an
error is rendered.
"""

from dataclasses import field

from acausal.base.frozen import record


@record(frozen=True, slots=True, eq=False)
class SourceFile:
    """One text, `name` as the user wrote or would write it."""

    name: str
    text: str = field(repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        return self.text.split("\n", number)[number - 1].rstrip("\r")


@record(frozen=True, slots=True)
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
