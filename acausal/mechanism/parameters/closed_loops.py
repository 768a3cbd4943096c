"""Closed loops in regressors: states that satisfy the constraints, and the directions in which a mechanism can move.

With the constraints phi(q) = 0 and a basis N(q) of the null space of phi_q the forces of closures do no work:

    N^T Y(q, v, a) pi = N^T tau        phi_q v = 0, phi_q a + dphi_q/dt v = 0

The rank of phi_q is that at the start: beside closed loops redundant constraints are independent by rounding.
"""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.mechanism.functions.tree_functions import TreeFunctions
from acausal.mechanism.rigid_trees.configurations import integrate

if TYPE_CHECKING:
    import numpy as np

    from acausal.codegen.executable import Array

STEP, MOST_STEPS, MOST_TURNS = 0.4, 30, 20
"""Of a way along closed poses [rad, m]; of Newton's method at each; back and forth where it finds none."""
CLOSED, FEASIBLE = 1e-12, 1e-6
"""Residuals of closed loops, found and given ones."""
FARTHEST, MOST_CORRECTIONS = 1.0, 8
"""Of a step along closed poses [rad, m], and of Newton's method behind it: beyond lies another branch."""
SMALLEST = 1e-6
"""Singular values of phi_q below this share of the largest are zero."""


class ClosedLoops:
    """The loops of a mechanism, closed at the positions `start` (nq,)."""

    def __init__(self, functions: TreeFunctions, start: "Array") -> None:
        import numpy as np

        self._functions, self.start = functions, start
        values = np.linalg.svd(functions.constraint_jacobian(start), compute_uv=False)
        self._rank = int(np.count_nonzero(values > SMALLEST * values.max(initial=0.0)))

    def random_states(self, count: int, seed: int) -> "tuple[Array, Array, Array]":
        """Positions (m, nq) along a random way, velocities and accelerations (m, nv) with closed loops."""
        import numpy as np

        rng, q = np.random.default_rng(seed), self.start
        rows = []
        for _ in range(count):
            q = self._next(q, rng)
            inverse, free = [part[0] for part in self._split(q[None])]
            v = free @ rng.normal(size=free.shape[1])
            a = free @ rng.normal(size=free.shape[1]) - inverse @ self._functions.constraint_drift(q, v)
            rows.append((q, v, a))
        positions, velocities, accelerations = zip(*rows, strict=True)
        return np.array(positions), np.array(velocities), np.array(accelerations)

    def projected(self, q: "Array", *rows: "Array") -> "list[Array]":
        """N^T of arrays (m, nv, ...) for positions (m, nq); UsageError F006 where loops are not closed."""
        import numpy as np

        gaps = np.abs(self._functions.constraints.batch(q)).max(axis=1, initial=0.0)
        open_ = np.flatnonzero(~(gaps < FEASIBLE))
        if len(open_):
            message = f"row {open_[0]}: the loops are not closed, a residual is {gaps[open_[0]]:.1e}"
            raise UsageError(Diagnostic("F006", message, help="give positions that satisfy the constraints"))
        bases = self.bases(q)
        return [np.einsum("mvd,mv...->md...", bases, array) for array in rows]

    def bases(self, q: "Array") -> "Array":
        """N (m, nv, d) at positions (m, nq)."""
        return self._split(q)[1]

    def _split(self, q: "Array") -> "tuple[Array, Array]":
        """Pseudoinverses of phi_q, and N (m, nv, d), at positions (m, nq)."""
        import numpy as np

        u, s, v = np.linalg.svd(self._functions.constraint_jacobian.batch(q))
        v, rank = np.swapaxes(v, 1, 2), self._rank
        return (v[:, :, :rank] / s[:, None, :rank]) @ np.swapaxes(u[:, :, :rank], 1, 2), v[:, :, rank:]

    def moved(self, q: "Array", change: "Array", free: list[int], dependent: list[int]) -> "Array | None":
        """Positions (m, nq) with closed loops, whose `free` coordinates differ from q by `change` (m, n).

        None where there are none near by.
        """
        import numpy as np

        step = self._completed(q, change, free, dependent)
        if not float(np.abs(step).max(initial=0.0)) < FARTHEST:
            return None
        found: Array = integrate(self._functions.tree, q, step)
        for _ in range(MOST_CORRECTIONS):
            gaps = self._functions.constraints.batch(found)
            if float(np.abs(gaps).max(initial=0.0)) < CLOSED:
                return found
            correction = np.zeros_like(step)
            correction[:, dependent] = -np.einsum("mij,mj->mi", self._inverse(found, dependent), gaps)
            if not float(np.abs(correction).max()) < FARTHEST:
                return None
            found = integrate(self._functions.tree, found, correction)
        return None

    def follow(
        self, q: "Array", v: "Array", a: "Array", free: list[int], dependent: list[int]
    ) -> "tuple[Array, Array]":
        """Velocities and accelerations (m, nv) of all joints for those of the `free` coordinates (m, n)."""
        velocities = self._completed(q, v, free, dependent)
        drift = self._functions.constraint_drift.batch(q, velocities)
        return velocities, self._completed(q, a, free, dependent, drift)

    def _completed(
        self, q: "Array", v: "Array", free: list[int], dependent: list[int], drift: "Array | None" = None
    ) -> "Array":
        """Solution of phi_q v + drift = 0 for the dependent elements of v."""
        import numpy as np

        whole = np.zeros((len(q), len(free) + len(dependent)))
        whole[:, free] = v
        right = np.einsum("mij,mj->mi", self._functions.constraint_jacobian.batch(q)[:, :, free], v)
        right = right if drift is None else right + drift
        whole[:, dependent] = -np.einsum("mij,mj->mi", self._inverse(q, dependent), right)
        return whole

    def _inverse(self, q: "Array", dependent: list[int]) -> "Array":
        """Pseudoinverses of the columns of phi_q that belong to the dependent elements."""
        import numpy as np

        columns = self._functions.constraint_jacobian.batch(q)[:, :, dependent]
        return np.asarray(np.linalg.pinv(columns, rcond=SMALLEST), dtype=np.float64)

    def _next(self, q: "Array", rng: "np.random.Generator") -> "Array":
        """Positions with closed loops a random step away."""
        tree = self._functions.tree
        for turn in range(MOST_TURNS):
            free = self.bases(q[None])[0]
            step = free @ rng.normal(size=free.shape[1]) * STEP / (1 + turn)
            found = self._closed(integrate(tree, q, step))
            if found is not None:
                return found
        hint = "start where the loops can move: give initial values of the joints"
        raise UsageError(Diagnostic("F006", f"no poses with closed loops beside the start of {tree.name}", help=hint))

    def _closed(self, q: "Array") -> "Array | None":
        import numpy as np

        for _ in range(MOST_STEPS):
            gaps = self._functions.constraints(q)
            if float(np.abs(gaps).max()) < CLOSED:
                return q
            q = integrate(self._functions.tree, q, -self._split(q[None])[0][0] @ gaps)
        return None
