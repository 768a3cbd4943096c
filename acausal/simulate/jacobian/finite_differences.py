"""The sparse Jacobian by differences, where the solver is called through Python: the numbers of `runtime/jacobian`."""

from typing import TYPE_CHECKING

from acausal.runtime.limits import DIFFERENCE
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from acausal.codegen.executable import Array


class Differences:
    """`fill` is the `jacfn` of scikit-sundae for the sparse matrix `pattern`."""

    def __init__(self, system: System, plan: NewtonMatrix) -> None:
        import numpy as np

        self._system, self._plan = system, plan
        self._scales = tolerances(system, 1.0)
        self._column = np.repeat(np.arange(plan.size), np.diff(plan.first_of_column))
        group = np.empty(plan.size, dtype=np.int64)
        group[plan.columns] = np.repeat(np.arange(plan.groups), np.diff(plan.first_of_group))
        by_group = np.argsort(group[self._column], kind="stable")
        sizes = np.bincount(group[self._column], minlength=plan.groups)
        self._entries = np.split(by_group, sizes.cumsum()[:-1])
        """For each group its entries."""

    @property
    def pattern(self) -> "csc_matrix":
        """Ones where the Jacobian has entries."""
        import numpy as np
        from scipy.sparse import csc_matrix

        plan = self._plan
        return csc_matrix((np.ones(len(plan.rows)), plan.rows, plan.first_of_column), shape=(plan.size, plan.size))

    def fill(self, t: float, y: "Array", base: "Array", values: "Array") -> None:
        """The entries at a point where the derivatives are `base`; NaN where a block has no solution."""
        import numpy as np

        plan, moved, slopes = self._plan, y.copy(), np.empty_like(y)
        steps = y + DIFFERENCE * np.maximum(np.abs(y), self._scales) - y
        for group, entries in enumerate(self._entries):
            columns = plan.columns[plan.first_of_group[group] : plan.first_of_group[group + 1]]
            moved[columns] = y[columns] + steps[columns]
            self._system.slope(t, moved, slopes)
            moved[columns] = y[columns]
            rows = plan.rows[entries]
            values[entries] = (slopes[rows] - base[rows]) / steps[self._column[entries]]
