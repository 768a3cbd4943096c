"""Second-order conditions of a minimum: where they fail, a point with vanishing slopes is a saddle or a maximum.

The Hessian of the Lagrangian has no negative curvature in the tangent space of the active constraints. (J. Nocedal,
S. J. Wright, Numerical Optimization, 2006, section 12.5.) All that is at its bound counts as active: along a direction
that is found the objective decreases on both sides.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acausal.analyses.optimize.transcription import Transcription

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ACTIVE = 1e-6
"""Distance from a bound, in scaled numbers, at which it counts as active."""
CURVED = 1e-4
"""A negative curvature that is a smaller share of the largest entry of the Hessian is rounding."""
DENSE = 100
"""Up to so many free unknowns all of the projected Hessian is decomposed."""
REGULAR = 1e-10
"""Of constraints in the projection, which may repeat each other."""


def descent(problem: Transcription, y: "Array") -> "Array | None":
    """A direction (unknowns,) of negative curvature, of length 1; None where there is none."""
    import numpy as np
    from scipy.sparse import csr_array

    values = problem.constraints(y)
    rows = np.flatnonzero(np.minimum(values - problem.low, problem.high - values) <= ACTIVE)
    free = np.flatnonzero(np.minimum(y - problem.lower, problem.upper - y) > ACTIVE)
    if not len(free):
        return None
    projected = _projection(csr_array(problem.jacobian(y))[rows][:, free], len(free))
    weights = np.zeros(len(values))
    weights[rows] = projected(-problem.gradient(y)[free])[1]
    hessian = csr_array(problem.hessian(y, weights, 1.0))[free][:, free]
    size = float(abs(hessian).max()) if hessian.nnz else 0.0
    if not 0.0 < size < np.inf:
        return None
    smallest, along = _smallest(hessian, lambda v: projected(v)[0])
    if smallest >= -CURVED * size:
        return None
    found = np.zeros(len(y))
    found[free] = along
    return found


def _projection(slopes: Any, count: int) -> "Callable[[Array], tuple[Array, Array]]":  # noqa: ANN401 - SciPy has no types
    """Parts of vectors (count,) in the tangent space, and the factors of the constraints that make up for the rest."""
    import numpy as np
    from scipy.sparse import block_array, eye_array
    from scipy.sparse.linalg import splu

    constraints = slopes.shape[0]
    if not constraints:
        return lambda v: (v, np.zeros(0))
    corner = -REGULAR * eye_array(constraints)
    factors = splu(block_array([[eye_array(count), slopes.T], [slopes, corner]], format="csc"))

    def projected(v: "Array") -> "tuple[Array, Array]":
        found = factors.solve(np.concatenate([v, np.zeros((constraints, *v.shape[1:]))]))
        return found[:count], found[count:]

    return projected


def _smallest(hessian: Any, projected: "Callable[[Array], Array]") -> "tuple[float, Array]":  # noqa: ANN401 - SciPy has no types
    """The smallest eigenvalue of the projected Hessian, and its direction."""
    import numpy as np
    from scipy.linalg import eigh
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    n = hessian.shape[0]
    if n <= DENSE:
        whole = projected(projected(hessian.toarray()).T)
        values, vectors = eigh((whole + whole.T) / 2, subset_by_index=[0, 0])
        return float(values[0]), vectors[:, 0]
    largest = float(abs(hessian).sum(axis=0).max())  # no eigenvalue is larger: errors are shares of this
    operator = LinearOperator((n, n), matvec=lambda v: largest * v - projected(hessian @ projected(v)), dtype=float)
    begin = np.random.default_rng(0).normal(size=n)
    try:
        values, vectors = eigsh(operator, 1, which="LA", v0=begin, tol=CURVED / 10)
    except ArpackNoConvergence as error:
        values, vectors = error.eigenvalues, error.eigenvectors
    return (largest - float(values[0]), vectors[:, 0]) if len(values) else (0.0, begin)
