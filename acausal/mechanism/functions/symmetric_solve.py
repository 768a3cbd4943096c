"""Symmetric positive definite matrices of expressions: inverses of small ones, and solutions."""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, mirrored


def symmetric_inverse(algebra: VectorAlgebra, matrix: Matrix) -> Matrix:
    """The inverse by L D L^T with unit lower triangular L, so that every division is by a positive number.

    Elements across the diagonal are one expression.
    """
    pool, size = algebra.pool, len(matrix)
    lower = [[pool.zero] * size for _ in range(size)]
    inverses: list[Expr] = []
    for j in range(size):
        scaled = [pool.mul(lower[j][k], pool.pow(inverses[k], pool.const(-1.0))) for k in range(j)]
        pivot = pool.sub(matrix[j][j], pool.add(pool.zero, *[pool.mul(scaled[k], lower[j][k]) for k in range(j)]))
        inverses.append(pool.div(pool.one, pivot))
        for i in range(j + 1, size):
            known = pool.add(pool.zero, *[pool.mul(lower[i][k], scaled[k]) for k in range(j)])
            lower[i][j] = pool.mul(pool.sub(matrix[i][j], known), inverses[j])
    back = _inverse_of_unit_lower(algebra, lower)
    rows = []
    for i in range(size):
        row = []
        for j in range(i + 1):
            row.append(pool.add(pool.zero, *[pool.mul(back[k][i], inverses[k], back[k][j]) for k in range(i, size)]))
        rows.append(row)
    return mirrored(rows)


def _inverse_of_unit_lower(algebra: VectorAlgebra, lower: list[list[Expr]]) -> list[list[Expr]]:
    """The inverse of a lower triangular matrix with ones on its diagonal."""
    pool, size = algebra.pool, len(lower)
    found = [[pool.one if i == j else pool.zero for j in range(size)] for i in range(size)]
    for i in range(size):
        for j in range(i):
            found[i][j] = pool.neg(pool.add(pool.zero, *[pool.mul(lower[i][k], found[k][j]) for k in range(j, i)]))
    return found


def symmetric_solution(algebra: VectorAlgebra, matrix: Matrix, right: Sequence[Expr]) -> Vector:
    """The solution by L^T D L, which has zeros where a mass matrix has those of branches.

    (R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5.)
    """
    pool, size = algebra.pool, len(right)
    lower = [list(row[: i + 1]) for i, row in enumerate(matrix)]
    inverses = [pool.one] * size
    for k in reversed(range(size)):
        inverses[k] = pool.div(pool.one, lower[k][k])
        coupled = [i for i in range(k) if lower[k][i] is not pool.zero]
        shares = {i: pool.mul(lower[k][i], inverses[k]) for i in coupled}
        for i in coupled:
            for j in range(i + 1):
                lower[i][j] = pool.sub(lower[i][j], pool.mul(shares[i], lower[k][j]))
        for i in coupled:
            lower[k][i] = shares[i]
    found = list(right)
    for k in reversed(range(size)):
        for i in range(k):
            found[i] = pool.sub(found[i], pool.mul(lower[k][i], found[k]))
    for k in range(size):
        known = pool.add(pool.zero, *[pool.mul(lower[k][i], found[i]) for i in range(k)])
        found[k] = pool.sub(pool.mul(found[k], inverses[k]), known)
    return tuple(found)
