"""The system graph: submodels as boxes, connection sets as lines, or as points where more than two ends meet."""

from collections.abc import Callable

from acausal.base.excerpt import clean
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.diagrams.layers import layers
from acausal.diagrams.levels import Box, Joint, Level
from acausal.diagrams.svg import CHARACTER, element, group, linked, text, title

Link = Callable[[Span], str]
"""The address of a line of the text."""

HEIGHT, GAP, ACROSS = 36.0, 26.0, 70.0
"""Of a box; between the boxes of a layer; between layers."""
MARGIN, HEAD, FONT = 24.0, 34.0, 11.0
POINT, WIDEST = 4.0, 1300.0
INK, LINE, BACK, EDGE = "#222222", "#555555", "#eef4fb", "#0072B2"


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a connection set from a node of the layout to another, with the cuts at its ends."""

    first: int
    second: int
    first_cut: str
    second_cut: str


def draw_level(level: Level, link: Link) -> tuple[str, float, float]:
    """The diagram of a level, its width and height."""
    count = len(level.boxes)
    points = [j for j, joint in enumerate(level.joints) if len(joint.ends) != 2 or joint.node]
    node_of = {j: count + k for k, j in enumerate(points)}
    lines = [_lines(joint, node_of.get(j)) for j, joint in enumerate(level.joints)]
    widths = [_width(box) for box in level.boxes] + [2 * POINT] * len(points)
    heights = [HEIGHT if not box.port else 24.0 for box in level.boxes] + [2 * POINT] * len(points)
    edges = [(line.first, line.second) for own in lines for line in own]
    places, width, height = _places(layers(len(widths), edges), widths, heights)
    ends = _ends([line for own in lines for line in own], places, widths, heights)
    drawn = []
    for j, joint in enumerate(level.joints):
        point = places[node_of[j]] if j in node_of else None
        drawn.append(_joint(joint, lines[j], point, places, ends, link))
    boxes = [_box(box, places[i], widths[i], link) for i, box in enumerate(level.boxes)]
    head = text(MARGIN, 22, level.title, 14, font_weight="bold", fill=INK)
    return group([head, *drawn, *boxes]), max(width, MARGIN * 2 + len(level.title) * 14 * CHARACTER), height


def _lines(joint: Joint, point: int | None) -> list[Line]:
    """From box to box, or from the point of the set to each of its boxes."""
    if point is not None:
        return [Line(point, box, "", cut) for box, cut in joint.ends]
    (a, first), (b, second) = joint.ends
    return [Line(a, b, first, second)]


def _width(box: Box) -> float:
    return 18.0 + CHARACTER * max(FONT * len(box.name), (FONT - 2) * len(box.kind))


def _places(
    parts: list[list[list[int]]], widths: list[float], heights: list[float]
) -> tuple[dict[int, Point], float, float]:
    """Middles of the nodes, layer by layer from the left, connected parts side by side and below each other."""
    places: dict[int, Point] = {}
    x, y, row, width = MARGIN, HEAD + MARGIN, 0.0, 0.0
    for layers_of_part in parts:
        wide = sum(max(widths[node] for node in layer) + ACROSS for layer in layers_of_part)
        tall = max(sum(heights[node] + GAP for node in layer) - GAP for layer in layers_of_part)
        if x > MARGIN and x + wide > WIDEST:
            x, y, row = MARGIN, y + row + 2 * GAP, 0.0
        for layer in layers_of_part:
            column = max(widths[node] for node in layer)
            top = y + (tall - sum(heights[node] + GAP for node in layer) + GAP) / 2
            for node in layer:
                places[node] = x + column / 2, top + heights[node] / 2
                top += heights[node] + GAP
            x += column + ACROSS
        row, width = max(row, tall), max(width, x - ACROSS + MARGIN)
    return places, width, y + row + MARGIN


End = tuple[int, int, str]
"""A box, one of its sides (-1: left, 1: right), and a cut there."""


def _ends(lines: list[Line], places: dict[int, Point], widths: list[float], heights: list[float]) -> dict[End, Point]:
    """The points at the boxes where lines of a cut end: one below the other, in the order of where they lead."""
    leading: dict[tuple[int, int], dict[str, list[float]]] = {}
    for line in lines:
        for node, other, cut in ((line.first, line.second, line.first_cut), (line.second, line.first, line.second_cut)):
            side = _side(places[node], places[other])
            leading.setdefault((node, side), {}).setdefault(cut, []).append(places[other][1])
    found: dict[End, Point] = {}
    for (node, side), cuts in leading.items():
        x, y = places[node]
        ordered = [cut for _, cut in sorted((sum(ys) / len(ys), cut) for cut, ys in cuts.items())]
        for k, cut in enumerate(ordered):
            down = ((k + 0.5) / len(ordered) - 0.5) * heights[node]
            found[node, side, cut] = (x + side * widths[node] / 2, y + down) if widths[node] > 2 * POINT else (x, y)
    return found


def _side(at: Point, other: Point) -> int:
    return 1 if other[0] >= at[0] else -1


def _box(box: Box, at: Point, width: float, link: Link) -> str:
    x, y = at
    if box.port:
        shape = element("rect", x=x - width / 2, y=y - 12, width=width, height=24.0, rx=12, fill="#ffffff", stroke=LINE)
        return group([title(f"{box.name}: seen from outside"), shape, _middle(x, y + 4, box.name, FONT)])
    shape = element("rect", x=x - width / 2, y=y - HEIGHT / 2, width=width, height=HEIGHT, rx=4, fill=BACK, stroke=EDGE)
    about = f"submodel ({box.kind}) {box.name}" + (f"\n{place(box.span)}" if box.span else "")
    inner = [title(about), shape, _middle(x, y - 2, box.name, FONT), _middle(x, y + 11, box.kind, FONT - 2, "#666666")]
    return linked(link(box.span) if box.span else None, group(inner))


def _middle(x: float, y: float, content: str, size: float, fill: str = INK) -> str:
    return text(x, y, content, size, text_anchor="middle", fill=fill)


def _joint(
    joint: Joint, own: list[Line], point: Point | None, places: dict[int, Point], ends: dict[End, Point], link: Link
) -> str:
    """The lines of a connection set, its point if it has one, and the names of cuts at their ends."""
    statements = [f"connect {' '.join(s.text.split())}   {place(s)}" for s in joint.statements]
    drawn, names = [], []
    for line in own:
        first, second = _side(places[line.first], places[line.second]), _side(places[line.second], places[line.first])
        (x1, y1), (x2, y2) = ends[line.first, first, line.first_cut], ends[line.second, second, line.second_cut]
        bend = max(24.0, abs(x2 - x1) / 2)
        path = (
            f"M{x1:.1f} {y1:.1f}C{x1 + first * bend:.1f} {y1:.1f} {x2 + second * bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        )
        drawn.append(element("path", d=path, fill="none", stroke=LINE, stroke_width=1.4))
        drawn.append(element("path", d=path, fill="none", stroke="transparent", stroke_width=9))
        names += [_name(x1, y1, first, line.first_cut), _name(x2, y2, second, line.second_cut)]
    if point is not None:
        drawn.append(element("circle", cx=point[0], cy=point[1], r=POINT, fill=LINE))
        names.append(text(point[0], point[1] - 7, joint.node, 9, text_anchor="middle", fill=INK) if joint.node else "")
    target = link(joint.statements[0]) if joint.statements else None
    return linked(target, group([title("\n".join(statements) or "connection"), *drawn, *filter(None, names)]))


def _name(x: float, y: float, side: int, name: str) -> str:
    if not name:
        return ""
    anchor = "start" if side > 0 else "end"
    return text(x + side * 4, y - 3, name, 8, text_anchor=anchor, fill="#777777")


def place(span: Span) -> str:
    """File and line."""
    return f"{clean(span.file.name)}:{span.line}"
