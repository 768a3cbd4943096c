"""Operators on numbers, and on all rows of a run at once."""

from acausal.ir.ops import OPS


def operated(op: str, given: list[float]) -> float:
    """The value of an operator as the NumPy text computes it; but for `if` and `mod` of arrays, too."""
    import numpy as np

    if op == "div":
        return given[0] / given[1]
    if op == "add":
        return given[0] + given[1]
    if op == "sub":
        return given[0] - given[1]
    if op == "mul":
        return given[0] * given[1]
    if op == "pow":
        return np.float64(np.power(given[0], given[1]))
    row = OPS[op]
    function = getattr(np, row.numpy, None) if row.numpy.isidentifier() and op not in ("if", "mod") else None
    return row.evaluate(*given) if function is None else function(*given)
