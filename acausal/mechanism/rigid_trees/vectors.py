"""Vectors and matrices of expressions: tuples, whose elements the pool simplifies as they are made."""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

Vector = tuple[Expr, ...]
Matrix = tuple[Vector, ...]
"""Row by row."""


class VectorAlgebra:
    """Operations on vectors and matrices of expressions of one pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.zeros: Vector = (pool.zero,) * 3
        self.identity: Matrix = self.diagonal((pool.one,) * 3)

    def constant(self, values: Sequence[float]) -> Vector:
        """A vector of numbers."""
        return tuple([self.pool.const(x) for x in values])

    def constants(self, rows: Sequence[Sequence[float]]) -> Matrix:
        """A matrix of numbers."""
        return tuple([self.constant(row) for row in rows])

    def diagonal(self, values: Vector) -> Matrix:
        """A diagonal matrix."""
        zero = self.pool.zero
        return tuple([tuple([x if i == j else zero for j in range(len(values))]) for i, x in enumerate(values)])

    def add(self, *vectors: Vector) -> Vector:
        """The sum of vectors."""
        return tuple([self.pool.add(*terms) for terms in zip(*vectors, strict=True)])

    def sub(self, a: Vector, b: Vector) -> Vector:
        """a - b."""
        return tuple([self.pool.sub(x, y) for x, y in zip(a, b, strict=True)])

    def neg(self, a: Vector) -> Vector:
        """-a."""
        return tuple([self.pool.neg(x) for x in a])

    def scale(self, factor: Expr, a: Vector) -> Vector:
        """A number times a vector."""
        return tuple([self.pool.mul(factor, x) for x in a])

    def dot(self, a: Vector, b: Vector) -> Expr:
        """The scalar product."""
        return self.pool.add(*[self.pool.mul(x, y) for x, y in zip(a, b, strict=True)])

    def cross(self, a: Vector, b: Vector) -> Vector:
        """The vector product of two vectors of three elements."""
        mul, sub = self.pool.mul, self.pool.sub
        return (
            sub(mul(a[1], b[2]), mul(a[2], b[1])),
            sub(mul(a[2], b[0]), mul(a[0], b[2])),
            sub(mul(a[0], b[1]), mul(a[1], b[0])),
        )

    def skew(self, a: Vector) -> Matrix:
        """The matrix S with S b = a x b."""
        zero, neg = self.pool.zero, self.pool.neg
        return ((zero, neg(a[2]), a[1]), (a[2], zero, neg(a[0])), (neg(a[1]), a[0], zero))

    def times(self, matrix: Matrix, a: Vector) -> Vector:
        """Matrix times vector."""
        return tuple([self.dot(row, a) for row in matrix])

    def product(self, a: Matrix, b: Matrix) -> Matrix:
        """Matrix times matrix."""
        columns = transpose(b)
        return tuple([tuple([self.dot(row, column) for column in columns]) for row in a])

    def add_matrices(self, *matrices: Matrix) -> Matrix:
        """The sum of matrices."""
        return tuple([self.add(*rows) for rows in zip(*matrices, strict=True)])

    def scale_matrix(self, factor: Expr, a: Matrix) -> Matrix:
        """A number times a matrix."""
        return tuple([self.scale(factor, row) for row in a])

    def congruent(self, a: Matrix, symmetric: Matrix) -> Matrix:
        """A S A^T of a symmetric matrix S: elements across the diagonal are one expression."""
        half = self.product(a, symmetric)
        return mirrored([[self.dot(half[i], a[j]) for j in range(i + 1)] for i in range(len(a))])

    def rotation(self, axis: Vector, sine: Expr, cosine: Expr) -> Matrix:
        """The rotation about a unit vector by the angle of that sine and cosine (Rodrigues)."""
        pool = self.pool
        rest = pool.sub(pool.one, cosine)
        turned = self.scale_matrix(sine, self.skew(axis))
        outer = tuple([tuple([pool.mul(rest, x, y) for y in axis]) for x in axis])
        return self.add_matrices(self.diagonal((cosine,) * 3), outer, turned)

    def shifted_inertia(self, inertia: Matrix, mass: Expr, moment: Vector, way: Vector) -> Matrix:
        """The inertia about a point from which `way` leads to the point that it is given for.

        I - m skew(s) skew(s) - skew(s) skew(h) - skew(h) skew(s) with the first moment h about the given point.
        """
        pool = self.pool
        half = self.add(moment, self.scale(pool.mul(pool.const(0.5), mass), way))
        trace = pool.mul(pool.const(2.0), self.dot(way, half))
        rows = []
        for i in range(3):
            row = []
            for j in range(i + 1):
                mixed = pool.add(pool.mul(way[i], half[j]), pool.mul(way[j], half[i]))
                row.append(pool.add(inertia[i][j], pool.sub(trace if i == j else pool.zero, mixed)))
            rows.append(row)
        return mirrored(rows)


def transpose(a: Matrix) -> Matrix:
    """The transposed matrix."""
    return tuple(zip(*a, strict=True))


def mirrored(lower: Sequence[Sequence[Expr]]) -> Matrix:
    """The symmetric matrix with this lower triangle."""
    size = len(lower)
    return tuple([tuple([lower[max(i, j)][min(i, j)] for j in range(size)]) for i in range(size)])
