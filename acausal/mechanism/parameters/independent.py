"""Base parameters of any model by a QR decomposition of its regressor at random states.

W pi = W_b beta with beta = K pi: the independent columns are those that no columns before them can be combined to.
Gautier, Numerical
calculation of the base inertial parameters of robots, J. Robotic Systems 8 (1991) 485-506.
"""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

TOLERANCE = 1e-9
"""Pivots count as zero below this share of the largest."""


@dataclass(frozen=True, slots=True)
class IndependentColumns:
    """The `columns` of a regressor that are independent, and `regrouping` K (nb, n): beta = K pi."""

    columns: tuple[int, ...]
    regrouping: "Array"

    @property
    def rank(self) -> int:
        """The number of base parameters."""
        return len(self.columns)


def independent_columns(observations: "Array") -> IndependentColumns:
    """The independent columns of an observation matrix W (rows, n), columns before others preferred."""
    import numpy as np
    from scipy.linalg import qr, solve_triangular

    size = np.linalg.norm(observations, axis=0)
    largest = float(size.max(initial=0.0))
    scaled = observations / np.where(size > TOLERANCE * largest, size, 1.0)
    rank = _rank(scaled)
    columns: list[int] = []
    basis = np.zeros((len(scaled), 0))
    for k in range(scaled.shape[1]):
        if len(columns) == rank:
            break
        rest = scaled[:, k] - basis @ (basis.T @ scaled[:, k])
        rest -= basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if size[k] > TOLERANCE * largest and length > np.sqrt(TOLERANCE):
            columns.append(k)
            basis = np.column_stack([basis, rest / length])
    q, r = qr(observations[:, columns], mode="economic")
    regrouping = solve_triangular(r, q.T @ observations)
    regrouping[np.abs(regrouping) < 1e-9] = 0.0
    return IndependentColumns(tuple(columns), regrouping)


def _rank(scaled: "Array") -> int:
    """The number of singular values that do not vanish."""
    import numpy as np

    values = np.linalg.svd(scaled, compute_uv=False)
    return int(np.sum(values > TOLERANCE * values.max(initial=0.0)))
