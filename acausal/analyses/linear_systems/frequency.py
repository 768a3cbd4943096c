"""Poles, zeros and responses of a linear system."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from acausal.analyses.linear_systems.sparse_systems import sparse_response
from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from acausal.analyses.linear_systems.sparse_systems import ComplexArray
    from acausal.codegen.executable import Array

SLOWEST = 5.0
"""Time constants of the slowest stable mode that a step response shows."""


def poles(a: "Array") -> "ComplexArray":
    """Eigenvalues, sorted by their absolute value, then by their parts."""
    import numpy as np

    return _sorted(np.asarray(np.linalg.eigvals(a), dtype=complex)) if len(a) else np.empty(0, dtype=complex)


def zeros(a: "Array", b: "Array", c: "Array", d: "Array") -> "ComplexArray":
    """Finite transmission zeros: where [A - s I, B; C, D] is singular, for as many inputs as outputs.

    Generalized eigenvalues of this pencil (A. Emami-Naeini, P. Van Dooren, Automatica 18, 1982, section 2). Those that
    rounding moves from infinity are recognized by their size.
    UsageError F006 where there are not as many inputs as outputs.
    """
    import numpy as np
    from scipy.linalg import eig

    n, m = b.shape
    if m != len(c):
        raise UsageError(Diagnostic("F006", f"zeros need as many inputs as outputs, not {m} and {len(c)}"))
    if not m or not n:
        return np.empty(0, dtype=complex)
    scale = max(1.0, float(np.abs(a).max()))
    left = np.block([[a / scale, b], [c, d]])
    right = np.zeros_like(left)
    right[:n, :n] = np.eye(n)
    alpha, beta = eig(left, right, right=False, homogeneous_eigvals=True)
    finite = np.abs(beta) > 1e-12 * np.hypot(np.abs(alpha), np.abs(beta))
    return _sorted(scale * alpha[finite] / beta[finite])


def _sorted(values: "ComplexArray") -> "ComplexArray":
    import numpy as np

    order = np.lexsort((values.imag, values.real, np.round(np.abs(values), 12)))
    return values[order]


def as_frequencies(omega: "Iterable[float] | Array") -> "Array":
    """Angular frequencies as an array; UsageError F006 for others than finite numbers from 0 on."""
    import numpy as np

    try:
        found = np.asarray(omega if hasattr(omega, "__len__") else list(omega), dtype=float).ravel()
    except (TypeError, ValueError):
        raise UsageError(Diagnostic("F006", "omega must be numbers: angular frequencies in rad/s")) from None
    if not np.isfinite(found).all() or (found < 0).any():
        raise UsageError(Diagnostic("F006", "angular frequencies must be finite and not negative"))
    return found


def response(a: "Array", b: "Array", c: "Array", d: "Array", omega: "Iterable[float] | Array") -> "ComplexArray":
    """C (j omega - A)^-1 B + D, a solution for each frequency; NaN at an undamped pole."""
    import numpy as np
    from scipy.sparse import issparse

    at = as_frequencies(omega)
    if issparse(a):
        return sparse_response(None, a, b, c, d, at)
    found = np.empty((len(at), *d.shape), dtype=complex)
    unit = np.eye(len(a))
    for k, w in enumerate(at):
        try:
            found[k] = c @ np.linalg.solve(1j * w * unit - a, b.astype(complex)) + d if len(a) else d
        except np.linalg.LinAlgError:
            found[k] = np.nan
    return found


def plotted_frequencies(poles: "ComplexArray", zeros: "ComplexArray", count: int = 400) -> "Array":
    """Angular frequencies from a decade below to a decade above poles and zeros."""
    import numpy as np

    sizes = np.abs(np.concatenate([poles, zeros]))
    sizes = sizes[sizes > 1e-9 * sizes.max(initial=0.0)]
    low, high = (sizes.min(), sizes.max()) if len(sizes) else (1.0, 1.0)
    return np.geomspace(0.1 * low, 10.0 * high, count)


def step_response(
    a: "Array", b: "Array", c: "Array", d: "Array", stop: float | None, rows: int
) -> "tuple[Array, Array]":
    """Times and outputs; exact by the matrix exponential of [A B; 0 0] over one interval."""
    import numpy as np
    from scipy.linalg import expm

    if rows < 2:
        raise UsageError(Diagnostic("F006", f"a step response requires at least 2 rows, not {rows}"))
    if stop is not None and not 0.0 < stop < np.inf:
        raise UsageError(Diagnostic("F006", f"stop = {stop:g}: a step response needs a positive duration"))
    n, m = b.shape
    if stop is None:
        decaying = -np.linalg.eigvals(a).real if n else np.empty(0)
        decaying = decaying[decaying > 1e-12 * np.abs(a).max(initial=1e-300)]
        stop = SLOWEST / float(decaying.min()) if len(decaying) else 1.0
    step = stop / (rows - 1)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:] = a * step, b * step
    forward = expm(whole)
    x = np.vstack([np.zeros((n, m)), np.eye(m)])
    found = np.empty((rows, len(c), m))
    for k in range(rows):
        found[k] = c @ x[:n] + d
        x = forward @ x
    return np.linspace(0.0, stop, rows), found
