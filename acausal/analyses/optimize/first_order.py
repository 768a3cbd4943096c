"""First-order conditions of a minimum (Karush, Kuhn, Tucker): an optimizer may stop where its line search gives up.

The gradient of the objective is a sum of those of the active constraints, with factors that are not negative where
these are inequalities. (J. Nocedal, S. J. Wright, Numerical Optimization, 2006, section 12.3.)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ACTIVE = 1e-6
"""An inequality or bound that is so near counts as active, a constraint that is missed by no more as satisfied."""


def missed_descent(gradient: "Array", equal: "Array", inequal: "Array", to_low: "Array", to_high: "Array") -> "Array":
    """The part (unknowns,) of the gradient that active constraints do not explain: the objective decreases against it.

    `equal` and `inequal` are gradients (constraints, unknowns) of equations and of active inequalities c >= 0; `to_low`
    and `to_high` are distances (unknowns,) to the bounds.
    """
    import numpy as np
    from scipy.optimize import nnls

    unit = np.eye(len(gradient))
    columns = np.vstack([equal, -equal, inequal, unit[to_low <= ACTIVE], -unit[to_high <= ACTIVE]]).T
    if not columns.shape[1]:
        return gradient
    factors, _ = nnls(columns, gradient)
    missed: Array = gradient - columns @ factors
    return missed
