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
SMALLEST = 1e-6
"""Singular values of phi_q below this share of the largest are zero."""


class ClosedLoops:
    """The loops of a mechanism, closed at the positions `start` (nq,)."""

    def __init__(self, functions: TreeFunctions, start: "Array") -> None:
        import numpy as np

        self._functions, self._start = functions, start
        values = np.linalg.svd(functions.constraint_jacobian(start), compute_uv=False)
        self._rank = int(np.count_nonzero(values > SMALLEST * values.max(initial=0.0)))

    def random_states(self, count: int, seed: int) -> "tuple[Array, Array, Array]":
        """Positions (m, nq) along a random way, velocities and accelerations (m, nv) with closed loops."""
        import numpy as np

        rng, q = np.random.default_rng(seed), self._start
        rows = []
        for _ in range(count):
            q = self._next(q, rng)
            inverse, free = self._split(q)
            v = free @ rng.normal(size=free.shape[1])
            a = free @ rng.normal(size=free.shape[1]) - inverse @ self._functions.constraint_drift(q, v)
            rows.append((q, v, a))
        positions, velocities, accelerations = zip(*rows, strict=True)
        return np.array(positions), np.array(velocities), np.array(accelerations)

    def projected(self, q: "Array", *rows: "Array") -> "list[Array]":
        """N^T of arrays (m, nv, ...) for positions (m, nq); UsageError F006 where loops are not closed."""
        import numpy as np

        bases = []
        for number, position in enumerate(q):
            gap = float(np.abs(self._functions.constraints(position)).max())
            if not gap < FEASIBLE:
                message = f"row {number}: the loops are not closed, a residual is {gap:.1e}"
                raise UsageError(Diagnostic("F006", message, help="give positions that satisfy the constraints"))
            bases.append(self._split(position)[1])
        return [np.einsum("mvd,mv...->md...", np.array(bases), array) for array in rows]

    def _split(self, q: "Array") -> "tuple[Array, Array]":
        """Pseudoinverse of phi_q, and N (nv, d)."""
        import numpy as np

        u, s, v = np.linalg.svd(self._functions.constraint_jacobian(q))
        rank = self._rank
        return (v[:rank].T / s[:rank]) @ u[:, :rank].T, v[rank:].T

    def _next(self, q: "Array", rng: "np.random.Generator") -> "Array":
        """Positions with closed loops a random step away."""
        tree = self._functions.tree
        for turn in range(MOST_TURNS):
            free = self._split(q)[1]
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
            q = integrate(self._functions.tree, q, -self._split(q)[0] @ gaps)
        return None
