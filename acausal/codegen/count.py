"""Operation counts of a routine: what the generated code computes at every call."""

from collections import Counter

from acausal.ir.program import EFFECTS, LOADS, Instruction, LinearSolve, NewtonSolve, Operations

_COUNTED = {"mul": "mul", "add": "add", "sub": "add", "div": "div", "neg": "neg"}
_FREE = frozenset((*LOADS, *EFFECTS, "const", "boolean", "time", "extract", "linear_solve", "newton_solve"))


def count(code: tuple[Instruction, ...]) -> Operations:
    """Operations by kind; functions are all others, relations and `if` among them.

    A linear block counts as elimination, a nonlinear one as one iteration.
    """
    counts = {"mul": 0, "add": 0, "div": 0, "neg": 0, "functions": 0}
    ops = Counter([i.op for i in code])
    for op, number in ops.items():
        if op not in _FREE:
            counts[_COUNTED.get(op, "functions")] += number
    if "linear_solve" in ops or "newton_solve" in ops:
        for _, _, value in code:
            if isinstance(value, LinearSolve | NewtonSolve):
                _count_block(value, counts)
    return Operations(**counts)


def _count_block(solve: LinearSolve | NewtonSolve, counts: dict[str, int]) -> None:
    mul, div = _elimination(solve.size)
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
