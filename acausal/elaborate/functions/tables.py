"""`interp(x, xs, ys)`, `table("file.csv", x)`, and over two variables `interp2`, `table2`: points to expressions.

Behind the points stand words in any order: a method, linear if none is given, and `"extrapolate"` for lines beyond the
ends instead of the end values.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.near_names import did_you_mean
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.functions.scalar_functions import need_arguments
from acausal.elaborate.interpolation.piecewise import cubics, lines, nearest, smooth_pieces, spline_pieces, surface
from acausal.elaborate.interpolation.table_files import Points, read_curve, read_map
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.arrays import as_scalar, pick
from acausal.elaborate.values.evaluate import array_of_numbers
from acausal.elaborate.values.structural import structural_value
from acausal.elaborate.values.types import need_numbers
from acausal.ir import ast
from acausal.ir.expr import Expr

MOST_POINTS = 4000
T = TypeVar("T")
METHODS = ("linear", "smooth", "spline", "nearest")
EXTRAPOLATE = "extrapolate"
Way = tuple[str, bool]
"""A method, and whether the ends are extrapolated."""


def interp(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """A characteristic whose points are parameters; T012 where they are no points."""
    need_arguments(node, 3, 4, 5)
    need_numbers("interp", node.arguments[:3], arguments[:3], scope)
    x = as_scalar(scope.pool, "interp", arguments[0], node.arguments[0].span)
    way = _way(node, arguments, 3, METHODS)
    xs = _numbers(arguments[1], node.arguments[1], scope)
    ys = arguments[2]
    if len(ys.shape) != 1 or ys.shape[0] != len(xs):
        message = f"interp requires as many values as abscissas: {len(xs)} abscissas"
        raise mistake(
            "T012", message, node.arguments[2].span, f"this is {_shaped(ys)}", hint="give one value for each abscissa"
        )
    _need_points(xs, node.arguments[1])
    if way[0] in ("smooth", "spline"):
        return _curve(x, xs, _numbers(ys, node.arguments[2], scope), way, scope)
    return _joined(x, xs, [pick(scope.pool, ys, (i,), ()) for i in range(len(xs))], way, scope)


def table(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The characteristic in the first two columns of a CSV file beside the model; F012 where there is none."""
    need_arguments(node, 2, 3, 4)
    name = _file_name(node, arguments)
    x = as_scalar(scope.pool, "table", arguments[1], node.arguments[1].span)
    way = _way(node, arguments, 2, METHODS)
    xs, ys = read_curve(node, name, scope.limits.file_length)
    _need_points(xs, node.arguments[0])
    if way[0] in ("smooth", "spline"):
        return _curve(x, xs, ys, way, scope)
    return _joined(x, xs, [scope.pool.const(y) for y in ys], way, scope)


def interp2(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """A map of two variables, a matrix with a row for each x; T012 where the points are none."""
    need_arguments(node, 5, 6, 7)
    need_numbers("interp2", node.arguments[:5], arguments[:5], scope)
    place = _place(node, arguments[:2], node.arguments[:2], scope)
    way = _way(node, arguments, 5, ("linear", "spline", "nearest"))
    xs, ys = [_numbers(arguments[i], node.arguments[i], scope) for i in (2, 3)]
    z = arguments[4]
    if z.shape != (len(xs), len(ys)):
        message = f"interp2 requires a matrix of values, here {len(xs)} by {len(ys)}"
        hint = "give a row for each abscissa of the first variable"
        raise mistake("T012", message, node.arguments[4].span, f"this is {_shaped(z)}", hint=hint)
    _need_grid(xs, ys, node.arguments[2], node.arguments[3])
    items = [pick(scope.pool, z, (i,), ()) for i in range(len(xs) * len(ys))]
    if way[0] == "spline":
        numbers = array_of_numbers(structural_value(z, node.arguments[4].span, scope))
        assert numbers is not None
        return surface(scope.pool, place, xs, ys, _in_rows(list(numbers), len(ys)))
    return _map(place, xs, ys, _in_rows(items, len(ys)), way, scope)


def table2(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The map in a CSV file: abscissas in the first column and the first row; F012 where there is none."""
    need_arguments(node, 3, 4, 5)
    name = _file_name(node, arguments)
    place = _place(node, arguments[1:3], node.arguments[1:3], scope)
    way = _way(node, arguments, 3, ("linear", "spline", "nearest"))
    xs, ys, z = read_map(node, name, scope.limits.file_length)
    _need_grid(xs, ys, node.arguments[0], node.arguments[0])
    if way[0] == "spline":
        return surface(scope.pool, place, xs, ys, z)
    return _map(place, xs, ys, [[scope.pool.const(value) for value in row] for row in z], way, scope)


TABLE_FUNCTIONS = {"interp": interp, "table": table, "interp2": interp2, "table2": table2}

# ------------------------------------------------------------------- arguments


def _file_name(node: ast.Call, arguments: Sequence[Expr]) -> str:
    name = arguments[0].value
    if arguments[0].op != "string" or not isinstance(name, str):
        message = f"the first argument of {node.name} must be a file name"
        raise mistake("T012", message, node.arguments[0].span, hint=f'write {node.name}("pump.csv", ...)')
    return name


def _place(node: ast.Call, exprs: Sequence[Expr], nodes: Sequence[ast.Expression], scope: Scope) -> tuple[Expr, Expr]:
    need_numbers(node.name, nodes, exprs, scope)
    x, y = [as_scalar(scope.pool, node.name, e, n.span) for e, n in zip(exprs, nodes, strict=True)]
    return x, y


def _way(node: ast.Call, arguments: Sequence[Expr], first: int, methods: tuple[str, ...]) -> Way:
    """The method and the ends that the words behind the points name.

    T012 for other words, and for a method that has no lines beyond the ends.
    """
    method, extrapolated = "linear", False
    for word, written in zip(arguments[first:], node.arguments[first:], strict=True):
        if word.op == "string" and word.value == EXTRAPOLATE:
            extrapolated = True
        elif word.op == "string" and word.value in methods:
            method = str(word.value)
        else:
            words = [f'"{name}"' for name in (*methods, EXTRAPOLATE)]
            message = f"the last arguments of {node.name} must be {', '.join(words[:-1])} or {words[-1]}"
            hint = did_you_mean(str(word.value), (*methods, EXTRAPOLATE)) if word.op == "string" else None
            raise mistake("T012", message, written.span, hint=hint or f"without {words[-1]} end values are constant")
    if extrapolated and (method == "nearest" or (method == "spline" and "smooth" not in methods)):
        message = f'"{method}" cannot be extrapolated here'
        raise mistake("T012", message, node.arguments[-1].span, hint=f'omit "{EXTRAPOLATE}", or write "linear"')
    return method, extrapolated


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
    _need_few(len(xs), node)


def _need_grid(xs: Points, ys: Points, x_node: ast.Expression, y_node: ast.Expression) -> None:
    _need_points(xs, x_node)
    _need_points(ys, y_node)
    _need_few(len(xs) * len(ys), x_node)


def _need_few(count: int, node: ast.Expression) -> None:
    if count > MOST_POINTS:
        message = f"a characteristic can have at most {MOST_POINTS} points, this one has {count}"
        raise LimitError(Diagnostic("L012", message, Label(node.span), help="remove points"))


# ---------------------------------------------------------------------- methods


def _curve(x: Expr, xs: Points, ys: Points, way: Way, scope: Scope) -> Expr:
    pieces = smooth_pieces(xs, ys) if way[0] == "smooth" else spline_pieces(xs, ys)
    return cubics(scope.pool, x, xs, pieces, extrapolated=way[1])


def _joined(x: Expr, xs: Points, ys: Sequence[Expr], way: Way, scope: Scope) -> Expr:
    if way[0] == "nearest":
        return nearest(scope.pool, x, xs, ys)
    return lines(scope.pool, x, xs, ys, extrapolated=way[1])


def _map(place: tuple[Expr, Expr], xs: Points, ys: Points, z: Sequence[Sequence[Expr]], way: Way, scope: Scope) -> Expr:
    """Along y in each row, then along x."""
    along_y = [_joined(place[1], ys, row, way, scope) for row in z]
    return _joined(place[0], xs, along_y, way, scope)


def _in_rows(items: Sequence[T], width: int) -> list[list[T]]:
    return [list(items[i : i + width]) for i in range(0, len(items), width)]
