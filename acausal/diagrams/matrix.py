"""Incidence of the sorted equations: block lower triangular, with the tearing of its blocks.

Rows are equations, columns the unknowns they are solved for, both in the order of the solution. In a block, the
equations that each give an unknown once the tearing variables are known stand before the residual equations, so
that the tearing variables are the last columns (bordered triangular form; Elmqvist and Otter, 1994).
"""

from acausal.base.frozen import dataclass
from acausal.causalize.explain.provenance import base_origin
from acausal.diagrams.graph import INK, Link, place
from acausal.diagrams.svg import CHARACTER, element, group, linked, text, title
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.kinds import SolutionKind
from acausal.ir.names import show_derivative
from acausal.ir.plan import SolvePlan
from acausal.ir.show.expressions import show_equation

LARGEST_CELL, SMALLEST_CELL, WIDEST = 14.0, 1.0, 900.0
"""Pixels of an entry, and of the whole matrix as long as entries are not smaller than that."""
NAMED = 70
"""Equations whose unknowns are written beside the matrix."""
MOST_STRIPS = 6000
"""Equations that have a tooltip and a link each."""
MARGIN, HEAD = 24.0, 58.0
COLORS = {"explicit": "#333333", "linear": "#0072B2", "nonlinear": "#D55E00"}
TEAR = "#f5d76e"


@dataclass(frozen=True, slots=True)
class Row:
    """An equation in its place: the unknown in its column, the columns of all its unknowns, its block."""

    equation: Equation
    unknown: Expr
    columns: tuple[int, ...]
    block: int
    residual: bool


@dataclass(frozen=True, slots=True)
class Square:
    """A block: its first row and size, the number of its tearing variables."""

    first: int
    size: int
    tears: int
    kind: SolutionKind


def rows_of(system: SortedSystem, plan: SolvePlan) -> tuple[tuple[Row, ...], tuple[Square, ...]]:
    """Rows and blocks in order."""
    ordered: list[tuple[Equation, Expr, int, bool]] = []
    squares: list[Square] = []
    for number, (block, summary) in enumerate(zip(system.blocks, plan.blocks, strict=True)):
        equations = [system.equations[e] for e in block.eqs]
        first = len(ordered)
        if summary.tears:
            ordered += [(equations[e], x, number, False) for e, x in summary.inner]
            residuals = zip(summary.residuals, summary.tears, strict=True)
            ordered += [(equations[e], x, number, True) for e, x in residuals]
        else:
            pairs = zip(equations, summary.unknowns, strict=True)
            ordered += [(equation, x, number, False) for equation, x in pairs]
        squares.append(Square(first, len(ordered) - first, len(summary.tears), summary.kind))
    column = {unknown: i for i, (_, unknown, _, _) in enumerate(ordered)}
    rows = []
    for equation, unknown, number, residual in ordered:
        columns = tuple(sorted([column[x] for x in equation.variables if x in column]))
        rows.append(Row(equation, unknown, columns, number, residual))
    return tuple(rows), tuple(squares)


def draw_matrix(system: SortedSystem, plan: SolvePlan, link: Link) -> tuple[str, float, float]:
    """The diagram, its width and height."""
    rows, squares = rows_of(system, plan)
    count = len(rows)
    cell = min(LARGEST_CELL, max(SMALLEST_CELL, WIDEST / max(1, count)))
    names = [show_derivative(r.unknown.name, r.unknown.order) for r in rows]
    beside = 12 + CHARACTER * 9 * max(map(len, names), default=0) if count <= NAMED else 0.0
    side = cell * count
    parts = [_square(square, cell) for square in squares if square.size > 1]
    parts.append(element("rect", width=side, height=side, fill="none", stroke="#bbbbbb"))
    parts += _entries(rows, squares, cell)
    if count <= MOST_STRIPS:
        parts += [_strip(i, row, names[i], cell, side, link) for i, row in enumerate(rows)]
    if count <= NAMED:
        parts += [text(side + 8, (i + 0.75) * cell, name, 9, fill=INK) for i, name in enumerate(names)]
    loops = [s for s in squares if s.kind != "explicit"]
    said = f"{count} equations in {len(squares)} blocks, {len(loops)} of them systems"
    heading = [text(0, 0, "Block lower triangular incidence", 14, font_weight="bold", fill=INK), text(0, 18, said, 11)]
    made = [group(heading, MARGIN, 22), group(parts, MARGIN, HEAD)]
    legend, width = _legend()
    made.append(group(legend, MARGIN, HEAD + side + 22))
    return group(made), max(side + beside, width) + 2 * MARGIN, HEAD + side + 48


def _square(square: Square, cell: float) -> str:
    """The background of a block, with the columns of its tearing variables and the rows of its residuals."""
    start, size, color = square.first * cell, square.size * cell, COLORS[square.kind]
    torn = square.tears * cell
    parts = [element("rect", width=size, height=size, fill=color, fill_opacity=0.08)]
    if square.tears:
        parts.append(element("rect", x=size - torn, width=torn, height=size, fill=TEAR, fill_opacity=0.45))
        parts.append(element("rect", y=size - torn, width=size, height=torn, fill=TEAR, fill_opacity=0.25))
    parts.append(element("rect", width=size, height=size, fill="none", stroke=color, stroke_width=1.2))
    return group(parts, start, start)


def _entries(rows: tuple[Row, ...], squares: tuple[Square, ...], cell: float) -> list[str]:
    """The entries, those of a kind of block in one path."""
    inset = 0.12 * cell if cell > 3 else 0.0
    side = max(cell - 2 * inset, 0.8)
    paths: dict[str, list[str]] = {}
    for i, row in enumerate(rows):
        square = squares[row.block]
        for column in row.columns:
            own = square.first <= column < square.first + square.size
            color = COLORS[square.kind] if own else "#9aa5b1"
            at = f"M{_number(column * cell + inset)} {_number(i * cell + inset)}"
            paths.setdefault(color, []).append(f"{at}h{_number(side)}v{_number(side)}h-{_number(side)}z")
    return [element("path", d="".join(pieces), fill=color) for color, pieces in paths.items()]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _strip(i: int, row: Row, name: str, cell: float, side: float, link: Link) -> str:
    """The row of an equation: what it is, and where it is written."""
    span = base_origin(row.equation.origin).span
    role = f"residual for the tearing variable {name}" if row.residual else f"solved for {name}"
    about = title(f"{i + 1}: {show_equation(row.equation)}\n{role}, block {row.block + 1}\n{place(span)}")
    strip = element("rect", about, y=i * cell, width=side, height=cell, fill="transparent")
    return linked(link(span), strip)


def _legend() -> tuple[list[str], float]:
    """The meaning of the colors, and the width of this line."""
    said = (
        (COLORS["explicit"], "solved directly"),
        (COLORS["linear"], "linear system"),
        (COLORS["nonlinear"], "nonlinear system"),
        (TEAR, "tearing variables, residuals"),
        ("#9aa5b1", "known from before"),
    )
    parts, x = [], 0.0
    for color, words in said:
        parts += [
            element("rect", x=x, y=-9.0, width=10.0, height=10.0, fill=color),
            text(x + 14, 0, words, 9, fill=INK),
        ]
        x += 26 + CHARACTER * 9 * len(words)
    return parts, x
