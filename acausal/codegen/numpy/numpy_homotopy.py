"""The kernels that find solutions from afar (`runtime/homotopy`), as Python calls them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from acausal.codegen.numpy.numpy_solvers import storing
from acausal.runtime.blocks.newton import ITERATIONS, Residuals
from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord
from acausal.runtime.homotopy.least_squares import minimize_residuals, squares_work
from acausal.runtime.homotopy.solve_start import homotopy_work, solve_by_homotopy, solve_start
from acausal.runtime.homotopy.verified_solution import is_verified
from acausal.runtime.kernel.overlay import overlay

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Values = Callable[[Sequence[float]], Sequence[float]]
"""Residuals, then their Jacobian row by row."""


class _WearyError(Exception):
    """The residuals were evaluated as often as allowed."""


def start_solution(
    residuals: Residuals,
    captured: Sequence[float],
    start: Sequence[float],
    nominals: Sequence[float],
    record: "Array",
) -> list[float] | None:
    """The solution of nonlinear equations of the first instant; None where there is none. `record`: of branches."""
    import numpy as np

    n, x = len(start), np.array(start, dtype=float)
    given, sizes = np.array(captured, dtype=float), np.array(nominals, dtype=float)
    strict = float(overlay(PivotRecord, record, len(record) - PIVOTS).strict)
    arrays = np.zeros(homotopy_work(n)), ITERATIONS, strict, np.zeros(6, dtype=np.int32)
    with np.errstate(all="ignore"):
        failed = solve_start(n, residuals, given, x, sizes, *arrays, decompose)  # type: ignore[arg-type]  # arrays of NumPy
    return None if failed else list(x)


def decompose(*arrays: "Array") -> None:
    """LAPACK's function by NumPy; see `runtime/blocks/decomposition.Dgesvd`."""
    import numpy as np

    _, _, rows, _, a, _, s, u, _, v, _, _, _, info = arrays
    n = int(rows[0])
    try:
        found_u, found_s, found_v = np.linalg.svd(a[: n * n].reshape(n, n).T)
    except np.linalg.LinAlgError:
        info[0] = 1
        return
    info[0] = 0
    u[: n * n], s[:n], v[: n * n] = found_u.T.ravel(), found_s, found_v.T.ravel()


def homotopy_solution(
    residuals: Values, start: Sequence[float], nominals: Sequence[float], most: int = 30_000
) -> list[float] | None:
    """A solution from `start`, or None where no way comes to one with `most` evaluations of the residuals."""
    import numpy as np

    n, x, left = len(start), np.array(start, dtype=float), most

    def counted(at: Sequence[float]) -> Sequence[float]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _WearyError
        return residuals(at)

    arrays = np.array(nominals, dtype=float), np.zeros(homotopy_work(n)), np.zeros(6, dtype=np.int32)
    try:
        with np.errstate(all="ignore"):
            failed = solve_by_homotopy(n, storing(counted, n), (), x, *arrays, decompose)  # type: ignore[arg-type]  # as above
    except _WearyError:
        return None
    return None if failed else list(x)


def verified(residuals: Values, x: Sequence[float], nominals: Sequence[float]) -> bool:
    """False of a solution that is flat, or large where the equations are not linear (`runtime/homotopy`)."""
    import numpy as np

    n = len(x)
    arrays = np.array(nominals, dtype=float), np.zeros(homotopy_work(n)), np.zeros(6, dtype=np.int32)
    with np.errstate(all="ignore"):
        return is_verified(n, storing(residuals, n), (), np.array(x, dtype=float), *arrays, decompose)  # type: ignore[arg-type]  # as above


def least_residuals(
    residuals: Callable[[Sequence[float]], tuple[Sequence[float], Sequence[Sequence[float]]]],
    start: Sequence[float],
    steps: int,
) -> list[float]:
    """Local minimum from `start` of residuals, more or fewer than unknowns, that are not scaled."""
    import numpy as np

    x, n = np.array(start, dtype=float), len(start)
    rows = len(residuals(start)[0])

    def stored(at: Sequence[float]) -> list[float]:
        values, slopes = residuals(at)
        return [*values, *[entry for row in slopes for entry in row]]

    if not n or not rows:
        return list(start)
    arrays = np.ones(n), np.ones(rows), steps, np.zeros(squares_work(rows, n)), np.zeros(6, dtype=np.int32)
    with np.errstate(all="ignore"):
        minimize_residuals(rows, n, storing(stored, n), (), x, *arrays, decompose)  # type: ignore[arg-type]  # as above
    return [float(v) for v in x]
