"""The singular value decomposition by rotations, where LAPACK is not at hand: with the arguments of its `dgesvd`.

A = U S V'. Pairs of columns are rotated until all are orthogonal: their lengths are the singular values, each accurate
relative to itself. (M. R. Hestenes, Inversion of matrices by biorthogonalization and related results, J. SIAM 6 (1958);
G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013, section 8.6.4.)
"""

from acausal.runtime.blocks.arrays import exchange_numbers
from acausal.runtime.kernel.language import Bool, CInts, Int, Real, Reals, kernel, sqrt, tail

SWEEPS = 60
"""Passes over all pairs; some six suffice."""
ORTHOGONAL = 2.0**-52
"""Cosine of two columns that counts as zero."""
VANISHED = 2.0**-50
"""A column shorter than this share of the longest, times their number, is rounding error."""


@kernel
def singular_values(
    job_u: CInts,  # noqa: ARG001
    job_v: CInts,  # noqa: ARG001
    rows: CInts,
    columns: CInts,  # noqa: ARG001
    a: Reals,
    a_stride: CInts,  # noqa: ARG001
    s: Reals,
    u: Reals,
    u_stride: CInts,  # noqa: ARG001
    v: Reals,
    v_stride: CInts,  # noqa: ARG001
    work: Reals,  # noqa: ARG001
    work_size: CInts,  # noqa: ARG001
    info: CInts,
) -> None:
    """Stores S, in falling order, U column by column and V' column by column, for a square A, which is replaced."""
    n = rows[0]
    for i in range(n * n):
        v[i] = 0.0
    for i in range(n):
        v[i * n + i] = 1.0
    info[0] = 1
    for _ in range(SWEEPS):
        if not rotate_all(n, a, v):
            info[0] = 0
            break
    for k in range(n):
        s[k] = sqrt(column_product(n, a, k, k))
    sort_columns(n, a, s, v)
    for k in range(n):
        if s[k] > VANISHED * float(n) * s[0]:
            for i in range(n):
                u[k * n + i] = a[k * n + i] / s[k]
        else:
            complete_basis(n, u, k)
    transpose_square(n, v)


@kernel
def rotate_all(n: Int, a: Reals, v: Reals) -> Bool:
    """Rotate each pair of columns that are not orthogonal; whether there was any."""
    found = False
    for p in range(n):
        for q in range(p + 1, n):
            alpha = column_product(n, a, p, p)
            beta = column_product(n, a, q, q)
            gamma = column_product(n, a, p, q)
            if gamma != 0.0 and abs(gamma) > ORTHOGONAL * sqrt(alpha) * sqrt(beta):
                found = True
                zeta = (beta - alpha) / (2.0 * gamma)
                tangent = 1.0 / (abs(zeta) + sqrt(1.0 + zeta * zeta))
                if zeta < 0.0:
                    tangent = -tangent
                cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                rotate_columns(n, tail(a, p * n), tail(a, q * n), cosine, cosine * tangent)
                rotate_columns(n, tail(v, p * n), tail(v, q * n), cosine, cosine * tangent)
    return found


@kernel
def rotate_columns(n: Int, first: Reals, second: Reals, cosine: Real, sine: Real) -> None:
    """Two columns, rotated in their plane."""
    for i in range(n):
        x = first[i]
        y = second[i]
        first[i] = cosine * x - sine * y
        second[i] = sine * x + cosine * y


@kernel
def column_product(n: Int, a: Reals, p: Int, q: Int) -> Real:
    """The scalar product of two columns."""
    total = 0.0
    for i in range(n):
        total += a[p * n + i] * a[q * n + i]
    return total


@kernel
def sort_columns(n: Int, a: Reals, s: Reals, v: Reals) -> None:
    """Columns of A and V in the falling order of their singular values."""
    for k in range(n):
        best = k
        for j in range(k + 1, n):
            if s[j] > s[best]:
                best = j
        if best != k:
            exchange_numbers(1, tail(s, k), tail(s, best))
            exchange_numbers(n, tail(a, k * n), tail(a, best * n))
            exchange_numbers(n, tail(v, k * n), tail(v, best * n))


@kernel
def complete_basis(n: Int, u: Reals, k: Int) -> None:
    """Column k of U: of all unit vectors the part orthogonal to the columns before that is longest, made a unit."""
    best = 0
    longest = -1.0
    for j in range(n):
        left = 1.0
        for c in range(k):
            left -= u[c * n + j] * u[c * n + j]
        if left > longest:
            longest = left
            best = j
    for i in range(n):
        u[k * n + i] = 1.0 if i == best else 0.0
    for _ in range(2):  # twice is enough
        for c in range(k):
            product = column_product(n, u, c, k)
            for i in range(n):
                u[k * n + i] -= product * u[c * n + i]
    length = sqrt(column_product(n, u, k, k))
    for i in range(n):
        u[k * n + i] = u[k * n + i] / length


@kernel
def transpose_square(n: Int, v: Reals) -> None:
    """A square matrix in the place of its transpose."""
    for i in range(n):
        for j in range(i + 1, n):
            entry = v[i * n + j]
            v[i * n + j] = v[j * n + i]
            v[j * n + i] = entry
