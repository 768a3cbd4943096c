"""Operation counts of a routine: what the generated code computes at every call."""

from collections import Counter
from operator import itemgetter

from acausal.ir.program.instructions import (
    EFFECTS,
    LOADS,
    FactoredSolve,
    Instruction,
    LinearColumns,
    LinearFactor,
    LinearSolve,
    NewtonSolve,
    Operations,
)

_COUNTED = {"mul": "mul", "add": "add", "sub": "add", "div": "div", "neg": "neg"}
_BLOCKS = frozenset(("linear_solve", "linear_factor", "factored_solve", "linear_columns", "newton_solve"))
_FREE = frozenset((*LOADS, *EFFECTS, "const", "boolean", "time", "extract", *_BLOCKS))


def count(code: tuple[Instruction, ...]) -> Operations:
    """Operations by kind; functions are all others, relations and `if` among them.

    A linear block counts as elimination (as substitution where it is factored), a nonlinear one as one iteration.
    """
    counts = {"mul": 0, "add": 0, "div": 0, "neg": 0, "functions": 0}
    ops = Counter(map(itemgetter(0), code))
    for op, number in ops.items():
        if op not in _FREE:
            counts[_COUNTED.get(op, "functions")] += number
    if not _BLOCKS.isdisjoint(ops):
        for _, _, value in code:
            if isinstance(value, LinearSolve | LinearFactor | FactoredSolve | LinearColumns | NewtonSolve):
                _count_block(value, counts)
    return Operations(**counts)


def _count_block(
    solve: LinearSolve | LinearFactor | FactoredSolve | LinearColumns | NewtonSolve, counts: dict[str, int]
) -> None:
    n = solve.size
    mul, div = _elimination(n)
    if isinstance(solve, FactoredSolve):
        mul, div = n * (n - 1), n
    elif isinstance(solve, LinearFactor):
        mul, div = mul - n * (n - 1), div - n
    elif isinstance(solve, LinearColumns):
        mul, div = mul + (solve.columns - 1) * n * (n - 1), div + (solve.columns - 1) * n
    inner = solve.residuals.operations if isinstance(solve, NewtonSolve) else Operations()
    counts["mul"] += mul + inner.mul
    counts["add"] += mul + inner.add
    counts["div"] += div + inner.div
    counts["neg"] += inner.neg
    counts["functions"] += inner.functions


def _elimination(n: int) -> tuple[int, int]:
    """Multiplications (as many subtractions) and divisions of Gaussian elimination with one right side."""
    mul = sum((n - 1 - k) * (n - k) for k in range(n)) + n * (n - 1) // 2
    return mul, n * (n - 1) // 2 + n
