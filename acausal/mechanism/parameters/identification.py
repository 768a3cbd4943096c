"""Identification of base parameters from measured motion by weighted least squares.

tau = W beta + e, with the variance of e estimated for each joint: first without weights, then with the reciprocal
standard deviations as weights. Gautier, Poignet, Extended Kalman filtering and weighted least squares dynamic
identification of robot, Control Engineering Practice 9 (2001) 1361-1372.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from acausal.codegen.executable import Array
    from acausal.mechanism.parameters.independent import IndependentColumns

MOST_CONDITION = 1e10
"""Condition of scaled observations above which the motion does not determine the parameters."""


@dataclass(frozen=True, slots=True)
class Identification:
    """Identified base parameters: `values` with `standard_errors` and `covariance`, for each of `names`.

    A name is that of the standard parameter of which others are regrouped (`regrouping`: values = K times the standard
    parameters). `deviations` [N.m, N] are the standard deviations of the efforts of the joints, `condition` that of the
    weighted observations with columns of length 1.
    """

    names: tuple[str, ...]
    values: "Array"
    standard_errors: "Array"
    covariance: "Array"
    regrouping: "Array"
    deviations: "Array"
    condition: float


def need_efforts(regressors: "Array", tau: "ArrayLike") -> "Array":
    """Efforts as an array; UsageError F006 for a shape that does not fit to regressors (m, nv, n)."""
    import numpy as np

    efforts = np.asarray(tau, dtype=float)
    count, joints, _ = regressors.shape
    if efforts.shape != (count, joints):
        message = f"tau: the shape is {efforts.shape}, required is ({count}, {joints})"
        hint = "a row each sample, a column each velocity"
        raise UsageError(Diagnostic("F006", message, help=hint))
    return efforts


def identify(
    names: Sequence[str], regressors: "Array", independent: "IndependentColumns", efforts: "Array"
) -> Identification:
    """Base parameters from regressors (m, nv, n) and efforts (m, nv) of m samples; `names` of n standard parameters.

    UsageError F006 for motion that does not determine the parameters.
    """
    import numpy as np

    count, joints, _ = regressors.shape
    columns = regressors[:, :, independent.columns]
    if count * joints <= independent.rank:
        raise _not_determined(f"{count * joints} measured efforts for {independent.rank} base parameters")
    plain = np.linalg.lstsq(columns.reshape(-1, independent.rank), efforts.reshape(-1), rcond=None)[0]
    left = efforts - columns @ plain
    freedom = max(1.0, count - independent.rank / joints)
    deviations = np.sqrt(np.sum(left**2, axis=0) / freedom)
    weights = 1.0 / np.maximum(deviations, 1e-12 * max(1.0, float(np.abs(efforts).max())))
    weighted = (columns * weights[:, None]).reshape(-1, independent.rank)
    lengths = np.linalg.norm(weighted, axis=0)
    scaled = weighted / np.where(lengths > 0, lengths, 1.0)
    condition = float(np.linalg.cond(scaled))
    if not condition < MOST_CONDITION:
        raise _not_determined(f"the condition of the observations is {condition:.1e}")
    _, triangle = np.linalg.qr(scaled)
    inverse = np.linalg.inv(triangle)
    values = np.linalg.lstsq(scaled, (efforts * weights).reshape(-1), rcond=None)[0] / lengths
    covariance = inverse @ inverse.T / np.outer(lengths, lengths)
    return Identification(
        tuple([names[k] for k in independent.columns]),
        values,
        np.sqrt(np.diag(covariance)),
        covariance,
        independent.regrouping,
        np.sqrt(np.sum((efforts - columns @ values) ** 2, axis=0) / freedom),
        condition,
    )


def _not_determined(why: str) -> UsageError:
    message = f"the motion does not determine the base parameters: {why}"
    hint = "move all joints with more than one frequency; `exciting_trajectory` makes such a motion"
    return UsageError(Diagnostic("F006", message, help=hint))
