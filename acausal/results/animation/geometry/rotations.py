"""Rotations as quaternions (x, y, z, w), many at once."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def quaternions(matrices: "Array") -> "Array":
    """Quaternions (n, 4) of rotation matrices (n, 3, 3), without changes of sign from row to row.

    The largest component is found first, so that none is the difference of nearly equal numbers (S. W. Shepperd,
    Quaternion from rotation matrix, J. Guidance and Control 1(3), 1978).
    """
    import numpy as np

    m = matrices
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    # Row k of K is 4*q[k]*q: the symmetric matrix of all products.
    products = np.empty((len(m), 4, 4))
    for i in range(3):
        for j in range(3):
            products[:, i, j] = m[:, i, j] + m[:, j, i]
        products[:, i, i] = 1 + 2 * m[:, i, i] - trace
        j, k = (i + 1) % 3, (i + 2) % 3
        products[:, i, 3] = products[:, 3, i] = m[:, k, j] - m[:, j, k]
    products[:, 3, 3] = 1 + trace
    largest = np.argmax(np.diagonal(products, axis1=1, axis2=2), axis=1)
    found = products[np.arange(len(m)), largest]
    found = found / np.linalg.norm(found, axis=1, keepdims=True)
    return steady_signs(found)


def steady_signs(turns: "Array") -> "Array":
    """The same rotations; each quaternion is that of its two nearest to the one before."""
    import numpy as np

    if len(turns) < 2:
        return turns
    flips = np.sign((turns[1:] * turns[:-1]).sum(axis=1))
    signs = np.concatenate([[1.0], np.cumprod(np.where(flips < 0, -1.0, 1.0))])
    return np.asarray(turns * signs[:, None])


def toward(directions: "Array") -> "Array":
    """Rotations (n, 4) that turn the first axis into directions (n, 3); any length, the identity for zero."""
    import numpy as np

    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    d = np.where(lengths > 0, directions / np.where(lengths > 0, lengths, 1), [1.0, 0.0, 0.0])
    # Half the way between the first axis and d, about an axis across both; half a turn where they are opposite.
    found = np.column_stack([0 * d[:, 0], -d[:, 2], d[:, 1], 1 + d[:, 0]])
    found[d[:, 0] < -1 + 1e-12] = 0.0, 0.0, 1.0, 0.0
    return steady_signs(found / np.linalg.norm(found, axis=1, keepdims=True))


def rotated(turns: "Array", vectors: "Array") -> "Array":
    """Vectors (n, 3) turned by quaternions (n, 4); one row of either serves all."""
    import numpy as np

    u, w = turns[:, :3], turns[:, 3:]
    twice = 2 * np.cross(u, vectors)
    return np.asarray(vectors + w * twice + np.cross(u, twice))


def combined(first: "Array", second: "Array") -> "Array":
    """Products (n, 4) of quaternions: `second` is a rotation in the frame turned by `first`."""
    import numpy as np

    a, b = first[:, :3], second[:, :3]
    s, t = first[:, 3:], second[:, 3:]
    return np.hstack([s * b + t * a + np.cross(a, b), s * t - (a * b).sum(axis=1, keepdims=True)])
