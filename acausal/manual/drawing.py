"""Drawing of a class as SVG: a box with its cuts at the border, each with its across and through variables.

    Va                 Vb
A  o-->-[ resistor ]-<--o  B        arrows: the direction in which a through variable counts positive
    i                  -i
"""

from collections.abc import Sequence
from html import escape

from acausal.base.frozen import dataclass
from acausal.reference.data import ClassEntry, CutEntry

STUB = 34
"""Length of the line from a connector to the box."""
ROW = 58
"""Distance of connectors on one side."""
WIDE = 7.4
"""Width of a character of the variables."""
COLORS = {"V": "#2563eb", "rad": "#7c5c2e", "m": "#4d7c0f", "K": "#dc2626", "degC": "#dc2626", "Pa": "#0d9488"}
"""Colors of connectors by the unit of the first across variable."""
PLAIN = "#6b7280"


@dataclass(frozen=True, slots=True)
class Sides:
    """The cuts at each side of the box, from top to bottom or from left to right."""

    left: tuple[CutEntry, ...]
    right: tuple[CutEntry, ...]
    below: tuple[CutEntry, ...]


def drawing(entry: ClassEntry) -> str:
    """The SVG element of a class; empty if it has no cut."""
    sides = sides_of(entry)
    if not (sides.left or sides.right or sides.below):
        return ""
    main = _main_cuts(entry)
    margins = [max([STUB + 16 + WIDE * _length(cut) for cut in side], default=12) for side in (sides.left, sides.right)]
    slot = max([WIDE * _length(cut) + 18 for cut in sides.below], default=0)
    box = max(130, 9.5 * len(entry.about.name) + 40, slot * len(sides.below))
    high = max(64, ROW * max(len(sides.left), len(sides.right)))
    width, height = margins[0] + box + margins[1], high + 12 + (STUB + 44 if sides.below else 0)
    colors = _colors(entry)
    parts = [_box(entry.about.name, margins[0], box, high)]
    if len(entry.ends) == 2 and len(sides.left) == len(sides.right) == 1:
        parts.append(_path(margins[0], box, high))
    for side, x, out in ((sides.left, margins[0], -1), (sides.right, margins[0] + box, 1)):
        for number, cut in enumerate(side):
            y = 6 + high * (number + 0.5) / len(side)
            parts.append(_at_side(cut, x, y, out, colors[cut.name], cut.name in main))
    for number, cut in enumerate(sides.below):
        x = margins[0] + box * (number + 0.5) / len(sides.below)
        parts.append(_below(cut, x, high + 6, colors[cut.name], cut.name in main))
    title = f"<title>Cuts of {escape(entry.about.name)}</title>"
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    start = f'<svg class="cuts" role="img" {size} xmlns="http://www.w3.org/2000/svg">{title}'
    return "\n".join([start, *parts, "</svg>"])


def sides_of(entry: ClassEntry) -> Sides:
    """The ends of the main path at left and right, other parts of the main cut in halves, what is left below."""
    simple = [cut for cut in entry.cuts if not cut.parts]
    ends = [cut for end in entry.ends for cut in simple if cut.name == end]
    if len(ends) == 2 and ends[0] is not ends[1]:
        return Sides((ends[0],), (ends[1],), tuple([cut for cut in simple if cut not in ends]))
    main = _main_cuts(entry)
    joined = [cut for cut in simple if cut.name in main] if len(main) > 1 else simple
    half = (len(joined) + 1) // 2
    return Sides(tuple(joined[:half]), tuple(joined[half:]), tuple([cut for cut in simple if cut not in joined]))


def _main_cuts(entry: ClassEntry) -> frozenset[str]:
    """The main cut, or the simple cuts that it groups."""
    known = {cut.name: cut for cut in entry.cuts}
    queue = [cut.name for cut in entry.cuts if cut.main]
    for name in queue:
        queue += [part for part in known[name].parts if part in known and part not in queue] if name in known else []
    return frozenset(queue)


def _colors(entry: ClassEntry) -> dict[str, str]:
    units = {value.name: value.unit or "" for value in entry.variables}
    return {cut.name: COLORS.get(units.get(cut.across[0], "") if cut.across else "", PLAIN) for cut in entry.cuts}


def _label(cut: CutEntry) -> str:
    """The variables of a cut: across / through, with the sign of the declaration."""
    if cut.target:
        return f"= {cut.target}"
    through = [f"-{name}" if name in cut.outward else name for name in cut.through]
    return f"{', '.join(cut.across) or '.'} / {', '.join(through) or '.'}" if through else ", ".join(cut.across)


def _length(cut: CutEntry) -> int:
    return max(len(_label(cut)), len(cut.name) + 2)


def _box(name: str, x: float, width: float, height: float) -> str:
    middle = f'x="{x + width / 2:.0f}" y="{6 + height / 2 + 5:.0f}"'
    return (
        f'<rect x="{x:.0f}" y="6" width="{width:.0f}" height="{height:.0f}" rx="6"/>\n'
        f'<text class="class" text-anchor="middle" {middle}>{escape(name)}</text>'
    )


def _path(x: float, width: float, height: float) -> str:
    y = 6 + height - 12
    return _arrow(x + 16, y, x + width - 16, y, "path")


def _arrow(x1: float, y1: float, x2: float, y2: float, kind: str, color: str = "currentColor") -> str:
    """A line with a head at its end, along an axis."""
    along = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    points = [(x2, y2)] + [
        (x2 - 7 * along[0] + 4 * side * along[1], y2 - 7 * along[1] + 4 * side * along[0]) for side in (-1, 1)
    ]
    head = " ".join([f"{a:.0f},{b:.0f}" for a, b in points])
    line = f'<line class="{kind}" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="{color}"/>'
    return f'{line}<polygon class="{kind}" points="{head}" fill="{color}"/>'


def _connector(x: float, y: float, color: str, main: bool) -> str:
    fill = color if main else "var(--color-background-primary, white)"
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" stroke="{color}" fill="{fill}"/>'


def _texts(cut: CutEntry, x: float, lines: Sequence[float], anchor: str) -> str:
    place = f'text-anchor="{anchor}" x="{x:.0f}"'
    name = f'<text class="cut" {place} y="{lines[0]:.0f}">{escape(cut.name)}</text>'
    return f'{name}<text class="variables" {place} y="{lines[1]:.0f}">{escape(_label(cut))}</text>'


def _at_side(cut: CutEntry, edge: float, y: float, out: int, color: str, main: bool) -> str:
    """A cut at the left (out = -1) or right side of the box."""
    tip = edge + out * STUB
    inward = [name for name in cut.through if name not in cut.outward]
    ends = (tip, edge) if inward or not cut.through else (edge, tip - out * 5)
    shape = _arrow(ends[0], y, ends[1], y, "stub", color) if cut.through else _line(tip, y, edge, y, color)
    anchor = "end" if out < 0 else "start"
    return f"{shape}{_connector(tip, y, color, main)}{_texts(cut, tip + out * 11, (y - 3, y + 13), anchor)}"


def _below(cut: CutEntry, x: float, edge: float, color: str, main: bool) -> str:
    """A cut below the box."""
    tip = edge + STUB - 6
    inward = [name for name in cut.through if name not in cut.outward]
    ends = (tip, edge) if inward else (edge, tip - 5)
    shape = _arrow(x, ends[0], x, ends[1], "stub", color) if cut.through else _line(x, tip, x, edge, color)
    return f"{shape}{_connector(x, tip, color, main)}{_texts(cut, x, (tip + 22, tip + 38), 'middle')}"


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<line class="stub" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="{color}"/>'
