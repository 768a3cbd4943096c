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
BEND, STEP = 0.35, 26.0
"""Height of a chord's bow as a share of its length, and how much further each chord between the same bodies is."""


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
    drawn += _chords(found, places, link)
    drawn += [_body(name, label, places[label], box) for label, name in enumerate(names)]
    top = HEAD + STEP * len(tree.chords)
    width = max(x for x, _ in places) + box / 2 + MARGIN
    height = top + max(y for _, y in places) + HEIGHT + MARGIN
    head = text(MARGIN, 24, f"mechanism {mechanism.model}", 14, font_weight="bold", fill=INK)
    return document([head, group(drawn, 0.0, top)], width, height, mechanism.model)


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
    """A joint of the tree with its label, from the right of one box to the left of the other."""
    edge = found.graph.edges[found.tree.joints[number]]
    (x1, y1), (x2, y2) = places[found.tree.inboard[number]], places[number + 1]
    x1, x2 = x1 + box / 2, x2 - box / 2
    line = element("path", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", stroke=TREE, stroke_width=1.6, fill="none")
    middle = (x1 + x2) / 2, (y1 + y2) / 2
    words = [
        text(middle[0], middle[1] - 6, f"{number + 1}: {edge.name}", 10, text_anchor="middle", fill=TREE),
        text(middle[0], middle[1] + 13, edge.kind, 9, text_anchor="middle", fill="#666666"),
    ]
    return linked(
        link(edge.span), group([title(f"{edge.name}: {edge.kind}, {edge.constraints} constraints"), line, *words])
    )


def _chords(found: Structure, places: list[Point], link: Link) -> list[str]:
    """Dashed bows from body to body."""
    label = {vertex: number for number, vertex in enumerate(found.tree.bodies)}
    drawn, between = [], dict[tuple[int, int], int]()
    for number in found.tree.chords:
        edge = found.graph.edges[number]
        a, b = sorted((label[edge.first], label[edge.second]))
        count = between[a, b] = between.get((a, b), -1) + 1
        (x1, y1), (x2, y2) = places[a], places[b]
        y1, y2 = y1 - HEIGHT / 2, y2 - HEIGHT / 2
        length = max(abs(x2 - x1), abs(y2 - y1))
        middle = (x1 + x2) / 2, min(y1, y2) - BEND * min(length, 200.0) - STEP * count
        path = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}"
        line = element("path", d=path, stroke=CHORD, stroke_width=1.6, stroke_dasharray="6 4", fill="none")
        at = (middle[1] + (y1 + y2) / 2) / 2
        word = text(middle[0], at - 4, f"{edge.name} ({edge.kind})", 10, text_anchor="middle", fill=CHORD)
        about = title(f"chord {edge.name}: {edge.kind}, {edge.constraints} constraints")
        drawn.append(linked(link(edge.span), group([about, line, word])))
    return drawn


def _body(name: str, label: int, at: Point, box: float) -> str:
    x, y = at
    fill = BACK if label else GROUND
    shape = element("rect", x=x - box / 2, y=y - HEIGHT / 2, width=box, height=HEIGHT, rx=6, fill=fill, stroke=EDGE)
    words = [
        text(x, y, name, FONT, text_anchor="middle", fill=INK),
        text(x, y + 12, f"body {label}", 9, text_anchor="middle", fill="#666666"),
    ]
    return group([title(f"body {label}: {name}"), shape, *words])
