"""Linear systems of lower order: balanced truncation, and removal of fast modes.

Balanced truncation by the square roots of the Gramians: A. J. Laub, M. T. Heath, C. C. Paige, R. C. Ward, IEEE
Transactions on Automatic Control 32, 1987. Its error has the bound 2*(sum of the Hankel singular values left out),
K. Glover, International Journal of Control 39, 1984.
"""

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Literal

from acausal.base.arguments import as_number
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Method = Literal["balanced", "modal"]
"""Of reduction."""
MARGIN = 1e-9
"""Eigenvalues with real parts above -MARGIN*(largest absolute value) are not taken for stable."""
LOST = 1e-14
"""Hankel singular values below this part of the largest one are rounding errors."""

Matrices = tuple["Array", "Array", "Array", "Array"]


@dataclass(frozen=True, slots=True)
class Parts:
    """A system as a sum of two without common modes: a kept one, and one that may be reduced."""

    kept: "tuple[Array, Array, Array]"
    other: "tuple[Array, Array, Array]"


def reduced_matrices(matrices: Matrices, order: int | None, tolerance: float | None, method: Method) -> Matrices:
    """A, B, C, D of lower order.

    `order` is the number of states that stay. `tolerance` bounds the error: with "balanced" that of the frequency
    response at all frequencies; with "modal" it is the part of the largest time constant below which modes are fast.
    Unstable and integrating modes stay. Gains at frequency 0 stay the same with "modal".
    """
    return _balanced(matrices, order, tolerance) if method == "balanced" else _modal(matrices, order, tolerance)


def reduction_of(order: object, tolerance: object, method: str) -> tuple[int | None, float | None, Method]:
    """The arguments of `Linear.reduce`; UsageError F006 where they do not fit."""
    if method not in ("balanced", "modal"):
        raise UsageError(Diagnostic("F006", f'unknown method {method!r}: it is "balanced" or "modal"'))
    number, bound = as_number("order", order), as_number("tolerance", tolerance)
    if (number is None) == (bound is None):
        raise UsageError(Diagnostic("F006", "either the order or a tolerance is given", help="reduce(order=4)"))
    if number is not None and number != int(number):
        raise UsageError(Diagnostic("F006", f"order = {number:g}: it is a number of states"))
    if bound is not None and not 0.0 < bound < inf:
        raise UsageError(Diagnostic("F006", f"tolerance = {bound:g}: it is a positive number"))
    return None if number is None else int(number), bound, "modal" if method == "modal" else "balanced"


def truncated(
    matrices: Matrices, rates: "Array", y: "Array", asked: tuple[int | None, float | None, Method]
) -> "tuple[Matrices, Array, Array, Array]":
    """Matrices of lower order with states, rates and outputs of the operating point, which may be moving."""
    import numpy as np

    a, b, c, d = matrices
    m = b.shape[1]
    constant = rates[:, None] if rates.any() else np.zeros((len(a), 0))
    none = np.zeros((len(c), constant.shape[1]))
    a, b, c, d = reduced_matrices((a, np.hstack([b, constant]), c, np.hstack([d, none])), *asked)
    return (a, b[:, :m], c, d[:, :m]), np.zeros(len(a)), b[:, m:].sum(axis=1), y + d[:, m:].sum(axis=1)


def hankel_singular_values(matrices: Matrices) -> "Array":
    """Hankel singular values of the stable part, the largest first."""
    return _balancing(_unstable_apart(matrices).other)[0]


def _balanced(matrices: Matrices, order: int | None, tolerance: float | None) -> Matrices:
    import numpy as np

    parts = _unstable_apart(matrices)
    fixed = len(parts.kept[0])
    values, left, right = _balancing(parts.other)
    significant = int((values > LOST * values.max(initial=0.0)).sum())
    if order is not None:
        _require_order(order, fixed, len(matrices[0]))
        count = min(order - fixed, significant)
    else:
        assert tolerance is not None
        errors = 2.0 * np.append(np.cumsum(values[::-1])[::-1], 0.0)
        count = min(int(np.argmax(errors <= tolerance)), significant)
    scale = 1.0 / np.sqrt(values[:count])
    left, right = left[:, :count] * scale, right[:, :count] * scale
    a, b, c = parts.other
    return _joined(parts.kept, (left.T @ a @ right, left.T @ b, c @ right), matrices[3])


def _modal(matrices: Matrices, order: int | None, tolerance: float | None) -> Matrices:
    import numpy as np

    a = matrices[0]
    sizes = np.sort(np.abs(np.linalg.eigvals(a)))
    unstable = len(_unstable_apart(matrices).kept[0])
    if order is not None:
        _require_order(order, unstable, len(a))
        bound = float(sizes[order - 1]) if order else 0.0
    else:
        assert tolerance is not None
        slowest = sizes[sizes > MARGIN * sizes.max(initial=0.0)]
        bound = float(slowest[0]) / tolerance if len(slowest) else 0.0
    limit = _stability_limit(a)
    parts = _separated(matrices, lambda s: abs(s) <= bound * (1 + MARGIN) or s.real >= limit)
    fast_a, fast_b, fast_c = parts.other
    if not len(fast_a):
        return _joined(parts.kept, parts.other, matrices[3])
    static = fast_c @ np.linalg.solve(fast_a, fast_b)
    empty = np.zeros((0, 0)), np.zeros((0, fast_b.shape[1])), np.zeros((len(fast_c), 0))
    return _joined(parts.kept, empty, matrices[3] - static)


def _require_order(order: int, fixed: int, states: int) -> None:
    if not 0 <= order <= states:
        raise UsageError(Diagnostic("F006", f"order = {order}: the system has {states} states"))
    if order < fixed:
        message = f"order = {order}: {fixed} modes of the system are not stable and are kept"
        raise UsageError(Diagnostic("F006", message, help=f"choose at least order {fixed}"))


def _stability_limit(a: "Array") -> float:
    import numpy as np

    return -MARGIN * float(np.abs(np.linalg.eigvals(a)).max()) if len(a) else 0.0


def _unstable_apart(matrices: Matrices) -> Parts:
    limit = _stability_limit(matrices[0])
    return _separated(matrices, lambda s: s.real >= limit)


def _separated(matrices: Matrices, is_kept: "Callable[[complex], bool]") -> Parts:
    """The modes for which `is_kept`, and the others; by an ordered Schur form and a Sylvester equation."""
    import numpy as np
    from scipy.linalg import schur, solve_sylvester

    a, b, c, _ = matrices
    if not len(a):
        return Parts((a, b, c), (a, b, c))
    t, z, count = schur(a, output="real", sort=lambda x, y: is_kept(complex(x, y)))
    coupling = solve_sylvester(t[:count, :count], -t[count:, count:], -t[:count, count:])
    change = np.eye(len(a))
    change[:count, count:] = coupling
    back = np.eye(len(a))
    back[:count, count:] = -coupling
    inputs, outputs = back @ z.T @ b, c @ z @ change
    kept = t[:count, :count], inputs[:count], outputs[:, :count]
    return Parts(kept, (t[count:, count:], inputs[count:], outputs[:, count:]))


def _balancing(part: "tuple[Array, Array, Array]") -> "tuple[Array, Array, Array]":
    """Hankel singular values, and the vectors that project to them from left and right."""
    import numpy as np
    from scipy.linalg import solve_continuous_lyapunov

    a, b, c = part
    if not len(a):
        return np.empty(0), a, a
    reachable = _root(solve_continuous_lyapunov(a, -b @ b.T))
    observable = _root(solve_continuous_lyapunov(a.T, -c.T @ c))
    u, values, v = np.linalg.svd(observable.T @ reachable)
    return values, observable @ u, reachable @ v.T


def _root(gramian: "Array") -> "Array":
    """R with R R' = gramian, which may be singular."""
    import numpy as np

    values, vectors = np.linalg.eigh(0.5 * (gramian + gramian.T))
    root: Array = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def _joined(first: "tuple[Array, Array, Array]", second: "tuple[Array, Array, Array]", d: "Array") -> Matrices:
    from numpy import hstack, vstack
    from scipy.linalg import block_diag

    a = block_diag(first[0], second[0]) if len(second[0]) else first[0]
    a = a if len(first[0]) else second[0]
    return a, vstack([first[1], second[1]]), hstack([first[2], second[2]]), d
