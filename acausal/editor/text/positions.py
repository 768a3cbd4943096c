"""Offsets of a text <-> lines and columns as the language server protocol counts them.

Lines end in \\n, \\r\\n or \\r; columns count UTF-16 code units, or what client and server have agreed on.
"""

import re
from bisect import bisect_right
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]
Position = tuple[int, int]
_LINE_END = re.compile(r"\r\n|\n|\r")
_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


class Positions:
    """Positions in one text."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        self._codec = encoding if encoding == "utf-8" else f"{encoding}-le"
        self._unit = _BYTES[encoding]
        self._is_plain = text.isascii() or encoding == "utf-32"
        ends = list(_LINE_END.finditer(text))
        self._starts = [0, *[end.end() for end in ends]]
        self._ends = [*[end.start() for end in ends], len(text)]

    def position(self, offset: int) -> Position:
        """Line and column of an offset, both from 0."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._is_plain:
            return line, offset - start
        return line, len(self.text[start:offset].encode(self._codec, "surrogatepass")) // self._unit

    def offset(self, position: Position) -> int:
        """Offset of a position; one behind the end of its line or text is at that end."""
        line, column = position
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._ends[line]
        if self._is_plain:
            return min(start + max(column, 0), end)
        data = self.text[start:end].encode(self._codec, "surrogatepass")[: max(column, 0) * self._unit]
        return start + len(data.decode(self._codec, "ignore"))

    def line_of(self, offset: int) -> int:
        """Line of an offset, from 0."""
        return bisect_right(self._starts, offset) - 1

    def line_start(self, line: int) -> int:
        """Offset of the first character of a line."""
        return self._starts[line]

    @property
    def last_line(self) -> int:
        """Number of the last line."""
        return len(self._starts) - 1
