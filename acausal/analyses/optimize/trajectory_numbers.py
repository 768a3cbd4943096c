"""Functionals of a run that is given by rows: each is a weighted sum of rows of its expression.

Integrals by Simpson's rule for intervals that differ (P. J. Davis, P. Rabinowitz, Methods of Numerical Integration,
1984, section 2.2), separately between events, where an instant has two rows.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.analyses.optimize.functionals import Evaluation, Functionals
from acausal.ir.expr import Expr

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class TrajectoryNumbers:
    """Values of expressions of functionals, and their slopes along what moves the rows."""

    def __init__(self, functionals: Functionals, outer: "list[Expr]") -> None:
        self.names = tuple(functionals.variables)
        leaves, self._found = tuple(functionals.found), tuple(functionals.found.values())
        pool = functionals.pool
        self._inner = Evaluation(pool, [f.inner for f in self._found], list(functionals.variables.values()))
        self._outer = Evaluation(pool, outer, leaves)

    def values(self, time: "Array", of: "Callable[[str], Array]") -> "Array":
        """The values (outer,) of the expressions for variables `of` a name (rows,) at `time` (rows,)."""
        return self._evaluated(time, self._columns(time, of))[0]

    def slopes(self, time: "Array", of: "Callable[[str], Array]", moved: "Array") -> "tuple[Array, Array]":
        """Values (outer,) and slopes (outer, p), where `moved` (rows, variables, p) are those of the variables."""
        import numpy as np

        values, rows, outer = self._evaluated(time, self._columns(time, of))
        weights, partials = rows
        inner = np.einsum("fr,rfv,rvp->fp", weights, partials, moved)
        return values, outer @ inner

    def _columns(self, time: "Array", of: "Callable[[str], Array]") -> "Array":
        import numpy as np

        found = [np.broadcast_to(time if name == "time" else of(name), time.shape) for name in self.names]
        return np.array(found).T.reshape(len(time), len(found))

    def _evaluated(self, time: "Array", columns: "Array") -> "tuple[Array, tuple[Array, Array], Array]":
        import numpy as np

        values, partials = self._inner(columns)
        weights = np.array([_weights(f.kind, time, values[:, k]) for k, f in enumerate(self._found)])
        numbers = np.einsum("fr,rf->f", weights.reshape(-1, len(time)), values)
        found, slopes = self._outer(numbers[None])
        return found[0], (weights, partials), slopes[0]


def _weights(kind: str, time: "Array", values: "Array") -> "Array":
    """Weights of the rows (rows,)."""
    import numpy as np

    if kind == "integral":
        return integral_weights(time)
    found = np.zeros(len(time))
    row = {"first": 0, "final": -1}.get(kind)
    found[(np.argmax(values) if kind == "max" else np.argmin(values)) if row is None else row] = 1.0
    return found


def integral_weights(time: "Array") -> "Array":
    """Weights (rows,) of the rows at times that do not decrease; between equal times there is nothing."""
    import numpy as np

    found = np.zeros(len(time))
    steps = np.diff(time).tolist()
    k = 0
    while k < len(steps):
        first = steps[k]
        second = steps[k + 1] if k + 1 < len(steps) else 0.0
        if 0.5 * first <= second <= 2.0 * first and first > 0:
            both = (first + second) / 6
            found[k] += both * (2 - second / first)
            found[k + 1] += both * (first + second) ** 2 / (first * second)
            found[k + 2] += both * (2 - first / second)
            k += 2
            continue
        found[k] += first / 2
        found[k + 1] += first / 2
        k += 1
    return found
