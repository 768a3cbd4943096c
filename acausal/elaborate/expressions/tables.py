"""`interp(x, xs, ys)` and `table("file.csv", x)`: a characteristic through points.

    interp(x, [0, 1, 3], [0, 2, 2])     ->     if x < 0 then 0 elseif x < 1 then 2*x elseif ... (halved, not in a row)

Between points the line is straight, or `smooth`: a cubic through the points that does not overshoot
them (F. N. Fritsch, R. E. Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17(2),
1980). Outside it keeps its end values. The corners make no events.
"""

import csv
import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.file_dependencies import note_content
from acausal.base.given_values import finite_number
from acausal.base.regular_files import UnreadableError, read_text
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.arrays import as_scalar, pick
from acausal.elaborate.expressions.evaluate import array_of_numbers
from acausal.elaborate.expressions.scalar_functions import need_arguments
from acausal.elaborate.expressions.structural import structural_value
from acausal.elaborate.expressions.types import need_numbers
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

MOST_POINTS = 4000
Points = list[float]


def interp(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """A characteristic whose points are parameters; T012 where they are no points."""
    need_arguments(node, 3, 4)
    need_numbers("interp", node.arguments[:3], arguments[:3], scope)
    x = as_scalar(scope.pool, "interp", arguments[0], node.arguments[0].span)
    smooth = _is_smooth(node, arguments[3:])
    xs = _numbers(arguments[1], node.arguments[1], scope)
    ys = arguments[2]
    if len(ys.shape) != 1 or ys.shape[0] != len(xs):
        message = f"interp requires as many values as abscissas: {len(xs)} abscissas"
        raise mistake(
            "T012", message, node.arguments[2].span, f"this is {_shaped(ys)}", hint="give one value for each abscissa"
        )
    _need_points(xs, node.arguments[1])
    if smooth:
        return _curve(scope.pool, x, xs, _numbers(ys, node.arguments[2], scope))
    return _lines(scope.pool, x, xs, [pick(scope.pool, ys, (i,), ()) for i in range(len(xs))])


def table(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The characteristic in the first two columns of a CSV file beside the model; F012 where there is none."""
    need_arguments(node, 2, 3)
    name = arguments[0].value
    if arguments[0].op != "string" or not isinstance(name, str):
        raise mistake(
            "T012",
            "the first argument of table must be a file name",
            node.arguments[0].span,
            hint='write table("pump.csv", q)',
        )
    x = as_scalar(scope.pool, "table", arguments[1], node.arguments[1].span)
    smooth = _is_smooth(node, arguments[2:])
    xs, ys = _read(Path(node.span.file.name).parent / name, node, scope.limits.file_length)
    _need_points(xs, node.arguments[0])
    if smooth:
        return _curve(scope.pool, x, xs, ys)
    return _lines(scope.pool, x, xs, [scope.pool.const(y) for y in ys])


TABLE_FUNCTIONS = {"interp": interp, "table": table}

# ---------------------------------------------------------------------- points


def _is_smooth(node: ast.Call, rest: Sequence[Expr]) -> bool:
    if not rest:
        return False
    if rest[0].op != "string" or rest[0].value not in ("linear", "smooth"):
        raise mistake(
            "T012",
            f'the last argument of {node.name} must be "linear" or "smooth"',
            node.arguments[-1].span,
            hint='write "smooth"',
        )
    return rest[0].value == "smooth"


def _numbers(expr: Expr, node: ast.Expression, scope: Scope) -> Points:
    points = array_of_numbers(structural_value(expr, node.span, scope))
    if points is None or len(expr.shape) != 1:
        raise mistake(
            "T012",
            "the points of a characteristic must be a vector",
            node.span,
            f"this is {_shaped(expr)}",
            hint="write [0, 1, 2]",
        )
    return list(points)


def _shaped(expr: Expr) -> str:
    return f"an array {list(expr.shape)}" if expr.shape else "a number"


def _need_points(xs: Points, node: ast.Expression) -> None:
    if len(xs) < 2:
        raise mistake("T012", "a characteristic requires at least two points", node.span, hint="add points")
    if any(b <= a for a, b in pairwise(xs)):
        raise mistake("T012", "the abscissas of a characteristic must increase", node.span, hint="sort the points")
    if len(xs) > MOST_POINTS:
        message = f"a characteristic can have at most {MOST_POINTS} points, this one has {len(xs)}"
        raise LimitError(Diagnostic("L012", message, Label(node.span), help="remove points"))


def _read(path: Path, node: ast.Call, most: int) -> tuple[Points, Points]:
    span = node.arguments[0].span
    try:
        text, data = read_text(path, most)
        note_content(path, data)
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (UnreadableError, csv.Error) as error:
        hint = "the file is searched in the folder of the model"
        raise mistake("F012", f"the table {path.name} cannot be read: {error}", span, hint=hint) from None
    begin = 0 if rows and finite_number(rows[0][0]) is not None else 1
    xs: Points = []
    ys: Points = []
    for number, row in enumerate(rows[begin:], begin + 1):
        x, y = (finite_number(row[i]) if i < len(row) else None for i in (0, 1))
        if x is None or y is None:
            raise mistake(
                "F012",
                f"row {number} of the table {path.name} does not contain two numbers",
                span,
                hint="write an abscissa and a value in each row",
            )
        xs.append(x)
        ys.append(y)
    return xs, ys


# ------------------------------------------------------------------ expressions


def _lines(pool: Pool, x: Expr, xs: Points, ys: list[Expr]) -> Expr:
    pieces = []
    for (a, b), (ya, yb) in zip(pairwise(xs), pairwise(ys), strict=True):
        slope = pool.mul(pool.const(1 / (b - a)), pool.sub(yb, ya))
        pieces.append(pool.add(ya, pool.mul(slope, pool.sub(x, pool.const(a)))))
    return _chosen(pool, x, xs, [ys[0], *pieces, ys[-1]])


def _curve(pool: Pool, x: Expr, xs: Points, ys: Points) -> Expr:
    slopes = _slopes(xs, ys)
    pieces = []
    for i, (a, b) in enumerate(pairwise(xs)):
        width, rise = b - a, (ys[i + 1] - ys[i]) / (b - a)
        square = (3 * rise - 2 * slopes[i] - slopes[i + 1]) / width
        cube = (slopes[i] + slopes[i + 1] - 2 * rise) / width**2
        t = pool.sub(x, pool.const(a))
        inner = pool.add(pool.const(square), pool.mul(pool.const(cube), t))
        pieces.append(pool.add(pool.const(ys[i]), pool.mul(t, pool.add(pool.const(slopes[i]), pool.mul(t, inner)))))
    return _chosen(pool, x, xs, [pool.const(ys[0]), *pieces, pool.const(ys[-1])])


def _slopes(xs: Points, ys: Points) -> Points:
    """Weighted harmonic means of the rises on both sides, zero at extrema (Fritsch, Butland 1984, eq. 5)."""
    widths = [b - a for a, b in pairwise(xs)]
    rises = [(b - a) / w for (a, b), w in zip(pairwise(ys), widths, strict=True)]
    inner = []
    for (v, w), (r, s) in zip(pairwise(widths), pairwise(rises), strict=True):
        first, second = 2 * w + v, w + 2 * v
        inner.append((first + second) / (first / r + second / s) if r * s > 0 else 0.0)
    return [rises[0], *inner, rises[-1]]


def _chosen(pool: Pool, x: Expr, bounds: Points, pieces: list[Expr]) -> Expr:
    """Piece i below bounds[i], the last above all: halved again and again."""
    starts = list(bounds)
    while len(pieces) > 1:
        joined = [
            pool.if_(pool.call("<", x, pool.const(starts[i])), pieces[i], pieces[i + 1])
            for i in range(0, len(pieces) - 1, 2)
        ]
        pieces = [*joined, pieces[-1]] if len(pieces) % 2 else joined
        starts = starts[1::2]
    return pool.call("noevent", pieces[0])
