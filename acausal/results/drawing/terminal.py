"""Plots as text for a terminal: curves in Braille patterns (Unicode 2800 to 28FF, two by four dots a character).

1 ┤          ⣀⡠⠤⠤⢄⣀
  │      ⡠⠔⠊        ⠑⠢⡀
0 ┤⣀⡠⠔⠊
  └┬─────────┬─────────┬
   0         1         2  time [s]
"""

import re
from collections.abc import Sequence
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.results.drawing.picture import Curve, Panel, Picture
from acausal.results.drawing.style import short

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of the dots of a character, row by row."""
BLANK = 0x2800
ANSI = (34, 31, 32, 35, 33, 36, 39)
"""Colors of a terminal, in the order of those of figures."""
SIGNS = "abcdefghijklmnopqrstuvwxyz"
"""Letters of the curves without colors."""
ROWS, TICKS, MARGIN, MOST_NAMED = 12, 4, 10, 24
"""Lines of a panel, numbers at its sides, characters of a number; curves that the legend names."""
NARROWEST = 30
_COLORS = re.compile("\033[^m]*m")
MARK = "\N{BOX DRAWINGS LIGHT TRIPLE DASH VERTICAL}"


@dataclass(frozen=True, slots=True)
class Scale:
    """A range of one axis, logarithmic if `log`."""

    low: float
    high: float
    log: bool

    def place(self, values: "Array") -> "Array":
        """The places of values, 0 to 1 within the range; nan where there is none."""
        import numpy as np

        with np.errstate(all="ignore"):
            found: Array = (np.log10(values) if self.log else values) - self.low
        return found / (self.high - self.low)

    def ticks(self, count: int) -> dict[float, str]:
        """Round numbers by their places, at most `count` and one more."""
        step = _step((self.high - self.low) / count, whole=self.log)
        first = ceil(self.low / step - 1e-9)
        values = [(first + i) * step for i in range(count + 2) if (first + i) * step <= self.high + 1e-9 * step]
        return {(v - self.low) / (self.high - self.low): self._text(v, step) for v in values}

    def _text(self, value: float, step: float) -> str:
        if self.log:
            return f"1e{round(value)}" if step >= 1 else f"{10.0**value:.3g}"
        text = f"{0.0 if abs(value) < step / 2 else value:.6g}"
        return text if len(text) < MARGIN else f"{value:.3e}"


def _step(least: float, whole: bool) -> float:
    """The next larger of 1, 2, 5 times a power of ten; of exponents a whole number."""
    power = 10.0 ** floor(log10(least))
    found = next(k * power for k in (1, 2, 5, 10) if k * power >= least * (1 - 1e-9))
    return max(1.0, found) if whole else found


def text_plot(picture: Picture, width: int = 80, color: bool = False) -> str:
    """The plot as lines of text, each at most `width` characters wide."""
    inner = max(NARROWEST, width) - MARGIN - 2
    across = _scale([c.x for p in picture.panels for c in p.curves], "x" in picture.log, margin=False)
    lines = [picture.title]
    for panel in picture.panels:
        lines += _panel(panel, picture, across, inner, color)
    lines += _axis(across, inner, picture.xlabel)
    return "\n".join(line.rstrip() for line in lines)


def _scale(values: "Sequence[Array]", log: bool, margin: bool = True) -> Scale:
    """The range of what can be drawn."""
    import numpy as np

    joined = np.concatenate([np.asarray(v, dtype=float) for v in values]) if values else np.empty(0)
    with np.errstate(all="ignore"):
        shown = np.log10(joined) if log else joined
    shown = shown[np.isfinite(shown)]
    low, high = (float(shown.min()), float(shown.max())) if len(shown) else (0.0, 1.0)
    if not isfinite(high - low) or high - low <= 1e-12 * max(abs(low), abs(high)):
        middle = abs(low) or 1.0
        return Scale(low - middle / 2, high + middle / 2, log)
    more = 0.02 * (high - low) if margin else 0.0
    return Scale(low - more, high + more, log)


def _panel(panel: Panel, picture: Picture, across: Scale, inner: int, color: bool) -> list[str]:
    edges = [y for bands in panel.bands for band in bands for y in (band.low, band.high)]
    up = _scale([*[c.y for c in panel.curves], *edges], "y" in picture.log)
    cells: dict[tuple[int, int], int] = {}
    owners: dict[tuple[int, int], int] = {}
    for number, curve in enumerate(panel.curves):
        lines_of = [(b.x, y) for b in (panel.bands[number] if panel.bands else ()) for y in (b.low, b.high)]
        for along, values in [*lines_of, *_parts(curve)]:
            for place, bit in _dots(across.place(along), up.place(values), inner):
                cells[place] = cells.get(place, 0) | bit
                owners[place] = number
    marked = {min(inner - 1, int(m * inner)) for m in _places(across, picture) if 0.0 <= m <= 1.0}
    ends = {} if color or len(panel.curves) < 2 else _ends(panel, across, up, inner)
    labels = {min(ROWS - 1, int((1.0 - place) * ROWS)): text for place, text in up.ticks(TICKS).items()}
    lines = _head(panel, inner, color)
    for row in range(ROWS):
        drawn = [ends.get((row, c)) or _cell(cells, owners, (row, c), c in marked, color) for c in range(inner)]
        lines.append(f"{labels.get(row, ''):>{MARGIN}} {'┤' if row in labels else '│'}{''.join(drawn)}")
    return lines


def _parts(curve: Curve) -> "list[tuple[Array, Array]]":
    """A curve as lines; a point is one of no length."""
    if not curve.points:
        return [(curve.x, curve.y)]
    return [(curve.x[k : k + 1], curve.y[k : k + 1]) for k in range(len(curve.x))]


def _ends(panel: Panel, across: Scale, up: Scale, inner: int) -> dict[tuple[int, int], str]:
    """Letters at the last points of curves, which tell them apart where there are no colors."""
    import numpy as np

    found: dict[tuple[int, int], str] = {}
    for sign, curve in zip(SIGNS, panel.curves, strict=False):
        x, y = across.place(curve.x), up.place(curve.y)
        shown = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if len(shown):
            i = shown[-1]
            row = min(ROWS - 1, int((1.0 - float(y[i])) * ROWS))
            column = min(inner - 1, int(float(x[i]) * inner))
            while (row, column) in found and column > 0:
                column -= 1
            found[row, column] = sign
    return found


def _places(across: Scale, picture: Picture) -> list[float]:
    """The places of the markers of events."""
    import numpy as np

    return [float(x) for x in across.place(np.array([m.x for m in picture.markers], dtype=float)) if isfinite(x)]


def _head(panel: Panel, inner: int, color: bool) -> list[str]:
    """The title of a panel, and its curves by color."""
    lines = [f"{'':{MARGIN}} {panel.title}"] if panel.title else []
    if len(panel.curves) > 1:
        named = [short(curve.label) for curve in panel.curves[:MOST_NAMED]]
        signs = [_painted("━━", i) if color else f"{SIGNS[i]}:" for i in range(len(named))]
        words = [f"{sign} {name}".strip() for sign, name in zip(signs, named, strict=True)]
        more = len(panel.curves) - len(named)
        words += [f"and {more} more"] if more else []
        lines += _wrapped(words, inner)
    return lines


def _wrapped(words: Sequence[str], inner: int) -> list[str]:
    """Words side by side in as many lines as they need."""
    lines: list[list[str]] = [[]]
    used = 0
    for word in words:
        length = len(_COLORS.sub("", word)) + 3
        if lines[-1] and used + length > inner:
            lines.append([])
            used = 0
        lines[-1].append(word)
        used += length
    return [f"{'':{MARGIN}} {'   '.join(line)}" for line in lines]


def _cell(
    cells: dict[tuple[int, int], int], owners: dict[tuple[int, int], int], at: tuple[int, int], mark: bool, color: bool
) -> str:
    bits = cells.get(at)
    if bits is None:
        return MARK if mark else " "
    sign = chr(BLANK | bits)
    return _painted(sign, owners[at]) if color else sign


def _painted(text: str, number: int) -> str:
    return f"\033[{ANSI[number % len(ANSI)]}m{text}\033[0m"


def _dots(x: "Array", y: "Array", inner: int) -> "list[tuple[tuple[int, int], int]]":
    """The cells and bits of a line through points with places from 0 to 1."""
    import numpy as np

    wide, high = 2 * inner, 4 * ROWS
    ok = np.isfinite(x) & np.isfinite(y)
    column = np.where(ok, x, 0.0) * (wide - 1)
    row = (1.0 - np.where(ok, y, 0.0)) * (high - 1)
    joined = ok[:-1] & ok[1:]
    steps = np.where(joined, np.maximum(np.abs(np.diff(column)), np.abs(np.diff(row))), 0.0)
    counts = np.ceil(steps).astype(int) + 1
    starts = np.repeat(np.arange(len(counts)), counts)
    along = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)
    part = np.where(joined[starts], along / counts[starts], 0.0) if len(starts) else np.empty(0)
    columns = np.append(column[starts] + part * np.diff(column)[starts], column[-1:])
    rows = np.append(row[starts] + part * np.diff(row)[starts], row[-1:])
    shown = np.append(ok[starts], ok[-1:])
    dots = {
        (int(r), int(c))
        for r, c in zip(np.rint(rows[shown]).tolist(), np.rint(columns[shown]).tolist(), strict=True)
        if 0 <= r < high and 0 <= c < wide
    }
    return [((r // 4, c // 2), DOTS[r % 4][c % 2]) for r, c in sorted(dots)]


def _axis(across: Scale, inner: int, label: str) -> list[str]:
    """The horizontal axis with its numbers."""
    ticks = {round(place * (inner - 1)): text for place, text in across.ticks(max(2, inner // 14)).items()}
    line = "".join("┬" if i in ticks else "─" for i in range(inner))
    numbers = [" "] * (MARGIN + 2 + inner)
    for place, text in ticks.items():
        first = min(MARGIN + 2 + place - len(text) // 2, len(numbers) - len(text))
        numbers[first : first + len(text)] = text
    return [f"{'':{MARGIN}} └{line}", "".join(numbers), f"{label:>{MARGIN + 2 + inner}}"]
