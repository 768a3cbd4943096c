"""Operation counts of a routine: what the generated code computes at every call."""

from acausal.ir.program import EFFECTS, LOADS, Instruction, LinearSolve, NewtonSolve, Operations

_COUNTED = {"mul": "mul", "add": "add", "sub": "add", "div": "div", "neg": "neg"}
_FREE = frozenset((*LOADS, *EFFECTS, "const", "boolean", "time", "extract"))


def count(code: tuple[Instruction, ...]) -> Operations:
    """Operations by kind; functions are all others, relations and `if` among them.

    A linear block counts as elimination, a nonlinear one as one iteration.
    """
    counts = {"mul": 0, "add": 0, "div": 0, "neg": 0, "functions": 0}
    for op, _, value in code:
        if op in _FREE:
            continue
        if isinstance(value, LinearSolve | NewtonSolve):
            inner = value.residuals.operations if isinstance(value, NewtonSolve) else Operations()
            mul, div = _elimination(value.size)
            counts["mul"] += mul + inner.mul
            counts["add"] += mul + inner.add
            counts["div"] += div + inner.div
            counts["neg"] += inner.neg
            counts["functions"] += inner.functions
            continue
        counts[_COUNTED.get(op, "functions")] += 1
    return Operations(**counts)


def _elimination(n: int) -> tuple[int, int]:
    """Multiplications (as many subtractions) and divisions of Gaussian elimination with one right side."""
    mul = sum((n - 1 - k) * (n - k) for k in range(n)) + n * (n - 1) // 2
    return mul, n * (n - 1) // 2 + n
