"""Integrals of f_p' w over the run, by Gauss's formula on the steps of both runs."""

from typing import TYPE_CHECKING

from acausal.base.caches import once
from acausal.runtime.delays import NODES
from acausal.simulate.inputs.recording import Recording

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

MOST_NUMBERS = 500_000
"""Numbers that are held at a time: they stay in the cache."""


def integrals(executable: "Executable", p: "Array", w: Recording, run: Recording, read: int) -> "Array":
    """Integrals of all variables of a program, whose states are w by the time that is left.

    Its inputs are the first `read` values of the run.
    """
    import numpy as np

    program, stop = executable.program, float(run.ends[-1])
    nodes, weights = np.polynomial.legendre.leggauss(3)
    inner = stop - run.ends
    inner = inner[(inner > w.ends[0]) & (inner < w.ends[-1])]
    ends = np.unique(np.concatenate([w.ends, inner]))
    m, total = np.zeros(program.memory_size), np.zeros(program.stored_size)
    size = (NODES + 3) * (w.nodes.shape[2] + run.nodes.shape[2]) + 3 * len(total)
    count = max(MOST_NUMBERS // size, 1)
    for first in range(0, len(ends) - 1, count):
        some = ends[first : first + count + 1]
        half = np.diff(some) / 2
        times = (some[:-1] + half)[:, None] + half[:, None] * nodes
        y = _values(w, times, w.nodes.shape[2])
        u = np.zeros((len(y), program.input_size))
        u[:, :read] = _values(run, stop - times, read)
        found = np.empty((len(y), len(total)))
        executable.variables_many(times.ravel(), y, u, p, m, found, np.zeros((len(y), program.memory)))
        total += (half[:, None] * weights).ravel() @ found
    return total


def _values(recording: Recording, times: "Array", count: int) -> "Array":
    """The first values (points, count) at times (intervals, points); an interval lies within a piece."""
    import numpy as np

    middle = times[:, times.shape[1] // 2]
    piece = np.clip(np.searchsorted(recording.ends, middle, "right") - 1, 0, len(recording.nodes) - 1)
    begin, end = recording.ends[piece], recording.ends[piece + 1]
    shares = (times - begin[:, None]) / (end - begin)[:, None]
    return np.ascontiguousarray((_weights(shares) @ recording.nodes[piece, :, :count]).reshape(times.size, count))


def _weights(shares: "Array") -> "Array":
    """Lagrange's polynomials (..., NODES) of the nodes of a piece, by powers of the share of its length."""
    import numpy as np

    return np.asarray((shares[..., None] ** np.arange(NODES)) @ _polynomials())


@once
def _polynomials() -> "Array":
    """Coefficients (powers, NODES) of Lagrange's polynomials."""
    import numpy as np

    powers = np.arange(NODES)
    return np.asarray(np.linalg.inv((powers / (NODES - 1))[None, :] ** powers[:, None]).T, dtype=np.float64)
