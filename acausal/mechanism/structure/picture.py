"""The system graph as a picture: bodies by their distance from the ground, joints of the tree, dashed chords."""

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from acausal.base.source import Span
from acausal.diagrams.svg import CHARACTER, document, element, group, linked, text, title
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.spanning_tree import SpanningTree
from acausal.mechanism.structure.structure import Structure

Point = tuple[float, float]
Link = Callable[[Span], str]

HEIGHT, DOWN, ACROSS, MARGIN, HEAD = 34.0, 62.0, 90.0, 28.0, 40.0
"""Of a box; from row to row; between columns; around all; of the title."""
FONT = 11.0
INK, TREE, CHORD, BACK, EDGE, GROUND = "#222222", "#0072B2", "#D55E00", "#eef4fb", "#0072B2", "#e8e2d6"
STEP = 34.0
"""From bow to bow below the rows."""


def picture(mechanism: Mechanism, found: Structure, folder: Path | None = None) -> str:
    """The picture as SVG; joints lead to their lines, as `arm.mdl#L12`, seen from `folder`."""

    def link(span: Span) -> str:
        name = span.file.name
        if folder is not None and Path(name).exists():
            name = os.path.relpath(name, folder)
        return f"{quote(Path(name).as_posix())}#L{span.line}"

    graph, tree = found.graph, found.tree
    names = [graph.vertices[vertex] for vertex in tree.bodies]
    widest = max(len(name) for name in [*names, *[edge.name for edge in graph.edges]])
    box = max(60.0, widest * FONT * CHARACTER + 16)
    places = _places(tree, box)
    drawn = [_tree_joint(found, number, places, box, link) for number in range(len(tree.joints))]
    chords, bottom = _chords(found, places, box, link)
    drawn += [*chords, *[_body(name, label, places[label], box) for label, name in enumerate(names)]]
    width = max(x for x, _ in places) + box / 2 + MARGIN
    head = text(MARGIN, 24, f"mechanism {mechanism.model}", 14, font_weight="bold", fill=INK)
    return document([head, group(drawn, 0.0, HEAD)], width, HEAD + bottom + MARGIN, mechanism.model)


def _places(tree: SpanningTree, box: float) -> list[Point]:
    """Middles of the boxes: a column for each distance from the ground, bodies between those behind them."""
    size = len(tree.bodies)
    depth = [0] * size
    behind: list[list[int]] = [[] for _ in range(size)]
    for number, inner in enumerate(tree.inboard, start=1):
        depth[number] = depth[inner] + 1
        behind[inner].append(number)
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(behind[order[-1]])
    rows = {label: k for k, label in enumerate([label for label in order if not behind[label]])}
    height = [0.0] * size
    for label in reversed(order):
        height[label] = _mean([height[k] for k in behind[label]]) if behind[label] else rows[label] * DOWN
    return [(MARGIN + box / 2 + depth[label] * (box + ACROSS), HEIGHT / 2 + height[label]) for label in range(size)]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _tree_joint(found: Structure, number: int, places: list[Point], box: float, link: Link) -> str:
    """A joint of the tree with its label, from the right of one box to the left of the other, whose row it is in."""
    edge = found.graph.edges[found.tree.joints[number]]
    (x1, y1), (x2, y2) = places[found.tree.inboard[number]], places[number + 1]
    x1, x2 = x1 + box / 2, x2 - box / 2
    turn = x1 + ACROSS / 8
    path = f"M{x1:.1f} {y1:.1f}L{turn:.1f} {y2:.1f}L{x2:.1f} {y2:.1f}"
    middle = (turn + x2) / 2
    parts = [
        title(f"{edge.name}: {edge.kind}, {edge.constraints} constraints"),
        element("path", d=path, stroke=TREE, stroke_width=1.6, fill="none"),
        text(middle, y2 - 6, f"{number + 1}: {edge.name}", 10, text_anchor="middle", fill=TREE),
        text(middle, y2 + 13, edge.kind, 9, text_anchor="middle", fill="#666666"),
    ]
    return linked(link(edge.span), group(parts))


def _chords(found: Structure, places: list[Point], box: float, link: Link) -> tuple[list[str], float]:
    """The chords, and how far down the picture goes.

    One between a body at the end of its row and one further right leaves that row to the right; others are bows below
    all rows.
    """
    tree = found.tree
    label = {vertex: number for number, vertex in enumerate(tree.bodies)}
    low = max(y for _, y in places) + HEIGHT / 2
    drawn, bows = [], 0
    for number in tree.chords:
        edge = found.graph.edges[number]
        (x1, y1), (x2, y2) = sorted((places[label[edge.first]], places[label[edge.second]]))
        inner = label[edge.first] if places[label[edge.first]] == (x1, y1) else label[edge.second]
        if inner not in tree.inboard and x1 < x2 and y1 > y2:
            x1 += box / 2
            path = f"M{x1:.1f} {y1:.1f}C{x2:.1f} {y1:.1f} {x2:.1f} {y1:.1f} {x2:.1f} {y2 + HEIGHT / 2:.1f}"
            at, anchor = (x1 + 6, y1 - 5), "start"
        else:
            bows += 1
            deep = low + STEP * bows
            y1, y2 = y1 + HEIGHT / 2, y2 + HEIGHT / 2
            path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {deep:.1f} {x2:.1f} {deep:.1f} {x2:.1f} {y2:.1f}"
            at, anchor = ((x1 + x2) / 2, low + (deep - low) * 0.75 - 4), "middle"
        parts = [
            title(f"chord {edge.name}: {edge.kind}, {edge.constraints} constraints"),
            element("path", d=path, stroke=CHORD, stroke_width=1.6, stroke_dasharray="6 4", fill="none"),
            text(*at, f"{edge.name} ({edge.kind})", 10, text_anchor=anchor, fill=CHORD),
        ]
        drawn.append(linked(link(edge.span), group(parts)))
    return drawn, low + STEP * bows


def _body(name: str, label: int, at: Point, box: float) -> str:
    x, y = at
    fill = BACK if label else GROUND
    shape = element("rect", x=x - box / 2, y=y - HEIGHT / 2, width=box, height=HEIGHT, rx=6, fill=fill, stroke=EDGE)
    words = [
        text(x, y, name, FONT, text_anchor="middle", fill=INK),
        text(x, y + 12, f"body {label}", 9, text_anchor="middle", fill="#666666"),
    ]
    return group([title(f"body {label}: {name}"), shape, *words])
