"""Curves and surfaces through points, as expressions that choose a piece.

    points (0, 0), (1, 2), (3, 2)     ->     if x < 0 then 0 elseif x < 1 then 2*x elseif ... (halved, not in a row)

`linear` joins the points by lines. `smooth` is a cubic through the points that does not overshoot them (F. N. Fritsch,
R. E. Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17(2), 1980), `spline` the cubic spline with
two continuous derivatives, whose first and last two pieces are one cubic each (C. de Boor, A Practical Guide to
Splines, 2001, chapter IV: not-a-knot). `nearest` takes the value of the nearest point; its jumps are events,
corners are not.
"""

from collections.abc import Sequence
from itertools import pairwise

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

Points = Sequence[float]
Cubic = Sequence[float]
"""Coefficients of 1, t, t^2, t^3, where t begins at the left end of the piece."""


def lines(pool: Pool, x: Expr, xs: Points, ys: Sequence[Expr], *, extrapolated: bool) -> Expr:
    """Lines through the points; outside the end values, or the first and the last line."""
    pieces = []
    for (a, b), (ya, yb) in zip(pairwise(xs), pairwise(ys), strict=True):
        slope = pool.mul(pool.const(1 / (b - a)), pool.sub(yb, ya))
        pieces.append(pool.add(ya, pool.mul(slope, pool.sub(x, pool.const(a)))))
    if extrapolated:
        return pool.call("noevent", chosen(pool, x, xs[1:-1], pieces))
    return pool.call("noevent", chosen(pool, x, xs, [ys[0], *pieces, ys[-1]]))


def cubics(pool: Pool, x: Expr, xs: Points, pieces: Sequence[Cubic], *, extrapolated: bool) -> Expr:
    """Cubics between the points; outside the end values, or the tangents at the ends."""
    inner = [_polynomial(pool, x, a, [pool.const(c) for c in piece]) for a, piece in zip(xs, pieces, strict=False)]
    width = xs[-1] - xs[-2]
    last = pieces[-1]
    end = last[0] + width * (last[1] + width * (last[2] + width * last[3]))
    slope = last[1] + width * (2 * last[2] + width * 3 * last[3])
    outer = []
    for at, value, rise in ((xs[0], pieces[0][0], pieces[0][1]), (xs[-1], end, slope)):
        tangent = [pool.const(value), pool.const(rise if extrapolated else 0.0)]
        outer.append(_polynomial(pool, x, at, tangent))
    return pool.call("noevent", chosen(pool, x, xs, [outer[0], *inner, outer[1]]))


def nearest(pool: Pool, x: Expr, xs: Points, ys: Sequence[Expr]) -> Expr:
    """The value of the nearest point."""
    return chosen(pool, x, [(a + b) / 2 for a, b in pairwise(xs)], ys)


def surface(pool: Pool, place: tuple[Expr, Expr], xs: Points, ys: Points, z: Sequence[Points]) -> Expr:
    """The tensor product of two splines; outside it keeps the values at the edges."""
    from scipy.interpolate import CubicSpline

    x, y = [_clamped(pool, e, points) for e, points in zip(place, (xs, ys), strict=True)]
    along_x = CubicSpline(xs, z).c  # highest power first, piece, point of y
    along_both = CubicSpline(ys, along_x, axis=2).c.tolist()  # power and piece of y, power and piece of x
    pieces = []
    for i, a in enumerate(xs[:-1]):
        coefficients = []
        for power in (3, 2, 1, 0):
            cells = [[along_both[q][k][power][i] for q in (3, 2, 1, 0)] for k in range(len(ys) - 1)]
            inner = [_polynomial(pool, y, b, [pool.const(c) for c in cell]) for b, cell in zip(ys, cells, strict=False)]
            coefficients.append(chosen(pool, y, ys[1:-1], inner))
        pieces.append(_polynomial(pool, x, a, coefficients))
    return pool.call("noevent", chosen(pool, x, xs[1:-1], pieces))


def spline_pieces(xs: Points, ys: Points) -> list[list[float]]:
    """The cubics of the spline."""
    from scipy.interpolate import CubicSpline

    highest_first: list[list[float]] = CubicSpline(xs, ys).c.T.tolist()
    return [piece[::-1] for piece in highest_first]


def smooth_pieces(xs: Points, ys: Points) -> list[list[float]]:
    """The cubics that do not overshoot."""
    slopes = _slopes(xs, ys)
    pieces = []
    for i, (a, b) in enumerate(pairwise(xs)):
        width, rise = b - a, (ys[i + 1] - ys[i]) / (b - a)
        square = (3 * rise - 2 * slopes[i] - slopes[i + 1]) / width
        cube = (slopes[i] + slopes[i + 1] - 2 * rise) / width**2
        pieces.append([ys[i], slopes[i], square, cube])
    return pieces


def _slopes(xs: Points, ys: Points) -> list[float]:
    """Weighted harmonic means of the rises on both sides, zero at extrema (Fritsch, Butland 1984, eq. 5)."""
    widths = [b - a for a, b in pairwise(xs)]
    rises = [(b - a) / w for (a, b), w in zip(pairwise(ys), widths, strict=True)]
    inner = []
    for (v, w), (r, s) in zip(pairwise(widths), pairwise(rises), strict=True):
        first, second = 2 * w + v, w + 2 * v
        inner.append((first + second) / (first / r + second / s) if r * s > 0 else 0.0)
    return [rises[0], *inner, rises[-1]]


def _polynomial(pool: Pool, x: Expr, begin: float, coefficients: Sequence[Expr]) -> Expr:
    """Horner's scheme in x - begin, coefficients from the constant on."""
    t = pool.sub(x, pool.const(begin))
    value = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = pool.add(coefficient, pool.mul(t, value))
    return value


def _clamped(pool: Pool, x: Expr, points: Points) -> Expr:
    low, high = pool.const(points[0]), pool.const(points[-1])
    return pool.if_(pool.call("<", x, low), low, pool.if_(pool.call(">", x, high), high, x))


def chosen(pool: Pool, x: Expr, bounds: Points, pieces: Sequence[Expr]) -> Expr:
    """Piece i below bounds[i], the last above all: halved again and again."""
    starts, left = list(bounds), list(pieces)
    while len(left) > 1:
        joined = [
            pool.if_(pool.call("<", x, pool.const(starts[i])), left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)
        ]
        left = [*joined, left[-1]] if len(left) % 2 else joined
        starts = starts[1::2]
    return left[0]
