"""The kernels that solve blocks (`runtime/blocks`), as NumPy text and Python call them."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from acausal.runtime.blocks.least_norm import kinds_of, solve_least_norm
from acausal.runtime.blocks.least_norm_slopes import solve_least_norm_slopes
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.newton import ITERATIONS, Residuals, factors_place, solve_newton
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord, note_pivots
from acausal.runtime.blocks.refined import solve_refined
from acausal.runtime.kernel.language import Reals
from acausal.runtime.kernel.overlay import overlay

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def linear_solution(matrix: Sequence[float], right: Sequence[float]) -> list[float] | None:
    """The solution of linear equations, the matrix row by row; None if it is singular."""
    x = list(right)
    return None if solve_linear(len(x), list(matrix), x) else x


def columns_solution(matrix: Sequence[float], right: Sequence[float], n: int) -> list[float] | None:
    """The solutions for several right-hand sides, with one factorization; None if the matrix is singular."""
    import numpy as np

    factors = np.array([*matrix, *[0.0] * (n + 1)], dtype=float)
    factor_linear(n, factors)
    found: list[float] = []
    for first in range(0, len(right), n):
        x = np.array(right[first : first + n], dtype=float)
        if solve_factored(n, factors, x):
            return None
        found += list(x)
    return found


def refined_solution(matrix: Sequence[float], right: Sequence[float]) -> list[float] | None:
    """The same for a badly scaled matrix (`runtime/blocks/refined`)."""
    import numpy as np

    n, x = len(right), np.array(right, dtype=float)
    with np.errstate(all="ignore"):
        failed = solve_refined(n, np.array(matrix, dtype=float), x, np.zeros(n * (n + 4) + 1))
    return None if failed else list(x)


def least_norm_solution(
    matrix: Sequence[float], right: Sequence[float], reactions: Iterable[int], measured: Iterable[int]
) -> list[float] | None:
    """The same where reactions have minimum norm if the matrix is singular (`runtime/blocks/least_norm`)."""
    import numpy as np

    n, x, integers = len(right), np.array(right, dtype=float), np.zeros(6, dtype=np.int32)
    a, work = np.array(matrix, dtype=float), np.zeros(n * (3 * n + 13))
    arrays = n, a, x, np.array(kinds_of(n, reactions, measured)), work, integers
    with np.errstate(all="ignore"):
        failed = solve_least_norm(*arrays, dgesvd)  # type: ignore[arg-type]  # arrays of NumPy
    return None if failed else list(x)


def least_norm_slopes(
    matrix: Sequence[float], parts: Sequence[float], reactions: Iterable[int], measured: Iterable[int]
) -> list[float] | None:
    """Slopes of that solution, which `parts` begin with, column by column (`runtime/blocks/least_norm_slopes`)."""
    import numpy as np

    n, integers = round(len(matrix) ** 0.5), np.zeros(6, dtype=np.int32)
    x, columns = np.array(parts[:n], dtype=float), np.array(parts[n:], dtype=float)
    count, work = len(columns) // (n * n + n), np.zeros(n * (5 * n + 15))
    arrays = n, count, np.array(matrix, dtype=float), x, columns, np.array(kinds_of(n, reactions, measured))
    with np.errstate(all="ignore"):
        failed = solve_least_norm_slopes(*arrays, work, integers, dgesvd)  # type: ignore[arg-type]  # arrays of NumPy
    return None if failed else list(columns.reshape(count, n * n + n)[:, n * n :].ravel())


def dgesvd(*arrays: "Array") -> None:
    """LAPACK's function as SciPy calls it; see `runtime/blocks/decomposition.Dgesvd`."""
    from scipy.linalg import lapack

    _, _, rows, _, a, _, s, u, _, v, _, _, _, info = arrays
    n = int(rows[0])
    found_u, found_s, found_v, info[0] = lapack.dgesvd(a[: n * n].reshape(n, n).T)
    u[: n * n], s[:n], v[: n * n] = found_u.T.ravel(), found_s, found_v.T.ravel()


def store_factors(p: "Array", at: int, matrix: Sequence[float], n: int) -> None:
    """Stores the factors of a matrix, which is given row by row, from p[at] on."""
    import numpy as np

    factors = np.zeros(n * n + n + 1)
    factors[: n * n] = matrix
    factor_linear(n, factors)
    p[at : at + len(factors)] = factors


def factored_solution(p: "Sequence[float] | Array", at: int, right: Sequence[float]) -> list[float] | None:
    """The solution with the factors that `store_factors` left; None if the matrix is singular."""
    import numpy as np

    x, n = list(right), len(right)
    return None if solve_factored(n, np.asarray(p[at : at + n * n + n + 1]), x) else x


def newton_solution(
    residuals: Residuals,
    captured: Sequence[float],
    start: Sequence[float],
    nominals: Sequence[float],
    iterations: int = ITERATIONS,
    record: "Array | None" = None,
) -> list[float] | None:
    """The solution of nonlinear equations; None if Newton's method fails. `record` is that of branches."""
    import numpy as np

    n, x = len(start), np.array(start, dtype=float)
    given, sizes = np.array(captured, dtype=float), np.array(nominals, dtype=float)
    strict = 0.0 if record is None else float(overlay(PivotRecord, record, len(record) - PIVOTS).strict)
    with np.errstate(all="ignore"):
        work = np.zeros(n * (2 * n + 5))
        failed = solve_newton(n, residuals, given, x, sizes, work, iterations, strict)
        if not failed and record is not None:
            note_pivots(record, len(record), work[factors_place(n) :], n)
    return None if failed else list(x)


def storing(residuals: Callable[[Sequence[float]], Sequence[float]], n: int) -> Residuals:
    """A function that gives n residuals and their Jacobian, as one that stores them."""

    def store(_: Reals, x: Reals, values: Reals) -> None:
        for i, value in enumerate(residuals([x[j] for j in range(n)])):
            values[i] = value

    return store
