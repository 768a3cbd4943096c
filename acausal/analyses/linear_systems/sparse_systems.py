"""Linear systems with sparse matrices: what they are stored as, responses by sparse factorization."""

from typing import TYPE_CHECKING, Any

from acausal.base.diagnostics import Diagnostic, LimitError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

    ComplexArray = NDArray[np.complex128]

SPARSE_FROM = 300
"""States from which a matrix may be sparse."""
SHARE = 0.1
"""Of entries that are not zero, with which it is not."""
DENSE_MOST = 5000
"""States of a system whose eigenvalues are computed: 200 MB for a matrix, minutes of time."""
EDGES = 6
"""Eigenvalues that are computed at either end of the spectrum, to choose the frequencies of a plot."""


def dense_or_sparse(matrix: Any) -> Any:  # noqa: ANN401 - SciPy has no types
    """A sparse array as a NumPy array, or in CSC format where it is large and most entries are zero."""
    n = matrix.shape[0]
    return matrix.tocsc() if n >= SPARSE_FROM and matrix.nnz < SHARE * n * n else matrix.toarray()


def dense(a: "Array", what: str) -> "Array":
    """The matrix as NumPy array, for `what` needs all its eigenvalues; LimitError L021 where it is too large."""
    from scipy.sparse import issparse

    if not issparse(a):
        return a
    n = a.shape[0]
    if n > DENSE_MOST:
        message = f"{what} of {n} states: a dense matrix of at most {DENSE_MOST} states is needed"
        raise LimitError(Diagnostic("L021", message, help="frequency_response works with sparse matrices of any size"))
    found: Array = a.toarray()  # type: ignore[attr-defined]  # SciPy has no types
    return found


def triplets(a: "Array") -> object:
    """A matrix as plain lists: rows, or of a sparse one its shape and rows, columns and values of its entries."""
    from scipy.sparse import issparse

    if not issparse(a):
        return a.tolist()
    entries = a.tocoo()  # type: ignore[attr-defined]  # SciPy has no types
    rows, columns, values = entries.row.tolist(), entries.col.tolist(), entries.data.tolist()
    return {"shape": list(a.shape), "rows": rows, "columns": columns, "values": values}


def sparse_response(
    e: "Array | None", a: "Array", b: "Array", c: "Array", d: "Array", omega: "Array"
) -> "ComplexArray":
    """C (j omega E - A)^-1 B + D, a sparse LU for each frequency; NaN where the pencil is singular. E = 1 if None."""
    import numpy as np
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    n = a.shape[0]
    unit = csc_array(eye_array(n)) if e is None else csc_array(e)
    found = np.empty((len(omega), *d.shape), dtype=complex)
    right = b.astype(complex)
    for k, w in enumerate(omega):
        try:
            found[k] = c @ splu(csc_array(1j * w * unit - a)).solve(right) + d
        except RuntimeError:  # exactly singular
            found[k] = np.nan
    return found


def spectrum_edges(a: "Array") -> "ComplexArray":
    """Some of the smallest and of the largest eigenvalues of a sparse matrix, by the Arnoldi method.

    Always from the same start vector. Without those that do not converge.
    """
    import numpy as np
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, eigs

    n = a.shape[0]
    count, start = min(EDGES, n - 2), np.ones(n)
    found = [np.empty(0, dtype=complex)]
    scale = float(abs(a).max()) or 1.0
    for shift in (-1e-9 * scale, None):
        try:
            values = eigs(a, count, sigma=shift, which="LM", v0=start, return_eigenvectors=False)
        except ArpackNoConvergence as error:
            values = error.eigenvalues
        except (ArpackError, RuntimeError):
            continue
        found.append(values)
    return np.concatenate(found)
